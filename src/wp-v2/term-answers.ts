import { intval } from '../php/cast.js';
import { RestError } from '../rest/error.js';
import { RestResponse } from '../rest/response.js';
import { canManageTerms } from '../wp/capabilities.js';
import { EVENT_CATEGORY, type Term } from '../wp/model.js';
import { termLinks, termUrl } from '../wp/term-links.js';
import { findTerm, withAncestors } from '../wp/terms.js';
import { NOT_BUILT, type Answers, type Operation } from './declare.js';
import type { CallContext, Json, Permission } from '../rest/route.js';

const termOf = ({ request, site }: CallContext, taxonomy: string): Promise<Term | null> =>
  findTerm(site.store, taxonomy, intval(request.get('id')));

const invalidTerm = (): RestError => new RestError('rest_term_invalid', 'Term does not exist.', 404);

/** WP: that there is such a term is checked before any right. */
const mayRead =
  (taxonomy: string): Permission =>
  async (context) => {
    if (!(await termOf(context, taxonomy))) return invalidTerm();
    const { user } = context.request;
    if (context.request.get('context') !== 'edit' || canManageTerms(user, taxonomy)) return true;
    return new RestError('rest_forbidden_context', 'Sorry, you are not allowed to edit this term.', user ? 403 : 401);
  };

const mayChange =
  (taxonomy: string): Permission =>
  async (context) => {
    if (!(await termOf(context, taxonomy))) return invalidTerm();
    return canManageTerms(context.request.user, taxonomy);
  };

async function show(context: CallContext, taxonomy: string): Promise<RestResponse> {
  const { site, request } = context;
  const term = await termOf(context, taxonomy);
  if (!term) throw invalidTerm();
  const full = request.get('context') !== 'embed';
  return new RestResponse({
    id: term._id,
    ...(full ? { count: term.count, description: term.description } : {}),
    link: termUrl(term, await withAncestors(site.store, [term]), site),
    name: term.name,
    slug: term.slug,
    taxonomy,
    ...(full && taxonomy === EVENT_CATEGORY ? { parent: term.parent } : {}),
    ...(full ? { meta: [] } : {}),
    _links: termLinks(term, site, request.user) as unknown as Json,
  });
}

/** What is built of the core routes of a taxonomy: reading a term, which is what links of the calendar embed. */
export const termAnswers = (taxonomy: string): Answers<Operation> => ({
  read: { permission: mayRead(taxonomy), handler: (context) => show(context, taxonomy) },
  update: { ...NOT_BUILT, permission: mayChange(taxonomy) },
  delete: { ...NOT_BUILT, permission: mayChange(taxonomy) },
});
