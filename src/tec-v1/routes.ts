import { intval } from '../php/cast.js';
import { withParams, type Call } from '../rest/params.js';
import { RestResponse } from '../rest/response.js';
import { canDelete, canEdit, canRead, canWithPosts } from '../wp/users/capabilities.js';
import { ANY_STATUS, type Post, type User } from '../wp/model.js';
import { EVENT } from '../tec/index.js';
import type { LinkColumn, LinkedKind } from '../tec/linked.js';
import { deletePost, insertPost, trashPost, updatePost } from '../wp/post-save.js';
import { countPosts, findPost, listPosts } from '../wp/posts.js';
import { loadRelated } from '../wp/related.js';
import { listResponse } from '../rest/lists.js';
import { acknowledgementRefusal, alreadyTrashed, notReadable, notStored, pageNotFound } from './errors.js';
import { FORCE } from './fields.js';
import { changedEntity, newEntity, type OwnFields } from './write.js';
import type { Plan } from './plans.js';
import type { PostType } from '../rest/posts/post-types.js';
import type { PostView } from '../rest/posts/post-fields.js';
import type { Args, CallContext, Endpoint, Handler, Json, Permission, Route } from '../rest/route.js';

export const NAMESPACE = 'tec/v1';

/** Events, organizers or venues: one record per kind, from which its two routes are made. */
export interface Entity {
  /** Last part of the collection's path. */
  path: 'events' | LinkColumn;
  /** What the OpenAPI document calls it. */
  schema: 'Event' | Capitalize<LinkedKind>;
  type: PostType;
  filters: Args;
  fields: Args;
  plan: (context: CallContext) => Promise<Plan>;
  present: (post: Post, view: PostView) => Json;
  own: OwnFields;
}

/** What callers have to say to be answered. TEC: in capitals or not. */
export const ACKNOWLEDGEMENT =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
  'I also understand that I am using this endpoint at my own risk, while support is not provided for it.';

/** TEC: what is said is looked at last, after parameters and rights. */
const acknowledged =
  (handler: Handler): Handler =>
  (context) => {
    const { request, site } = context;
    if (!site.quirks.has('tec-v1-needs-acknowledgement')) return handler(context);
    const said = (request.headers['x-tec-eea'] ?? '').trim();
    if (said.toLowerCase() !== ACKNOWLEDGEMENT.toLowerCase()) throw acknowledgementRefusal(said !== '');
    return handler(context);
  };

async function viewOf(posts: Post[], { request, site }: CallContext): Promise<PostView> {
  const password = request.get('password');
  return {
    site,
    user: request.user,
    context: 'view',
    password: typeof password === 'string' && password !== '' ? password : undefined,
    related: await loadRelated(site.store, posts),
    slugs: new Map(),
  };
}

async function list(entity: Entity, context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const { query, page, perPage } = await entity.plan(context);
  const total = query.ids?.length === 0 ? 0 : await countPosts(store, query);
  const posts = total <= query.offset ? [] : await listPosts(store, query);
  if (posts.length === 0 && page > 1) throw pageNotFound();
  const shown = posts.filter((post) => canRead(context.request.user, post));
  const view = await viewOf(shown, context);
  const items = shown.map((post) => entity.present(post, view));
  return listResponse(context, `/${NAMESPACE}/${entity.path}`, { items, total, pages: Math.ceil(total / perPage), page, nextFirst: true });
}

async function show(entity: Entity, post: Post, context: CallContext, status = 200): Promise<RestResponse> {
  return new RestResponse(entity.present(post, await viewOf([post], context)), status);
}

/** The item that the path names, whatever its status; null when there is none of the kind. */
async function itemOf({ type }: Entity, { request, site }: CallContext): Promise<Post | null> {
  const id = intval(request.get('id'));
  const post = id > 0 ? await findPost(site.store, id) : null;
  return post?.type === type.name ? post : null;
}

/** TEC: a trashed item cannot be read, nor can an event that never takes place. */
const isReadable = (post: Post): boolean => ANY_STATUS.includes(post.status) && (post.type !== EVENT || post.occurrence !== undefined);

/** @throws RestError 404 for what is there and cannot be read */
async function readableItem(entity: Entity, context: CallContext): Promise<Post> {
  const post = await itemOf(entity, context);
  if (!post || !isReadable(post)) throw notReadable();
  return post;
}

/** TEC: what is not there is refused as what one has no right to. */
const right =
  (entity: Entity, check: (user: User | null, post: Post) => boolean): Exclude<Permission, 'public'> =>
  async (context) => {
    const post = await itemOf(entity, context);
    return post !== null && check(context.request.user, post);
  };

async function create(entity: Entity, context: CallContext): Promise<RestResponse> {
  const data = await newEntity(context, entity.type, entity.own);
  return show(entity, await insertPost(context.site, entity.type.name, data), context, 201);
}

async function update(entity: Entity, context: CallContext): Promise<RestResponse> {
  const post = await itemOf(entity, context);
  if (!post || !ANY_STATUS.includes(post.status)) throw notReadable();
  const change = await changedEntity(context, entity.type, entity.own, post);
  const stored = await updatePost(context.site, post._id, 'keep', change);
  if (!stored) throw notStored('update', context.site);
  return show(entity, stored, context);
}

async function remove(entity: Entity, { params, ...context }: Call<typeof FORCE>): Promise<RestResponse> {
  const post = await itemOf(entity, context);
  if (!post) throw notReadable();
  if (params.force) await deletePost(context.site, post._id);
  else if (post.status === 'trash') throw alreadyTrashed();
  else await trashPost(context.site, post._id);
  return new RestResponse([]);
}

/** TEC: number 0 is no item, and so nothing that one needs a right to. */
const mayRead = (entity: Entity): Permission => {
  const onItem = right(entity, canRead);
  return (context) => intval(context.request.get('id')) === 0 || onItem(context);
};

/** The routes of a kind: its collection, and its items by number. */
export function entityRoutes(entity: Entity): Route[] {
  const base = `/${NAMESPACE}/${entity.path}`;
  const endpoint = (methods: Endpoint['methods'], args: Args, permission: Permission, handler: Handler): Endpoint => ({
    methods,
    args,
    permission,
    handler: acknowledged(handler),
  });
  return [
    {
      path: base,
      endpoints: [
        endpoint(['GET'], entity.filters, 'public', (context) => list(entity, context)),
        endpoint(
          ['POST'],
          entity.fields,
          ({ request }) => canWithPosts(request.user, 'edit'),
          (context) => create(entity, context),
        ),
      ],
    },
    {
      path: `${base}/(?P<id>\\d+)`,
      endpoints: [
        endpoint(['GET'], {}, mayRead(entity), async (context) => show(entity, await readableItem(entity, context), context)),
        endpoint(['PUT', 'PATCH'], entity.fields, right(entity, canEdit), (context) => update(entity, context)),
        endpoint(
          ['DELETE'],
          FORCE,
          right(entity, canDelete),
          withParams(FORCE, (call) => remove(entity, call)),
        ),
      ],
    },
  ];
}
