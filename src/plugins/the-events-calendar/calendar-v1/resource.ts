import { intval, isEmpty, toStr } from '../../../base/php/cast.js';
import { collectionResponse } from './collection.js';
import { viewOf, addedArgs, withAddedValues, type View } from './view.js';
import { canDelete, canEdit, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { countPosts, findPage, findPost, findBySlug } from '../../../wordpress/posts/posts.js';
import { optionalArgs } from '../../../wordpress/rest/params.js';
import { tooManyGuesses } from '../../../wordpress/rest/post-password.js';
import { RestResponse, WrittenJson, invalidParam } from '../../../wordpress/rest/route.js';
import type { Arg, Args, CallContext, Endpoint, Permission, Route } from '../../../wordpress/rest/route.js';
import { phpJsonBytes } from '../../../base/php/json.js';
import { renderPosts } from './render-posts.js';
import { slugOf } from './validators.js';
import type { Post } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { DocFacts } from './doc/doc.js';
import type { Messages } from './messages.js';
import type { Registry } from '../../../wordpress/types/registry.js';

/** A list request resolved to a query, with the URL of the list. */
export interface ListPlan {
  query: PostQuery;
  page: number;
  perPage: number;
  restUrl: string;
  /** The total, if it differs from the query's (TEC: some empty searches). */
  totalOf?: PostQuery;
  /** Nothing can match, so no query is sent. */
  nothing?: boolean;
}

/** Events, venues or organizers: a record per kind, from which its three routes are created. */
export interface PostResource {
  postType: string;
  /** Last part of the collection's path, which is also the key of its list. */
  path: string;
  /** Parameters of the list. */
  filters: Args;
  /** Parameters of creation; none is required for an update. */
  fields: Args;
  /** Parameters of the by-id routes; the first is `id`. */
  idArgs: Args;
  /** The `slug` of the by-slug routes. */
  slugArg: Arg;
  /** Contents of the OpenAPI document besides the arguments. */
  doc: DocFacts;
  /** WP: whether callers with the general permission to edit get the error for a missing item. */
  missingNeedsGeneralRight: (site: Site) => boolean;
  /** TEC: on by-slug updates the event's own `slug` replaces the one in the path. */
  slugIsWritable: boolean;
  messages: Messages;
  plan: (context: CallContext) => Promise<ListPlan>;
  /** Returns a single item that the caller may see. @throws RestError otherwise */
  guardRead: (post: Post | null, id: number, context: CallContext) => Post;
  present: (post: Post, view: View) => object;
  create: (context: CallContext) => Promise<{ post: Post; status: number }>;
  update: (context: CallContext, found: Target) => Promise<Post | RestResponse>;
  trash: (context: CallContext, found: Target) => Promise<Post>;
}

/** The item of a by-id or by-slug route. */
export interface Target {
  post: Post | null;
  id: number;
}

/** How such a route finds it. */
type Finder = (context: CallContext) => Promise<Target>;

const byId: Finder = async ({ request, site }) => {
  const id = intval(request.get('id'));
  return { post: await findPost(site.store, id), id };
};

const bySlug =
  (type: string): Finder =>
  async ({ request, site }) => {
    const post = await findBySlug(site, type, toStr(request.get('slug')));
    return { post, id: post?._id ?? 0 };
  };

type Check = Exclude<Permission, 'public'>;

interface Right {
  check: typeof canEdit;
  general: 'edit' | 'delete';
}

const EDIT: Right = { check: canEdit, general: 'edit' };
const DELETE: Right = { check: canDelete, general: 'delete' };

/** The permission for an item; for a missing one, as the kind defines. */
const rightById =
  ({ missingNeedsGeneralRight }: PostResource, { check, general }: Right): Check =>
  async (context) => {
    const { request, site } = context;
    if (!request.user) return false;
    const mayAny = canWithPosts(request.user, general);
    if (site.quirks.has('writes-check-general-right')) return mayAny;
    const { post } = await byId(context);
    if (post) return check(request.user, post, site.registry);
    // WP: the permission for a missing item is the general one.
    return (missingNeedsGeneralRight(site) || isEmpty(request.get('id'))) && mayAny;
  };

/**
 * The permission for an item requested by slug. TEC: its id is unknown before the handler has run, so the general permission is checked;
 * the `Allow` header of the response then describes the item.
 */
const rightBySlug = (resource: PostResource, right: Right): Check => {
  const onId = rightById(resource, right);
  return async (context) => {
    const { request, site } = context;
    if (!request.user) return false;
    if (site.quirks.has('by-slug-checks-general-right')) {
      return isEmpty(request.get('id')) ? canWithPosts(request.user, right.general) : onId(context);
    }
    const { post } = await bySlug(resource.postType)(context);
    return post ? right.check(request.user, post, site.registry) : canWithPosts(request.user, right.general);
  };
};

/** A single item as a response. Responses to writes have no `json_ld` (TEC). */
async function show(resource: PostResource, post: Post, context: CallContext, single: boolean, status = 200): Promise<RestResponse> {
  const view = viewOf(context.request, context.site, single);
  const refused = single && tooManyGuesses(view.password, post);
  if (refused) throw refused;
  const shown = (given: Post[] | null): Promise<object[]> => renderPosts([post._id], resource.path, resource.present, view, given);
  // Shows an item as it was written or found, even if another request has changed or deleted it since.
  const [item = (await shown([post]))[0]] = single ? await shown(null) : [];
  return new RestResponse(new WrittenJson(phpJsonBytes(item)), status);
}

async function list(resource: PostResource, context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const { query, page, perPage, restUrl, totalOf, nothing } = await resource.plan(context);
  const found = nothing ? { ids: [], total: 0, posts: null } : await findPage(store, query);
  const total = totalOf ? await countPosts(store, totalOf) : found.total;
  const items = await renderPosts(found.ids, resource.path, resource.present, viewOf(context.request, context.site, false), found.posts);
  return collectionResponse({ key: resource.path, items, page, perPage, total, restUrl }, resource.messages.pageNotFound);
}

function itemEndpoints(
  resource: PostResource,
  find: Finder,
  args: { item: Args; update: Args },
  rights: { edit: Permission; delete: Permission },
): Endpoint[] {
  // TEC: once it is found, its id is a parameter of the request, also where it was called by its slug.
  const called: Finder = async (context) => {
    const found = await find(context);
    if (found.post) context.request.addToPath({ id: found.id });
    return found;
  };
  const read: Endpoint = {
    methods: ['GET'],
    args: args.item,
    permission: 'public',
    handler: async (context) => {
      const { post, id } = await called(context);
      return show(resource, resource.guardRead(post, id, context), context, true);
    },
  };
  const remove: Endpoint = {
    methods: ['DELETE'],
    args: args.item,
    permission: rights.delete,
    handler: async (context) => {
      return show(resource, await resource.trash(context, await called(context)), context, false);
    },
  };
  const update: Endpoint = {
    methods: ['POST', 'PUT', 'PATCH'],
    args: args.update,
    permission: rights.edit,
    handler: async (context) => {
      const updated = await resource.update(context, await called(context));
      if (updated instanceof RestResponse) return updated;
      return show(resource, await withAddedValues(updated, resource.postType, context), context, false);
    },
  };
  return [read, remove, update];
}

/** The `slug` parameter of by-slug routes: any spelling that leads to an existing item. */
export const slugArg = (postType: string, noun: string): Arg => ({
  type: 'string',
  required: true,
  description: `Slug of the ${noun}.`,
  validate: slugOf(postType),
});

/** The collection, by-id and by-slug routes of a kind of post, below a namespace. */
export function resourceRoutes(namespace: string, resource: PostResource, registry: Registry): Route[] {
  const base = `/${namespace}/${resource.path}`;
  const { filters, idArgs, postType } = resource;
  const fields = { ...resource.fields, ...addedArgs(registry, postType) };
  const slugArgs: Args = { slug: resource.slugArg };
  const slugUpdate = resource.slugIsWritable ? { slug: fields.slug, ...optionalArgs(fields) } : { ...slugArgs, ...optionalArgs(fields) };
  const collection: Endpoint[] = [
    { methods: ['GET'], args: filters, permission: 'public', handler: (context) => list(resource, context) },
    {
      methods: ['POST'],
      args: fields,
      permission: ({ request }) => canWithPosts(request.user, 'edit'),
      handler: async (context) => {
        const { post, status } = await resource.create(context);
        return show(resource, await withAddedValues(post, postType, context), context, false, status);
      },
    },
  ];
  return [
    { path: base, endpoints: collection },
    {
      path: `${base}/(?P<id>\\d+)`,
      endpoints: itemEndpoints(
        resource,
        byId,
        { item: idArgs, update: { ...idArgs, ...optionalArgs(fields) } },
        { edit: rightById(resource, EDIT), delete: rightById(resource, DELETE) },
      ),
    },
    {
      path: `${base}/by-slug/(?P<slug>[^/]+)`,
      endpoints: itemEndpoints(
        resource,
        bySlug(postType),
        { item: slugArgs, update: slugUpdate },
        { edit: rightBySlug(resource, EDIT), delete: rightBySlug(resource, DELETE) },
      ),
    },
  ];
}

/** TEC: venues and organizers that are not public give the same error to everybody who may not read them. */
export function requireReadable(post: Post | null, readable: (post: Post) => boolean, messages: Messages): Post {
  if (!post) throw invalidParam('id');
  if (!readable(post)) throw messages.notAccessible();
  return post;
}
