import { intval } from '../../../base/php/cast.js';
import { escHtml, escUrl } from '../entities.js';
import type { References } from '../references.js';
import type { ShortcodeAttributes } from './shortcode-syntax.js';
import { fileAddress, imageTag, isImage } from '../../media/pictures.js';
import type { Post } from '../../model.js';
import { texturize } from '../texturize.js';

type MediaKind = 'audio' | 'video';

/** The shared state of rendering a text. */
export interface RenderState {
  /** Id of the post the text belongs to, 0 when unknown. */
  readonly postId: number;
  readonly references: References;
  /** Number of players and galleries so far, including empty ones. */
  readonly shown: Record<MediaKind | 'gallery', number>;
}

/** File name extensions that play, in the order their sources are listed. */
const TYPES: Readonly<Record<MediaKind, Readonly<Record<string, string>>>> = {
  audio: { mp3: 'audio/mpeg', ogg: 'audio/ogg', flac: 'audio/flac', m4a: 'audio/mpeg', wav: 'audio/wav' },
  video: { mp4: 'video/mp4', m4v: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg', flv: 'video/x-flv' },
};

/** The shortcode for the bare URL of a media file; undefined for other URLs. */
export function playerShortcode(url: string): string | undefined {
  const kind = (['audio', 'video'] as const).find((candidate) => mediaType(candidate, url) !== undefined);
  return kind !== undefined && /^https?:\/\/./i.test(url) ? `[${kind} src="${escUrl(url)}" /]` : undefined;
}

/** The HTML of `[audio]` and `[video]`; a source that cannot play becomes a link; without a source nothing is rendered. */
export function mediaPlayer(kind: MediaKind, given: ShortcodeAttributes, content: string, state: RenderState): string {
  state.shown[kind] += 1;
  const source = given.src ?? '';
  if (source !== '' && mediaType(kind, source) === undefined) {
    return `<a class="wp-embedded-${kind}" href="${escUrl(source)}">${escHtml(source)}</a>`;
  }
  const urls = [source, ...Object.keys(TYPES[kind]).map((extension) => given[extension] ?? '')].filter((url) => url !== '');
  const first = urls[0];
  if (first === undefined || !urls.some((url) => mediaType(kind, url) !== undefined)) return '';
  const sources = urls.map((url) => sourceTag(kind, url, state.shown[kind])).join('');
  const fallback = `<a href="${escUrl(first)}">${escUrl(first)}</a>`;
  const id = `${kind}-${state.postId}-${state.shown[kind]}`;
  const html = kind === 'audio' ? audioHtml(given, id, sources + fallback) : videoHtml(given, id, sources + content.trim() + fallback);
  return state.shown[kind] === 1 && state.references.quirks.has('players-have-scripts') ? withScript(html, kind) : html;
}

/** WP: the first player of a kind had a script for old browsers. */
const withScript = (html: string, kind: MediaKind): string =>
  html.replace(`<${kind} `, `<!--[if lt IE 9]><script>document.createElement('${kind}');</script><![endif]-->\n<${kind} `);

function mediaType(kind: MediaKind, url: string): string | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES[kind], extension) ? TYPES[kind][extension] : undefined;
}

function sourceTag(kind: MediaKind, url: string, number: number): string {
  const numbered = `${url}${url.includes('?') ? '&' : '?'}_=${number}`;
  return `<source type="${mediaType(kind, url) ?? ''}" src="${escUrl(numbered)}" />`;
}

function audioHtml(given: ShortcodeAttributes, id: string, inner: string): string {
  const attributes: Attribute[] = [
    ['class', given.class ?? 'wp-audio-shortcode'],
    ['id', id],
    ...switches(given, ['loop', 'autoplay']),
    ['preload', (given.preload ?? 'none') || undefined],
    ['style', given.style ?? 'width: 100%;'],
  ];
  return `<audio ${writeAttributes(attributes)} controls="controls">${inner}</audio>`;
}

function videoHtml(given: ShortcodeAttributes, id: string, inner: string): string {
  const width = given.width ?? '640';
  const poster = given.poster ?? '';
  const attributes: Attribute[] = [
    ['class', given.class ?? 'wp-video-shortcode'],
    ['id', id],
    ['width', String(intval(width))],
    ['height', String(intval(given.height ?? '360'))],
    ['poster', poster === '' ? undefined : escUrl(poster)],
    ...switches(given, ['loop', 'autoplay', 'muted']),
    ['preload', (given.preload ?? 'metadata') || undefined],
  ];
  const style = intval(width) === 0 ? '' : `width: ${intval(width)}px;`;
  return `<div style="${style}" class="wp-video"><video ${writeAttributes(attributes)} controls="controls">${inner}</video></div>`;
}

function switches(given: ShortcodeAttributes, names: readonly string[]): Attribute[] {
  return names.map((name) => [name, ['', '0', 'false'].includes((given[name] ?? '').toLowerCase()) ? undefined : '1'] as const);
}

/** Name and value; undefined omits the attribute. */
export type Attribute = readonly [name: string, value: string | undefined];

/** Attributes as in a tag. */
export function writeAttributes(attributes: readonly Attribute[]): string {
  return attributes.flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${escHtml(value)}"`])).join(' ');
}

const DEFAULT_COLUMNS = '3';
const DEFAULT_SIZE = 'thumbnail';

const idsIn = (list: string): number[] => list.split(/[,\s]+/).map(intval);

/** The pictures of a gallery: the named ones, else those attached to a post. WP: `ids` also sets the order. */
function picturesOf(given: ShortcodeAttributes, { postId, references }: RenderState): Post[] {
  const named = given.ids || given.include;
  if (named) {
    const found = idsIn(named).flatMap((id) => references.attachment(id) ?? []);
    return (given.ids ? found : found.toSorted((a, b) => a.menuOrder - b.menuOrder || a._id - b._id)).filter(isImage);
  }
  const without = new Set(idsIn(given.exclude ?? ''));
  const attached = references.attachedTo(given.id === undefined ? postId : intval(given.id));
  const pictures = attached.filter((post) => isImage(post) && !without.has(post._id));
  return /^desc$/i.test(given.order ?? '') ? pictures.toReversed() : pictures;
}

function linked(post: Post, img: string, link: string | undefined, { references }: RenderState): string {
  if (link === 'none') return img;
  const url = link === 'file' ? fileAddress(post, references.uploadsUrl) : references.linkTo(post);
  return `<a href='${escUrl(url)}'>${img}</a>`;
}

const orientation = ({ image }: Post): string => (image ? (image.height > image.width ? 'portrait' : 'landscape') : '');

/** The pictures of the library or of a post. Behavior of `[gallery]` in a theme with HTML5 markup. */
export function gallery(given: ShortcodeAttributes, state: RenderState): string {
  state.shown.gallery += 1;
  const pictures = picturesOf(given, state);
  if (pictures.length === 0) return '';
  const size = given.size || DEFAULT_SIZE;
  const selector = `gallery-${state.shown.gallery}`;
  const items = pictures.map((post) => {
    const caption = post.excerpt.trim();
    const label = `${selector}-${post._id}`;
    const img = imageTag(post, size, state.references.uploadsUrl, caption === '' ? {} : { 'aria-describedby': label });
    const text =
      caption === ''
        ? ''
        : `\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='${label}'>\n\t\t\t\t${texturize(post.excerpt)}\n\t\t\t\t</figcaption>`;
    const icon = `<div class='gallery-icon ${orientation(post)}'>\n\t\t\t\t${linked(post, img, given.link, state)}\n\t\t\t</div>`;
    return `<figure class='gallery-item'>\n\t\t\t${icon}${text}</figure>`;
  });
  const id = given.id === undefined ? state.postId : intval(given.id);
  const sizeClass = size.replace(/[^A-Za-z0-9_-]/g, '');
  const classes = `gallery galleryid-${id} gallery-columns-${intval(given.columns ?? DEFAULT_COLUMNS)} gallery-size-${sizeClass}`;
  return `<div id='${selector}' class='${classes}'>${items.join('')}\n\t\t</div>\n`;
}
