import type { Args, Json, Route } from '../../rest/route.js';
import { argsUnder } from '../../rest/schema.js';
import type { PostType } from '../../rest/posts/post-types.js';
import type { Site } from '../../wp/site.js';
import * as shared from '../args.js';
import { batched, described, edit, editing, get, post, remove, route, type Action, type Editing } from '../declare.js';
import { EDIT_ONLY, NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';
import { DELETION, ITEM, postFields, postFilters, readingArgs } from './post-args.js';
import * as handlers from './post-handlers.js';
import * as permissions from './post-permissions.js';
import { revisionActions } from './revision-handlers.js';
import { autosaveRoutes, revisionRoutes, type RevisionActions } from './revision-routes.js';

const { ALL_CONTEXTS } = shared;

const POST_CONTEXTS: Record<string, string[]> = {
  ...Object.fromEntries(
    ['id', 'date', 'link', 'slug', 'type', 'title', 'author', 'excerpt', 'featured_media'].map((field) => [field, ALL_CONTEXTS]),
  ),
  ...Object.fromEntries(['password', 'permalink_template', 'generated_slug'].map((field) => [field, EDIT_ONLY])),
};

/** What a post is like. WP: fields of types that have pages are left out for those that have none. */
function postSchema({ name, viewable }: PostType, { date, date_gmt, ...fields }: Args): Record<string, Json> {
  const ofPages = {
    permalink_template: shown('Permalink with a placeholder for the slug.', {}),
    generated_slug: shown('Slug generated from the title.', {}),
    class_list: shown('CSS classes of the container element.', { type: 'array', items: { type: 'string' } }),
  };
  const all = {
    date,
    date_gmt,
    guid: shown('Globally unique identifier.', { type: 'object' }),
    id: shown('ID of the object.', { type: 'integer' }),
    link: shown('URL of the object.', { format: 'uri' }),
    modified: shown('Date of the last change, in the time zone of the site.', { format: 'date-time' }),
    modified_gmt: shown('Date of the last change, in UTC.', { format: 'date-time' }),
    type: shown('Type of the object.', {}),
    ...(viewable ? ofPages : {}),
    ...fields,
  };
  return resourceSchema(name, all, POST_CONTEXTS, NOT_EMBEDDED);
}

/** What can be done with the posts of a type. */
interface PostActions {
  list: Action<ReturnType<typeof postFilters>>;
  create: Action<ReturnType<typeof postFields>>;
  read: Action<typeof ITEM & ReturnType<typeof readingArgs>>;
  update: Action<typeof ITEM & Editing<ReturnType<typeof postFields>>>;
  delete: Action<typeof DELETION>;
}

const actionsOf = (type: PostType): PostActions => ({
  list: { permission: permissions.mayReadList(type), handler: (call) => handlers.list(type, call) },
  create: { permission: permissions.mayCreate(type), handler: (call) => handlers.create(type, call) },
  read: { permission: permissions.mayRead(type), handler: (call) => handlers.read(type, call) },
  update: { permission: permissions.mayUpdate(type), handler: (call) => handlers.update(type, call) },
  delete: { permission: permissions.mayDelete(type), handler: (call) => handlers.remove(type, call) },
});

function routesOf(type: PostType, actions: Partial<PostActions>, revisions: Partial<RevisionActions>): Route[] {
  const fields = postFields(type);
  const schema = type.supportsUnder ? ({ quirks }: Site) => postSchema(type, argsUnder(quirks, fields)) : postSchema(type, fields);
  return [
    described(batched(route(`/${type.base}`, get(postFilters(type), actions.list), post(fields, actions.create))), schema),
    described(batched(itemRoute(type.base, readingArgs(type), fields, actions)), schema),
    ...(type.revisions ? revisionRoutes(type.base, revisions) : []),
    ...(type.autosaves ? autosaveRoutes(type.base, fields, revisions) : []),
  ];
}

/** Routes of a post type: the collection, the single post and, where the type has them, revisions and autosaves. */
export const postRoutes = (type: PostType): Route[] => routesOf(type, actionsOf(type), revisionActions(type));

/** The same of a type that is declared only. */
export const declaredPostRoutes = (type: PostType): Route[] => routesOf(type, {}, {});

interface ItemActions<Reading extends Args, Fields extends Args> {
  read?: Action<typeof ITEM & Reading>;
  update?: Action<typeof ITEM & Editing<Fields>>;
  delete?: Action<typeof DELETION>;
}

/** The route of one object by number: `reading` are the arguments of GET besides `id`. */
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
    remove(DELETION, actions.delete),
  );
