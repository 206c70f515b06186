import { inTurns } from '../../../base/system/turns.js';
import { askedBy } from '../../../wordpress/rest/posts/post-fields.js';
import { intval, isEmpty } from '../../../base/php/cast.js';
import { prepareArgs } from '../../../wordpress/rest/args.js';
import { sentContext, withParams, type EndpointCall } from '../../../wordpress/rest/params.js';
import { sentPassword, tooManyGuesses } from '../../../wordpress/rest/post-password.js';
import { RestResponse } from '../../../wordpress/rest/route.js';
import { canDelete, canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { ANY_STATUS, type MetaRow, type Post } from '../../../wordpress/model.js';
import { EVENT, TEC_V1 as TEC_NAMESPACE } from '../model/index.js';
import { deletePost, insertPost, trashPost, updatePost } from '../../../wordpress/posts/post-save.js';
import { countPosts, findPost, listPosts } from '../../../wordpress/posts/posts.js';
import { sanitizeTitle } from '../../../wordpress/formatting/sanitize.js';
import { freeSlugs } from '../../../wordpress/posts/slugs.js';
import { loadRelated } from '../../../wordpress/posts/related.js';
import { listResponse } from '../../../wordpress/rest/lists.js';
import { argsUnder } from '../../../wordpress/rest/schema.js';
import { acknowledgementRefusal, alreadyTrashed, notDeletable, notReadable, notStored, notUpdatable, pageNotFound } from './checking.js';
import { FORCE } from './fields.js';
import type { Writer } from './write.js';
import type { Plan } from './plans.js';
import type { RestType } from '../../../wordpress/rest/posts/post-types.js';
import type { Site } from '../../../wordpress/site.js';
import type { TecView } from './present.js';
import { CORE, restFieldsOf, fieldArgs, withSentFields } from '../../../wordpress/rest/rest-fields/shown.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import type { Args, CallContext, Endpoint, EndpointHandler, Json, Permission, Route } from '../../../wordpress/rest/route.js';

export { TEC_V1 as TEC_NAMESPACE } from '../model/index.js';

/** Events, organizers, venues, or what another plugin adds: a record per kind, from which its two routes are created. */
export interface Entity {
  /** Last part of the collection's path. */
  path: string;
  /** Its name in the OpenAPI document. */
  schema: string;
  type: RestType;
  filters: Args;
  fields: Args;
  plan: (context: CallContext) => Promise<Plan>;
  present: (post: Post, view: TecView) => Json;
  writer: Writer;
  /** Which of some posts a caller may read. Default: as WordPress says. Posts that are left out count as results. */
  readable?: (posts: readonly Post[], context: CallContext) => Promise<readonly Post[]>;
  /** The properties in the OpenAPI document that not every post has. Default: those of its kind. */
  own?: Record<string, Json>;
}

declare module '../../../wordpress/types/hooks.js' {
  interface Hooks {
    /** Loads a kind that the document of the namespace describes, too. */
    tecEntity: (registry: Registry) => Promise<Entity>;
  }
}

const readableOf = async (entity: Entity, posts: readonly Post[], context: CallContext): Promise<readonly Post[]> =>
  entity.readable?.(posts, context) ?? posts.filter((post) => canRead(context.request.user, post, context.site.registry));

/** The sentence that callers must send. TEC: case-insensitive. */
export const ACKNOWLEDGEMENT =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
  'I also understand that I am using this endpoint at my own risk, while support is not provided for it.';

/** The header with which callers send it. */
export const ACKNOWLEDGED = { 'x-tec-eea': ACKNOWLEDGEMENT } as const;

/** TEC: the sentence is checked last, after parameters and permissions. */
const acknowledged =
  (handler: EndpointHandler): EndpointHandler =>
  (context) => {
    const { request, site } = context;
    if (!site.quirks.has('tec-v1-needs-acknowledgement')) return handler(context);
    const sent = (request.headers['x-tec-eea'] ?? '').trim();
    if (sent.toLowerCase() !== ACKNOWLEDGEMENT.toLowerCase()) throw acknowledgementRefusal(sent !== '');
    return handler(context);
  };

const HIDDEN_ARGS = 'tec-v1-hides-write-arguments';

/** TEC: arguments of writes that are not declared to WordPress are checked last. */
const checkedLate =
  (fields: Args, handler: EndpointHandler): EndpointHandler =>
  async (context) => {
    const refusal = context.site.quirks.has(HIDDEN_ARGS) ? await prepareArgs(argsUnder(context.site.quirks, fields), context) : null;
    if (refusal) throw refusal;
    return handler(context);
  };

/** The slugs that events would get from their titles; the other types have no pages. */
const slugsOf = (posts: Post[], { name, viewable }: RestType, site: Site): Promise<ReadonlyMap<number, string>> =>
  viewable
    ? freeSlugs(
        site,
        name,
        posts.map(({ _id, title, parent }) => ({ id: _id, wanted: sanitizeTitle(title, site.quirks) || String(_id), parent })),
      )
    : Promise.resolve(new Map<number, string>());

/** How to show each of some posts. TEC: the context is not declared, but has an effect. */
async function viewOf(posts: Post[], { type }: Entity, call: CallContext, isAlone: boolean): Promise<(post: Post) => TecView> {
  const { request, site } = call;
  const words = request.get('excerpt_length');
  const context = sentContext(call);
  const sent = request.get('context');
  const view = {
    site,
    isUnknownContext: !isEmpty(sent) && sent !== context,
    user: request.user,
    hidesProtected: !isAlone || request.method !== 'GET',
    password: sentPassword(request, site),
    excerptWords: words === undefined ? undefined : intval(words),
    related: await loadRelated(site.store, posts),
    asked: askedBy(request),
    slugs: context === 'edit' ? await slugsOf(posts, type, site) : new Map<number, string>(),
  };
  const isShown = (post: Post): boolean =>
    context !== 'edit' || site.quirks.has('tec-v1-shows-raw-texts') || canEdit(request.user, post, site.registry);
  return (post) => ({ ...view, context: isShown(post) ? context : 'view' });
}

async function list(entity: Entity, context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const { query, page, perPage } = await entity.plan(context);
  const total = query.ids?.length === 0 ? 0 : await countPosts(store, query);
  const posts = total <= query.offset ? [] : await listPosts(store, query);
  if (posts.length === 0 && page > 1) throw pageNotFound();
  const shown = await readableOf(entity, posts, context);
  const view = await viewOf([...shown], entity, context, false);
  return listResponse(context, `/${TEC_NAMESPACE}/${entity.path}`, {
    items: await inTurns(shown, (post) => entity.present(post, view(post))),
    total,
    pages: Math.ceil(total / perPage),
    page,
    byPlugin: true,
  });
}

async function show(entity: Entity, post: Post, context: CallContext, status = 200): Promise<RestResponse> {
  const refused = context.request.method === 'GET' && tooManyGuesses(sentPassword(context.request, context.site), post);
  if (refused) throw refused;
  const view = await viewOf([post], entity, context, true);
  return new RestResponse(entity.present(post, view(post)), status);
}

/** The requested id. TEC: a parameter of that name overrides the path. */
const idOf = ({ request }: CallContext): Json | undefined => request.get('id');

/** The post with the requested id, of any type and status. */
async function postOf(context: CallContext): Promise<Post | null> {
  const id = intval(idOf(context));
  return id > 0 ? findPost(context.site.store, id) : null;
}

/** The requested item, with any status; null if it does not exist or is of another kind. */
async function itemOf({ type }: Entity, context: CallContext): Promise<Post | null> {
  const post = await postOf(context);
  return post?.type === type.name ? post : null;
}

/** TEC: a trashed item cannot be read, nor can an event without an occurrence. */
const isReadable = (post: Post): boolean => ANY_STATUS.includes(post.status) && (post.type !== EVENT || post.occurrence !== undefined);

/** @throws RestError 404 for an existing item that cannot be read */
async function readableItem(entity: Entity, context: CallContext): Promise<Post> {
  const post = await itemOf(entity, context);
  if (!post || !isReadable(post)) throw notReadable();
  return post;
}

/** TEC: unknown items are forbidden. The id 0 is not an item, everybody may read it. */
const mayRead =
  (entity: Entity): Permission =>
  async (context) => {
    if (isEmpty(idOf(context))) return true;
    const post = await itemOf(entity, context);
    return post !== null && (await readableOf(entity, [post], context)).length > 0;
  };

/** TEC: permissions to write do not depend on the type of the item; for the id 0 they are those for the type. */
const mayWrite =
  ({ type }: Entity, verb: 'edit' | 'delete', check: typeof canEdit): Permission =>
  async (context) => {
    const { user } = context.request;
    if (isEmpty(idOf(context))) return canWithPosts(user, verb, type);
    const post = await postOf(context);
    return post !== null && check(user, post, context.site.registry);
  };

/** The namespaces whose fields of plugins the items have. */
const FIELDS_OF = [CORE, TEC_NAMESPACE] as const;

/** The arguments of writes for the fields that plugins add. */
const addedArgs = ({ name, registry }: RestType): Args =>
  fieldArgs(FIELDS_OF.flatMap((namespace) => restFieldsOf(registry, name, namespace)).filter(({ isPerRequest }) => !isPerRequest));

async function withAddedValues(post: Post, call: CallContext): Promise<Post> {
  let stored = post;
  for (const namespace of FIELDS_OF) stored = await withSentFields(stored, post.type, call, namespace);
  return stored;
}

async function create(entity: Entity, context: CallContext): Promise<RestResponse> {
  const data = await entity.writer.create(context);
  const metaOf = entity.writer.metaOf && ((id: number): MetaRow[] => entity.writer.metaOf?.(data, id) ?? []);
  const post = await insertPost(context.site, entity.type.name, data, metaOf);
  return show(entity, await withAddedValues(post, context), context, 201);
}

async function update(entity: Entity, context: CallContext): Promise<RestResponse> {
  const post = await itemOf(entity, context);
  if (!post) throw notUpdatable();
  if (!ANY_STATUS.includes(post.status)) throw notStored('update', context.site);
  const change = await entity.writer.change(context, post);
  const stored = await updatePost(context.site, post._id, 'keep', change);
  if (!stored) throw notStored('update', context.site);
  return show(entity, await withAddedValues(stored, context), context);
}

async function remove(entity: Entity, { params, ...context }: EndpointCall<typeof FORCE>): Promise<RestResponse> {
  const post = await itemOf(entity, context);
  if (!post) throw notDeletable();
  if (params.force) await deletePost(context.site, post._id);
  else if (post.status === 'trash') throw alreadyTrashed();
  else await trashPost(context.site, post._id, context.request.user);
  return new RestResponse([]);
}

/** The routes of a kind: its collection, and its items by number. */
export function entityRoutes(entity: Entity): Route[] {
  const base = `/${TEC_NAMESPACE}/${entity.path}`;
  const fields = { ...entity.fields, ...addedArgs(entity.type) };
  const endpoint = (methods: Endpoint['methods'], args: Args, permission: Permission, handler: EndpointHandler): Endpoint => ({
    methods,
    args,
    permission,
    handler: acknowledged(handler),
  });
  const write = (methods: Endpoint['methods'], permission: Permission, handler: EndpointHandler): Endpoint => ({
    ...endpoint(methods, fields, permission, checkedLate(fields, handler)),
    hidesArgsUnder: HIDDEN_ARGS,
  });
  // TEC: the schema refers to the OpenAPI document.
  const ref = (site: Site): Record<string, Json> => ({
    $ref: `${site.restUrl(`/${TEC_NAMESPACE}/docs`)}#/components/schemas/${entity.schema}`,
  });
  const draft = { $schema: 'http://json-schema.org/draft-04/schema#' };
  return [
    {
      path: base,
      schema: (site) => ({ ...draft, title: entity.path, type: 'array', items: ref(site) }),
      endpoints: [
        // TEC: an `id` among the parameters of a list needs the right to read that item.
        endpoint(['GET'], entity.filters, mayRead(entity), (context) => list(entity, context)),
        write(
          ['POST'],
          ({ request }) => canWithPosts(request.user, 'edit'),
          (context) => create(entity, context),
        ),
      ],
    },
    {
      path: `${base}/(?P<id>\\d+)`,
      schema: (site) => ({ ...draft, title: entity.schema.toLowerCase(), type: 'object', ...ref(site) }),
      endpoints: [
        endpoint(['GET'], {}, mayRead(entity), async (context) => show(entity, await readableItem(entity, context), context)),
        write(['PUT', 'PATCH'], mayWrite(entity, 'edit', canEdit), (context) => update(entity, context)),
        endpoint(
          ['DELETE'],
          FORCE,
          mayWrite(entity, 'delete', canDelete),
          withParams(FORCE, (call) => remove(entity, call)),
        ),
      ],
    },
  ];
}
