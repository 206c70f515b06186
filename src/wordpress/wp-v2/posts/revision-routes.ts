import type { Arg, Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { editing, get, post, removal, route, type Action } from '../declare.js';

const REVISION_ORDERS = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'] as const;
const BY_NUMBER = '[\\d]+';

/** The difference between revisions of templates and of posts: the former are found by a string. */
export interface ParentPath {
  /** Expression of the captured part of the path. */
  pattern: string;
  parent: Arg;
}

const NUMBERED: ParentPath = { pattern: BY_NUMBER, parent: shared.id('parent') };

const FILTERS = {
  ...shared.pagedOnDemand,
  search: shared.search,
  exclude: shared.exclude,
  include: shared.include,
  offset: shared.offset,
  order: shared.order('desc'),
  orderby: shared.orderby('date', REVISION_ORDERS),
};

/** The operations on revisions and autosaves below an object. */
export interface RevisionActions {
  listRevisions: Action<typeof FILTERS>;
  readRevision: Action<Args>;
  deleteRevision: Action<Args>;
  listAutosaves: Action<Args>;
  createAutosave: Action<Args>;
  readAutosave: Action<Args>;
}

/** Routes of the revisions below an object: the list, and one that may be read and deleted. */
export function revisionRoutes(base: string, actions: Partial<RevisionActions> = {}, { pattern, parent }: ParentPath = NUMBERED): Route[] {
  const path = `/${base}/(?P<parent>${pattern})/revisions`;
  const one = { parent, id: shared.id('revision') };
  const forced = shared.flag('Must be true: revisions cannot be moved to the trash.', { default: false });
  return [
    route(path, get({ parent, ...FILTERS }, actions.listRevisions)),
    route(
      `${path}/(?P<id>[\\d]+)`,
      get({ ...one, context: shared.context }, actions.readRevision),
      removal({ ...one, force: forced }, actions.deleteRevision),
    ),
  ];
}

/** Routes of the autosaves below an object. WP: posts capture `id` and declare `parent`, templates declare what they capture. */
export function autosaveRoutes(
  base: string,
  fields: Args,
  actions: Partial<RevisionActions> = {},
  { pattern, parent }: ParentPath = NUMBERED,
): Route[] {
  const declared: Args = pattern === BY_NUMBER ? { parent } : { id: parent };
  return [
    route(
      `/${base}/(?P<id>${pattern})/autosaves`,
      get({ ...declared, context: shared.context }, actions.listAutosaves),
      post({ ...declared, ...editing(fields) }, actions.createAutosave),
    ),
    route(
      `/${base}/(?P<parent>${pattern})/autosaves/(?P<id>[\\d]+)`,
      get({ parent, id: shared.id('autosave'), context: shared.context }, actions.readAutosave),
    ),
  ];
}
