import path from 'node:path';
import { imageTypeOfName } from '../../../wordpress/media/types.js';
import { ATTACHMENT, type ImageMetadata, type Post } from '../../../wordpress/model.js';
import type { Image } from '../../../sdk/types/responses.js';
import type { DocumentContext } from './context.js';
import type { CoreMedium } from './summary.js';
import { storedTexts } from './unrender.js';

/** Path of a file relative to the uploads folder. Files from other locations are put in the folder `elsewhere`. */
export function uploadPath(url: string, id: number, uploadsUrl: string): string {
  if (uploadsUrl !== '' && url.startsWith(uploadsUrl)) return decodeURIComponent(url.slice(uploadsUrl.length)).replace(/^\/+/, '');
  return `elsewhere/${id}/${path.posix.basename(new URL(url).pathname)}`;
}

function imageMetadata(image: Image, file: string, details: CoreMedium['media_details']): ImageMetadata {
  return {
    width: image.width ?? 0,
    height: image.height ?? 0,
    file,
    ...(image.filesize === undefined ? {} : { filesize: image.filesize }),
    sizes: Object.fromEntries(
      Object.entries(image.sizes ?? {}).map(([name, { url, ...size }]) => [
        name,
        { ...size, file: path.posix.basename(new URL(url).pathname) },
      ]),
    ),
    ...(image.original_image === undefined ? {} : { original_image: image.original_image }),
    image_meta: details?.image_meta ?? {},
  };
}

const UNKNOWN_DATE = '1970-01-01 00:00:00';
const dateOf = (text: string | undefined): string => text?.replace('T', ' ') ?? UNKNOWN_DATE;
const plainText = (html: string | undefined): string => (html ?? '').replace(/<[^>]*>/g, '').trim();

/** Converts an image to an attachment. @param core its entry in the core API, if available */
export function imagePost(image: Image, core: CoreMedium | undefined, context: DocumentContext): Post {
  const file = uploadPath(image.url, image.id, context.uploadsUrl);
  if (file.startsWith('elsewhere/')) context.note('image');
  const name = path.posix.basename(file, path.posix.extname(file));
  const title = core?.title?.rendered ?? name;
  return {
    _id: image.id,
    type: ATTACHMENT,
    status: 'inherit',
    author: core?.author ?? 0,
    ...storedTexts({ title, description: '', excerpt: '' }, core?.title?.raw === undefined ? {} : { title: core.title.raw }),
    excerpt: core?.caption?.raw ?? plainText(core?.caption?.rendered),
    content: core?.description?.raw ?? '',
    slug: core?.slug ?? name.toLowerCase(),
    password: '',
    parent: core?.post ?? 0,
    menuOrder: 0,
    date: dateOf(core?.date),
    dateGmt: dateOf(core?.date_gmt ?? core?.date),
    modified: dateOf(core?.modified),
    modifiedGmt: dateOf(core?.modified_gmt ?? core?.modified),
    mimeType: core?.mime_type ?? imageTypeOfName(file) ?? Object.values(image.sizes ?? {})[0]?.['mime-type'] ?? '',
    file,
    image: imageMetadata(image, file, core?.media_details),
    meta: core?.alt_text ? [{ key: '_wp_attachment_image_alt', value: core.alt_text }] : [],
    terms: {},
  };
}
