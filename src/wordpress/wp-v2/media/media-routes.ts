import { switchToEditing, sentContext, type Context, type EndpointCall, type ParamsOf } from '../../rest/params.js';
import { listResponse } from '../../rest/lists.js';
import type { RestType } from '../../rest/posts/post-types.js';
import { RestResponse, RestError, type CallContext, type Endpoint, type Route } from '../../rest/route.js';
import { withSentFields } from '../../rest/rest-fields/shown.js';
import { sanitizeTitle, cleanMetaText } from '../../formatting/sanitize.js';
import { ALL_TYPES } from '../../media/upload-types.js';
import { ATTACHMENT, thumbnailOf, metaValue, withMeta, type Post, type ImageMetadata } from '../../model.js';
import type { Site } from '../../site.js';
import { findPosts } from '../../posts/posts.js';
import { freeSlugs } from '../../posts/slugs.js';
import type { DELETION } from '../posts/post-args.js';
import { measuredSizes, uploadedFile } from '../../media/file-sizes.js';
import { pageOfPosts, planPosts } from '../posts/post-list.js';
import { imageEditArgs, MEDIA_FILTERS, PROCESS_ARGS, mediaArgs, mediaSchema, uploadArgs } from './media-args.js';
import { attachmentOf, invalidMediaId, parentsOfMedia } from './media-permissions.js';
import * as permissions from './media-permissions.js';
import { canEditMedia, canReadMedia, mediaFields, mediaLink, presentMedia, type MediaView } from './media-present.js';
import { registerVersions, finalizeArgs, sideload, sideloadArgs } from './media-sizes.js';
import { upload, changedMedia, ALT_TEXT, sentMedia, mayUpload, type MediaUpload, type MediaWrite } from './media-write.js';
import { intval, isEmpty } from '../../../base/php/cast.js';
import { storedTitle } from '../../rest/posts/post-params.js';
import { editImage, EditError, type ImageChange } from '../../media/edit-image.js';
import { isEncodable, readUpload } from '../../media/files.js';
import { storeUpload, deleteAttachment, updateAttachment, insertAttachment, type StoredUpload } from '../../media/upload.js';
import { asUploadError } from './media-incoming.js';
import { takesClientSizes } from '../../media/client-sizes.js';
import * as shared from '../args.js';
import { described, get, post as posting, route } from '../declare.js';
import { actionLinks } from '../posts/post-schemas.js';
import { itemRoute } from '../posts/post-routes.js';
import path from 'node:path';

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
async function editedMedia(call: EditCall): Promise<{ post: Post; context: Context }> {
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
  const edited = { name: editedName(file), bytes };
  const post = await storeUpload(site, edited, site.nowLocal.slice(0, 7).replace('-', '/'), attach).catch((error: unknown) =>
    asUploadError(error, { failure: 'rest_upload_sideload_error' }),
  );
  return { post, context: sentContext(call) };
}

const slugsFromTitles = (posts: Post[], site: Site): Promise<Map<number, string>> =>
  freeSlugs(
    site,
    ATTACHMENT,
    posts.map(({ _id, title }) => ({ id: _id, wanted: sanitizeTitle(title, site.quirks) || String(_id) })),
  );

/** The featured images of attachments, and the posts to which all of these are attached. */
async function relatedTo(posts: Post[], site: Site): Promise<Pick<MediaView, 'parents' | 'images'>> {
  const ids = [...new Set(posts.map(thumbnailOf))].filter((id) => id > 0);
  const images = ids.length === 0 ? [] : await findPosts(site.store, ids);
  const parents = await parentsOfMedia([...posts, ...images], site);
  return { parents, images: new Map(images.map((post) => [post._id, post])) };
}

const viewOf = async (posts: Post[], context: Context, { request, site }: CallContext): Promise<MediaView> => ({
  site,
  user: request.user,
  context,
  ...(await relatedTo(posts, site)),
  fileSizes: context === 'embed' || site.quirks.has('no-file-names-of-media') ? new Map() : await measuredSizes(posts, site),
  slugs: context === 'edit' ? await slugsFromTitles(posts, site) : new Map(),
});

type Filters = ParamsOf<typeof MEDIA_FILTERS>;

/** WP: unknown MIME types do not filter; media types do. */
function mimeTypesOf({ mime_type: types, media_type: kinds }: Filters, { quirks }: Site): readonly string[] | undefined {
  const named = [types ?? []].flat().filter((type) => ALL_TYPES.includes(type));
  if (quirks.has('media-filters-take-one-type') && named.length > 0) return named;
  const starts = [kinds ?? []].flat().map((kind) => `${kind}/`);
  const all = [...ALL_TYPES.filter((type) => starts.some((start) => type.startsWith(start))), ...named];
  return all.length === 0 ? undefined : [...new Set(all)];
}

async function mediaList(type: RestType, call: EndpointCall<typeof MEDIA_FILTERS>): Promise<RestResponse> {
  const { params, request, site } = call;
  const plan = await planPosts(type, call);
  const query = { ...plan.query, mimeTypes: mimeTypesOf(params, site) };
  const { posts, ...counts } = await pageOfPosts({ ...plan, query }, site.store);
  const families = { site, parents: await parentsOfMedia(posts, site) };
  const shown = posts.filter((post) => (params.context === 'edit' ? canEditMedia : canReadMedia)(request.user, post, families));
  const view = await viewOf(shown, params.context, call);
  return listResponse(call, '/wp/v2/media', { items: shown.map((post) => presentMedia(post, view)), ...counts });
}

async function readMedia(call: CallContext & { params: { id: number; context: Context } }): Promise<RestResponse> {
  const { params, site } = call;
  const post = await attachmentOf(params.id, site);
  const view = await viewOf([post], params.context, call);
  return new RestResponse(presentMedia(post, view), 200, { Link: `<${mediaLink(post, view)}>; rel="alternate"; type=text/html` });
}

const show = async (post: Post, context: Context, call: CallContext, status = 200): Promise<RestResponse> =>
  new RestResponse(presentMedia(post, await viewOf([post], context, call)), status);

function showWritten(post: Post, call: CallContext, status = 200): Promise<RestResponse> {
  switchToEditing(call);
  return show(post, 'edit', call, status);
}

const asCreated = (response: RestResponse, { _id }: Post, { site }: CallContext): RestResponse =>
  response.header('X-WP-Upload-Attachment-ID', _id).header('Location', site.restUrl(`/wp/v2/media/${_id}`));

async function createMedia(call: MediaUpload): Promise<RestResponse> {
  const post = await withSentFields(await upload(call), ATTACHMENT, call);
  return asCreated(await showWritten(post, call, 201), post, call);
}

/** WP: the response is in the context of the request. */
async function editMedia(call: EndpointCall<ReturnType<typeof imageEditArgs>>): Promise<RestResponse> {
  const { post, context } = await editedMedia(call);
  return asCreated(await show(post, context, call, 201), post, call);
}

async function updateMedia(call: MediaWrite & { params: { id: number } }): Promise<RestResponse> {
  const post = await attachmentOf(call.params.id, call.site);
  const stored = await updateAttachment(call.site, post._id, await changedMedia(post, call));
  if (!stored) throw invalidMediaId();
  return showWritten(await withSentFields(stored, ATTACHMENT, call), call);
}

/** WP: attachments have no trash. */
async function removeMedia(call: EndpointCall<typeof DELETION>): Promise<RestResponse> {
  const { params, site } = call;
  const post = await attachmentOf(params.id, site);
  if (!params.force)
    throw new RestError('rest_trash_not_supported', "The post does not support trashing. Set 'force=true' to delete.", 501);
  const previous = mediaFields(post, await viewOf([post], 'edit', call));
  await deleteAttachment(site, post);
  return new RestResponse({ deleted: true, previous });
}

const process = async (call: EndpointCall<typeof PROCESS_ARGS>): Promise<RestResponse> =>
  showWritten(await attachmentOf(call.params.id, call.site), call);

const finalize = async (call: EndpointCall<ReturnType<typeof finalizeArgs>>): Promise<RestResponse> =>
  showWritten(await registerVersions(call), call);

/** Routes of the media library. All sizes of a picture are generated on upload, unless its client makes them. */
export function mediaRoutes(type: RestType): Route[] {
  const fields = mediaArgs(type.registry);
  const [schema, links] = [mediaSchema(fields), actionLinks(type)];
  const withSchema = (declared: Route): Route => ({ ...described(declared, schema), links });
  const ofClients = (name: string, endpoint: Endpoint): Route => ({
    ...withSchema(route(`/media/(?P<id>[\\d]+)/${name}`, endpoint)),
    absentUnder: 'no-sizes-made-by-clients',
    existsFor: takesClientSizes,
  });
  return [
    withSchema(
      route(
        '/media',
        get(MEDIA_FILTERS, { permission: permissions.mayReadMediaList, handler: (call) => mediaList(type, call) }),
        posting(uploadArgs(fields), { permission: mayUpload, handler: createMedia }),
      ),
    ),
    withSchema(
      itemRoute('media', { context: shared.context }, fields, {
        read: { permission: permissions.mayReadMedia, handler: readMedia },
        update: { permission: permissions.mayEdit, handler: updateMedia },
        delete: { permission: permissions.mayDeleteMedia, handler: removeMedia },
      }),
    ),
    route('/media/(?P<id>[\\d]+)/post-process', posting(PROCESS_ARGS, { permission: permissions.mayEdit, handler: process })),
    route('/media/(?P<id>[\\d]+)/edit', posting(imageEditArgs(fields), { permission: permissions.mayEditImage, handler: editMedia })),
    ofClients('sideload', posting(sideloadArgs(type.registry), { permission: permissions.mayEditImage, handler: sideload })),
    ofClients('finalize', posting(finalizeArgs(type.registry), { permission: permissions.mayEditImage, handler: finalize })),
  ];
}
