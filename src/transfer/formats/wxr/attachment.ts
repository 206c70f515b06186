import type { Report } from '../../load/inventory.js';
import { isRecord } from '../../../base/values/records.js';
import path from 'node:path';
import { unserialize } from 'php-serialize';
import { metaValue, type ImageMetadata, type ImageSize, type Post } from '../../../wordpress/model.js';
import type { SourceItem, SourcePlace } from '../../source.js';
import { typeOfUpload } from '../../uploads.js';

const isSize = (value: unknown): value is ImageSize =>
  isRecord(value) && typeof value['file'] === 'string' && [value['width'], value['height']].every((side) => typeof side === 'number');

/** Reads image metadata from `_wp_attachment_metadata`; null if it has none. */
function imageOf(value: unknown): ImageMetadata | null {
  if (!isRecord(value)) return null;
  const { width, height, file, filesize, sizes, original_image, image_meta } = value;
  if (typeof width !== 'number' || typeof height !== 'number' || typeof file !== 'string') return null;
  return {
    width,
    height,
    file,
    ...(typeof filesize === 'number' ? { filesize } : {}),
    // PHP: an empty map is an array.
    sizes: isRecord(sizes)
      ? Object.fromEntries(Object.entries(sizes).filter((entry): entry is [string, ImageSize] => isSize(entry[1])))
      : {},
    ...(typeof original_image === 'string' ? { original_image } : {}),
    ...(image_meta === undefined ? {} : { image_meta: isRecord(image_meta) ? image_meta : {} }),
  };
}

function unserialized(text: string): unknown {
  try {
    return unserialize(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Files of an attachment, relative to the uploads folder: the full size, the other sizes, and the original. */
function filesOf(file: string, image: ImageMetadata | null): string[] {
  const besides = [...Object.values(image?.sizes ?? {}).map((size) => size.file), ...(image?.original_image ? [image.original_image] : [])];
  return [...new Set([file, ...besides.map((name) => path.posix.join(path.posix.dirname(file), name))])];
}

const OUTSIDE = /^[/\\]|^[a-z]:|\\|(^|\/)\.\.(\/|$)/i;

const FILE_ROW = '_wp_attached_file';
const METADATA_ROW = '_wp_attachment_metadata';

/** The path below `uploads` of a file on a site: of WordPress.com (`/2026/01/a.jpg`), too, and else its name. '' for none. */
function pathOfUrl(url: string): string {
  const place = url.replace(/[?#].*$/, '').replace(/^[a-z]+:\/\/[^/]*/i, '');
  const file = (/\/uploads\/(.+)$/.exec(place) ?? /(?:^|\/)(\d{4}\/\d\d\/[^/]+)$/.exec(place) ?? /([^/]+)$/.exec(place))?.[1] ?? '';
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

/**
 * Yields an attachment and its files.
 * @param urls addresses of its file. WP: the identifier, if there is no other
 * @param folder folder of the export, which contains the media folder `uploads`
 */
export function* attachmentItems(
  post: Post,
  urls: readonly string[],
  folder: string,
  at: SourcePlace,
  leave: Report,
): Iterable<SourceItem> {
  const paths = [metaValue(post, FILE_ROW) ?? '', ...urls.map(pathOfUrl)].filter((each) => each !== '');
  const file = paths.find((each) => !OUTSIDE.test(each));
  if (file === undefined)
    return leave(
      paths.length === 0
        ? 'the attachment has no file (wp:attachment_url)'
        : `the attachment: "${paths[0]}" must be a path relative to the uploads folder`,
      at,
    );
  const metadata = unserialized(metaValue(post, METADATA_ROW) ?? '');
  const image = imageOf(metadata);
  const size = isRecord(metadata) && !image ? metadata['filesize'] : undefined;
  const meta = post.meta.filter(({ key }) => key !== FILE_ROW && key !== METADATA_ROW);
  const mimeType = typeOfUpload(file) ?? 'application/octet-stream';
  yield { kind: 'post', post: { ...post, mimeType, file, image, ...(typeof size === 'number' ? { fileSize: size } : {}), meta }, at };
  const within = path.join(folder, 'uploads');
  for (const target of filesOf(file, image)) {
    yield { kind: 'file', file: { source: path.join(within, target), within, target, optional: true }, at };
  }
}
