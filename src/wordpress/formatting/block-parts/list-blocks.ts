import { toStr } from '../../../base/php/cast.js';
import { formatWall, parseMysqlDate } from '../../../base/php/date.js';
import { PAGE, POST, thumbnailOf, type Post, type Term } from '../../model.js';
import { imageTag } from '../../media/pictures.js';
import { autop } from '../autop.js';
import { decodeEntities } from '../decode-entities.js';
import { sanitizeTitle } from '../sanitize.js';
import { stripTags, trimWords } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { daysAfter, lastOfMonth, weekdayOf } from '../../days.js';
import { isRecord } from '../../../base/values/records.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { type Frame, type Renderer, wrapper } from './frame.js';
import { at, styled } from './styles.js';
import tables from './tables.json' with { type: 'json' };
import { avatar, contentOf, dateIn, filled, kept, linkColor } from './template.js';

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
  if (!references.counters.mayList(posts.length)) return '';
  // WP: since 7.1, the layout has the columns.
  const { columns, layout } = frame.isOld ? { ...attributes, layout: undefined } : frame.block.attributes;
  const isGrid = (at(layout, 'type') ?? frame.text('postLayout')) === 'grid';
  const count = toStr(at(layout, 'columnCount') ?? columns);
  return filled(frame, 'core/latest-posts', {
    isGrid,
    count: isGrid ? sanitizeTitle(count) : '',
    isResponsive: isGrid && count !== '' && toStr(at(layout, 'minimumColumnWidth')) !== '',
    items: posts.map((post) => latestPost(frame, post)).join(''),
  });
};

function latestPost(frame: Frame, post: Post): string {
  const { references, attributes } = frame;
  const [url, name] = [escUrl(references.linkTo(post)), renderTitle(post.title) || '(no title)'];
  const picture = frame.is('displayFeaturedImage') ? references.attachment(thumbnailOf(post)) : undefined;
  const size = frame.text('featuredImageSizeSlug') || 'thumbnail';
  const limits = (['Width', 'Height'] as const).flatMap((side) => {
    const value = attributes[`featuredImageSize${side}`];
    return typeof value === 'number' ? [`max-${side.toLowerCase()}:${value}px;`] : [];
  });
  const set = { class: `attachment-${size} size-${size} wp-post-image`, style: limits.join('') };
  return filled(frame, 'latest-post', {
    url,
    name,
    label: escAttr(name),
    picture: picture && imageTag(picture, size, references.uploadsUrl, set),
    by: frame.is('displayAuthor') ? references.ask('user', post.author)?.displayName : '',
    time: references.site?.iso(post.date),
    date: dateIn(frame, post.date),
    text: frame.is('displayPostContent') ? latestText(frame, post, url, name) : '',
  });
}

function latestText(frame: Frame, post: Post, url: string, title: string): string {
  const isFull = frame.text('displayPostContentRadio') === 'full_post';
  const kind = `post-${isFull ? 'full-content' : 'excerpt'}`;
  if (post.password !== '') return filled(frame, 'latest-text', { kind, text: 'This content is password protected.', more: '' });
  if (isFull) {
    // WP: before 7.1, blocks in a post stay as they are stored.
    const full = frame.isOld ? kept(frame, decodeEntities(post.content)) : contentOf(frame, post);
    return filled(frame, 'latest-text', { kind, text: full, more: '' });
  }
  const excerpt = frame.references.site?.excerpt(post, frame.number('excerptLength')) ?? '';
  const goesOn = excerpt.endsWith(MORE);
  const text = goesOn ? excerpt.slice(0, -MORE.length) : excerpt;
  return filled(frame, 'latest-text', { kind, url, text, more: goesOn ? escHtml(title) : '' });
}

/** WP: words of a comment in a list. */
const COMMENT_WORDS = 20;

const latestComments: Renderer = (frame) => {
  const { references } = frame;
  const comments = references.ask('comments', Math.min(Math.max(frame.number('commentsToShow'), 0), MOST_POSTS));
  // WP: since 7.0, a list may have whole comments.
  const kind = frame.block.attributes.displayExcerpt === undefined && !frame.isOld ? frame.text('displayContent') : '';
  const hasExcerpts = kind === '' ? frame.is('displayExcerpt') : kind !== 'none';
  const items = comments.map(({ comment, post }) => {
    const user = comment.authorUrl === '' && comment.author > 0 ? references.ask('user', comment.author) : null;
    const text = trimWords(stripTags(comment.content.replace(/[\n\r]/g, ' ')), COMMENT_WORDS, '&hellip;');
    return filled(frame, 'latest-comment', {
      url: escUrl(comment.authorUrl || (user && references.site ? references.site.authorUrl(user) : '')),
      name: comment.authorName || 'Anonymous',
      to: escUrl(`${references.linkTo(post)}#comment-${comment._id}`),
      title: escHtml(renderTitle(post.title)) || '(no title)',
      time: references.site?.iso(comment.date),
      date: dateIn(frame, comment.date),
      excerpt: hasExcerpts ? autop(kind === 'full' ? comment.content : text) : '',
      picture: frame.is('displayAvatar')
        ? avatar(frame, comment.authorEmail, 48, { classes: 'wp-block-latest-comments__comment-avatar' })
        : '',
    });
  });
  return filled(frame, 'core/latest-comments', {
    element: items.length === 0 ? 'div' : 'ol',
    hasTexts: hasExcerpts,
    items: items.join(''),
  });
};

/** Lists of posts by date: how much of a date counts, how it is written, and the unit in the menu. */
const PERIODS = new Map(Object.entries(tables.periods));

const WEEK = 7;

/** The first day of the week of a day. */
const weekStart = (date: string, start: number): string => daysAfter(date, -((weekdayOf(date) - start + WEEK) % WEEK));

/** The number of the week of a day in its year. MySQL: `WEEK`, with mode 1 if weeks start on Mondays, or else 0. */
function weekOf(date: string, start: number): number {
  const day = start > 1 ? daysAfter(date, -start) : date;
  const first = `${day.slice(0, 4)}-01-01`;
  const before = (weekdayOf(first) - Math.min(start, 1) + WEEK) % WEEK;
  const isCounted = start === 1 ? before < 4 : before === 0;
  const wall = parseMysqlDate(`${day} 00:00:00`);
  return Math.floor((Number(wall ? formatWall('z', wall) : 0) + before) / WEEK) + Number(isCounted);
}

const archives: Renderer = (frame) => {
  const { references } = frame;
  const { site } = references;
  const kind = frame.text('type');
  const { length, format, unit } = PERIODS.get(kind) ?? tables.periods.monthly;
  const start = site?.options.weekStart ?? 0;
  const isWeekly = kind === 'weekly';
  const periods = new Map<string, { day: string; count: number }>();
  for (const day of references.ask('dates', POST).map((date) => date.slice(0, 10))) {
    const key = isWeekly ? `${day.slice(0, 4)} ${weekOf(day, start)}` : day.slice(0, length);
    periods.set(key, { day, count: (periods.get(key)?.count ?? 0) + 1 });
  }
  const written = (day: string): string => dateIn(frame, `${day} 00:00:00`, format);
  const items = [...periods.values()].map(({ day, count }) => {
    const first = weekStart(day, start);
    const url = isWeekly
      ? `${site?.url ?? ''}/?m=${day.slice(0, 4)}&w=${weekOf(day, start)}`
      : (site?.datesUrl(day.slice(0, length)) ?? '');
    return filled(frame, 'archive', {
      url: escUrl(url),
      text: isWeekly ? `${written(first)}&#8211;${written(daysAfter(first, WEEK - 1))}` : written(day),
      after: frame.is('showPostCounts') ? `&nbsp;(${count})` : '',
    });
  });
  const isMenu = frame.is('displayAsDropdown');
  return filled(frame, 'core/archives', {
    element: isMenu || items.length === 0 ? 'div' : 'ul',
    id: isMenu ? references.counters.next('wp-block-archives-') : '',
    choose: `Select ${unit}`,
    items: items.join(''),
  });
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
  const isMenu = frame.is('displayAsDropdown');
  const count = (term: Term): string => (frame.is('showPostCounts') ? `(${branches.get(term._id) ?? term.count})` : '');
  const childrenOf = ({ _id }: Term): Term[] => (isNested ? terms.filter(({ parent }) => parent === _id) : []);
  const item = (term: Term, depth: number): string => {
    const children = childrenOf(term).map((child) => item(child, depth + 1));
    const { _id: id, name, slug } = term;
    if (isMenu) {
      const set = { depth, slug, name, pad: '&nbsp;'.repeat(depth * 3), count: count(term) && `&nbsp;&nbsp;${count(term)}` };
      return filled(frame, 'category-option', set) + children.join('');
    }
    const tabs = '\t'.repeat(depth);
    const below = children.length === 0 ? '' : `${tabs}<ul class='children'>\n${children.join('')}${tabs}</ul>\n`;
    const url = escUrl(references.site?.termUrl(term, known) ?? '');
    return filled(frame, 'category', { id, url, name, count: count(term) && ` ${count(term)}`, below });
  };
  const ids = new Set(terms.map(({ _id }) => _id));
  const top = isNested ? terms.filter(({ parent }) => !ids.has(parent)) : terms;
  return filled(frame, 'core/categories', {
    element: isMenu ? 'div' : 'ul',
    items: top.map((term) => item(term, 0)).join(''),
    none: `No ${facts?.label.toLowerCase() ?? ''}`,
    id: references.counters.nextOf('wp-block-categories-'),
    variable: taxonomy === 'category' ? 'category_name' : taxonomy === 'post_tag' ? 'tag' : taxonomy,
    name: frame.is('label') ? kept(frame, frame.text('label')) : (facts?.label ?? ''),
    one: facts?.singular,
  });
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
  const [smallest, largest] = ['smallestFontSize', 'largestFontSize'].map((name) => Number.parseFloat(frame.text(name)) || 0) as [
    number,
    number,
  ];
  const unit = /^[0-9.]+([a-z%]+)$/i.exec(frame.text('smallestFontSize'))?.[1] ?? 'pt';
  // WP: sizes grow with the logarithm of the counts.
  const scale = (count: number): number => Math.round(Math.log10(count + 1) * 100);
  const scaled = terms.map(({ count }) => scale(count));
  const [low, high] = [Math.min(...scaled), Math.max(...scaled)];
  const step = (largest < smallest ? 1 : largest - smallest) / Math.max(high - low, 1);
  const links = terms
    .toSorted((a, b) => natural.compare(a.name, b.name))
    .map((term, index) =>
      filled(frame, 'tag', {
        id: term._id,
        position: index + 1,
        name: term.name,
        url: escUrl(references.site?.termUrl(term, known) ?? ''),
        size: escAttr(`${toStr(smallest + (scale(term.count) - low) * step)}${unit}`),
        label: escAttr(`${term.name} (${term.count} ${term.count === 1 ? 'item' : 'items'})`),
        count: term.count,
      }),
    );
  return filled(frame, 'core/tag-cloud', { links: links.join('\n') });
};

const A_SUNDAY = '2023-01-01';

/** A month with links to the days that have posts. Behavior of get_calendar. */
const calendar: Renderer = (frame) => {
  const { site, ask } = frame.references;
  const dates = ask('dates', POST).map((date) => date.slice(0, 10));
  if (!site || dates.length === 0) return '';
  const [today, month, start] = [site.today(), site.today().slice(0, 7), site.options.weekStart ?? 0];
  const [first, days] = [`${month}-01`, new Set(dates)];
  const written = (date: string, format: string): string => dateIn(frame, `${date} 00:00:00`, format);
  const heads = Array.from({ length: WEEK }, (_, index) => written(daysAfter(A_SUNDAY, index + start), 'l')).map(
    (day) => `\n\t\t<th scope="col" aria-label="${day}">${day[0]}</th>`,
  );
  const pad = (weekdayOf(first) - start + WEEK) % WEEK;
  const length = Number(lastOfMonth(first).slice(8));
  let rows = pad === 0 ? '' : `\n\t\t<td colspan="${pad}" class="pad">&nbsp;</td>`;
  for (let day = 1; day <= length; day += 1) {
    const date = daysAfter(first, day - 1);
    if (day > 1 && (pad + day - 1) % WEEK === 0) rows += '\n\t</tr>\n\t<tr>\n\t\t';
    const url = days.has(date) ? escUrl(site.datesUrl(date)) : '';
    rows += filled(frame, 'calendar-day', { isToday: date === today, url, label: written(date, 'F j, Y'), day });
  }
  const rest = (WEEK - ((pad + length) % WEEK)) % WEEK;
  if (rest > 0) rows += `\n\t\t<td class="pad" colspan="${rest}">&nbsp;</td>`;
  const nav = (side: string, date = ''): string => {
    const url = date === '' ? '' : escUrl(site.datesUrl(date.slice(0, 7)));
    return filled(frame, 'calendar-nav', { side, url, isPrevious: side === 'prev', month: written(date, 'M') });
  };
  const color = styled(frame.attributes.style, frame.attributes, (path) => path === 'color.text' || path === 'color.background');
  const table = filled(frame, 'calendar-table', {
    style: color.rules.length === 0 ? '' : ` style="${escAttr(`${color.rules.join(';')};`)}"`,
    classes: ['wp-calendar-table', ...color.classes, ...linkColor(frame)].join(' '),
    caption: written(first, 'F Y'),
    heads: heads.join(''),
    rows,
    previous: nav(
      'prev',
      dates.find((date) => date < first),
    ),
    next: nav(
      'next',
      dates.findLast((date) => date.slice(0, 7) > month),
    ),
  });
  return filled(frame, 'core/calendar', { table });
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
  const isInMenu = frame.around('core/navigation') !== undefined;
  const front = references.site?.options.front.page_on_front ?? 0;
  const list = (parent: number, depth: number): string =>
    pages
      .filter((page) => page.parent === parent && depth < MOST_PAGES)
      .map((page) => {
        const below = list(page._id, depth + 1);
        const classes = [
          below === '' ? '' : ' has-child',
          isInMenu ? ' wp-block-navigation-item' : '',
          isInMenu && below !== '' ? ' open-on-hover-click' : '',
          // WP: the colors of a menu, here none.
          depth > 0 || frame.is('isNested') ? ' ' : '',
          front === page._id ? ' menu-item-home' : '',
        ].join('');
        const name = kept(frame, page.title) || '(no title)';
        return filled(frame, 'page', { classes, isInMenu, url: escUrl(references.linkTo(page)), name, below });
      })
      .join('');
  return filled(frame, 'core/page-list', { items: list(frame.number('parentPageID'), 0), wrapper: wrapper(frame) });
};

export const LIST_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/latest-posts': latestPosts,
  'core/latest-comments': latestComments,
  'core/archives': archives,
  'core/categories': categories,
  'core/tag-cloud': tagCloud,
  'core/calendar': calendar,
  'core/page-list': pageList,
};
