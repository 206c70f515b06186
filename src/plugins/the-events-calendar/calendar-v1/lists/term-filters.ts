import { clausesOf, filters, pagingArgs, listPaging, searchArg, type ListPaging } from './list-args.js';
import { absint, isEmpty } from '../../../../base/php/cast.js';
import { event, existingTerm, nonEmptyString, termList, type ArgsOf } from '../validators.js';
import { intersect, openEvent } from '../../model/event-queries.js';
import { foldForSearch } from '../../../../wordpress/formatting/accents.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/sanitize.js';
import type { CategoryFilters, TagFilters } from '../../../../sdk/types/params.js';
import type { Post } from '../../../../wordpress/model.js';
import type { TermQuery } from '../../../../wordpress/query/term-query.js';
import type { ResolvedTerm } from '../../../../wordpress/terms/terms.js';
import type { EndpointCall } from '../../../../wordpress/rest/params.js';
import type { CallContext } from '../../../../wordpress/rest/route.js';

interface TermListing extends CallContext {
  taxonomy: string;
  /** Ids in `include`. */
  included: number[] | undefined;
}

const row = filters<TermQuery, TermListing>();

const ids = { items: { type: 'integer' }, doc: { type: 'array', items: { type: 'integer' } } } as const;

export const termTextArg = (description: string) => ({ type: 'string', description, validate: nonEmptyString }) as const;

export const parentArg = (taxonomy: string, description: string) =>
  ({ type: 'integer', description, validate: existingTerm(taxonomy) }) as const;

const ORDER_BY: Record<string, TermQuery['orderBy']> = {
  name: 'name',
  slug: 'slug',
  id: 'id',
  term_id: 'id',
  count: 'count',
  description: 'description',
  term_group: 'group',
  include: 'include',
  parent: 'parent',
};

/** WP: unknown orders sort by name, and so does the order of `include` without ids. */
const orderOf = (name: string, hasInclude: boolean): TermQuery['orderBy'] =>
  (Object.hasOwn(ORDER_BY, name) && (name !== 'include' || hasInclude) ? ORDER_BY[name] : undefined) ?? 'name';

/** WP: only numbers have an effect; slugs pass the check and are ignored. */
function idsIn(terms: readonly ResolvedTerm[] | undefined): number[] | undefined {
  const found = (terms ?? []).map(({ text: id }) => Math.abs(Number(id))).filter((id) => Number.isInteger(id) && id > 0);
  return found.length > 0 ? found : undefined;
}

/** The ids in `include`. WP: words are 0, which no term has. */
const includedIds = (terms: readonly ResolvedTerm[] | undefined, { site }: CallContext): number[] | undefined =>
  idsIn(terms) ?? (terms === undefined || site.quirks.has('term-words-list-all') ? undefined : []);

/** TEC: no terms for an event whose content the caller may not see. */
const termsOf = (post: Post, { site, request: { user }, taxonomy }: TermListing): Partial<TermQuery> => ({
  include: openEvent(post, { site, user })?.terms[taxonomy] ?? [],
});

const isOfEvent = ({ request }: CallContext): boolean => request.get('event') !== undefined || request.get('post') !== undefined;

/** Parameters of the list of tags, in the order of the wire. */
export function tagFilters(taxonomy: string, path: string, noun: string) {
  const list = termList(taxonomy);
  return {
    ...pagingArgs(path),
    search: row(searchArg('the name and slug'), { clause: (words) => ({ search: foldForSearch(words) }) }),
    exclude: row(
      { ...ids, description: `Exclude these ${path}, by ID.`, validate: list },
      // WP: ignored with `include`.
      { clause: (terms, { included }) => (included ? {} : { exclude: idsIn(terms) }) },
    ),
    include: row(
      { ...ids, description: `Only these ${path}, by ID.`, validate: list },
      { clause: (_terms, { included }) => (included ? { include: included } : {}) },
    ),
    order: row(termTextArg('Sort order: `asc` or `desc`.'), {
      clause: (order) => ({ descending: order.toLowerCase() !== 'asc' }),
    }),
    orderby: row(termTextArg('Field to sort by: name, slug, id, count, description, term_group, include or parent.'), {
      clause: (name, { request }) => ({ orderBy: orderOf(name.toLowerCase(), request.get('include') !== undefined) }),
    }),
    hide_empty: row(
      { type: 'boolean', default: '1', description: `Exclude ${path} without events.` },
      { clause: (hides, context) => (hides && !isOfEvent(context) ? { hideEmpty: 'branch' } : {}) },
    ),
    post: row(
      { type: 'integer', description: `Only ${path} of this event, by ID.`, validate: event },
      { clause: (post, listing) => (listing.request.get('event') === undefined ? termsOf(post, listing) : {}) },
    ),
    event: row(
      { type: 'integer', description: `Only ${path} of this event, by ID; overrides \`post\`.`, validate: event },
      { clause: termsOf },
    ),
    slug: row(termTextArg(`Only the ${noun} with this slug.`), { clause: (slug) => ({ slug: sanitizeTitle(slug) }) }),
  } satisfies ArgsOf<TagFilters>;
}

export type TermFilters = ReturnType<typeof tagFilters>;

/** Parameters of the list of categories, in the order of the wire. */
export function categoryFilters(taxonomy: string, path: string, noun: string) {
  const { post, event: ofEvent, slug, ...first } = tagFilters(taxonomy, path, noun);
  const parent = row(parentArg(taxonomy, 'Only direct children of this category, by ID.'), { clause: (id) => ({ parent: id }) });
  return { ...first, parent, post, event: ofEvent, slug } satisfies ArgsOf<CategoryFilters>;
}

const narrowed = (query: TermQuery, clause: Partial<TermQuery>): TermQuery => ({
  ...query,
  ...clause,
  include: intersect(query.include, clause.include),
});

/** WP: the undeclared `offset` of a list of terms overrides its page, except in a hierarchy. */
function offsetIn({ request }: CallContext): number | undefined {
  const offset = request.get('offset');
  return isEmpty(offset) ? undefined : Math.min(absint(offset), Number.MAX_SAFE_INTEGER);
}

/** Converts the parameters of a term list to two queries, for the rows and for the total: WP and TEC count by stricter rules. */
export async function planTermList(
  { taxonomy, isTree, filters: table }: { taxonomy: string; isTree: boolean; filters: TermFilters },
  { params, ...context }: EndpointCall<TermFilters>,
): Promise<{ rows: TermQuery; total: TermQuery; paging: ListPaging }> {
  const paging = listPaging(params);
  const everything: TermQuery = {
    taxonomy,
    orderBy: 'name',
    descending: false,
    limit: paging.limit,
    offset: isTree ? paging.offset : (offsetIn(context) ?? paging.offset),
  };
  const clauses = await clausesOf(table, params, { ...context, taxonomy, included: includedIds(params.include, context) });
  const rows = clauses.reduce(narrowed, everything);
  return { rows, total: { ...rows, hideEmpty: params.hide_empty ? 'used' : undefined }, paging };
}
