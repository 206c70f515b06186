import { intval, isEmpty, absint, toStr } from '../../../base/php/cast.js';
import { createTerm, deleteTermOf, sentTerm, updateTermSent } from '../../rest/term-save.js';
import { RestResponse, RestError, canCreateTerms, canEditTerms, refusal } from '../../rest/route.js';
import type { Args, CallContext, Json, Permission, ArgError, Route } from '../../rest/route.js';
import { canRead } from '../../users/capabilities.js';
import { MENU, TAG, type Term } from '../../model.js';
import { findPost } from '../../posts/posts.js';
import { corePath, isDefaultCategory, termLinks, termUrl, countTerms, findTerm, listTerms, withAncestors } from '../../terms/terms.js';
import { fields as writable, onlyIf, NOT_EMBEDDED, resourceSchema, shown, type Action } from '../declare.js';
import { batched, described, edit, editing, get, post as posting, removal, route } from '../declare.js';
import { listResponse, pagingOf, type PageWanted } from '../../rest/lists.js';
import { withRestFields, withSentFields } from '../../rest/rest-fields/shown.js';
import { isEditing, sentContext, switchToEditing, type Context, type EndpointCall } from '../../rest/params.js';
import type { TaxonomyFacts } from '../../rest/posts/post-types.js';
import * as shared from '../args.js';
import type { Site } from '../../site.js';
import { asJson } from '../../../base/values/records.js';
import { foldForSearch } from '../../formatting/accents.js';
import type { TermQuery } from '../../query/term-query.js';
import { sanitizeTextField, sanitizeTitle } from '../../formatting/sanitize.js';
import { checkValue, isRefused } from '../../rest/check.js';

export const MENU_FIELDS: Args = {
  locations: { ...shared.texts('Theme locations of the menu.'), validate: placeOfTheme },
  auto_add: shared.flag('Whether new top-level pages are added to the menu.'),
};

/** WP: the theme defines menu locations; this server's theme has none. */
function placeOfTheme(value: Json): boolean | ArgError {
  const checked = checkValue(value, { type: 'array', items: { type: 'string' } }, 'locations');
  if (isRefused(checked)) return checked;
  const [location] = Array.isArray(value)
    ? value
    : toStr(value)
        .split(/[\s,]+/)
        .filter((each) => each !== '');
  if (location === undefined) return true;
  return { code: 'rest_invalid_menu_location', message: 'Invalid menu location.', data: { location } };
}

const TERM_ORDERS = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'] as const;

/** WP: lists of hierarchical taxonomies filter by parent, the others take an offset. */
const termListFilters = ({ hierarchical }: TaxonomyFacts) => ({
  ...shared.paged(10),
  search: shared.search,
  exclude: shared.exclude,
  include: shared.include,
  ...onlyIf(!hierarchical, { offset: shared.offset }),
  order: shared.order('asc'),
  orderby: shared.orderby('name', TERM_ORDERS),
  hide_empty: shared.flag('Exclude terms without published posts.', { default: false }),
  ...onlyIf(hierarchical, { parent: shared.integer('Only direct children of this term, by ID.') }),
  post: shared.integer('Only terms of this post, by ID.', { default: null }),
  slug: shared.slugs,
});

/** @param more additional fields */
const termFields = ({ hierarchical }: TaxonomyFacts, more: Args): Args =>
  writable({
    description: shared.text('Description of the term, as HTML.'),
    name: shared.text('Name of the term.', {
      required: true,
      sanitize: (value) => (typeof value === 'string' ? sanitizeTextField(value) : ''),
    }),
    slug: shared.text('Slug of the term.'),
    ...onlyIf(hierarchical, { parent: shared.integer('ID of the parent term.') }),
    meta: shared.metaField({}),
    ...more,
  });

function termSchema(taxonomy: TaxonomyFacts, { name, slug, description, parent, meta, ...more }: Args): Record<string, Json> {
  const all = {
    id: shown('ID of the term.', { type: 'integer' }),
    count: shown('Number of published posts with the term.', { type: 'integer' }),
    description,
    link: shown('URL of the term.', { format: 'uri' }),
    name,
    slug,
    taxonomy: shown('Taxonomy of the term.', { enum: [taxonomy.name] }),
    ...(parent ? { parent } : {}),
    meta,
    ...more,
  };
  // WP: menus have no pages.
  const isShown = ([field]: [string, unknown]): boolean => taxonomy.name !== MENU || !['count', 'link', 'taxonomy'].includes(field);
  const fields = Object.fromEntries(Object.entries(all).filter(isShown));
  const contexts = Object.fromEntries(['count', 'description', 'parent', 'meta'].map((field) => [field, NOT_EMBEDDED]));
  // WP: the name of tags differs from the name of their taxonomy.
  return resourceSchema(taxonomy.name === TAG ? 'tag' : taxonomy.name, fields, contexts, ['view', 'embed', 'edit']);
}

const TERM = { id: shared.id('term') };

export const TERM_DELETION = { ...TERM, force: shared.flag('Must be true: terms cannot be moved to the trash.', { default: false }) };

type TermListCall = EndpointCall<ReturnType<typeof termListFilters>>;

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

async function planTerms(taxonomy: string, { params, site }: TermListCall): Promise<TermListPlan> {
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

const termOf = ({ request, site }: CallContext, taxonomy: string): Promise<Term | null> =>
  findTerm(site.store, taxonomy, intval(request.get('id')));

const invalidTerm = (): RestError => new RestError('rest_term_invalid', 'Term does not exist.', 404);

/** A permission for a term. WP: its existence is checked first. */
const onTerm =
  (taxonomy: string, check: (context: CallContext) => boolean | RestError): Permission =>
  async (context) =>
    (await termOf(context, taxonomy)) ? check(context) : invalidTerm();

/** The permission to edit terms if it is required, or an error with the given message. */
const mayEditTerms =
  (taxonomy: string, what: string) =>
  (context: CallContext): boolean | RestError => {
    const { user } = context.request;
    if (!isEditing(context) || canEditTerms(user, taxonomy, context.site.registry)) return true;
    return refusal(user, 'rest_forbidden_context', `Sorry, you are not allowed to edit ${what}.`);
  };

/** WP: the terms of a post may be read by users who may read the post. */
async function postRefusal({ request, site }: CallContext, taxonomy: string): Promise<RestError | null> {
  const given = request.get('post');
  if (isEmpty(given)) return null;
  const id = intval(given);
  const post = await findPost(site.store, id);
  if (!post) return new RestError('rest_post_invalid_id', 'Invalid post ID.', 400);
  if (site.registry.typesWith(taxonomy, site.quirks).some(({ name }) => name === post.type) && canRead(request.user, post, site.registry))
    return null;
  return refusal(request.user, 'rest_forbidden_context', 'Sorry, you are not allowed to view terms for this post.');
}

const listing =
  (taxonomy: string): Permission =>
  async (context) =>
    (await postRefusal(context, taxonomy)) ?? mayEditTerms(taxonomy, 'terms in this taxonomy')(context);

const changing =
  (taxonomy: string, code: string, verb: 'edit' | 'delete') =>
  ({ request, site }: CallContext): boolean | RestError => {
    const allowed =
      canEditTerms(request.user, taxonomy, site.registry) &&
      !(verb === 'delete' && isDefaultCategory(taxonomy, intval(request.get('id')), site));
    return allowed || refusal(request.user, code, `Sorry, you are not allowed to ${verb} this term.`);
  };

const creating =
  (taxonomy: string): Permission =>
  ({ request: { user }, site }) =>
    canCreateTerms(user, taxonomy, site.registry) ||
    refusal(user, 'rest_cannot_create', 'Sorry, you are not allowed to create terms in this taxonomy.');

/** WP: a menu has no page; the theme of this server has no menu locations. */
const menuFields = ({ _id, description, name, slug, autoAdd = false }: Term, full: boolean): Record<string, Json> => ({
  id: _id,
  ...(full ? { description } : {}),
  name,
  slug,
  ...(full ? { meta: [], locations: [], auto_add: autoAdd } : {}),
});

/** A term without its links. @param known its ancestors by id */
export const fieldsOf = (term: Term, known: Map<number, Term>, context: Context, { request, site }: CallContext): Record<string, Json> =>
  withRestFields(ownFields(term, known, context, site), term, term.taxonomy, { site, context, user: request.user }, () =>
    canEditTerms(request.user, term.taxonomy, site.registry),
  );

/** The fields that WordPress has. */
function ownFields(term: Term, known: Map<number, Term>, context: Context, site: Site): Record<string, Json> {
  const full = context !== 'embed';
  if (term.taxonomy === MENU) return menuFields(term, full);
  return {
    id: term._id,
    ...(full ? { count: term.count, description: term.description } : {}),
    link: termUrl(term, known, site),
    name: term.name,
    slug: term.slug,
    taxonomy: term.taxonomy,
    ...(full && site.registry.isTree(term.taxonomy) ? { parent: term.parent } : {}),
    ...(full ? { meta: [] } : {}),
  };
}

const present = (term: Term, known: Map<number, Term>, context: Context, call: CallContext): Record<string, Json> => ({
  ...fieldsOf(term, known, context, call),
  _links: asJson(termLinks(term, call.site, call.request.user)),
});

export async function termResponse(term: Term, context: Context, call: CallContext, status = 200): Promise<RestResponse> {
  return new RestResponse(present(term, await withAncestors(call.site.store, [term]), context, call), status);
}

async function list({ name, base }: TaxonomyFacts, call: TermListCall): Promise<RestResponse> {
  const { params, site } = call;
  const { rows, total: counted, paging } = await planTerms(name, call);
  const [terms, total] = await Promise.all([listTerms(site.store, rows), countTerms(site.store, counted)]);
  const known = await withAncestors(site.store, terms);
  return listResponse(call, `/wp/v2/${base}`, {
    items: terms.map((term) => present(term, known, params.context, call)),
    total,
    pages: Math.ceil(total / paging.perPage),
    // WP: an offset is converted to a page.
    page: paging.skips ? Math.ceil((params.offset ?? 0) / paging.perPage) + 1 : paging.page,
  });
}

/** @throws RestError for a missing parent (WP) */
async function checkParent({ request, site }: CallContext, taxonomy: string): Promise<void> {
  const parent = intval(request.get('parent'));
  if (!site.registry.isTree(taxonomy) || parent === 0 || (await findTerm(site.store, taxonomy, parent))) return;
  throw new RestError('rest_term_invalid', 'Parent term does not exist.', 400);
}

async function create(taxonomy: string, context: CallContext): Promise<RestResponse> {
  await checkParent(context, taxonomy);
  const term = await withSentFields(await createTerm(context, taxonomy, sentTerm(context)), taxonomy, context);
  switchToEditing(context);
  return (await termResponse(term, 'edit', context, 201)).header('Location', context.site.restUrl(corePath(term, context.site.registry)));
}

export async function termOfPath(taxonomy: string, context: CallContext): Promise<Term> {
  const term = await termOf(context, taxonomy);
  if (!term) throw invalidTerm();
  return term;
}

async function update(taxonomy: string, context: CallContext): Promise<RestResponse> {
  const term = await termOfPath(taxonomy, context);
  await checkParent(context, taxonomy);
  const changed = await withSentFields(await updateTermSent(context, term, sentTerm(context)), taxonomy, context);
  switchToEditing(context);
  return termResponse(changed, 'edit', context);
}

async function remove(taxonomy: string, context: EndpointCall<typeof TERM_DELETION>): Promise<RestResponse> {
  const term = await termOfPath(taxonomy, context);
  const { params, site } = context;
  if (!params.force) throw new RestError('rest_trash_not_supported', "Terms do not support trashing. Set 'force=true' to delete.", 501);
  const previous = fieldsOf(term, await withAncestors(site.store, [term]), sentContext(context), context);
  await deleteTermOf(context, term);
  return new RestResponse({ deleted: true, previous });
}

/** The operations on terms of a taxonomy. */
export interface TermActions {
  list: Action<ReturnType<typeof termListFilters>>;
  create: Action<Args>;
  read: Action<{ context: typeof shared.context }>;
  update: Action<Args>;
  delete: Action<typeof TERM_DELETION>;
}

export const termActions = (taxonomy: TaxonomyFacts): TermActions => ({
  list: { permission: listing(taxonomy.name), handler: (context) => list(taxonomy, context) },
  create: { permission: creating(taxonomy.name), handler: (context) => create(taxonomy.name, context) },
  read: {
    permission: onTerm(taxonomy.name, mayEditTerms(taxonomy.name, 'this term')),
    handler: async (context) => termResponse(await termOfPath(taxonomy.name, context), context.params.context, context),
  },
  update: {
    permission: onTerm(taxonomy.name, changing(taxonomy.name, 'rest_cannot_update', 'edit')),
    handler: (context) => update(taxonomy.name, context),
  },
  delete: {
    permission: onTerm(taxonomy.name, changing(taxonomy.name, 'rest_cannot_delete', 'delete')),
    handler: (context) => remove(taxonomy.name, context),
  },
});

/** @param actions the implemented operations; others are only declared @param more additional fields */
export function routesOf(taxonomy: TaxonomyFacts, actions: Partial<TermActions>, more: Args = {}): Route[] {
  const fields = termFields(taxonomy, more);
  const schema = termSchema(taxonomy, fields);
  return [
    route(`/${taxonomy.base}`, get(termListFilters(taxonomy), actions.list), posting(fields, actions.create)),
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
