import { intval, toStr } from '../php/cast.js';
import { withTotals } from './collection.js';
import { askedEvent, pagingOf } from './event-filters.js';
import { pagingArgs, searchArg } from './list-args.js';
import { createTerm, deleteTerm, updateTerm } from '../rest/term-save.js';
import { presentTerm, type TermView } from './term-present.js';
import { corePath, termLinks } from '../wp/term-links.js';
import { eventId, existingTerm, listOf, nonEmptyString, termId, termList } from './validators.js';
import { canManageTerms } from '../wp/users/capabilities.js';
import { foldForSearch } from '../wp/formatting/accents.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { TAG, type Term } from '../wp/model.js';
import { EVENT_CATEGORY } from '../tec/index.js';
import { countTerms, findTerm, listTerms, withAncestors } from '../wp/terms.js';
import { RestResponse } from '../rest/response.js';
import { invalidParam } from '../rest/error.js';
import type { DocFacts } from './doc/doc.js';
import type { TermQuery } from '../wp/query/term-query.js';
import type { ArgsOf, NumberArg, TextArg } from './contract.js';
import type { CategoryFields, CategoryFilters, TagFields, TagFilters } from '../params.js';
import type { Args, CallContext, Endpoint, Json, Permission, Route } from '../rest/route.js';

/** Categories or tags: one record per taxonomy, from which its two routes are made. */
export interface TermResource {
  taxonomy: string;
  path: 'categories' | 'tags';
  filters: Args;
  fields: Args;
  idArgs: Args;
  /** What the OpenAPI document says that no argument does. */
  doc: DocFacts;
}

const ids = { items: { type: 'integer' }, doc: { type: 'array', items: { type: 'integer' } } } as const;

const text = (description: string): TextArg => ({ type: 'string', description, validate: nonEmptyString });

/** The filters that stand behind `parent` in the order of the wire. */
type ByEvent = 'post' | 'event' | 'slug';

function termResource(taxonomy: string, path: TermResource['path']): TermResource {
  const noun = path === 'categories' ? 'category' : 'tag';
  const exists = existingTerm(taxonomy);
  const list = termList(taxonomy);
  const parent: NumberArg = { type: 'integer', description: 'ID of the parent category.', validate: exists };
  const isTree = taxonomy === EVENT_CATEGORY;
  const first: Omit<ArgsOf<TagFilters>, ByEvent> = {
    ...pagingArgs(path),
    search: searchArg('name and slug'),
    exclude: { ...ids, description: `Leaves out these ${path}, by id.`, validate: list },
    include: { ...ids, description: `Only these ${path}, by id.`, validate: list },
    order: text('Direction: `asc`, otherwise descending.'),
    orderby: text('What to sort by: name, slug, id, count, description, term_group, include or parent.'),
    hide_empty: { type: 'boolean', default: '1', description: `Leaves out ${path} that no event has.` },
  };
  const last: Pick<ArgsOf<TagFilters>, ByEvent> = {
    post: { type: 'integer', description: `Only ${path} of this event.`, validate: eventId },
    event: { type: 'integer', description: `Only ${path} of this event; wins over \`post\`.`, validate: eventId },
    slug: text(`Only the ${noun} with this slug.`),
  };
  const treeFilters: ArgsOf<CategoryFilters> = {
    ...first,
    parent: { ...parent, description: 'Only categories directly below this one.' },
    ...last,
  };
  const fields: ArgsOf<TagFields> = {
    name: { ...text(`Name of the ${noun}.`), required: true },
    description: text(`Description of the ${noun}.`),
    slug: text(`Last part of the address of the ${noun}.`),
  };
  const treeFields: ArgsOf<CategoryFields> = { ...fields, parent };
  return {
    taxonomy,
    path,
    filters: isTree ? treeFilters : { ...first, ...last },
    fields: isTree ? treeFields : fields,
    idArgs: { id: { type: 'integer', required: true, description: `ID of the ${noun}.`, validate: termId(taxonomy) } },
    doc: { schema: 'Term', noun, keyInBody: isTree, readStatuses: [200, 400, 404] },
  };
}

export const CATEGORIES = termResource(EVENT_CATEGORY, 'categories');
export const TAGS = termResource(TAG, 'tags');

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

/** WP: what is unknown sorts by name, and so does the order of a list that is not given. */
const orderOf = (name: string, hasInclude: boolean): TermQuery['orderBy'] =>
  (Object.hasOwn(ORDER_BY, name) && (name !== 'include' || hasInclude) ? ORDER_BY[name] : undefined) ?? 'name';

/** WP: only what is a number limits; slugs pass the check and then do nothing. */
function idList(value: Json | undefined): number[] | undefined {
  if (value === undefined) return undefined;
  const found = listOf(value)
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
  return found.length > 0 ? found : undefined;
}

/** Ids of the terms of the event that is asked for, if one is. TEC: `event` wins over `post`. */
async function termIdsOfEvent(context: CallContext, taxonomy: string): Promise<number[] | undefined> {
  const id = context.request.get('event') ?? context.request.get('post');
  if (id === undefined) return undefined;
  return (await askedEvent(context, Number(id)))?.terms[taxonomy] ?? [];
}

const intersect = (a: number[] | undefined, b: number[] | undefined): number[] | undefined =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);

/** From the parameters of a term list to two queries: one for the rows, one for the total. WP and TEC count by stricter rules than they list. */
export async function planTerms(resource: TermResource, context: CallContext): Promise<{ rows: TermQuery; total: TermQuery }> {
  const { request } = context;
  const paging = pagingOf(request);
  const ofEvent = await termIdsOfEvent(context, resource.taxonomy);
  const included = idList(request.get('include'));
  const search = request.get('search');
  const slug = request.get('slug');
  const parent = request.get('parent');
  const order = request.get('order');
  const orderBy = toStr(request.get('orderby')).toLowerCase();
  const hidesEmpty = request.get('hide_empty') === true;
  const rows: TermQuery = {
    taxonomy: resource.taxonomy,
    search: typeof search === 'string' ? foldForSearch(search) : undefined,
    include: intersect(included, ofEvent),
    exclude: included ? undefined : idList(request.get('exclude')),
    slug: typeof slug === 'string' ? sanitizeTitle(slug) : undefined,
    parent: resource.taxonomy === EVENT_CATEGORY && parent !== undefined ? Number(parent) : undefined,
    hideEmpty: hidesEmpty && !ofEvent ? 'branch' : undefined,
    orderBy: orderOf(orderBy, request.get('include') !== undefined),
    descending: order !== undefined && toStr(order).toLowerCase() !== 'asc',
    limit: paging.limit,
    offset: paging.offset,
  };
  return { rows, total: { ...rows, hideEmpty: hidesEmpty ? 'used' : undefined } };
}

const viewOf = (context: CallContext, known: Map<number, Term>): TermView => ({
  site: context.site,
  namespace: context.request.namespace,
  user: context.request.user,
  context: toStr(context.request.get('context') ?? 'view'),
  known,
});

async function list(resource: TermResource, context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const { page, perPage } = pagingOf(context.request);
  const plan = await planTerms(resource, context);
  const [terms, total] = await Promise.all([listTerms(store, plan.rows), countTerms(store, plan.total)]);
  const view = viewOf(context, await withAncestors(store, terms));
  // WP: for editing, terms are shown to those who may edit them.
  const visible = view.context === 'edit' && !canManageTerms(view.user, resource.taxonomy) ? [] : terms;
  const base = `${context.site.restUrl(`/${view.namespace}/${resource.path}`)}/`;
  const pages = Math.ceil(total / perPage);
  const body = {
    rest_url: base,
    total,
    total_pages: pages,
    [resource.path]: visible.map((term) => presentTerm(term, view)),
    ...(page < pages ? { next_rest_url: `${base}?page=${page + 1}` } : {}),
    ...(page > 1 ? { previous_rest_url: page === 2 ? base : `${base}?page=${page - 1}` } : {}),
  };
  return withTotals(body, total, pages);
}

/** A term as the answer to a single GET or a write, with its links. */
export async function showTerm(term: Term, context: CallContext, status = 200): Promise<RestResponse> {
  const view = viewOf(context, await withAncestors(context.site.store, [term]));
  const body = { ...presentTerm(term, view), _links: termLinks(term, context.site, context.request.user) };
  return new RestResponse(body as unknown as Json, status);
}

const manage =
  (taxonomy: string): Permission =>
  ({ request }) =>
    canManageTerms(request.user, taxonomy);

async function termOf({ request, site }: CallContext, taxonomy: string): Promise<Term> {
  const term = await findTerm(site.store, taxonomy, intval(request.get('id')));
  if (!term) throw invalidParam('id');
  return term;
}

/** The collection and by-id routes of a taxonomy, below a namespace. */
export function termRoutes(namespace: string, resource: TermResource): Route[] {
  const { taxonomy, fields, idArgs } = resource;
  const base = `/${namespace}/${resource.path}`;
  const permission = manage(taxonomy);
  const optional: Args = Object.fromEntries(Object.entries(fields).map(([name, arg]) => [name, { ...arg, required: false }]));
  const create: Endpoint = {
    methods: ['POST'],
    args: fields,
    permission,
    handler: async (context) => {
      const term = await createTerm(context, taxonomy);
      const response = await showTerm(term, context, 201);
      return response.header('Location', context.site.restUrl(corePath(term)));
    },
  };
  const item: Endpoint[] = [
    {
      methods: ['GET'],
      args: idArgs,
      permission: 'public',
      handler: async (context) => showTerm(await termOf(context, taxonomy), context),
    },
    {
      methods: ['POST', 'PUT', 'PATCH'],
      args: { ...idArgs, ...optional },
      permission,
      handler: async (context) => showTerm(await updateTerm(context, await termOf(context, taxonomy)), context),
    },
    {
      methods: ['DELETE'],
      args: idArgs,
      permission,
      handler: async (context) => {
        const term = await termOf(context, taxonomy);
        const view = viewOf(context, await withAncestors(context.site.store, [term]));
        await deleteTerm(context, term);
        return new RestResponse(presentTerm(term, view) as unknown as Json);
      },
    },
  ];
  return [
    {
      path: base,
      endpoints: [
        { methods: ['GET'], args: resource.filters, permission: 'public', handler: (context) => list(resource, context) },
        create,
      ],
    },
    { path: `${base}/(?P<id>\\d+)`, endpoints: item },
  ];
}
