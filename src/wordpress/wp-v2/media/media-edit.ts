import path from 'node:path';
import { intval, isEmpty } from '../../../base/php/cast.js';
import { sentContext, type Context, type EndpointCall } from '../../rest/params.js';
import { RestError } from '../../rest/route.js';
import { storedTitle } from '../../rest/posts/post-params.js';
import { insertAttachment } from '../../media/attachment-save.js';
import { editImage, EditError, type ImageChange } from '../../media/edit-image.js';
import { isEncodable, readUpload } from '../../media/files.js';
import { storeUpload, type StoredUpload } from '../../media/upload.js';
import { cleanMetaText } from '../../formatting/sanitize.js';
import { metaValue, withMeta, type ImageMetadata, type Post } from '../../model.js';
import type { imageEditArgs } from './media-args.js';
import { ALT_TEXT, sentMedia } from './media-write.js';
import { attachmentOf } from './media-permissions.js';
import { uploadedFile } from '../../media/file-sizes.js';
import { asUploadError } from './media-incoming.js';

type EditCall = EndpointCall<ReturnType<typeof imageEditArgs>>;

/** WP: the URL must end like a file of the image. */
function isOfImage(source: string, { file, sizes, original_image: original }: ImageMetadata): boolean {
  const url = source.replace(/\?.*$/s, '');
  const beside = [...Object.values(sizes).map((size) => size.file), ...(original === undefined ? [] : [original])];
  return [file, ...beside.map((name) => path.posix.join(path.posix.dirname(file), name))].some((each) => url.endsWith(each));
}

/** Each change decodes and encodes all pixels, so one request may not contain any number of them. WP: it may. */
const MOST_CHANGES = 20;

/** The changes to make. WP: older clients send one rotation and one crop as separate arguments. @throws RestError for too many */
function changesOf({ modifiers, rotation, x, y, width, height }: EditCall['params']): ImageChange[] {
  if (modifiers !== undefined && modifiers.length > MOST_CHANGES)
    throw new RestError('rest_too_many_items', `modifiers must contain at most ${MOST_CHANGES} items.`, 400);
  if (modifiers !== undefined) return modifiers as unknown as ImageChange[];
  const isCropped = x !== undefined && y !== undefined && width !== undefined && height !== undefined;
  return [
    ...(rotation ? [{ type: 'rotate', args: { angle: rotation } } as const] : []),
    ...(isCropped ? [{ type: 'crop', args: { left: x, top: y, width, height } } as const] : []),
  ];
}

const FAILURES: Record<ImageChange['type'], [code: string, message: string]> = {
  rotate: ['rest_image_rotation_failed', 'Unable to rotate this image.'],
  crop: ['rest_image_crop_failed', 'Unable to crop this image.'],
  flip: ['rest_image_flip_failed', 'Unable to flip this image.'],
};

function asEditError(error: unknown): never {
  if (!(error instanceof EditError)) throw error;
  const [code, message] = error.change === null ? ['rest_unknown_image_file_type', 'Unable to edit this image.'] : FAILURES[error.change];
  throw new RestError(code, message, 500);
}

/** WP: the name of the original with one `-edited`. */
function editedName(file: string): string {
  const { name, ext } = path.posix.parse(file);
  return `${name.replace(/-edited(?:-\d+)?$/, '')}-edited${ext}`;
}

/** WP: camera data is that of the original, with the new orientation. */
function withCameraData(image: ImageMetadata, original: Post, file: string): ImageMetadata {
  const [made, known] = [image.image_meta ?? {}, original.image?.image_meta ?? {}];
  const copied = Object.entries(known).filter(([key, value]) => isEmpty(made[key] as string) && !isEmpty(value as string));
  const all: Record<string, unknown> = { ...made, ...Object.fromEntries(copied) };
  const upright = Number(all.orientation ?? 0) > 0 ? { orientation: 1 } : {};
  return { ...image, image_meta: { ...all, ...upright }, parent_image: { attachment_id: original._id, file } };
}

/** Stores a changed copy of an image. @throws RestError if WordPress rejects it */
export async function editedMedia(call: EditCall): Promise<{ post: Post; context: Context }> {
  const { params, request, site } = call;
  const original = await attachmentOf(intval(request.get('id')), site);
  const file = uploadedFile(original);
  if (!original.image || file === '' || !isOfImage(params.src, original.image))
    throw new RestError('rest_unknown_attachment', 'Unable to get meta information for file.', 404);
  const { mimeType = '' } = original;
  if (!isEncodable(mimeType)) throw new RestError('rest_cannot_edit_file_type', 'This type of file cannot be edited.', 400);
  const changes = changesOf(params);
  if (changes.length === 0)
    throw new RestError('rest_image_not_edited', 'The image was not edited. Edit the image before applying the changes.', 400);
  const before = await readUpload(site.uploads, file);
  const bytes = await (before ? editImage(before, mimeType, changes) : Promise.reject(new EditError(null))).catch(asEditError);
  const { title, content, excerpt, parent } = await sentMedia(call as never);
  const sentAlt = params.alt_text === undefined ? metaValue(original, ALT_TEXT) : cleanMetaText(params.alt_text);
  const attach = (stored: StoredUpload): Promise<Post> =>
    insertAttachment(
      site,
      { ...stored, image: stored.image && withCameraData(stored.image, original, file) },
      {
        title: title ?? storedTitle(original.title, call),
        content: content ?? original.content,
        excerpt: excerpt ?? original.excerpt,
        author: request.user?._id ?? 0,
        status: 'inherit',
        parent: parent ?? 0,
        date: site.nowLocal,
        dateGmt: site.nowUtc,
        meta: sentAlt ? withMeta([], ALT_TEXT, [sentAlt]) : [],
        commentStatus: undefined,
        pingStatus: undefined,
        slug: undefined,
      },
    );
  const upload = { name: editedName(file), bytes };
  const post = await storeUpload(site, upload, site.nowLocal.slice(0, 7).replace('-', '/'), attach).catch((error: unknown) =>
    asUploadError(error, { failure: 'rest_upload_sideload_error' }),
  );
  return { post, context: sentContext(call) };
}
