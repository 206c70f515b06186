import { isEmpty, toStr } from '../../../base/php/cast.js';
import { parseList } from '../../../wordpress/rest/request.js';
import { pagesBeside, withTotals } from './collection.js';
import { categoryFilters, parentArg, planTermList, tagFilters, termTextArg, type TermFilters } from './lists/term-filters.js';
import { createTerm, deleteTermOf, updateTermSent } from '../../../wordpress/rest/term-save.js';
import { presentTerm, type TermView } from './term-present.js';
import { corePath, termLinks, countTerms, listTerms, withAncestors } from '../../../wordpress/terms/terms.js';
import { termById, type ArgsOf } from './validators.js';
import { canManageTerms, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { TAG, type Term } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../model/index.js';
import { endpoint, optionalArgs, type EndpointCall } from '../../../wordpress/rest/params.js';
import { RestResponse } from '../../../wordpress/rest/route.js';
import type { DocFacts } from './doc/doc.js';
import type { CategoryFields, TagFields } from '../../../sdk/types/params.js';
import type { Args, CallContext, Endpoint, Json, Permission, Route } from '../../../wordpress/rest/route.js';
import { asJson } from '../../../base/values/records.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { addedArgs, withAddedValues } from './view.js';

interface IdArgs extends Args {
  id: { type: 'integer'; required: true; description: string; validate: ReturnType<typeof termById> };
}

const tagFields = (noun: string) =>
  ({
    name: { ...termTextArg(`Name of the ${noun}.`), required: true },
    description: termTextArg(`Description of the ${noun}.`),
    slug: termTextArg(`Slug of the ${noun}.`),
  }) satisfies ArgsOf<TagFields>;

const categoryFields = (noun: string) =>
  ({ ...tagFields(noun), parent: parentArg(EVENT_CATEGORY, 'ID of the parent category.') }) satisfies ArgsOf<CategoryFields>;

/** The writable fields of a term. Tags have no parent. */
type TermFields = ReturnType<typeof tagFields> | ReturnType<typeof categoryFields>;

/** Categories or tags: a record per taxonomy, from which its two routes are created. */
interface TermResource {
  taxonomy: string;
  path: 'categories' | 'tags';
  /** Whether its terms have parents. */
  isTree: boolean;
  filters: TermFilters;
  fields: TermFields;
  idArgs: IdArgs;
  /** Contents of the OpenAPI document besides the arguments. */
  doc: DocFacts;
}

function termResource(taxonomy: string, path: TermResource['path']): TermResource {
  const noun = path === 'categories' ? 'category' : 'tag';
  const isTree = taxonomy === EVENT_CATEGORY;
  return {
    taxonomy,
    path,
    isTree,
    filters: (isTree ? categoryFilters : tagFilters)(taxonomy, path, noun),
    fields: (isTree ? categoryFields : tagFields)(noun),
    idArgs: { id: { type: 'integer', required: true, description: `ID of the ${noun}.`, validate: termById(taxonomy) } },
    doc: { schema: 'Term', noun, keyInBody: isTree, readStatuses: [200, 400, 404], example: { name: 'Open air', slug: 'open-air' } },
  };
}

export const CATEGORY_RESOURCE = termResource(EVENT_CATEGORY, 'categories');
export const TAG_RESOURCE = termResource(TAG, 'tags');

// WP: an empty context is the default one.
const contextOf = (sent: Json | undefined): string => (isEmpty(sent) ? 'view' : toStr(sent));

const viewOf = (context: CallContext, known: Map<number, Term>): TermView => ({
  site: context.site,
  namespace: context.request.namespace,
  user: context.request.user,
  // WP: writes show terms in a separate context.
  context: context.request.method === 'GET' ? contextOf(context.request.get('context')) : 'view',
  fields: parseList(context.request.get('_fields')),
  known,
});

async function list(resource: TermResource, context: EndpointCall<TermFilters>): Promise<RestResponse> {
  const { store } = context.site;
  const plan = await planTermList(resource, context);
  const { page, perPage } = plan.paging;
  const [terms, total] = await Promise.all([listTerms(store, plan.rows), countTerms(store, plan.total)]);
  const view = viewOf(context, await withAncestors(store, terms));
  // WP: the edit context requires the permission to edit the term.
  const visible = view.context === 'edit' && !canManageTerms(view.user, resource.taxonomy, context.site.registry) ? [] : terms;
  const address = (query = ''): string => context.site.restUrl(`/${view.namespace}/${resource.path}/${query}`);
  const pages = Math.ceil(total / perPage);
  const body = {
    rest_url: address(),
    total,
    total_pages: pages,
    [resource.path]: visible.map((term) => presentTerm(term, view)),
    ...(page < pages ? { next_rest_url: address(`?page=${page + 1}`) } : {}),
    ...(page > 1 ? { previous_rest_url: address(page === 2 ? '' : `?page=${pagesBeside(page).previous}`) } : {}),
  };
  return withTotals(body, total, pages);
}

/** The response to a single GET or a write of a term, with its links. */
async function showTerm(term: Term, context: CallContext, status = 200): Promise<RestResponse> {
  const view = viewOf(context, await withAncestors(context.site.store, [term]));
  const shown = presentTerm(term, view);
  const body = { ...(Array.isArray(shown) ? {} : shown), _links: termLinks(term, context.site, context.request.user) };
  return new RestResponse(asJson(body), status);
}

const manage =
  (taxonomy: string): Permission =>
  ({ request, site }) =>
    site.quirks.has('events-suffice-for-terms')
      ? canWithPosts(request.user, 'edit')
      : canManageTerms(request.user, taxonomy, site.registry);

/** The collection and by-id routes of a taxonomy, below a namespace. */
export function taxonomyResourceRoutes(namespace: string, resource: TermResource, registry: Registry): Route[] {
  const { taxonomy, idArgs } = resource;
  const fields = { ...resource.fields, ...addedArgs(registry, taxonomy) };
  const base = `/${namespace}/${resource.path}`;
  const permission = manage(taxonomy);
  const create = endpoint({
    methods: ['POST'],
    args: fields,
    permission,
    handler: async (call) => {
      const term = await withAddedValues(await createTerm(call, taxonomy, call.params), taxonomy, call);
      const response = await showTerm(term, call, 201);
      return response.header('Location', call.site.restUrl(corePath(term, call.site.registry)));
    },
  });
  const item: Endpoint[] = [
    endpoint({
      methods: ['GET'],
      args: idArgs,
      permission: 'public',
      handler: (call) => showTerm(call.params.id, call),
    }),
    endpoint({
      methods: ['POST', 'PUT', 'PATCH'],
      args: { ...idArgs, ...optionalArgs(fields) },
      permission,
      handler: async (call) =>
        showTerm(await withAddedValues(await updateTermSent(call, call.params.id, call.params), taxonomy, call), call),
    }),
    endpoint({
      methods: ['DELETE'],
      args: idArgs,
      permission,
      handler: async (call) => {
        const term = call.params.id;
        const view = viewOf(call, await withAncestors(call.site.store, [term]));
        await deleteTermOf(call, term);
        return new RestResponse(asJson(presentTerm(term, view)));
      },
    }),
  ];
  return [
    {
      path: base,
      endpoints: [
        endpoint({ methods: ['GET'], args: resource.filters, permission: 'public', handler: (call) => list(resource, call) }),
        create,
      ],
    },
    { path: `${base}/(?P<id>\\d+)`, endpoints: item },
  ];
}
