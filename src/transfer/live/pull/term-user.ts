import type { Term as StoredTerm, User } from '../../../wordpress/model.js';
import type { Term } from '../../../sdk/types/responses.js';
import type { CoreUser, Summary } from './summary.js';

/** Converts a term. `elsewhere` is the number of posts with this term that the site does not show. */
export function termDocument(term: Term, { eventTerms, termUse }: Summary): StoredTerm {
  const facts = eventTerms.get(term.id);
  return {
    _id: term.id,
    taxonomy: term.taxonomy,
    name: term.name,
    slug: term.slug,
    description: term.description ?? '',
    parent: term.parent ?? 0,
    termGroup: facts?.term_group ?? 0,
    termTaxonomyId: facts?.term_taxonomy_id ?? term.id,
    elsewhere: Math.max(0, (term.count ?? 0) - (termUse.get(term.id) ?? 0)),
    count: 0,
    branchCount: 0,
    nameKey: '',
    search: '',
  };
}

/** Converts an author to a user who cannot sign in: the API shows neither login nor password. */
export function userDocument(id: number, core: CoreUser | undefined): User {
  const login = core?.slug || `author-${id}`;
  return {
    _id: id,
    login,
    email: `${login.replace(/[^\w.-]/g, '-')}@example.org`,
    displayName: core?.name ?? login,
    nicename: login,
    url: core?.url ?? '',
    role: 'author',
    applicationPasswords: [],
    ...(core?.description ? { description: core.description } : {}),
  };
}
