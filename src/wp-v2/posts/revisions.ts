import type { Arg, Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { editing, get, post, remove, route } from '../declare.js';
import type { Answers } from '../declare.js';

export type RevisionOperation = 'listRevisions' | 'readRevision' | 'deleteRevision';
export type AutosaveOperation = 'listAutosaves' | 'createAutosave' | 'readAutosave';

const REVISION_ORDERS = ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'];
const BY_NUMBER = '[\\d]+';

/** What tells the revisions of templates from those of posts: they are found by a text. */
export interface ParentPath {
  /** Expression of the captured part of the path. */
  pattern: string;
  parent: Arg;
}

const NUMBERED: ParentPath = { pattern: BY_NUMBER, parent: shared.id('parent') };

/** Routes of the revisions below an object: the list, and one that may be read and deleted. */
export function revisionRoutes(
  base: string,
  answers: Answers<RevisionOperation> = {},
  { pattern, parent }: ParentPath = NUMBERED,
): Route[] {
  const path = `/${base}/(?P<parent>${pattern})/revisions`;
  const filters: Args = {
    ...shared.paged(),
    search: shared.search,
    exclude: shared.exclude,
    include: shared.include,
    offset: shared.offset,
    order: shared.order('desc'),
    orderby: shared.orderby('date', REVISION_ORDERS),
  };
  const one = { parent, id: shared.id('revision') };
  const forced = shared.flag('Has to be true: revisions know no trash.', { default: false });
  return [
    route(path, get({ parent, ...filters }, answers.listRevisions)),
    route(
      `${path}/(?P<id>[\\d]+)`,
      get({ ...one, context: shared.context }, answers.readRevision),
      remove({ ...one, force: forced }, answers.deleteRevision),
    ),
  ];
}

/** Routes of the autosaves below an object. WP: posts capture `id` and declare `parent`, templates declare what they capture. */
export function autosaveRoutes(
  base: string,
  fields: Args,
  answers: Answers<AutosaveOperation> = {},
  { pattern, parent }: ParentPath = NUMBERED,
): Route[] {
  const declared: Args = pattern === BY_NUMBER ? { parent } : { id: parent };
  return [
    route(
      `/${base}/(?P<id>${pattern})/autosaves`,
      get({ ...declared, context: shared.context }, answers.listAutosaves),
      post({ ...declared, ...editing(fields) }, answers.createAutosave),
    ),
    route(
      `/${base}/(?P<parent>${pattern})/autosaves/(?P<id>[\\d]+)`,
      get({ parent, id: shared.id('autosave'), context: shared.context }, answers.readAutosave),
    ),
  ];
}
