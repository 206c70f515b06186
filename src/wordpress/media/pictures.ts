import { escAttr } from '../formatting/entities.js';
import { stripAllTags } from '../formatting/strip-tags.js';
import { metaValue, type Post } from '../model.js';
import { constrainDimensions, DEFAULT_IMAGE_SIZES, type Box } from './sizes.js';

export const ALT_TEXT = '_wp_attachment_image_alt';

export const isImage = ({ mimeType = '' }: Pick<Post, 'mimeType'>): boolean => mimeType.startsWith('image/');

/** One file of a picture. */
export interface Version extends Box {
  url: string;
}

/** WP: wider versions are not candidates for `srcset`, unless the picture itself is as wide. */
const WIDEST = 2048;

export const fileAddress = ({ file = '' }: Pick<Post, 'file'>, uploadsUrl: string): string => `${uploadsUrl}/${file}`;

const folderUrl = (post: Post, uploadsUrl: string): string => fileAddress(post, uploadsUrl).replace(/\/[^/]*$/, '');

const fullVersion = (post: Post, uploadsUrl: string): Version => ({
  url: fileAddress(post, uploadsUrl),
  width: post.image?.width ?? 0,
  height: post.image?.height ?? 0,
});

/** Every version of a picture, the full one last. */
function versions(post: Post, uploadsUrl: string): Version[] {
  const folder = folderUrl(post, uploadsUrl);
  const sizes = Object.values(post.image?.sizes ?? {}).map(({ file, width, height }) => ({ url: `${folder}/${file}`, width, height }));
  return [...sizes, fullVersion(post, uploadsUrl)];
}

/** The version of a named size; without one the full version, at most as large as the box of that size. */
function versionOf(post: Post, size: string, uploadsUrl: string): Version {
  const made = post.image?.sizes[size];
  if (made) return { url: `${folderUrl(post, uploadsUrl)}/${made.file}`, width: made.width, height: made.height };
  const full = fullVersion(post, uploadsUrl);
  const box = DEFAULT_IMAGE_SIZES.find(({ name }) => name === size);
  return box && full.width > 0 && full.height > 0 ? { ...full, ...constrainDimensions(full, box) } : full;
}

export const sizedAddress = (post: Post, size: string, uploadsUrl: string): string => versionOf(post, size, uploadsUrl).url;

/** WP: versions have the same aspect ratio if their heights differ by at most a pixel when scaled to the same width. */
function sameShape(a: Box, b: Box): boolean {
  const [large, small] = a.width > b.width ? [a, b] : [b, a];
  const { width, height } = constrainDimensions(large, { width: small.width, height: 0 });
  return Math.abs(width - small.width) <= 1 && Math.abs(height - small.height) <= 1;
}

/**
 * The `srcset` of a picture that is shown as `shown`, `''` when a browser has no choice. WP: the version that is shown comes first; the
 * full version of a GIF is excluded, because it may be animated.
 */
function sourceSet(post: Post, shown: Version, uploadsUrl: string): string {
  if (Object.keys(post.image?.sizes ?? {}).length === 0) return '';
  const all = versions(post, uploadsUrl).slice(0, post.mimeType === 'image/gif' ? -1 : undefined);
  const isShown = ({ url }: Version): boolean => url === shown.url;
  const fitting = all.filter((version) => sameShape(version, shown) && (version.width <= WIDEST || isShown(version)));
  if (!fitting.some(isShown)) return '';
  const byWidth = new Map<number, string>();
  for (const { url, width } of [...fitting.filter(isShown), ...fitting]) if (!byWidth.has(width)) byWidth.set(width, url);
  return byWidth.size < 2 ? '' : [...byWidth].map(([width, url]) => `${url} ${width}w`).join(', ');
}

/** WP: a picture for a width: the smallest version that is as wide and shows the whole of it, scaled down to that width. */
export function closestVersion(post: Post, width: number, uploadsUrl: string): Version {
  const full = fullVersion(post, uploadsUrl);
  const wide = versions(post, uploadsUrl).filter((version) => version.width >= width && sameShape(version, full));
  const chosen = wide.toSorted((a, b) => a.width * a.height - b.width * b.height).at(0) ?? full;
  return { ...chosen, ...constrainDimensions(chosen, { width, height: 0 }) };
}

const sizesFor = ({ width }: Box): string => `(max-width: ${width}px) 100vw, ${width}px`;

/**
 * A picture of the library as `<img>`, before attributes for loading are added. Behavior of wp_get_attachment_image.
 * @param more attributes that replace the usual ones or follow them
 */
export function imageTag(post: Post, size: string, uploadsUrl: string, more: Readonly<Record<string, string>> = {}): string {
  const shown = versionOf(post, size, uploadsUrl);
  const usual = {
    class: `attachment-${size} size-${size}`,
    alt: stripAllTags(metaValue(post, ALT_TEXT) ?? ''),
  };
  const set = sourceSet(post, shown, uploadsUrl);
  return [
    '<img',
    ...(shown.width > 0 ? [`width="${shown.width}" height="${shown.height}"`] : []),
    `src="${shown.url}"`,
    ...Object.entries({ ...usual, ...more }).map(([name, value]) => `${name}="${escAttr(value)}"`),
    ...(set === '' ? [] : [`srcset="${set}" sizes="${sizesFor(shown)}"`]),
    '/>',
  ].join(' ');
}

const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The version at a URL, on any host. */
function versionAt(post: Post, address: string, uploadsUrl: string): Version | undefined {
  const path = address.replace(/\?.*$/s, '');
  return versions(post, uploadsUrl).find(({ url }) => nameOf(url) === nameOf(path));
}

const numberIn = (tag: string, attribute: string): number => Number(new RegExp(` ${attribute}="([0-9]+)"`).exec(tag)?.[1] ?? 0);

/** WP: the editor only sets the width, as a style. */
function shrunk(version: Version, tag: string): Box {
  const width = Number(/ style="width:(\d+)px;?"/.exec(tag)?.[1] ?? 0);
  return width > 0 && version.width > 0 ? { width, height: Math.round((version.height * width) / version.width) } : version;
}

/**
 * Adds missing attributes to an `<img>` of a picture in the library: `width` and `height`, `srcset` and `sizes`. Behavior of
 * wp_filter_content_tags.
 */
export function completeImage(tag: string, post: Post, uploadsUrl: string): string {
  const source = / src="([^"]+)"/.exec(tag)?.[1];
  const version = source === undefined ? undefined : versionAt(post, source, uploadsUrl);
  if (source === undefined || !version) return tag;
  const box = shrunk(version, tag);
  const isSized = / (?:width|height)=/.test(tag) || box.width === 0;
  const sized = isSized ? tag : tag.replace('<img', `<img width="${box.width}" height="${box.height}"`);
  if (/ srcset=/.test(sized)) return sized;
  const stated = { width: numberIn(sized, 'width'), height: numberIn(sized, 'height') };
  const shown = { ...(stated.width > 0 && stated.height > 0 ? stated : version), url: version.url };
  const set = sourceSet(post, shown, uploadsUrl);
  if (set === '') return sized;
  const sizes = / sizes=/.test(sized) ? '' : ` sizes="${sizesFor(shown)}"`;
  return sized.replace(/[/ ]*>$/, ` srcset="${set}"${sizes} />`);
}
