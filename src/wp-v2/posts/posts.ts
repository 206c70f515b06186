import type { Args, Json, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { batched, described, fields as writable, edit, editing, get, post, remove, route } from '../declare.js';
import type { Answers, Operation } from '../declare.js';
import { postFields, postFilters, readingArgs } from './post-args.js';
import type { PostType } from '../../rest/posts/post-types.js';
import { EDIT_ONLY, NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';
import { autosaveRoutes, revisionRoutes } from './revisions.js';
import type { AutosaveOperation, RevisionOperation } from './revisions.js';

/** What may be answered of a post type. */
export type PostOperation = Operation | RevisionOperation | AutosaveOperation;

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
    permalink_template: shown('Address of its page, the slug left open.', {}),
    generated_slug: shown('Slug made from its title.', {}),
    class_list: shown('Classes of its container in a page.', { type: 'array', items: { type: 'string' } }),
  };
  const all = {
    date,
    date_gmt,
    guid: shown('Address under which it was made.', { type: 'object' }),
    id: shown('ID of the object.', { type: 'integer' }),
    link: shown('Address of its page.', { format: 'uri' }),
    modified: shown('Date of the last change, in the time of the site.', { format: 'date-time' }),
    modified_gmt: shown('Date of the last change, in UTC.', { format: 'date-time' }),
    type: shown('Type of the object.', {}),
    ...(viewable ? ofPages : {}),
    ...fields,
  };
  return resourceSchema(name, all, POST_CONTEXTS, NOT_EMBEDDED);
}

/** Routes of a post type: the collection, the single post and, where the type has them, revisions and autosaves. */
export function postRoutes(type: PostType, answers: Answers<PostOperation> = {}): Route[] {
  const fields = writable(postFields(type));
  const schema = postSchema(type, fields);
  return [
    described(batched(route(`/${type.base}`, get(postFilters(type), answers.list), post(fields, answers.create))), schema),
    described(batched(itemRoute(type.base, readingArgs(type), fields, answers)), schema),
    ...(type.revisions ? revisionRoutes(type.base, answers) : []),
    ...(type.autosaves ? autosaveRoutes(type.base, fields, answers) : []),
  ];
}

/** The route of one object by number: `reading` are the arguments of GET besides `id`. */
export const itemRoute = (base: string, reading: Args, fields: Args, answers: Answers<Operation> = {}): Route =>
  route(
    `/${base}/(?P<id>[\\d]+)`,
    get({ id: shared.id('object'), ...reading }, answers.read),
    edit({ id: shared.id('object'), ...editing(fields) }, answers.update),
    remove({ id: shared.id('object'), force: shared.force }, answers.delete),
  );
