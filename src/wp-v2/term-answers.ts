import { absint, intval, isEmpty, toStr } from '../php/cast.js';
import { createTerm, deleteTerm, updateTerm } from '../rest/term-save.js';
import { RestError } from '../rest/error.js';
import { RestResponse } from '../rest/response.js';
import { foldForSearch } from '../wp/formatting/accents.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { canRead } from '../wp/users/capabilities.js';
import { CATEGORY, POST, TAG, type Term } from '../wp/model.js';
import { isTree } from '../wp/types/registry.js';
import { CALENDAR_EMBED, EVENT, EVENT_CATEGORY } from '../tec/index.js';
import { findPost } from '../wp/posts.js';
import type { TermQuery } from '../wp/query/term-query.js';
import { corePath, isKept, termLinks, termUrl } from '../wp/term-links.js';
import { countTerms, findTerm, listTerms, withAncestors } from '../wp/terms.js';
import type { Answers, Operation } from './declare.js';
import { listResponse, pagingOf, type Paging } from '../rest/lists.js';
import { canCreateTerms, canEditTerms, refusal } from '../rest/permissions.js';
import type { Taxonomy } from '../rest/posts/post-types.js';
import type { CallContext, Json, Permission } from '../rest/route.js';

const termOf = ({ request, site }: CallContext, taxonomy: string): Promise<Term | null> =>
  findTerm(site.store, taxonomy, intval(request.get('id')));

const invalidTerm = (): RestError => new RestError('rest_term_invalid', 'Term does not exist.', 404);

/** A right on a term. WP: that there is such a term is checked before. */
const onTerm =
  (taxonomy: string, check: (context: CallContext) => boolean | RestError): Permission =>
  async (context) =>
    (await termOf(context, taxonomy)) ? check(context) : invalidTerm();

const isEditing = ({ request }: CallContext): boolean => request.get('context') === 'edit';

/** The right to edit terms where it is asked for, or a refusal of the words given. */
const editing =
  (taxonomy: string, what: string) =>
  (context: CallContext): boolean | RestError => {
    const { user } = context.request;
    if (!isEditing(context) || canEditTerms(user, taxonomy)) return true;
    return refusal(user, 'rest_forbidden_context', `Sorry, you are not allowed to edit ${what}.`);
  };

/** Types of posts that have terms of a taxonomy (WP). */
const TYPES_WITH: Record<string, readonly string[]> = {
  [CATEGORY]: [POST],
  [EVENT_CATEGORY]: [EVENT, CALENDAR_EMBED],
  [TAG]: [POST, EVENT, CALENDAR_EMBED],
};

/** WP: the terms of a post are for those who may read it. */
async function postRefusal({ request, site }: CallContext, taxonomy: string): Promise<RestError | null> {
  const given = request.get('post');
  if (isEmpty(given)) return null;
  const id = intval(given);
  const post = await findPost(site.store, id);
  if (!post) return new RestError('rest_post_invalid_id', 'Invalid post ID.', 400);
  if (TYPES_WITH[taxonomy].includes(post.type) && canRead(request.user, post)) return null;
  return refusal(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to view terms for this post.');
}

const listing =
  (taxonomy: string): Permission =>
  async (context) =>
    (await postRefusal(context, taxonomy)) ?? editing(taxonomy, 'terms in this taxonomy')(context);

const changing =
  (taxonomy: string, code: string, verb: 'edit' | 'delete') =>
  ({ request, site }: CallContext): boolean | RestError => {
    const allowed = canEditTerms(request.user, taxonomy) && !(verb === 'delete' && isKept(taxonomy, intval(request.get('id')), site));
    return allowed || refusal(request.user, code, `Sorry, you are not allowed to ${verb} this term.`);
  };

const creating =
  (taxonomy: string): Permission =>
  ({ request: { user } }) =>
    canCreateTerms(user, taxonomy) || refusal(user, 'rest_cannot_create', 'Sorry, you are not allowed to create terms in this taxonomy.');

/** A term without its links. @param known its ancestors by id */
function termFields(term: Term, known: Map<number, Term>, { site, request }: CallContext): Record<string, Json> {
  const full = request.get('context') !== 'embed';
  return {
    id: term._id,
    ...(full ? { count: term.count, description: term.description } : {}),
    link: termUrl(term, known, site),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(full && isTree(term.taxonomy) ? { parent: term.parent } : {}),
    ...(full ? { meta: [] } : {}),
  };
}

const withLinks = (term: Term, known: Map<number, Term>, context: CallContext): Record<string, Json> => ({
  ...termFields(term, known, context),
  _links: termLinks(term, context.site, context.request.user) as unknown as Json,
});

async function show(term: Term, context: CallContext, status = 200): Promise<RestResponse> {
  return new RestResponse(withLinks(term, await withAncestors(context.site.store, [term]), context), status);
}

const ORDER_BY: Record<string, TermQuery['orderBy']> = {
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

const listed = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** The terms of the post that is asked for, if one is. */
async function idsOfPost({ request, site }: CallContext, taxonomy: string): Promise<number[] | undefined> {
  const id = intval(request.get('post'));
  return id === 0 ? undefined : ((await findPost(site.store, id))?.terms[taxonomy] ?? []);
}

const intersect = (a: number[] | undefined, b: number[] | undefined): number[] | undefined =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);

/** WP: lists of terms in a tree know no offset. */
function pagingIn(taxonomy: string, context: CallContext): Paging {
  const paging = pagingOf(context);
  const offset = Math.min((paging.page - 1) * paging.perPage, Number.MAX_SAFE_INTEGER);
  return isTree(taxonomy) ? { ...paging, offset, skips: false } : paging;
}

/** Ids that a list names. WP: only their size counts, and 0 alone is none. */
function idsIn(value: Json | undefined): number[] | undefined {
  const ids = listed(value).map(absint);
  return ids.length === 1 && ids[0] === 0 ? undefined : some(ids);
}

/** WP: an order by the ids that are named is that of the names where none is. */
const orderOf = (orderby: string, included: number[] | undefined): TermQuery['orderBy'] =>
  orderby === 'include' && !included ? 'name' : (ORDER_BY[orderby] ?? 'name');

/** From the parameters of a list of terms to two queries: for its rows and for its total, which counts by a stricter rule (WP). */
async function planTerms(taxonomy: string, context: CallContext): Promise<{ rows: TermQuery; total: TermQuery }> {
  const { request } = context;
  const { perPage, offset } = pagingIn(taxonomy, context);
  const included = idsIn(request.get('include'));
  const ofPost = await idsOfPost(context, taxonomy);
  const search = request.get('search');
  const parent = request.get('parent');
  const hidesEmpty = request.get('hide_empty') === true;
  const rows: TermQuery = {
    taxonomy,
    search: typeof search === 'string' && !isEmpty(search) ? foldForSearch(search) : undefined,
    include: intersect(included, ofPost),
    exclude: included ? undefined : idsIn(request.get('exclude')),
    slugs: some(listed(request.get('slug')).map((slug) => sanitizeTitle(toStr(slug)))),
    parent: isTree(taxonomy) && parent !== undefined ? intval(parent) : undefined,
    hideEmpty: hidesEmpty && !ofPost ? 'branch' : undefined,
    orderBy: orderOf(toStr(request.get('orderby')), included),
    descending: request.get('order') === 'desc',
    limit: perPage,
    offset,
  };
  return { rows, total: { ...rows, hideEmpty: hidesEmpty ? 'used' : undefined } };
}

async function list(taxonomy: string, base: string, context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const { page, perPage, skips } = pagingIn(taxonomy, context);
  const plan = await planTerms(taxonomy, context);
  const [terms, total] = await Promise.all([listTerms(store, plan.rows), countTerms(store, plan.total)]);
  const known = await withAncestors(store, terms);
  return listResponse(context, `/wp/v2/${base}`, {
    items: terms.map((term) => withLinks(term, known, context)),
    total,
    pages: Math.ceil(total / perPage),
    // WP: an offset stands for the page that it leads to.
    page: skips ? Math.ceil(intval(context.request.get('offset')) / perPage) + 1 : page,
  });
}

/** @throws RestError for a parent that there is not (WP) */
async function checkParent({ request, site }: CallContext, taxonomy: string): Promise<void> {
  const parent = intval(request.get('parent'));
  if (!isTree(taxonomy) || parent === 0 || (await findTerm(site.store, taxonomy, parent))) return;
  throw new RestError('rest_term_invalid', 'Parent term does not exist.', 400);
}

/** WP: answers to writes are in the edit context, which from then on is that of the request. */
function switchToEditing({ request }: CallContext): void {
  request.sources.query = { ...request.sources.query, context: 'edit' };
}

async function create(taxonomy: string, context: CallContext): Promise<RestResponse> {
  await checkParent(context, taxonomy);
  const term = await createTerm(context, taxonomy);
  switchToEditing(context);
  return (await show(term, context, 201)).header('Location', context.site.restUrl(corePath(term)));
}

async function existing(taxonomy: string, context: CallContext): Promise<Term> {
  const term = await termOf(context, taxonomy);
  if (!term) throw invalidTerm();
  return term;
}

async function update(taxonomy: string, context: CallContext): Promise<RestResponse> {
  const term = await existing(taxonomy, context);
  await checkParent(context, taxonomy);
  const changed = await updateTerm(context, term);
  switchToEditing(context);
  return show(changed, context);
}

async function remove(taxonomy: string, context: CallContext): Promise<RestResponse> {
  const term = await existing(taxonomy, context);
  if (context.request.get('force') !== true)
    throw new RestError('rest_trash_not_supported', "Terms do not support trashing. Set 'force=true' to delete.", 501);
  const previous = termFields(term, await withAncestors(context.site.store, [term]), context);
  await deleteTerm(context, term);
  return new RestResponse({ deleted: true, previous });
}

/** The core routes of a taxonomy. */
export const termAnswers = ({ name: taxonomy, base }: Taxonomy): Answers<Operation> => ({
  list: { permission: listing(taxonomy), handler: (context) => list(taxonomy, base, context) },
  create: { permission: creating(taxonomy), handler: (context) => create(taxonomy, context) },
  read: {
    permission: onTerm(taxonomy, editing(taxonomy, 'this term')),
    handler: async (context) => show(await existing(taxonomy, context), context),
  },
  update: {
    permission: onTerm(taxonomy, changing(taxonomy, 'rest_cannot_update', 'edit')),
    handler: (context) => update(taxonomy, context),
  },
  delete: {
    permission: onTerm(taxonomy, changing(taxonomy, 'rest_cannot_delete', 'delete')),
    handler: (context) => remove(taxonomy, context),
  },
});
