import { parseMysqlDate, wallToSeconds } from '../../../base/php/date.js';
import { imageTag } from '../../media/pictures.js';
import { thumbnailOf, type User } from '../../model.js';
import { isRecord } from '../../../base/values/records.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { ksesPost, htmlRules } from '../kses/kses.js';
import { stripAllTags, stripTags, trimWords } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { boundAttributes } from './bindings.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import { aligned, avatar, dateIn, linkColor } from './list-blocks.js';
import { at, styled } from './styles.js';

const kept = (frame: Frame, html: string): string => ksesPost(html, htmlRules(frame.references.quirks));

/** A renderer of a part of the post that is shown. WP: nothing without one. */
const ofPost =
  (render: (frame: Frame, post: NonNullable<Frame['references']['post']>, link: string) => string): Renderer =>
  (frame) => {
    const { post, linkTo } = frame.references;
    return post ? render(frame, post, linkTo(post)) : '';
  };

export const classesOf = (frame: Frame, ...first: string[]): Record<string, string> => ({
  class: [...first, ...aligned(frame), ...linkColor(frame)].join(' '),
});

export const headingOf = (level: number): string => (level === 0 ? 'p' : `h${level}`);

const title = ofPost((frame, post, link) => {
  const text = renderTitle(post.title);
  if (text === '') return '';
  const tag = headingOf(frame.number('level', 2));
  const rel = frame.text('rel') === '' ? '' : `rel="${escAttr(frame.text('rel'))}"`;
  const shown = frame.is('isLink') ? `<a href="${escUrl(link)}" target="${escAttr(frame.text('linkTarget'))}" ${rel}>${text}</a>` : text;
  return `<${tag} ${wrapper(frame, classesOf(frame))}>${shown}</${tag}>`;
});

const MINUTE = 60;
/** Units of a time that has passed: seconds, and the name of one. WP: rounded, at least 1. */
const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [365 * 86_400, 'year'],
  [30 * 86_400, 'month'],
  [7 * 86_400, 'week'],
  [86_400, 'day'],
  [3600, 'hour'],
  [MINUTE, 'minute'],
  [1, 'second'],
];

function passed(seconds: number): string {
  const [unit, name] = UNITS.find(([length]) => seconds >= length) ?? [1, 'second'];
  const count = Math.max(Math.round(seconds / unit), 1);
  return `${count} ${name === 'minute' ? 'min' : name}${count === 1 ? '' : 's'}`;
}

const date = ofPost((frame, post, link) => {
  const { site } = frame.references;
  const isModified =
    frame.text('displayType') === 'modified' || at(frame.attributes, 'metadata.bindings.datetime.args.field') === 'modified';
  const bound = frame.isOld ? undefined : boundAttributes(frame).datetime;
  if ((isModified && post.modified <= post.date) || bound === '') return '';
  const local = isModified ? post.modified : post.date;
  const format = frame.text('format');
  const then = parseMysqlDate(isModified ? post.modifiedGmt : post.dateGmt);
  const age = site && then ? wallToSeconds(parseMysqlDate(site.now()) ?? then) - wallToSeconds(then) : 0;
  const text = format === 'human-diff' ? `${passed(Math.abs(age))} ${age < 0 ? 'from now' : 'ago'}` : dateIn(frame, local, format);
  const own = classesOf(frame, ...(isModified ? ['wp-block-post-date__modified-date'] : []));
  const time = (inner: string): string => `<time datetime="${site?.iso(local) ?? ''}">${inner}</time>`;
  const linked = (inner: string): string => (frame.is('isLink') ? `<a href="${link}">${inner}</a>` : inner);
  return `<div ${wrapper(frame, own)}>${frame.isOld ? time(linked(text)) : linked(time(text))}</div>`;
});

const author = (render: (frame: Frame, user: User, url: string) => string): Renderer =>
  ofPost((frame, post) => {
    const user = frame.references.ask('user', post.author);
    return user ? render(frame, user, escUrl(frame.references.site?.authorUrl(user) ?? '')) : '';
  });

const postAuthor = author((frame, user, url) => {
  const target = escAttr(frame.text('linkTarget'));
  const name = frame.is('isLink') ? `<a href="${url}" target="${target}">${user.displayName}</a>` : user.displayName;
  const justify = frame.text('itemsJustification');
  const own = classesOf(frame, ...(justify === '' ? [] : [`items-justified-${justify}`]));
  const part = (element: string): string => `wp-block-post-author__${element}`;
  const picture = frame.is('showAvatar')
    ? `<div class="${part('avatar')}">${avatar(frame, user.email, frame.number('avatarSize'))}</div>`
    : '';
  const byline = frame.text('byline') === '' ? '' : `<p class="${part('byline')}">${kept(frame, frame.text('byline'))}</p>`;
  const bio = frame.is('showBio') ? `<p class="${part('bio')}">${user.description ?? ''}</p>` : '';
  return `<div ${wrapper(frame, own)}>${picture}<div class="${part('content')}">${byline}<p class="${part('name')}">${name}</p>${bio}</div></div>`;
});

const authorName = author((frame, user, url) => {
  const target = escAttr(frame.text('linkTarget'));
  const link = `<a href="${url}" target="${target}" class="wp-block-post-author-name__link">${user.displayName}</a>`;
  return `<div ${wrapper(frame, classesOf(frame))}>${frame.is('isLink') ? link : user.displayName}</div>`;
});

const biography = author((frame, { description = '' }) =>
  description === '' ? '' : `<div ${wrapper(frame, classesOf(frame))}>${description}</div>`,
);

/** CSS and classes of a border, for a picture in a block. */
const borderOf = ({ attributes }: Frame): { classes: string; style: string } => {
  const { classes, rules } = styled(attributes.style, attributes, (path) => path.startsWith('border.'));
  return { classes: classes.join(' '), style: rules.map((rule) => `${rule};`).join('') };
};

const userAvatar: Renderer = (frame) => {
  const { references } = frame;
  const id = frame.number('userId', references.post?.author ?? 0);
  const user = id > 0 ? references.ask('user', id) : null;
  if (!user) return '';
  const { classes, style } = borderOf(frame);
  const picture = avatar(frame, user.email, frame.number('size'), {
    alt: `${user.displayName} Avatar`,
    classes: ['wp-block-avatar__image', ...(classes === '' ? [] : [classes])].join(' '),
    more: style === '' ? '' : ` style="${escAttr(style)}"`,
  });
  const target = frame.text('linkTarget');
  const label = target === '_blank' ? `aria-label="(${escAttr(user.displayName)} author archive, opens in a new tab)"` : '';
  const url = escUrl(references.site?.authorUrl(user) ?? '');
  const shown = frame.is('isLink')
    ? `<a href="${url}" target="${escAttr(target)}" ${label} class="wp-block-avatar__link">${picture}</a>`
    : picture;
  return `<div ${wrapper(frame)}>${shown}</div>`;
};

const terms = ofPost((frame, post) => {
  const { references } = frame;
  const taxonomy = frame.text('term');
  const ids = post.terms[taxonomy] ?? [];
  if (taxonomy === '' || ids.length === 0) return '';
  const found = references.ask('termIds', ids);
  const links = found.terms
    .filter((term) => term.taxonomy === taxonomy)
    .toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1))
    .map((term) => `<a href="${escUrl(references.site?.termUrl(term, found.known) ?? '')}" rel="tag">${term.name}</a>`);
  if (links.length === 0) return '';
  const part = (name: string, text: string): string =>
    text === '' ? '' : `<span class="wp-block-post-terms__${name}">${kept(frame, text)}</span>`;
  const separator = `<span class="wp-block-post-terms__separator">${escHtml(frame.text('separator') || ' ')}</span>`;
  const own = classesOf(frame, `taxonomy-${taxonomy}`);
  return `<div ${wrapper(frame, own)}>${part('prefix', frame.text('prefix'))}${links.join(separator)}${part('suffix', frame.text('suffix'))}</div>`;
});

const featuredImage = ofPost((frame, post, link) => {
  const { references, attributes } = frame;
  const picture = references.attachment(thumbnailOf(post));
  if (!picture) return '';
  const size = frame.text('sizeSlug') || 'post-thumbnail';
  const border = borderOf(frame);
  const [ratio, height, width] = [frame.text('aspectRatio'), frame.text('height'), frame.text('width')];
  const shadow = styled({ shadow: at(attributes, 'style.shadow') }).rules.map((rule) => `${rule};`);
  const style = [
    border.style,
    ratio === '' ? (height === '' ? '' : `height:${height};`) : 'width:100%;height:100%;',
    frame.text('scale') === '' ? '' : `object-fit:${frame.text('scale')};`,
    ...shadow,
  ].join('');
  const isLink = frame.is('isLink');
  const alt = stripTags(renderTitle(post.title)).trim() || `Untitled post ${post._id}`;
  const img = imageTag(picture, size, references.uploadsUrl, {
    class: `${border.classes === '' ? `attachment-${size} size-${size}` : border.classes} wp-post-image`,
    ...(isLink ? { alt } : {}),
    ...(style === '' ? {} : { style }),
  });
  const rel = frame.text('rel') === '' ? '' : `rel="${escAttr(frame.text('rel'))}"`;
  const high = height === '' ? '' : `style="height:${escAttr(height)}"`;
  const linked = isLink ? `<a href="${link}" target="${escAttr(frame.text('linkTarget'))}" ${rel} ${high}>${img}</a>` : img;
  const box = [
    ratio === '' ? '' : `aspect-ratio:${ratio};`,
    width === '' ? '' : `width:${width};`,
    height === '' ? '' : `height:${height};`,
  ].join('');
  return `<figure ${wrapper(frame, box === '' ? {} : { style: box })}>${linked}</figure>`;
});

const excerpt = ofPost((frame, post, link) => {
  const text = trimWords(frame.references.site?.excerpt(post) ?? '', frame.number('excerptLength'), '&hellip;');
  const more = frame.text('moreText');
  const linked = more === '' ? '' : `<a class="wp-block-post-excerpt__more-link" href="${escUrl(link)}">${kept(frame, more)}</a>`;
  const end =
    frame.is('showMoreOnNewLine') && more !== '' ? `</p><p class="wp-block-post-excerpt__more-text">${linked}</p>` : ` ${linked}</p>`;
  return `<div ${wrapper(frame, classesOf(frame))}><p class="wp-block-post-excerpt__excerpt">${text}${end}</div>`;
});

const readMore = ofPost((frame, post, link) => {
  const name = renderTitle(post.title) || `untitled post ${post._id}`;
  const justify = frame.text('justifyContent');
  const text = frame.text('content') === '' ? 'Read more' : kept(frame, frame.text('content'));
  const own = { class: justify === '' ? '' : `is-justified-${justify}` };
  const target = escAttr(frame.text('linkTarget'));
  return `<a ${wrapper(frame, own)} href="${escUrl(link)}" target="${target}">${text}<span class="screen-reader-text">: ${name}</span></a>`;
});

const content = ofPost((frame, post) => {
  const text = frame.references.site?.content(post, frame.references) ?? '';
  return text === '' ? '' : `<div ${wrapper(frame, { class: 'entry-content' })}>${text}</div>`;
});

const commentsCount = ofPost((frame, post) => {
  const count = frame.references.ask('commentCount', post._id);
  return `<div ${wrapper(frame, classesOf(frame))}>${count}</div>`;
});

const commentsLink = ofPost((frame, post, link) => {
  const count = frame.references.ask('commentCount', post._id);
  const text = count === 0 ? 'No comments' : count === 1 ? '1 comment' : `${count} comments`;
  const name = `<span class="screen-reader-text"> on ${renderTitle(post.title)}</span>`;
  return `<div ${wrapper(frame, classesOf(frame))}><a href=${escUrl(`${link}${count === 0 ? '#respond' : '#comments'}`)}>${text}${name}</a></div>`;
});

const timeToRead = ofPost((frame, post) => {
  const words = stripAllTags(post.content.replace(/<!--[^]*?-->/g, ''))
    .split(/\s+/)
    .filter((word) => word !== '').length;
  const minutes = (factor: number): number => Math.max(1, Math.round((words / frame.number('averageReadingSpeed', 189)) * factor));
  const range = (): string => {
    const [least, most] = [minutes(0.8), minutes(1.2)];
    return `${least}–${least === most ? most + 1 : most} minutes`;
  };
  const one = (): string => `${minutes(1)} ${minutes(1) === 1 ? 'minute' : 'minutes'}`;
  const text =
    frame.text('displayMode') === 'words' ? `${words} ${words === 1 ? 'word' : 'words'}` : frame.is('displayAsRange') ? range() : one();
  return `<div ${wrapper(frame, classesOf(frame))}>${text}</div>`;
});

interface Footnote {
  readonly id?: unknown;
  readonly content?: unknown;
}

function footnotesIn(json: string): readonly Footnote[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list.filter((each): each is Footnote => isRecord(each)) : [];
  } catch {
    return [];
  }
}

const footnotes = ofPost((frame, post) => {
  const notes = footnotesIn(frame.references.site?.meta(post, 'footnotes') ?? '');
  if (notes.length === 0) return '';
  const items = notes.map(
    ({ id, content: text }, index) =>
      `<li id="${String(id)}">${String(text)} <a href="#${String(id)}-link" aria-label="Jump to footnote reference ${index + 1}">↩︎</a></li>`,
  );
  return `<ol ${wrapper(frame)}>${items.join('')}</ol>`;
});

/** Blocks that show parts of a post. */
export const POST_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/post-title': title,
  'core/post-date': date,
  'core/post-author': postAuthor,
  'core/post-author-name': authorName,
  'core/post-author-biography': biography,
  'core/post-terms': terms,
  'core/post-featured-image': featuredImage,
  'core/post-excerpt': excerpt,
  'core/post-content': content,
  'core/read-more': readMore,
  'core/avatar': userAvatar,
  'core/post-comments-count': commentsCount,
  'core/post-comments-link': commentsLink,
  'core/post-time-to-read': timeToRead,
  'core/footnotes': footnotes,
  // WP: shown on the page of a post only, which a response of the API is not.
  'core/post-navigation-link': () => '',
  'core/post-comments-form': () => '',
  'core/query-title': () => '',
};
