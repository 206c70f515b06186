import { toStr } from '../../../base/php/cast.js';
import { formatWall, parseMysqlDate, weekday, type Wall } from '../../../base/php/date.js';
import { PAGE, POST, thumbnailOf, type Post, type Term } from '../../model.js';
import { imageTag } from '../../media/pictures.js';
import { autop } from '../autop.js';
import { decodeEntities } from '../decode-entities.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { ksesPost, htmlRules } from '../kses/kses.js';
import { stripTags, trimWords } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { isRecord } from '../../../base/values/records.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import { at, styled } from './styles.js';

/** Dates as a site writes them. @param format default: that of the site */
export function dateIn(frame: Frame, local: string, format = ''): string {
  const wall = parseMysqlDate(local);
  const { site } = frame.references;
  return wall && site ? formatWall(format || site.options.dateFormat, wall) : '';
}

export const linkColor = ({ attributes }: Frame): string[] =>
  (at(attributes, 'style.elements.link.color.text') ?? null) === null ? [] : ['has-link-color'];

export const aligned = (frame: Frame): string[] => (frame.text('textAlign') === '' ? [] : [`has-text-align-${frame.text('textAlign')}`]);

/** A picture of a user. */
export function avatar({ references: { site } }: Frame, email: string, size: number, { alt = '', classes = '', more = '' } = {}): string {
  if (!site?.options.showsAvatars) return '';
  const [one, two] = [size, size * 2].map((each) => escUrl(site.avatarUrl(email, each)));
  const names = ['avatar', `avatar-${size}`, 'photo', ...(classes === '' ? [] : [classes])].join(' ');
  return `<img alt='${escAttr(alt)}' src='${one}' srcset='${two} 2x' class='${escAttr(names)}' height='${size}' width='${size}' ${more}/>`;
}

const ORDERS = { date: 'date', title: 'title', modified: 'modified', menu_order: 'menu_order', author: 'author' } as const;

export const orderOf = (by: unknown): (typeof ORDERS)[keyof typeof ORDERS] =>
  typeof by === 'string' && Object.hasOwn(ORDERS, by) ? ORDERS[by as keyof typeof ORDERS] : 'date';

const idsIn = (list: unknown): number[] =>
  Array.isArray(list) ? list.flatMap((each) => Number(isRecord(each) ? each.id : each) || []) : [];

/** WP: the most posts that the block offers. */
const MOST_POSTS = 100;
const MORE = ' [&hellip;]';

const latestPosts: Renderer = (frame) => {
  const { references, attributes } = frame;
  const categories = idsIn(attributes.categories);
  const author = frame.number('selectedAuthor');
  const { posts } = references.ask('posts', {
    type: POST,
    statuses: ['publish'],
    ...(categories.length > 0 ? { terms: [{ taxonomy: 'category', ids: categories }] } : {}),
    ...(author > 0 ? { authors: [author] } : {}),
    sort: { by: orderOf(attributes.orderBy), descending: attributes.order !== 'asc' },
    limit: Math.min(Math.max(frame.number('postsToShow'), 0), MOST_POSTS),
    offset: 0,
  });
  const isGrid = frame.text('postLayout') === 'grid';
  const classes = [
    'wp-block-latest-posts__list',
    ...(isGrid ? ['is-grid', `columns-${frame.number('columns')}`] : []),
    ...(frame.is('displayPostDate') ? ['has-dates'] : []),
    ...(frame.is('displayAuthor') ? ['has-author'] : []),
    ...linkColor(frame),
  ];
  const items = posts.map((post) => `<li>${latestPost(frame, post)}</li>\n`);
  return `<ul ${wrapper(frame, { class: classes.join(' ') })}>${items.join('')}</ul>`;
};

function latestPost(frame: Frame, post: Post): string {
  const { references } = frame;
  const link = escUrl(references.linkTo(post));
  const title = renderTitle(post.title) || '(no title)';
  const author = frame.is('displayAuthor') ? references.ask('user', post.author) : null;
  return [
    latestPicture(frame, post, link, title),
    `<a class="wp-block-latest-posts__post-title" href="${link}">${title}</a>`,
    author ? `<div class="wp-block-latest-posts__post-author">by ${author.displayName}</div>` : '',
    frame.is('displayPostDate')
      ? `<time datetime="${references.site?.iso(post.date) ?? ''}" class="wp-block-latest-posts__post-date">${dateIn(frame, post.date)}</time>`
      : '',
    frame.is('displayPostContent') ? latestText(frame, post, link, title) : '',
  ].join('');
}

function latestPicture(frame: Frame, post: Post, link: string, title: string): string {
  const { attributes, references } = frame;
  const picture = frame.is('displayFeaturedImage') ? references.attachment(thumbnailOf(post)) : undefined;
  if (!picture) return '';
  const size = frame.text('featuredImageSizeSlug') || 'thumbnail';
  const limits = (['Width', 'Height'] as const).flatMap((side) => {
    const value = attributes[`featuredImageSize${side}`];
    return typeof value === 'number' ? [`max-${side.toLowerCase()}:${value}px;`] : [];
  });
  const img = imageTag(picture, size, references.uploadsUrl, {
    class: `attachment-${size} size-${size} wp-post-image`,
    style: limits.join(''),
  });
  const align = frame.text('featuredImageAlign');
  const shown = frame.is('addLinkToFeaturedImage') ? `<a href="${link}" aria-label="${escAttr(title)}">${img}</a>` : img;
  return `<div class="wp-block-latest-posts__featured-image${align === '' ? '' : ` align${align}`}">${shown}</div>`;
}

function latestText(frame: Frame, post: Post, link: string, title: string): string {
  const { references } = frame;
  const isWithheld = post.password !== '';
  if (frame.text('displayPostContentRadio') === 'full_post') {
    const text = isWithheld ? 'This content is password protected.' : decodeEntities(post.content);
    return `<div class="wp-block-latest-posts__post-full-content">${ksesPost(text, htmlRules(references.quirks))}</div>`;
  }
  const excerpt = references.site?.excerpt(post, frame.number('excerptLength')) ?? '';
  const more = `… <a class="wp-block-latest-posts__read-more" href="${link}" rel="noopener noreferrer">Read more<span class="screen-reader-text">: ${escHtml(title)}</span></a>`;
  const text = excerpt.endsWith(MORE) ? excerpt.slice(0, -MORE.length) + more : excerpt;
  return `<div class="wp-block-latest-posts__post-excerpt">${isWithheld ? 'This content is password protected.' : text}</div>`;
}

/** WP: words of a comment in a list. */
const COMMENT_WORDS = 20;

const latestComments: Renderer = (frame) => {
  const { references } = frame;
  const comments = references.ask('comments', Math.min(Math.max(frame.number('commentsToShow'), 0), MOST_POSTS));
  const [hasAvatars, hasDates, hasExcerpts] = ['displayAvatar', 'displayDate', 'displayExcerpt'].map((name) => frame.is(name));
  const classes = [
    ...(hasAvatars ? ['has-avatars'] : []),
    ...(hasDates ? ['has-dates'] : []),
    ...(hasExcerpts ? ['has-excerpts'] : []),
    ...(comments.length === 0 ? ['no-comments'] : []),
  ].join(' ');
  if (comments.length === 0) return `<div ${wrapper(frame, { class: classes })}>No comments to show.</div>`;
  const part = (name: string): string => `wp-block-latest-comments__comment${name}`;
  const items = comments.map(({ comment, post }) => {
    const user = comment.authorUrl === '' && comment.author > 0 ? references.ask('user', comment.author) : null;
    const url = comment.authorUrl || (user && references.site ? references.site.authorUrl(user) : '');
    const name = comment.authorName || 'Anonymous';
    const author =
      url === '' ? `<span class="${part('-author')}">${name}</span>` : `<a class="${part('-author')}" href="${escUrl(url)}">${name}</a>`;
    const title = escHtml(renderTitle(post.title)) || '(no title)';
    const link = `<a class="${part('-link')}" href="${escUrl(`${references.linkTo(post)}#comment-${comment._id}`)}">${title}</a>`;
    const time = hasDates
      ? `<time datetime="${references.site?.iso(comment.date) ?? ''}" class="${part('-date')}">${dateIn(frame, comment.date)}</time>`
      : '';
    const text = trimWords(stripTags(comment.content.replace(/[\n\r]/g, ' ')), COMMENT_WORDS, '&hellip;');
    const excerpt = hasExcerpts ? `<div class="${part('-excerpt')}">${autop(text)}</div>` : '';
    const picture = hasAvatars ? avatar(frame, comment.authorEmail, 48, { classes: part('-avatar') }) : '';
    return `<li class="${part('')}">${picture}<article><footer class="${part('-meta')}">${author} on ${link}${time}</footer>${excerpt}</article></li>`;
  });
  return `<ol ${wrapper(frame, { class: classes })}>${items.join('')}</ol>`;
};

/** Lists of posts by date: how much of a date counts, how it is written, and what a menu of them says. */
const PERIODS = {
  yearly: { length: 4, format: 'Y', choose: 'Select Year' },
  monthly: { length: 7, format: 'F Y', choose: 'Select Month' },
  daily: { length: 10, format: '', choose: 'Select Day' },
} as const;

const archives: Renderer = (frame) => {
  const { references } = frame;
  const kind = frame.text('type');
  const { length, format, choose } = Object.hasOwn(PERIODS, kind) ? PERIODS[kind as keyof typeof PERIODS] : PERIODS.monthly;
  const counts = new Map<string, number>();
  for (const date of references.ask('dates', POST)) counts.set(date.slice(0, length), (counts.get(date.slice(0, length)) ?? 0) + 1);
  const isMenu = frame.is('displayAsDropdown');
  const id = isMenu ? references.counters.next('wp-block-archives-') : '';
  const shown = [...counts].map(([period, count]) => {
    const url = escUrl(references.site?.datesUrl(period) ?? '');
    const text = dateIn(frame, `${period}${'-01-01'.slice(length === 7 ? 3 : length === 10 ? 6 : 0)} 00:00:00`, format);
    const after = frame.is('showPostCounts') ? `&nbsp;(${count})` : '';
    return isMenu ? `\t<option value='${url}'> ${text} ${after}</option>\n` : `\t<li><a href='${url}'>${text}</a>${after}</li>\n`;
  });
  if (isMenu) {
    const hidden = frame.is('showLabel') ? '' : ' screen-reader-text';
    const label = `<label for="${id}" class="wp-block-archives__label${hidden}">Archives</label>`;
    const menu = `<select id="${id}" name="archive-dropdown">\n\t\t<option value="">${choose}</option>${shown.join('')}</select>`;
    return `<div ${wrapper(frame, { class: 'wp-block-archives-dropdown' })}>${label}\n\t\t${menu}</div>`;
  }
  if (shown.length === 0) return `<div ${wrapper(frame)}>No archives to show.</div>`;
  return `<ul ${wrapper(frame, { class: 'wp-block-archives-list' })}>${shown.join('')}</ul>`;
};

/** All terms of a taxonomy: WP has no limit. */
const ALL = 100_000;

const categories: Renderer = (frame) => {
  const { references } = frame;
  const taxonomy = frame.text('taxonomy');
  const facts = references.site?.taxonomy(taxonomy);
  const isNested = frame.is('showHierarchy') && facts?.isHierarchical === true;
  const { terms, known } = references.ask('terms', {
    taxonomy,
    ...(frame.is('showEmpty') ? {} : { hideEmpty: isNested ? ('branch' as const) : ('used' as const) }),
    ...(frame.is('showOnlyTopLevel') ? { parent: 0 } : {}),
    orderBy: 'name',
    descending: false,
    limit: ALL,
    offset: 0,
  });
  const isSummed = isNested && frame.is('showPostCounts') && terms.length > 0;
  const branches = isSummed
    ? references.ask(
        'branches',
        terms.map(({ _id }) => _id),
      )
    : new Map<number, number>();
  const count = (term: Term): string => (frame.is('showPostCounts') ? ` (${branches.get(term._id) ?? term.count})` : '');
  const item = (term: Term, depth: number): string => {
    const tabs = '\t'.repeat(depth);
    const children = isNested ? terms.filter(({ parent }) => parent === term._id) : [];
    const below =
      children.length === 0
        ? ''
        : `${tabs}<ul class='children'>\n${children.map((child) => item(child, depth + 1)).join('')}${tabs}</ul>\n`;
    const link = `<a href="${escUrl(references.site?.termUrl(term, known) ?? '')}">${term.name}</a>`;
    return `\t<li class="cat-item cat-item-${term._id}">${link}${count(term)}\n${below}</li>\n`;
  };
  const ids = new Set(terms.map(({ _id }) => _id));
  const top = isNested ? terms.filter(({ parent }) => !ids.has(parent)) : terms;
  const items = top.length === 0 ? '<li class="cat-item-none">No categories</li>' : top.map((term) => item(term, 0)).join('');
  const list = frame.isOld ? 'wp-block-categories-list' : `wp-block-categories-list wp-block-categories-taxonomy-${taxonomy}`;
  return `<ul ${wrapper(frame, { class: list })}>${items}</ul>`;
};

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const tagCloud: Renderer = (frame) => {
  const { references } = frame;
  const { terms, known } = references.ask('terms', {
    taxonomy: frame.text('taxonomy'),
    hideEmpty: 'used',
    orderBy: 'count',
    descending: true,
    limit: Math.max(frame.number('numberOfTags'), 1),
    offset: 0,
  });
  if (terms.length === 0) return `<p ${wrapper(frame)}>There&#8217;s no content to show here yet.</p>`;
  const [smallest, largest] = ['smallestFontSize', 'largestFontSize'].map((name) => Number.parseFloat(frame.text(name)) || 0) as [
    number,
    number,
  ];
  const unit = /^[0-9.]+([a-z%]+)$/i.exec(frame.text('smallestFontSize'))?.[1] ?? 'pt';
  // WP: sizes grow with the logarithm of the counts.
  const scale = (count: number): number => Math.round(Math.log10(count + 1) * 100);
  const scaled = terms.map(({ count }) => scale(count));
  const [low, high] = [Math.min(...scaled), Math.max(...scaled)];
  const step = Math.max(largest - smallest, 1) / Math.max(high - low, 1);
  const links = terms
    .toSorted((a, b) => natural.compare(a.name, b.name))
    .map((term, index) => {
      const { count, name, _id } = term;
      const size = `${toStr(smallest + (scale(count) - low) * step)}${unit}`;
      const classes = `tag-cloud-link tag-link-${_id} tag-link-position-${index + 1}`;
      const label = escAttr(`${name} (${count} ${count === 1 ? 'item' : 'items'})`);
      const shown = frame.is('showTagCounts') ? `<span class="tag-link-count"> (${count})</span>` : '';
      const url = escUrl(references.site?.termUrl(term, known) ?? '');
      return `<a href="${url}" class="${classes}" style="font-size: ${escAttr(size)};" aria-label="${label}">${name}${shown}</a>`;
    });
  return `<p ${wrapper(frame)}>${links.join('\n')}</p>`;
};

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const WEEK = 7;

const firstOf = (month: string): Wall =>
  parseMysqlDate(`${month}-01 00:00:00`) ?? { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0 };

/** A month with links to the days that have posts. Behavior of get_calendar. */
const calendar: Renderer = (frame) => {
  const { references } = frame;
  const { site } = references;
  const dates = references.ask('dates', POST).map((date) => date.slice(0, 10));
  if (!site || dates.length === 0) return '';
  const [today, month] = [site.today(), site.today().slice(0, 7)];
  const days = new Set(dates.filter((date) => date.startsWith(month)));
  const first = firstOf(month);
  const start = site.options.weekStart ?? 0;
  const length = new Date(Date.UTC(first.year, first.month, 0)).getUTCDate();
  const heads = Array.from({ length: WEEK }, (_, index) => DAYS[(index + start) % WEEK] ?? '').map(
    (day) => `\n\t\t<th scope="col" aria-label="${day}">${day[0]}</th>`,
  );
  const pad = (weekday(first) - start + WEEK) % WEEK;
  let rows = pad === 0 ? '' : `\n\t\t<td colspan="${pad}" class="pad">&nbsp;</td>`;
  for (let day = 1; day <= length; day += 1) {
    const date = `${month}-${String(day).padStart(2, '0')}`;
    if (day > 1 && (pad + day - 1) % WEEK === 0) rows += '\n\t</tr>\n\t<tr>\n\t\t';
    const label = `Posts published on ${dateIn(frame, `${date} 00:00:00`, 'F j, Y')}`;
    const text = days.has(date) ? `<a href="${escUrl(site.datesUrl(date))}" aria-label="${label}">${day}</a>` : day;
    rows += `${date === today ? '<td id="today">' : '<td>'}${text}</td>`;
  }
  const rest = (WEEK - ((pad + length) % WEEK)) % WEEK;
  if (rest > 0) rows += `\n\t\t<td class="pad" colspan="${rest}">&nbsp;</td>`;
  const [previous, next] = [dates.find((date) => date < `${month}-01`), dates.findLast((date) => date.slice(0, 7) > month)];
  const nav = (date: string | undefined, side: string): string => {
    if (date === undefined) return `\n\t\t<span class="wp-calendar-nav-${side}">&nbsp;</span>`;
    const name = dateIn(frame, `${date} 00:00:00`, 'M');
    const text = side === 'prev' ? `&laquo; ${name}` : `${name} &raquo;`;
    return `\n\t\t<span class="wp-calendar-nav-${side}"><a href="${escUrl(site.datesUrl(date.slice(0, 7)))}">${text}</a></span>`;
  };
  const color = styled(frame.attributes.style, frame.attributes, (path) => path === 'color.text' || path === 'color.background');
  const style = color.rules.length === 0 ? '' : ` style="${escAttr(`${color.rules.join(';')};`)}"`;
  const classes = ['wp-calendar-table', ...color.classes, ...linkColor(frame)].join(' ');
  const table =
    `<table${style} id="wp-calendar" class="${classes}">\n\t<caption>${formatWall('F Y', first)}</caption>\n\t<thead>\n\t<tr>${heads.join('')}\n\t</tr>\n\t</thead>` +
    `\n\t<tbody>\n\t<tr>${rows}\n\t</tr>\n\t</tbody>\n\t</table>`;
  const around = `<nav aria-label="Previous and next months" class="wp-calendar-nav">${nav(previous, 'prev')}\n\t\t<span class="pad">&nbsp;</span>${nav(next, 'next')}\n\t</nav>`;
  return `<div ${wrapper(frame)}>${table}${around}</div>`;
};

/** The most pages that a list has room for. */
const MOST_PAGES = 500;

const pageList: Renderer = (frame) => {
  const { references } = frame;
  const { posts } = references.ask('posts', {
    type: PAGE,
    statuses: ['publish'],
    sort: { by: 'title', descending: false },
    limit: MOST_PAGES,
    offset: 0,
  });
  const pages = posts.toSorted((a, b) => a.menuOrder - b.menuOrder);
  const ids = new Set(pages.map(({ _id }) => _id));
  const isInMenu = frame.around('core/navigation') !== undefined;
  const front = references.site?.options.front.page_on_front ?? 0;
  const list = (parent: number, depth: number): string =>
    pages
      .filter((page) => (ids.has(page.parent) ? page.parent : 0) === parent && depth < MOST_PAGES)
      .map((page) => {
        const below = list(page._id, depth + 1);
        const isFront = references.site?.options.front.show_on_front === 'page' && front === page._id;
        const classes = [
          'wp-block-pages-list__item',
          ...(below === '' ? [] : ['has-child']),
          ...(isInMenu ? ['wp-block-navigation-item', ...(below === '' ? [] : ['open-on-hover-click'])] : []),
          ...(isFront ? ['menu-item-home'] : []),
        ];
        const link = `wp-block-pages-list__item__link${isInMenu ? ' wp-block-navigation-item__content' : ''}`;
        const title = renderTitle(page.title) || '(no title)';
        const submenu = below === '' ? '' : `<ul class="wp-block-navigation__submenu-container">${below}</ul>`;
        return `<li class="${classes.join(' ')}"><a class="${link}" href="${escUrl(references.linkTo(page))}">${title}</a>${submenu}</li>`;
      })
      .join('');
  const items = list(frame.number('parentPageID'), 0);
  return items === '' ? '' : `<ul ${wrapper(frame)}>${items}</ul>`;
};

/** Blocks that list other content. */
export const LIST_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/latest-posts': latestPosts,
  'core/latest-comments': latestComments,
  'core/archives': archives,
  'core/categories': categories,
  'core/tag-cloud': tagCloud,
  'core/calendar': calendar,
  'core/page-list': pageList,
};
