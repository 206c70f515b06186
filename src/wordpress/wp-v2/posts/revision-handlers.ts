import { sentContext, switchToEditing, type Context } from '../../rest/params.js';
import { intval, toStr } from '../../../base/php/cast.js';
import { RestResponse, type Args, type CallContext, type Permission, type Json, RestError, refusal } from '../../rest/route.js';
import { canEdit, canRead } from '../../users/capabilities.js';
import { REVISION, ZERO_DATE, type Post } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import type { Action } from '../declare.js';
import { listResponse } from '../../rest/lists.js';
import { checkOrder } from './post-list.js';
import { type RestType, presentMeta } from '../../rest/posts/post-types.js';
import type { RevisionActions } from './revision-routes.js';
import { autosavesOf, currentAutosave, previewAction } from '../../query/autosaves.js';
import { saveBeside, type PostWrite } from './post-write.js';
import { mayUpdatePost } from './post-permissions.js';
import { filterContent, filterExcerpt } from '../../formatting/content.js';
import { guidPath, permalink } from '../../posts/permalinks.js';
import { loadRelated } from '../../posts/related.js';
import { renderOptions, shownTitle } from '../../posts/rendered.js';
import { createNonce } from '../../users/sessions.js';

/** WP: without a date in UTC there is no date. */
const iso = (gmt: string, stored: string): string | null => (gmt === ZERO_DATE ? null : stored.replace(' ', 'T'));

/** The URL at which the caller sees unsaved changes (WP: only in their session, for a day). */
async function previewLink(shown: Post, parent: Post, type: RestType, { site, request }: CallContext): Promise<string> {
  const { user, session } = request;
  if (!type.viewable || !user) return '';
  const known = (await loadRelated(site.store, [parent])).posts;
  const link = permalink(parent, site, canRead(user, parent, site.registry), known);
  const query = new URLSearchParams();
  if (shown.type === REVISION) {
    const nonce = await createNonce(site, { user, token: session }, previewAction(parent._id));
    query.set('preview_id', String(parent._id));
    query.set('preview_nonce', nonce);
  }
  query.set('preview', 'true');
  return `${link}${link.includes('?') ? '&' : '?'}${query.toString()}`;
}

/**
 * A revision as the core API shows it.
 * @param shown the revision, or the saved draft
 * @param parent its post
 */
async function presentRevision(shown: Post, parent: Post, type: RestType, context: Context, call: CallContext): Promise<Json> {
  const { site } = call;
  const isEditing = context === 'edit';
  const isFull = context !== 'embed';
  const guid = `${site.url}${guidPath(shown, site)}`;
  const options = renderOptions({ site, related: await loadRelated(site.store, [shown]) }, shown);
  const text = (raw: string, rendered: string): Json => ({ ...(isEditing ? { raw } : {}), rendered });
  const has = (feature: RestType['supports'][number]): boolean => type.supports.includes(feature);
  return {
    author: shown.author,
    date: iso(shown.dateGmt, shown.date),
    ...(isFull ? { date_gmt: iso(shown.dateGmt, shown.dateGmt) } : {}),
    id: shown._id,
    ...(isFull ? { modified: iso(shown.modifiedGmt, shown.modified), modified_gmt: iso(shown.modifiedGmt, shown.modifiedGmt) } : {}),
    parent: shown.parent,
    slug: shown.slug,
    ...(isFull ? { guid: { rendered: guid, ...(isEditing ? { raw: guid } : {}) } } : {}),
    title: text(shown.title, shownTitle(shown)),
    ...(isFull && has('editor') ? { content: text(shown.content, filterContent(shown.content, options)) } : {}),
    // WP: no excerpt is generated from the content.
    ...(has('excerpt') ? { excerpt: text(shown.excerpt, filterExcerpt(shown.excerpt, options)) } : {}),
    ...(isFull && has('custom-fields') ? { meta: presentMeta(shown, type.meta) } : {}),
    ...(isEditing ? { preview_link: await previewLink(shown, parent, type, call) } : {}),
    ...(shown.parent === 0 ? {} : { _links: { parent: [{ href: site.restUrl(`/wp/v2/${type.base}/${parent._id}`) }] } }),
  };
}

/*
 * No revisions are kept, as on the recorded site: lists are empty for users who may edit the post, and rejected for all others. Autosaves
 * are kept, one for each user.
 */

async function postOf(type: string, captured: string, { request, site }: CallContext): Promise<Post | null> {
  const id = intval(request.get(captured));
  const post = id > 0 ? await findPost(site.store, id) : null;
  return post?.type === type ? post : null;
}

/** The permission to edit the post of revisions. WP: its existence is checked first. */
const onParent =
  ({ name }: RestType, code: string, what: string, captured = 'parent') =>
  async (context: CallContext): Promise<boolean | RestError> => {
    const { request, site } = context;
    const post = await postOf(name, captured, context);
    if (!post) return new RestError('rest_post_invalid_parent', 'Invalid post parent ID.', 404);
    return canEdit(request.user, post, site.registry) || refusal(request.user, code, `Sorry, you are not allowed to ${what} of this post.`);
  };

const list =
  ({ base }: RestType): RevisionActions['listRevisions']['handler'] =>
  (call) => {
    checkOrder(call.params);
    const path = `/wp/v2/${base}/${toStr(call.request.get('parent'))}/revisions`;
    return listResponse(call, path, { items: [], total: 0, pages: 0, page: call.params.page });
  };

const noRevision = (): RestError => new RestError('rest_post_invalid_id', 'Invalid revision ID.', 404);

const throwing = (error: () => RestError) => (): never => {
  throw error();
};

/** WP: nobody may delete a missing revision. */
const deletable =
  (type: RestType): Permission =>
  async (context) => {
    const allowed = await onParent(type, 'rest_cannot_delete', 'delete revisions')(context);
    return allowed === true ? noRevision() : allowed;
  };

type AutosaveHandler = (type: RestType) => (call: CallContext) => Promise<RestResponse>;

/** The parent of an autosave, which permissions have found. */
const parentOf = (type: RestType, captured: string, call: CallContext): Promise<Post> =>
  postOf(type.name, captured, call).then((post) => post ?? Promise.reject(new RestError('rest_post_invalid_id', 'Invalid post ID.', 404)));

const listAutosaves: AutosaveHandler = (type) => async (call) => {
  const parent = await parentOf(type, 'id', call);
  const found = await autosavesOf(parent, call.site);
  return new RestResponse(await Promise.all(found.map((each) => presentRevision(each, parent, type, sentContext(call), call))));
};

/** WP: the newest autosave of the post, regardless of the requested id. */
const readAutosave: AutosaveHandler = (type) => async (call) => {
  const parent = await parentOf(type, 'parent', call);
  const found = await currentAutosave(parent, call.site);
  if (!found) throw new RestError('rest_post_no_autosave', 'There is no autosave revision for this post.', 404);
  return new RestResponse(await presentRevision(found, parent, type, sentContext(call), call));
};

const createAutosave =
  (type: RestType) =>
  async (call: PostWrite): Promise<RestResponse> => {
    const parent = await parentOf(type, 'id', call);
    const saved = await saveBeside(parent, type, call);
    switchToEditing(call);
    return new RestResponse(await presentRevision(saved, parent, type, 'edit', call));
  };

/** The operations on revisions and autosaves of a post type. */
export const revisionActions = (type: RestType): RevisionActions => {
  const readable = onParent(type, 'rest_cannot_read', 'view revisions');
  return {
    listRevisions: { permission: readable, handler: list(type) },
    readRevision: { permission: readable, handler: throwing(noRevision) },
    deleteRevision: { permission: deletable(type), handler: throwing(noRevision) },
    listAutosaves: {
      // WP: this is the only route below a post that captures its id as `id`.
      permission: onParent(type, 'rest_cannot_read', 'view autosaves', 'id'),
      handler: listAutosaves(type),
    },
    // WP: users who may update a post may store autosaves.
    createAutosave: { permission: mayUpdatePost(type), handler: createAutosave(type) as Action<Args>['handler'] },
    readAutosave: { permission: readable, handler: readAutosave(type) },
  };
};
