import { switchToEditing, type Context, type EndpointCall, type ParamsOf } from '../../rest/params.js';
import { listResponse } from '../../rest/lists.js';
import type { RestType } from '../../rest/posts/post-types.js';
import { RestResponse, type CallContext, RestError } from '../../rest/route.js';
import { withSentFields } from '../../rest/rest-fields/writes.js';
import { sanitizeTitle } from '../../formatting/sanitize.js';
import { deleteAttachment, updateAttachment } from '../../media/attachment-save.js';
import { ALL_TYPES } from '../../media/upload-types.js';
import { ATTACHMENT, thumbnailOf, type Post } from '../../model.js';
import type { Site } from '../../site.js';
import { findPosts } from '../../posts/posts.js';
import { freeSlugs } from '../../posts/slugs.js';
import type { DELETION } from '../posts/post-args.js';
import { measuredSizes } from '../../media/file-sizes.js';
import { pageOfPosts, planPosts } from '../posts/post-list.js';
import type { imageEditArgs, MEDIA_FILTERS, PROCESS_ARGS } from './media-args.js';
import { editedMedia } from './media-edit.js';
import { attachmentOf, invalidMediaId, parentsOfMedia } from './media-permissions.js';
import { canEditMedia, canReadMedia, mediaFields, mediaLink, presentMedia, type MediaView } from './media-present.js';
import { registerVersions, type finalizeArgs } from './media-sizes.js';
import { upload, changedMedia, type MediaUpload, type MediaWrite } from './media-write.js';

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

export async function mediaList(type: RestType, call: EndpointCall<typeof MEDIA_FILTERS>): Promise<RestResponse> {
  const { params, request, site } = call;
  const plan = await planPosts(type, call);
  const query = { ...plan.query, mimeTypes: mimeTypesOf(params, site) };
  const { posts, ...counts } = await pageOfPosts({ ...plan, query }, site.store);
  const families = { site, parents: await parentsOfMedia(posts, site) };
  const shown = posts.filter((post) => (params.context === 'edit' ? canEditMedia : canReadMedia)(request.user, post, families));
  const view = await viewOf(shown, params.context, call);
  return listResponse(call, '/wp/v2/media', { items: shown.map((post) => presentMedia(post, view)), ...counts });
}

export async function readMedia(call: CallContext & { params: { id: number; context: Context } }): Promise<RestResponse> {
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

export async function createMedia(call: MediaUpload): Promise<RestResponse> {
  const post = await withSentFields(await upload(call), ATTACHMENT, call);
  return asCreated(await showWritten(post, call, 201), post, call);
}

/** WP: the response is in the context of the request. */
export async function editMedia(call: EndpointCall<ReturnType<typeof imageEditArgs>>): Promise<RestResponse> {
  const { post, context } = await editedMedia(call);
  return asCreated(await show(post, context, call, 201), post, call);
}

export async function updateMedia(call: MediaWrite & { params: { id: number } }): Promise<RestResponse> {
  const post = await attachmentOf(call.params.id, call.site);
  const stored = await updateAttachment(call.site, post._id, await changedMedia(post, call));
  if (!stored) throw invalidMediaId();
  return showWritten(await withSentFields(stored, ATTACHMENT, call), call);
}

/** WP: attachments have no trash. */
export async function removeMedia(call: EndpointCall<typeof DELETION>): Promise<RestResponse> {
  const { params, site } = call;
  const post = await attachmentOf(params.id, site);
  if (!params.force)
    throw new RestError('rest_trash_not_supported', "The post does not support trashing. Set 'force=true' to delete.", 501);
  const previous = mediaFields(post, await viewOf([post], 'edit', call));
  await deleteAttachment(site, post);
  return new RestResponse({ deleted: true, previous });
}

export const process = async (call: EndpointCall<typeof PROCESS_ARGS>): Promise<RestResponse> =>
  showWritten(await attachmentOf(call.params.id, call.site), call);

export const finalize = async (call: EndpointCall<ReturnType<typeof finalizeArgs>>): Promise<RestResponse> =>
  showWritten(await registerVersions(call), call);
