import type { TaxonomyFacts } from '../../rest/posts/post-types.js';
import type { Args, Route } from '../../rest/route.js';
import * as shared from '../args.js';
import { batched, described, edit, editing, get, post, removal, route } from '../declare.js';
import { TERM_DELETION, TERM, termFields, termListFilters, termSchema, termActions, type TermActions } from './term-handlers.js';

/** @param actions the implemented operations; others are only declared @param more additional fields */
export function routesOf(taxonomy: TaxonomyFacts, actions: Partial<TermActions>, more: Args = {}): Route[] {
  const fields = termFields(taxonomy, more);
  const schema = termSchema(taxonomy, fields);
  return [
    route(`/${taxonomy.base}`, get(termListFilters(taxonomy), actions.list), post(fields, actions.create)),
    route(
      `/${taxonomy.base}/(?P<id>[\\d]+)`,
      get({ ...TERM, context: shared.context }, actions.read),
      edit({ ...TERM, ...editing(fields) }, actions.update),
      removal(TERM_DELETION, actions.delete),
    ),
  ].map((each) => described(batched(each), schema));
}

/** Routes of a taxonomy: the collection and the single term. */
export const termRoutes = (taxonomy: TaxonomyFacts): Route[] => routesOf(taxonomy, termActions(taxonomy));
