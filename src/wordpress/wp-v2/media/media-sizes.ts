import { isRecord } from '../../../base/values/records.js';
import { toStr } from '../../../base/php/cast.js';
import path from 'node:path';
import { checkValue, isRefused } from '../../rest/check.js';
import type { EndpointCall } from '../../rest/params.js';
import { RestResponse, type ArgError, type Json, type Schema, RestError } from '../../rest/route.js';
import type { Registry } from '../../types/registry.js';
import { madeByClient, MADE_BY_CLIENT, storeVersion, type StoredVersion } from '../../media/upload.js';
import { uploadAt } from '../../media/files.js';
import { isImage } from '../../media/pictures.js';
import type { ImageMetadata, Post } from '../../model.js';
import { withDerivedColumns } from '../../posts/posts.js';
import * as shared from '../args.js';
import { asUploadError, incoming } from './media-incoming.js';
import { attachmentOf, invalidMediaId } from './media-permissions.js';

/*
 * WP: an image whose smaller sizes its client makes. The client uploads the image itself, then each of the others (`sideload`), and then
 * says which file has which size (`finalize`).
 */

/** Names that stand for the full version of an image (WP). */
const FULL_VERSIONS = ['original', 'scaled'];

/** Names of sizes, which may share a file. */
type Names = string | string[];

const NAMES = {
  type: ['string', 'array'],
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  minLength: 1,
} as const satisfies Schema;

/** WP: only sizes may share a file. */
function checkNames(value: Json, param: string, { registeredSizes }: Registry): true | ArgError {
  const sizes = [...registeredSizes.map(({ name }) => name), 'full'];
  const known = Array.isArray(value) ? sizes : [...sizes, ...FULL_VERSIONS];
  const isKnown = [value].flat().every((name) => typeof name === 'string' && known.includes(name));
  return isKnown || { code: 'rest_not_in_enum', message: `${param} contains an invalid image size.` };
}

export const sideloadArgs = (registry: Registry) =>
  ({
    id: shared.id('file'),
    image_size: {
      ...NAMES,
      description: 'Size of the image, or several sizes with the same dimensions.',
      required: true,
      validate: (value: Json) => {
        const checked = checkValue(value, NAMES, 'image_size');
        return isRefused(checked) ? checked : checkNames(value, 'image_size', registry);
      },
    },
    convert_format: shared.flag('Whether to convert the format of the image.', { default: true }),
  }) as const;

const SUB_SIZES = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    properties: {
      image_size: { ...NAMES, description: 'Size of the image, or several sizes with the same dimensions.', required: true },
      width: { type: 'integer', minimum: 1 },
      height: { type: 'integer', minimum: 1 },
      file: { type: 'string', minLength: 1 },
      mime_type: { type: 'string', pattern: '^image/.*' },
      filesize: { type: 'integer', minimum: 1 },
      original_image: { type: 'string', minLength: 1 },
    },
  },
} as const satisfies Schema;

export const finalizeArgs = (registry: Registry) =>
  ({
    id: shared.id('file'),
    sub_sizes: {
      ...SUB_SIZES,
      description: 'Responses to the uploads of the sizes.',
      default: [] as Json[],
      validate: (value: Json) => {
        const checked = checkValue(value, SUB_SIZES, 'sub_sizes');
        if (isRefused(checked)) return checked;
        const entries = (checked.value as Json[]).filter(isRecord<Json>);
        const verdicts = entries.map(({ image_size: names }, index) => checkNames(names, `sub_sizes[${index}][image_size]`, registry));
        return verdicts.find((verdict) => verdict !== true) ?? true;
      },
    },
  }) as const;

const mismatch = (message: string): RestError => new RestError('rest_upload_dimension_mismatch', message, 400);

/** WP: a pixel more is accepted, since clients may round otherwise. */
const TOLERANCE = 1;

/** @throws RestError for an image that is larger than its size, or no version of the full one */
function checkDimensions(name: string, { width, height }: StoredVersion, { image }: Post, { registeredSizes }: Registry): void {
  if (name === 'original' && image) {
    const isSame = width === image.width && height === image.height;
    if (isSame || (width === image.height && height === image.width)) return;
    const [sent, wanted] = [`${width}x${height}`, `${image.width}x${image.height}`];
    throw mismatch(`Uploaded image dimensions (${sent}) do not match original image dimensions (${wanted}).`);
  }
  const rule = registeredSizes.find((size) => size.name === name);
  for (const side of ['width', 'height'] as const) {
    const [sent, most] = [side === 'width' ? width : height, rule?.[side] ?? 0];
    if (most > 0 && sent > most + TOLERANCE)
      throw mismatch(`Uploaded image ${side} (${sent}) exceeds maximum for "${name}" size (${most}).`);
  }
}

/** Describes a version, which the client sends back to register it. */
function described(names: Names, { file, width, height, mimeType, size }: StoredVersion, post: Post): Record<string, Json> {
  if (typeof names === 'string' && FULL_VERSIONS.includes(names))
    return { image_size: names, original_image: path.posix.basename(post.file ?? ''), width, height, filesize: size, file };
  return { image_size: names, width, height, file: path.posix.basename(file), mime_type: mimeType, filesize: size };
}

/** Stores another version of an image. WP: a version of the full one takes its place at once. */
export async function sideload(call: EndpointCall<ReturnType<typeof sideloadArgs>>): Promise<RestResponse> {
  const { params, site } = call;
  const post = await attachmentOf(params.id, site);
  if (!isImage(post) && post.mimeType !== 'application/pdf')
    throw new RestError('rest_post_invalid_id', 'Invalid post ID. Only images and PDFs can be sideloaded.', 400);
  const { file: full } = post;
  if (full === undefined || uploadAt(site.uploads, full) === null) {
    const why = 'The attachment is not stored in the uploads directory, so a file cannot be sideloaded for it.';
    throw new RestError('rest_sideload_attachment_not_in_uploads', why, 403);
  }
  const names: Names = params.image_size;
  const file = incoming(call);
  const attach = async (stored: StoredVersion): Promise<Record<string, Json>> => {
    if (stored.width <= 0 || stored.height <= 0) {
      const why = 'Could not read image dimensions. The file may be corrupted or an unsupported format.';
      throw new RestError('rest_upload_invalid_image', why, 400);
    }
    for (const name of [names].flat()) checkDimensions(name, stored, post, site.registry);
    const answer = described(names, stored, post);
    const rows = [answer.file, answer.original_image].filter((name) => typeof name === 'string');
    const written = await site.store.changePost(post._id, (current) =>
      withDerivedColumns(
        {
          ...current,
          ...(answer.original_image === undefined ? {} : { file: stored.file }),
          meta: [...current.meta, ...rows.map((value) => ({ key: MADE_BY_CLIENT, value }))],
        },
        site.registry,
      ),
    );
    if (!written?.after) throw invalidMediaId();
    return answer;
  };
  return new RestResponse(await storeVersion(site, file, full, attach).catch((error: unknown) => asUploadError(error, file)));
}

type SubSize = EndpointCall<ReturnType<typeof finalizeArgs>>['params']['sub_sizes'][number] &
  Partial<Record<'file' | 'original_image' | 'mime_type', string>>;

/** The names of files that an attachment has, or that its client made for it. */
function ownNames({ file, image, meta }: Post): Set<string> {
  const stored = [file, image?.file, image?.original_image, ...Object.values(image?.sizes ?? {}).map((size) => size.file)];
  const known = stored.filter((name) => name !== undefined);
  return new Set([...madeByClient(meta), ...known, ...known.map((name) => path.posix.basename(name))]);
}

const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);

/** The metadata of an image with another version. WP: a version of the full one is upright. All versions are in one folder. */
function withVersion(image: ImageMetadata, version: SubSize): ImageMetadata {
  const { image_size: names, original_image: original } = version;
  if (version.file === undefined) return image;
  const file = path.posix.basename(version.file);
  const [width, height, filesize] = [number(version.width), number(version.height), number(version.filesize)];
  if (typeof names === 'string' && FULL_VERSIONS.includes(names)) {
    const { image_meta: found } = image;
    const isTurned = Number(found?.orientation ?? 0) > 0;
    return {
      ...image,
      ...(original === undefined ? {} : { original_image: path.posix.basename(original) }),
      ...(isTurned ? { image_meta: { ...found, orientation: 1 } } : {}),
      ...{ width, height, filesize, file: path.posix.join(path.posix.dirname(image.file), file) },
    };
  }
  const size = { file, width, height, 'mime-type': version.mime_type ?? '', filesize };
  return { ...image, sizes: { ...image.sizes, ...Object.fromEntries([names].flat().map((name) => [toStr(name), size])) } };
}

/** Registers versions of an image. @returns the attachment @throws RestError for files that were not made for it */
export async function registerVersions(call: EndpointCall<ReturnType<typeof finalizeArgs>>): Promise<Post> {
  const { params, site } = call;
  const post = await attachmentOf(params.id, site);
  const versions = params.sub_sizes as SubSize[];
  const names = versions.flatMap(({ file, original_image: original }) => [file, original]).filter((name) => name !== undefined);
  const written = await site.store.changePost(post._id, (current) => {
    const own = ownNames(current);
    if (!names.every((name) => own.has(name))) {
      const why = 'Invalid sub-size file name. File names must have been produced by a prior sideload for this attachment.';
      throw new RestError('rest_invalid_sub_size_file', why, 400);
    }
    const before: ImageMetadata = current.image ?? { width: 0, height: 0, file: current.file ?? '', sizes: {} };
    const image = versions.reduce(withVersion, before);
    const after = { ...current, image };
    const kept = ownNames({ ...after, meta: [] });
    const meta = current.meta.filter(({ key, value }) => key !== MADE_BY_CLIENT || !names.includes(value) || !kept.has(value));
    return withDerivedColumns({ ...after, meta }, site.registry);
  });
  if (!written?.after) throw invalidMediaId();
  return written.after;
}
