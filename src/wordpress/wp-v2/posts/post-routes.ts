import type { Args, Json, Route } from '../../rest/route.js';
import { argsUnder } from '../../rest/schema.js';
import type { RestType } from '../../rest/posts/post-types.js';
import type { Site } from '../../site.js';
import { batched, described, edit, editing, get, post, removal, route, type Action, type Editing } from '../declare.js';
import { DELETION, ITEM, postArgs, postFilters, readingArgs } from './post-args.js';
import * as handlers from './post-handlers.js';
import * as permissions from './post-permissions.js';
import { actionLinks, postSchema, revisionSchema } from './post-schemas.js';
import { revisionActions } from './revision-handlers.js';
import { autosaveRoutes, revisionRoutes, type RevisionActions } from './revision-routes.js';

interface PostActions {
  list: Action<ReturnType<typeof postFilters>>;
  create: Action<ReturnType<typeof postArgs>>;
  read: Action<typeof ITEM & ReturnType<typeof readingArgs>>;
  update: Action<typeof ITEM & Editing<ReturnType<typeof postArgs>>>;
  delete: Action<typeof DELETION>;
}

const actionsOf = (type: RestType): PostActions => ({
  list: { permission: permissions.mayReadPostList(type), handler: (call) => handlers.listOfPosts(type, call) },
  create: { permission: permissions.mayCreatePost(type), handler: (call) => handlers.createPost(type, call) },
  read: { permission: permissions.mayReadPost(type), handler: (call) => handlers.readPost(type, call) },
  update: { permission: permissions.mayUpdatePost(type), handler: (call) => handlers.updatePostOf(type, call) },
  delete: { permission: permissions.mayDeletePost(type), handler: (call) => handlers.removePostItem(type, call) },
});

function routesOf(type: RestType, actions: Partial<PostActions>, revisions: Partial<RevisionActions>): Route[] {
  const fields = postArgs(type);
  const links = actionLinks(type);
  const schemaOf = (make: (fields: Args) => Record<string, Json>): NonNullable<Route['schema']> =>
    type.supportsUnder ? ({ quirks }: Site) => make(argsUnder(quirks, fields)) : make(fields);
  const schema = schemaOf((known) => postSchema(type, known));
  const revision = schemaOf((known) => revisionSchema(type, known, false));
  const autosave = schemaOf((known) => revisionSchema(type, known, true));
  return [
    { ...described(batched(route(`/${type.base}`, get(postFilters(type), actions.list), post(fields, actions.create))), schema), links },
    { ...described(batched(itemRoute(type.base, readingArgs(type), fields, actions)), schema), links },
    ...(type.revisions ? revisionRoutes(type.base, revisions).map((each) => ({ ...described(each, revision), ...WHOLE })) : []),
    ...(type.autosaves ? autosaveRoutes(type.base, fields, revisions).map((each) => ({ ...described(each, autosave), ...WHOLE })) : []),
  ];
}

/** WP: fields of revisions were whole before 7.0. */
const WHOLE: Pick<Route, 'wholeFields' | 'wholeFieldsUnder'> = { wholeFields: 'all', wholeFieldsUnder: 'whole-fields-of-revisions' };

/** Routes of a post type: the collection, the single post and, where the type has them, revisions and autosaves. */
export const postRoutes = (type: RestType): Route[] => routesOf(type, actionsOf(type), revisionActions(type));

interface ItemActions<Reading extends Args, Fields extends Args> {
  read?: Action<typeof ITEM & Reading>;
  update?: Action<typeof ITEM & Editing<Fields>>;
  delete?: Action<typeof DELETION>;
}

/** The route of an object by id. `reading`: the arguments of GET besides `id`. */
export const itemRoute = <Reading extends Args, Fields extends Args>(
  base: string,
  reading: Reading,
  fields: Fields,
  actions: ItemActions<Reading, Fields> = {},
): Route =>
  route(
    `/${base}/(?P<id>[\\d]+)`,
    get({ ...ITEM, ...reading }, actions.read),
    edit({ ...ITEM, ...editing(fields) }, actions.update),
    removal(DELETION, actions.delete),
  );
