import { isRecord, jsonOr } from '../../../base/values/records.js';
import { imageTag } from '../../media/pictures.js';
import { thumbnailOf } from '../../model.js';
import { stripAllTags, stripTags, trimWords } from '../strip-tags.js';
import { renderTitle } from '../title.js';
import { escAttr, escHtml, escUrl } from '../entities.js';
import { boundAttributes } from './bindings.js';
import { wrapper, type Frame, type Renderer } from './frame.js';
import { at, sidesIn, styled } from './styles.js';
import { avatar, classesOf, contentOf, dateIn, filled, kept, safeStyle, type Values } from './template.js';

/** A renderer of a part of the post that is shown. WP: nothing without one. */
const ofPost =
  (name: string, values: (frame: Frame, post: NonNullable<Frame['references']['post']>) => Values | null): Renderer =>
  (frame) => {
    const { post } = frame.references;
    const found = post ? values(frame, post) : null;
    return found === null ? '' : filled(frame, name, found);
  };

/** Length of a time to the second. */
const SECONDS_END = 'YYYY-MM-DDTHH:MM:SS'.length;

const date = ofPost('core/post-date', (frame, post) => {
  const { site } = frame.references;
  const isModified =
    frame.text('displayType') === 'modified' || at(frame.attributes, 'metadata.bindings.datetime.args.field') === 'modified';
  const bound = frame.isOld ? undefined : boundAttributes(frame).datetime;
  if ((isModified && post.modified <= post.date) || bound === '') return null;
  const own = frame.isOld ? '' : frame.text('datetime');
  const local = own === '' ? (isModified ? post.modified : post.date) : own.slice(0, SECONDS_END).replace('T', ' ');
  // WP: a format may be the time that has passed; the date says it, too.
  const text = dateIn(frame, local, frame.text('format').replace('human-diff', ''));
  const classes = [isModified && own === '' ? 'wp-block-post-date__modified-date' : '', classesOf(frame)];
  return { text, time: own || site?.iso(local), classes: (frame.isOld ? classes.toReversed() : classes).join(' ').trim() };
});

/** CSS and classes of a border, for a picture in a block. */
const borderOf = ({ attributes }: Frame): { classes: string; style: string } => {
  const { classes, rules } = styled(sidesIn(attributes.style, ['color', 'style', 'width']), attributes, (path) =>
    path.startsWith('border.'),
  );
  return { classes: classes.join(' '), style: rules.map((rule) => `${rule};`).join('') };
};

const userAvatar: Renderer = (frame) => {
  const { references } = frame;
  const id = frame.number('userId', references.post?.author ?? 0);
  const user = id > 0 ? references.ask('user', id) : null;
  if (!user) return '';
  const { classes, style } = borderOf(frame);
  const picture = avatar(frame, user.avatar ?? user.email, frame.number('size'), {
    alt: `${user.displayName} Avatar`,
    classes: ['wp-block-avatar__image', ...(classes === '' ? [] : [classes])].join(' '),
    more: style === '' ? '' : ` style="${escAttr(style)}"`,
  });
  const isOutside = frame.text('linkTarget') === '_blank';
  const label = isOutside ? `aria-label="(${escAttr(user.displayName)} author archive, opens in a new tab)"` : '';
  return filled(frame, 'core/avatar', { name: user.displayName, picture, label, url: escUrl(references.site?.authorUrl(user) ?? '') });
};

const terms: Renderer = (frame) => {
  const { references } = frame;
  const taxonomy = frame.text('term');
  const of = references.post?.terms ?? {};
  const ids = Object.hasOwn(of, taxonomy) ? of[taxonomy] : [];
  if (ids.length === 0) return '';
  const found = references.ask('termIds', ids);
  const links = found.terms
    .filter((term) => term.taxonomy === taxonomy)
    .toSorted((a, b) => (a.nameKey < b.nameKey ? -1 : 1))
    .map((term) => `<a href="${escUrl(references.site?.termUrl(term, found.known) ?? '')}" rel="tag">${term.name}</a>`);
  if (links.length === 0) return '';
  const part = (name: string): string =>
    frame.text(name) === '' ? '' : `<span class="wp-block-post-terms__${name}">${frame.text(name)}</span>`;
  const separator = `<span class="wp-block-post-terms__separator">${escHtml(frame.text('separator') || ' ')}</span>`;
  // WP: what comes before and after the terms is cleaned with the element.
  const open = kept(frame, `<div ${wrapper(frame, { class: classesOf(frame, `taxonomy-${taxonomy}`) })}>${part('prefix')}`);
  return `${open}${links.join(separator)}${kept(frame, `${part('suffix')}</div>`)}`;
};

const featuredImage = ofPost('core/post-featured-image', (frame, post) => {
  const { references, attributes } = frame;
  const found = references.attachment(thumbnailOf(post));
  if (!found) return null;
  const size = frame.text('sizeSlug') || 'post-thumbnail';
  const border = borderOf(frame);
  const [height, width, scale, ratio] = ['height', 'width', 'scale', 'aspectRatio'].map((name) => frame.text(name));
  // WP: since 7.1, the image has the size, and not the element around it.
  const old = ratio ? ['width:100%', 'height:100%'] : [height && `height:${height}`];
  const own = [
    ...(ratio ? [ratio === 'auto' ? '' : `aspect-ratio:${ratio}`, 'width:100%'] : []),
    height ? `height:${height}` : width && 'height:auto',
    width && `width:${width}`,
  ];
  const shadow = styled({ shadow: at(attributes, 'style.shadow') }).rules;
  const rules = [...(frame.isOld ? old : own), scale && `object-fit:${scale}`, ...shadow].filter(
    (rule) => rule !== '' && rule !== undefined,
  );
  const style = border.style + rules.map((rule) => `${rule};`).join('');
  const alt = stripTags(renderTitle(post.title)).trim() || `Untitled post ${post._id}`;
  const picture = imageTag(found, size, references.uploadsUrl, {
    class: `${border.classes === '' ? `attachment-${size} size-${size}` : border.classes} wp-post-image`,
    ...(frame.is('isLink') ? { alt } : {}),
    ...(style === '' ? {} : { style }),
  });
  const [over, gradient] = [frame.text('customOverlayColor'), frame.text('customGradient')];
  const overlay = [border.style, gradient && `background-image: ${gradient};`, over && `background-color: ${over};`];
  return { picture, border: escAttr(border.classes), overlay: safeStyle(frame, overlay) };
});

const MORE = ' [&hellip;]';
const MOST_WORDS = 101;

const excerpt = ofPost('core/post-excerpt', (frame, post) => {
  // WP: since 7.1, an excerpt that is made from the content is as long as the block wants.
  const text = frame.references.site?.excerpt(post, frame.isOld ? undefined : MOST_WORDS) ?? '';
  // WP: with a text for the link, there is no other sign that an excerpt goes on.
  const own = frame.is('moreText') && text.endsWith(MORE) ? text.slice(0, -MORE.length) : text;
  return { text: trimWords(own, frame.number('excerptLength'), '&hellip;') };
});

const readMore = ofPost('core/read-more', (frame, post) => {
  const name = `: ${renderTitle(post.title) || `untitled post ${post._id}`}`;
  const text = frame.is('content') ? kept(frame, frame.text('content')) : 'Read more';
  // WP: older releases write short texts with spaces before them.
  return frame.isOld ? { text: text.padStart(4), name: name.padStart(5) } : { text, name };
});

const content = ofPost('core/post-content', (frame, post) => {
  const name = frame.text('tagName').toLowerCase();
  const element = !frame.isOld && ['main', 'section', 'article'].includes(name) ? name : 'div';
  return { element, text: contentOf(frame, post) };
});

const timeToRead = ofPost('core/post-time-to-read', (frame, post) => {
  const words = stripAllTags(post.content.replace(/<!--[^]*?-->/g, ''))
    .split(/\s+/)
    .filter((word) => word !== '').length;
  const minutes = (factor: number): number => Math.max(1, Math.round((words / frame.number('averageReadingSpeed', 189)) * factor));
  const [least, one, most] = [minutes(0.8), minutes(1), minutes(1.2)];
  if (frame.text('displayMode') === 'words') return { text: `${words} ${words === 1 ? 'word' : 'words'}` };
  const isRange = frame.is('displayAsRange');
  return { text: isRange ? `${least}–${least === most ? most + 1 : most} minutes` : `${one} ${one === 1 ? 'minute' : 'minutes'}` };
});

function footnotesIn(json: string): readonly Record<string, unknown>[] {
  const list = jsonOr(json, null);
  return Array.isArray(list) ? list.filter((each) => isRecord(each)) : [];
}

const footnotes = ofPost('core/footnotes', (frame, post) => ({
  items: footnotesIn(frame.references.site?.meta(post, 'footnotes') ?? '')
    .map(({ id, content: text }, index) => filled(frame, 'footnote', { id: String(id), text: String(text), number: index + 1 }))
    .join(''),
}));

export const POST_BLOCKS: Readonly<Record<string, Renderer>> = {
  'core/post-date': date,
  'core/post-terms': terms,
  'core/post-featured-image': featuredImage,
  'core/post-excerpt': excerpt,
  'core/post-content': content,
  'core/read-more': readMore,
  'core/avatar': userAvatar,
  'core/post-time-to-read': timeToRead,
  'core/footnotes': footnotes,
};
