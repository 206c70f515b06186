import { PAGE } from '../../wp/model.js';
import type { Args, Json, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { batched, described, fields as writable, edit, editing, get, post, remove, route } from '../declare.js';
import type { Answers, Operation } from '../declare.js';
import { PATTERN_META, STATUS_META } from './meta.js';
import { postFields, postFilters, readingArgs } from './post-args.js';
import type { PostTypeRoutes } from './post-args.js';
import { EDIT_ONLY, NOT_EMBEDDED, resourceSchema, shown } from '../schemas.js';
import { autosaveRoutes, revisionRoutes } from './revisions.js';
import type { AutosaveOperation, RevisionOperation } from './revisions.js';
import { CATEGORIES, EVENT_CATEGORIES, PATTERN_CATEGORIES, TAGS } from '../terms.js';

/** What may be answered of a post type. */
export type PostOperation = Operation | RevisionOperation | AutosaveOperation;

const { ALL_CONTEXTS, textParts } = shared;

/** TEC: templates that it brings for everything that has pages. */
const TEMPLATES = ['archive-events', 'single-event'];

export const POSTS: PostTypeRoutes = {
  base: 'posts',
  templates: TEMPLATES,
  supports: ['author', 'comments', 'custom-fields', 'editor', 'excerpt', 'formats', 'sticky', 'thumbnail'],
  taxonomies: [CATEGORIES, TAGS],
  revisions: true,
  autosaves: true,
};

export const PAGES: PostTypeRoutes = {
  base: 'pages',
  templates: TEMPLATES,
  supports: ['author', 'comments', 'custom-fields', 'editor', 'excerpt', 'page-attributes', 'thumbnail'],
  hierarchical: true,
  guardedAs: PAGE,
  revisions: true,
  autosaves: true,
};

export const BLOCKS: PostTypeRoutes = {
  base: 'blocks',
  supports: ['custom-fields', 'editor', 'excerpt'],
  taxonomies: [PATTERN_CATEGORIES],
  revisions: true,
  autosaves: true,
  meta: PATTERN_META,
  texts: {
    title: textParts('Title', { raw: ['view', 'edit'] }),
    content: textParts('Content', { raw: ['view', 'edit'], blockVersion: ['edit'], protected: ALL_CONTEXTS }),
  },
};

export const NAVIGATION: PostTypeRoutes = {
  base: 'navigation',
  supports: ['editor'],
  revisions: true,
  autosaves: true,
  texts: {
    title: shared.title({ raw: ['edit', 'embed'] }),
    content: textParts('Content', {
      raw: ['edit', 'embed'],
      rendered: ALL_CONTEXTS,
      blockVersion: ['edit', 'embed'],
      protected: ALL_CONTEXTS,
    }),
  },
};

const LINKED_POST: Omit<PostTypeRoutes, 'base'> = {
  supports: ['author', 'custom-fields', 'editor', 'excerpt', 'thumbnail'],
  revisions: true,
  autosaves: true,
};

export const VENUES: PostTypeRoutes = { ...LINKED_POST, base: 'tribe_venue', pages: false };
export const ORGANIZERS: PostTypeRoutes = { ...LINKED_POST, base: 'tribe_organizer', pages: false };
export const EVENTS: PostTypeRoutes = {
  ...LINKED_POST,
  base: 'tribe_events',
  templates: TEMPLATES,
  taxonomies: [TAGS, EVENT_CATEGORIES],
  meta: STATUS_META,
};
export const CALENDAR_EMBEDS: PostTypeRoutes = {
  base: 'tec_calendar_embed',
  supports: [],
  taxonomies: [TAGS, EVENT_CATEGORIES],
};

const POST_CONTEXTS: Record<string, string[]> = {
  ...Object.fromEntries(
    ['id', 'date', 'link', 'slug', 'type', 'title', 'author', 'excerpt', 'featured_media'].map((field) => [field, ALL_CONTEXTS]),
  ),
  ...Object.fromEntries(['password', 'permalink_template', 'generated_slug'].map((field) => [field, EDIT_ONLY])),
};

/** WP: what a post is called in its schema. */
const SCHEMA_TITLES: Record<string, string> = { posts: 'post', pages: 'page', blocks: 'wp_block', navigation: 'wp_navigation' };

/** What a post is like. WP: fields of types that have pages are left out for those that have none. */
function postSchema({ base, pages = true }: PostTypeRoutes, { date, date_gmt, ...fields }: Args): Record<string, Json> {
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
    ...(pages ? ofPages : {}),
    ...fields,
  };
  return resourceSchema(SCHEMA_TITLES[base] ?? base, all, POST_CONTEXTS, NOT_EMBEDDED);
}

/** Routes of a post type: the collection, the single post and, where the type has them, revisions and autosaves. */
export function postRoutes(type: PostTypeRoutes, answers: Answers<PostOperation> = {}): Route[] {
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
