import { completeImage } from '../media/pictures.js';
import { Seeker } from './html-tokens.js';
import type { References } from './references.js';

const MEDIA_START = /<(img|iframe)(?=[ \t\n\v\f\r])/g;

/** Adds the attributes to images and frames by which browsers choose a file and schedule loading. Behavior of wp_filter_content_tags. */
export function completeMedia(html: string, references: References): string {
  if (!html.includes('<img') && !html.includes('<iframe')) return html;
  const closers = new Seeker(html, '>');
  let out = '';
  let copied = 0;
  MEDIA_START.lastIndex = 0;
  for (let match = MEDIA_START.exec(html); match; match = MEDIA_START.exec(html)) {
    // WP: requires at least one character between the space after the name and the end of the tag.
    const close = closers.next(MEDIA_START.lastIndex + 1);
    if (close === -1) break;
    if (close === MEDIA_START.lastIndex + 1) continue;
    const tag = html.slice(match.index, close + 1);
    out += html.slice(copied, match.index) + (match[1] === 'img' ? scheduleImage(ofLibrary(tag, references)) : scheduleFrame(tag));
    copied = close + 1;
    MEDIA_START.lastIndex = copied;
  }
  return out + html.slice(copied);
}

/** WP: the class with the id of the picture in the library. */
function ofLibrary(tag: string, { attachment, uploadsUrl }: References): string {
  const post = attachment(Number(/wp-image-(\d+)/i.exec(tag)?.[1] ?? 0));
  return post?.image ? completeImage(tag, post, uploadsUrl) : tag;
}

export function scheduleImage(tag: string): string {
  if (!tag.includes(' src="')) return tag;
  const decoded = / decoding=["'][A-Za-z]+["']/.test(tag) ? tag : tag.replaceAll('<img', '<img decoding="async"');
  return withAutoSizes(isLazyImage(tag) ? decoded.replaceAll('<img', '<img loading="lazy"') : decoded);
}

/** WP: lazy images have automatic sizes. */
function withAutoSizes(tag: string): string {
  const isLate = / loading=["']lazy["']/i.test(tag) && / width=/.test(tag);
  return isLate ? tag.replace(/ sizes="(?!auto[,"])/, '$&auto, ') : tag;
}

function isLazyImage(tag: string): boolean {
  const sized = tag.includes(' width="') && tag.includes(' height="') && hasNumber(tag, 'width') && hasNumber(tag, 'height');
  return sized && !/ loading=["'][A-Za-z]+["']/.test(tag) && !/ fetchpriority=["']high["']/.test(tag);
}

function hasNumber(tag: string, attribute: string): boolean {
  return new RegExp(` ${attribute}=["'][0-9]+["']`).test(tag);
}

function scheduleFrame(tag: string): string {
  const sized = tag.includes(' src="') && tag.includes(' width="') && tag.includes(' height="');
  return sized && !tag.includes(' loading=') ? tag.replaceAll('<iframe', '<iframe loading="lazy"') : tag;
}
