import { DEFINITIONS, schemaRef, type SchemaName } from './definitions.js';
import { describing } from '../rest/language.js';
import type { Arg, Args, Json, Route } from '../rest/route.js';
import type { Site } from '../wp/site.js';

type JsonObject = Record<string, Json>;

/** What only the document knows of a resource. */
export interface DocFacts {
  schema: SchemaName;
  /** The resource in the singular: `category`. */
  noun: string;
  /** TEC: organizers and categories list the `id` or `slug` of the path among the parameters of the body, too. */
  keyInBody?: boolean;
  /** Statuses that reading an item is said to end with, where not those of a post. */
  readStatuses?: readonly number[];
  /** Statuses that writing an item is said to end with, where not those of a post. */
  writeStatuses?: readonly number[];
}

/** What the document is derived from: the same argument records that validation and the indexes read. */
export interface DocResource {
  /** Last part of the collection's path. */
  path: string;
  filters: Args;
  fields: Args;
  /** Parameters of the by-id path. */
  idArgs: Args;
  /** The parameter of the by-slug path; left out where there is no such path. */
  slugArg?: Arg;
  doc: DocFacts;
}

const READ_STATUSES = [200, 400, 403, 404];
const WRITE_STATUSES = [200, 201, 400, 403];
const DELETE_STATUSES = [200, 400, 403, 410, 500];
const LIST_STATUSES = [200, 400, 404];

type Operation = 'list' | 'read' | 'write' | 'delete';

const REASONS: Record<Operation, (noun: string, plural: string) => Record<number, string>> = {
  list: (_noun, plural) => ({
    200: `A page of the ${plural} that match.`,
    400: 'A parameter is not valid.',
    404: `The list of ${plural} has no such page.`,
  }),
  read: (noun) => ({
    200: `The ${noun}.`,
    400: `What should name the ${noun} is missing or not valid.`,
    403: `The caller may not see this ${noun}.`,
    404: `There is no such ${noun}.`,
  }),
  write: (noun, plural) => ({
    200: `The ${noun} as it is after the change.`,
    201: `The new ${noun}.`,
    400: 'A parameter is missing or not valid.',
    403: `The caller may not create or change ${plural}.`,
  }),
  delete: (noun) => ({
    200: `The ${noun} that was deleted.`,
    400: `What should name the ${noun} is missing or not valid.`,
    403: `The caller may not delete this ${noun}.`,
    410: `The ${noun} had already been deleted.`,
    500: `The ${noun} could not be deleted.`,
  }),
};

const succeeded = (status: number): boolean => status < 300;

function responses(operation: Operation, { path, doc }: DocResource, statuses: readonly number[], schema: JsonObject): JsonObject {
  const reasons = REASONS[operation](doc.noun, path);
  const response = (status: number): JsonObject => ({
    description: reasons[status],
    ...(succeeded(status) ? { content: { 'application/json': { schema } } } : {}),
  });
  return Object.fromEntries(statuses.map((status) => [status, response(status)]));
}

/** Type of an argument in the document. TEC: what has no type in the index is text, unless the document's own facet says otherwise. */
function typeOf({ type, items, doc }: Arg): JsonObject {
  const declared = doc?.type ?? (Array.isArray(type) ? type[0] : type) ?? 'string';
  const member = doc?.items?.type ?? items?.type;
  if (declared !== 'array' || member === undefined) return { type: declared };
  return { type: declared, items: { type: member } };
}

const documented = (args: Args): [string, Arg][] => Object.entries(args).filter(([, { doc }]) => !doc?.omit);

function parameters(args: Args, place: 'query' | 'path'): JsonObject[] {
  return documented(args).map(([name, arg]) => ({
    in: arg.doc?.in ?? place,
    schema: typeOf(arg),
    description: arg.description,
    required: arg.required ?? false,
    name,
    ...(arg.doc?.style ? { style: arg.doc.style } : {}),
  }));
}

function requestBody(args: Args): JsonObject {
  const properties = documented(args).map(([name, arg]) => [name, { description: arg.description, ...typeOf(arg) }] as const);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return { content: { 'application/x-www-form-urlencoded': { schema } } };
}

/** TEC: the list is described as an array although it comes within an object, and creation not at all. */
function collectionItem(resource: DocResource): JsonObject {
  const schema = { title: resource.path, type: 'array', items: schemaRef(resource.doc.schema) };
  return { get: { parameters: parameters(resource.filters, 'query'), responses: responses('list', resource, LIST_STATUSES, schema) } };
}

/** Operations on one item. TEC: all its parameters are said to be in the path, the password of an event as well; a POST may create. */
function itemPath(resource: DocResource, args: Args): JsonObject {
  const { fields, doc } = resource;
  const { keyInBody = false, readStatuses = READ_STATUSES, writeStatuses = WRITE_STATUSES } = doc;
  const schema = schemaRef(doc.schema);
  const params = parameters(args, 'path');
  return {
    get: { parameters: params, responses: responses('read', resource, readStatuses, schema) },
    post: {
      parameters: params,
      requestBody: requestBody(keyInBody ? { ...args, ...fields } : fields),
      responses: responses('write', resource, writeStatuses, schema),
    },
    delete: { parameters: params, responses: responses('delete', resource, DELETE_STATUSES, schema) },
  };
}

function resourcePaths(resource: DocResource): [string, JsonObject][] {
  const base = `/${resource.path}`;
  const { idArgs, slugArg } = resource;
  return [
    [base, collectionItem(resource)],
    [`${base}/{id}`, itemPath(resource, idArgs)],
    ...(slugArg ? [[`${base}/by-slug/{slug}`, itemPath(resource, { slug: slugArg })] as [string, JsonObject]] : []),
  ];
}

/** TEC: the address of the server loses its port. */
function serverUrl(site: Site, namespace: string): string {
  const { protocol, hostname, pathname } = new URL(site.restUrl(`/${namespace}/`));
  return `${protocol}//${hostname}${pathname}`;
}

/** The OpenAPI 3.0 document of a namespace, its keys in the order of the wire. Nothing is read but the declarations and the site's address. */
export function openApiDocument({
  site,
  namespace,
  resources,
}: {
  site: Site;
  namespace: string;
  resources: readonly DocResource[];
}): JsonObject {
  const schemas = Object.entries(DEFINITIONS).map(([name, properties]) => [name, { type: 'object', properties }] as const);
  const self = { get: { responses: { 200: { description: 'This document.' } } } };
  return {
    openapi: '3.0.0',
    info: {
      version: '1.0.0',
      title: 'The Events Calendar REST API',
      description: 'Reads and writes the events of a site, with their venues, organizers, categories and tags.',
    },
    components: { schemas: Object.fromEntries(schemas) },
    servers: [{ url: serverUrl(site, namespace) }],
    paths: Object.fromEntries([['/doc', self], ...resources.flatMap(resourcePaths)]),
  };
}

/** The route of the document. */
export function docRoute(namespace: string, resources: readonly DocResource[]): Route {
  return {
    path: `/${namespace}/doc`,
    endpoints: [
      {
        methods: ['GET'],
        args: {},
        permission: 'public',
        handler: ({ site, request }) => describing(request, openApiDocument({ site, namespace, resources })),
      },
    ],
  };
}
