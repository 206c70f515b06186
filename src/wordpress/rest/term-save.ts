import type { Term } from '../model.js';
import { TermError, deleteTerm as removeTerm, insertTerm, updateTerm as changeTerm, type TermData } from '../terms/term-save.js';
import { type CallContext, type Json, RestError } from './route.js';

const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

export const sentTerm = ({ request }: CallContext): TermData => {
  const parent = request.get('parent');
  return {
    name: text(request.get('name')),
    slug: text(request.get('slug')),
    description: text(request.get('description')),
    parent: parent === undefined ? undefined : Number(parent),
  };
};

/** @throws RestError for a parent in a flat taxonomy (WP) */
function refuseParent({ request, site }: CallContext, taxonomy: string): void {
  if (request.get('parent') !== undefined && !site.registry.isTree(taxonomy))
    throw new RestError('rest_taxonomy_not_hierarchical', 'Cannot set parent term, taxonomy is not hierarchical.', 400);
}

/** WP: only the error of an existing term has a status; the others are 500. */
function asRestError(error: unknown, { site }: CallContext): unknown {
  if (!(error instanceof TermError)) return error;
  const { code, message, termId } = error;
  if (code !== 'term_exists' || termId === undefined)
    return new RestError(code, message, site.quirks.has('bad-input-is-server-error') ? null : 400);
  return new RestError(code, message, 400, { term_id: termId }, [termId, termId]);
}

const translating = async <T>(context: CallContext, write: Promise<T>): Promise<T> =>
  write.catch((error: unknown) => {
    throw asRestError(error, context);
  });

export async function createTerm(context: CallContext, taxonomy: string, data: TermData): Promise<Term> {
  refuseParent(context, taxonomy);
  return translating(context, insertTerm(context.site, taxonomy, data));
}

/** Stores these fields of a term. */
export const saveTerm = async (context: CallContext, term: Term, data: TermData): Promise<Term> =>
  translating(context, changeTerm(context.site, term, data));

/** The same for a request that may name a parent. */
export async function updateTermSent(context: CallContext, term: Term, data: TermData): Promise<Term> {
  refuseParent(context, term.taxonomy);
  return saveTerm(context, term, data);
}

export const deleteTermOf = ({ site }: CallContext, term: Term): Promise<void> => removeTerm(site, term);
