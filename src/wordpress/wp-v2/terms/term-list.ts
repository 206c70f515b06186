import { absint, isEmpty } from '../../../base/php/cast.js';
import { pagingOf, type PageWanted } from '../../rest/lists.js';
import type { EndpointCall } from '../../rest/params.js';
import { foldForSearch } from '../../formatting/accents.js';
import { sanitizeTitle } from '../../formatting/slug.js';
import { findPost } from '../../posts/posts.js';
import type { TermQuery } from '../../query/term-query.js';
import type { Site } from '../../site.js';
import type { termListFilters } from './term-args.js';

export type TermListCall = EndpointCall<ReturnType<typeof termListFilters>>;

type Params = TermListCall['params'];

const ORDER_BY: Record<Params['orderby'], TermQuery['orderBy']> = {
  id: 'id',
  include: 'include',
  name: 'name',
  slug: 'slug',
  include_slugs: 'slugs',
  term_group: 'group',
  description: 'description',
  count: 'count',
};

const some = <T>(values: T[]): T[] | undefined => (values.length > 0 ? values : undefined);

/** The terms of the requested post, if there is one. */
async function idsOfPost(id: number | undefined, taxonomy: string, { store }: Site): Promise<number[] | undefined> {
  return id === undefined || id === 0 ? undefined : ((await findPost(store, id))?.terms[taxonomy] ?? []);
}

const intersect = (a: number[] | undefined, b: number[] | undefined): number[] | undefined =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);

/** The ids in a list. WP: the sign is ignored, and 0 alone is empty. */
function idsIn(sent: number[]): number[] | undefined {
  const ids = sent.map(absint);
  return ids.every((id) => id === 0) ? undefined : ids;
}

/** The ids in `include`. WP: words are 0, which no term has. */
const includedIds = (sent: number[], { quirks }: Site): number[] | undefined =>
  quirks.has('term-words-list-all') ? idsIn(sent) : some(sent.map(absint));

/** WP: an order by ids falls back to names if there are none. */
const orderOf = (orderby: Params['orderby'], included: number[] | undefined): TermQuery['orderBy'] =>
  orderby === 'include' && !included ? 'name' : ORDER_BY[orderby];

/** Converts the parameters of a list of terms to two queries, for its rows and for its total, which has a stricter rule (WP). */
interface TermListPlan {
  rows: TermQuery;
  total: TermQuery;
  paging: PageWanted;
}

export async function planTerms(taxonomy: string, { params, site }: TermListCall): Promise<TermListPlan> {
  const paging = pagingOf(params);
  const included = includedIds(params.include, site);
  const ofPost = await idsOfPost(params.post, taxonomy, site);
  const rows: TermQuery = {
    taxonomy,
    search: isEmpty(params.search) ? undefined : foldForSearch(params.search ?? ''),
    include: intersect(included, ofPost),
    exclude: included ? undefined : idsIn(params.exclude),
    slugs: some((params.slug ?? []).map((text) => sanitizeTitle(text, site.quirks))),
    parent: site.registry.isTree(taxonomy) ? params.parent : undefined,
    hideEmpty: params.hide_empty && !ofPost ? 'branch' : undefined,
    orderBy: orderOf(params.orderby, included),
    descending: params.order === 'desc',
    limit: paging.perPage,
    offset: paging.offset,
  };
  return { rows, total: { ...rows, hideEmpty: params.hide_empty ? 'used' : undefined }, paging };
}
