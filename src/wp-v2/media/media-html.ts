import { fileUrl } from '../../wp/media/attachments.js';
import { capitalP, filterContent, filterExcerpt } from '../../wp/formatting/content.js';
import { EXCERPT_WORDS, trimWords } from '../../wp/formatting/excerpt.js';
import { mediaPlayer } from '../../wp/formatting/shortcodes/media-players.js';
import { stripShortcodes } from '../../wp/formatting/shortcodes/shortcode-syntax.js';
import { escAttr, escUrl, stripAllTags } from '../../wp/formatting/sanitize.js';
import { convertSmilies } from '../../wp/formatting/smilies.js';
import { constrainDimensions, type Box } from '../../wp/media/sizes.js';
import { metaValue, type Post } from '../../wp/model.js';
import type { Site } from '../../wp/site.js';

export const ALT_TEXT = '_wp_attachment_image_alt';

export const isImage = ({ mimeType = '' }: Pick<Post, 'mimeType'>): boolean => mimeType.startsWith('image/');

/** WP: the box that a picture of medium size fits into. */
const MEDIUM: Box = { width: 300, height: 300 };

/** WP: wider versions are no candidates, unless the picture itself is as wide. */
const WIDEST = 2048;

interface Version extends Box {
  url: string;
}

const folderUrl = (post: Post, site: Site): string => fileUrl(post, site).replace(/\/[^/]*$/, '');

/** Every version of a picture, the full one last, as WordPress lists them. */
function versions(post: Post, site: Site): Version[] {
  const { image } = post;
  if (!image) return [];
  const folder = folderUrl(post, site);
  const sizes = Object.values(image.sizes).map(({ file, width, height }) => ({ url: `${folder}/${file}`, width, height }));
  return [...sizes, { url: fileUrl(post, site), width: image.width, height: image.height }];
}

/** The version that is shown at medium size; the full one, at most as large as the box, when there is none. */
function mediumVersion(post: Post, site: Site): Version {
  const size = post.image?.sizes.medium;
  if (size) return { url: `${folderUrl(post, site)}/${size.file}`, width: size.width, height: size.height };
  const full = { width: post.image?.width ?? 0, height: post.image?.height ?? 0 };
  const shown = full.width > 0 && full.height > 0 ? constrainDimensions(full, MEDIUM) : { width: 0, height: 0 };
  return { url: fileUrl(post, site), ...shown };
}

/** WP: versions show the same part of a picture when they agree, within a pixel, once the larger is brought to the width of the smaller. */
function sameShape(a: Box, b: Box): boolean {
  const [large, small] = a.width > b.width ? [a, b] : [b, a];
  const { width, height } = constrainDimensions(large, { width: small.width, height: 0 });
  return Math.abs(width - small.width) <= 1 && Math.abs(height - small.height) <= 1;
}

/** Other widths that browsers may choose from; nothing when there is no choice. */
function sourceSet(shown: Version, all: Version[]): string {
  const fitting = all.filter((version) => sameShape(version, shown) && (version.width <= WIDEST || version.url === shown.url));
  const byWidth = new Map<number, string>();
  // WP: the one that is shown comes first.
  for (const { url, width } of [...fitting.filter((version) => version.url === shown.url), ...fitting])
    if (!byWidth.has(width)) byWidth.set(width, url);
  return byWidth.size < 2 ? '' : [...byWidth].map(([width, url]) => `${url} ${width}w`).join(', ');
}

/** The picture at medium size (WP: `wp_get_attachment_image`). */
function imageTag(post: Post, site: Site): string {
  const shown = mediumVersion(post, site);
  const alt = stripAllTags(metaValue(post, ALT_TEXT) ?? '');
  const set = Object.keys(post.image?.sizes ?? {}).length > 0 ? sourceSet(shown, versions(post, site)) : '';
  const width = `${shown.width}px`;
  return [
    '<img loading="lazy" decoding="async"',
    ...(shown.width > 0 ? [`width="${shown.width}" height="${shown.height}"`] : []),
    `src="${shown.url}" class="attachment-medium size-medium" alt="${escAttr(alt)}"`,
    ...(set === '' ? [] : [`srcset="${set}" sizes="auto, (max-width: ${width}) 100vw, ${width}"`]),
    '/>',
  ].join(' ');
}

/** What stands before the description of an attachment: the picture, a player, or a link (WP). */
function preface(post: Post, site: Site): string {
  const url = fileUrl(post, site);
  const kind = /^(audio|video)\//.exec(post.mimeType ?? '')?.[1];
  if (kind === 'audio' || kind === 'video')
    return mediaPlayer(kind, { src: url }, '', { postId: post._id, players: { audio: 0, video: 0 } });
  if (isImage(post)) return `<p class="attachment"><a href='${escUrl(url)}'>${imageTag(post, site)}</a></p>`;
  const name = post.title || url.slice(url.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  // WP: of all that texts go through only what comes last sees the link.
  return convertSmilies(capitalP(`<p class="attachment"><a href='${escUrl(url)}'>${name}</a></p>`), site.url);
}

/** The description of an attachment as HTML. */
export const renderDescription = (post: Post, site: Site): string =>
  `${preface(post, site)}\n${filterContent(post.content, { siteUrl: site.url, postId: post._id })}`;

/** The caption of an attachment as HTML. WP: without one of its own it is the first words of its description, link included. */
export function renderCaption(post: Post, site: Site): string {
  const described = (): string => renderDescription({ ...post, content: stripShortcodes(post.content) }, site).replaceAll(']]>', ']]&gt;');
  return filterExcerpt(post.excerpt || trimWords(described(), EXCERPT_WORDS), { siteUrl: site.url, postId: post._id });
}
