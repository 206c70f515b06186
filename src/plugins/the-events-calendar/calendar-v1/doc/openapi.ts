import { documented, typeOf, type DocResource } from './doc-facts.js';
import { REASONS, type Operation } from '../../../../wordpress/rest/reasons.js';
import { ucfirst } from '../../../../base/php/cast.js';
import { eachKind } from '../../model/event.js';
import { schemaRef } from './definitions.js';
import { examples, documentedDefault, fieldFacts, parameterFacts } from './facts.js';
import { RESPONSE_SCHEMAS, pageSchema } from './openapi-schemas.js';
import type { Arg, Args, Json } from '../../../../wordpress/rest/route.js';
import type { Site } from '../../../../wordpress/site.js';
import { asJson, type JsonObject } from '../../../../base/values/records.js';

const ID_OR_SLUG: JsonObject = { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } };
const TEXTS: JsonObject = { type: 'array', items: { type: 'string' } };
const LINKED: JsonObject = { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'object' }] } };

/** The types of arguments that accept more than they declare. */
const FILTERS: Record<string, JsonObject> = { categories: TEXTS, tags: TEXTS, strict_dates: { type: 'boolean' } };
const FIELDS: Record<string, JsonObject> = {
  categories: ID_OR_SLUG,
  tags: ID_OR_SLUG,
  ...eachKind(() => LINKED),
  cost: { anyOf: [{ type: 'string' }, { type: 'number' }] },
};

/** A field that declares its type, such as the name of a venue, is not the field of events with the same name. */
const schemaOf = (name: string, arg: Arg, known: Record<string, JsonObject>): JsonObject =>
  arg.type !== undefined || !Object.hasOwn(known, name) ? typeOf(arg) : known[name];

/** The input of the parts of a document. */
interface Source {
  resource: DocResource;
  site: Site;
}

/** Lists are comma-separated in a query, since PHP keeps only the last of several parameters of the same name. */
function parameter(name: string, arg: Arg, place: 'query' | 'path', { resource, site }: Source): JsonObject {
  const typed = schemaOf(name, arg, FILTERS);
  const isList = typed.type === 'array';
  const { example, ...bounds } = parameterFacts(name, resource.doc.noun, isList);
  return {
    name,
    in: place,
    required: place === 'path',
    description: arg.description,
    schema: { ...typed, ...documentedDefault(arg, typed.type, site), ...bounds },
    ...(isList ? { style: 'form', explode: false } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

/** Arguments of an item that are not in the path go into the query. */
const parameters = (args: Args, source: Source, inPath: readonly string[] = []): JsonObject[] =>
  documented(args).map(([name, arg]) => parameter(name, arg, inPath.includes(name) ? 'path' : 'query', source));

function property(name: string, arg: Arg, { resource: { doc }, site }: Source): JsonObject {
  const typed = schemaOf(name, arg, FIELDS);
  const facts = fieldFacts(name, doc.noun, typed.type, doc.example);
  return { ...typed, description: arg.description, ...documentedDefault(arg, typed.type, site), ...facts };
}

function requestBody(source: Source, isNew: boolean): JsonObject {
  const { fields: args, doc } = source.resource;
  const fields = documented(args);
  const required = isNew ? fields.filter(([, arg]) => arg.required).map(([name]) => name) : [];
  const properties = fields.map(([name, arg]): [string, JsonObject] => [name, property(name, arg, source)]);
  const schema: JsonObject = {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(properties),
    example: doc.example,
  };
  const lists = properties.filter(([, { type }]) => type === 'array').map(([name]) => [name, { style: 'form', explode: false }] as const);
  const encoding: JsonObject = lists.length > 0 ? { encoding: Object.fromEntries(lists) } : {};
  return { content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema, ...encoding } } };
}

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } });

/** The plugin's document does not distinguish creating and updating. */
type Purpose = Operation | 'create';

/** The statuses of responses. Anonymous callers get 401 where others get 403. */
const ENDS: Record<Purpose, readonly number[]> = {
  list: [200, 400, 404],
  create: [201, 400, 401, 403],
  read: [200, 400, 401, 403, 404],
  write: [200, 400, 401, 403, 404],
  delete: [200, 400, 401, 403, 404, 410],
};

/** Operations by slug share the examples of those by id. */
const exampleName = (operationId: string, status: number): string => `${operationId.replace(/BySlug$/, '')}${status}`;

function responses(operationId: string, purpose: Purpose, { path, doc }: DocResource, schema: Json): JsonObject {
  const own = REASONS[purpose === 'create' ? 'write' : purpose](doc.noun, path);
  const reasons: Record<number, string> = { 401: 'Authentication is required.', 404: REASONS.read(doc.noun, path)[404], ...own };
  const error = { $ref: '#/components/schemas/Error' };
  const shown = namedExamples();
  const response = (status: number): JsonObject => {
    const name = exampleName(operationId, status);
    const demo: JsonObject = Object.hasOwn(shown, name) ? { examples: { demo: { $ref: `#/components/examples/${name}` } } } : {};
    return { description: reasons[status], content: { 'application/json': { schema: status < 300 ? schema : error, ...demo } } };
  };
  return Object.fromEntries(ENDS[purpose].map((status) => [status, response(status)]));
}

let named: Record<string, JsonObject> | undefined;

/** The examples of the document, by operation and status: `getEvent200`. */
const namedExamples = (): Record<string, JsonObject> =>
  (named ??= Object.fromEntries(
    Object.entries(examples().responses).flatMap(([operationId, statuses]) =>
      Object.entries(statuses).map(([status, value]) => [exampleName(operationId, Number(status)), { value }]),
    ),
  ));

interface Described {
  purpose: Purpose;
  /** Suffix for the path: `BySlug`, or empty. */
  by?: '' | 'BySlug';
  parameters?: JsonObject[];
  body?: JsonObject;
}

const VERBS: Record<Purpose, string> = { list: 'list', create: 'create', read: 'get', write: 'update', delete: 'delete' };

/** `List events`, `Get an event by slug`. */
function summaryOf(purpose: Purpose, by: string, { path, doc: { noun } }: DocResource): string {
  const what = purpose === 'list' ? path : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  return `${ucfirst(VERBS[purpose])} ${what}${by === '' ? '' : ' by slug'}`;
}

function operation(resource: DocResource, { purpose, by = '', parameters: params, body }: Described): JsonObject {
  const { path, doc } = resource;
  const operationId = `${VERBS[purpose]}${ucfirst(purpose === 'list' ? path : doc.noun)}${by}`;
  const schema = purpose === 'list' ? pageSchema(path, doc.schema) : schemaRef(doc.schema);
  const isPublic = purpose === 'list' || purpose === 'read';
  return {
    tags: [path],
    summary: summaryOf(purpose, by, resource),
    operationId,
    ...(params && params.length > 0 ? { parameters: params } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responses(operationId, purpose, resource, schema),
    security: isPublic ? [{}, { basic: [] }] : [{ basic: [] }],
  };
}

function itemPath(source: Source, args: Args, inPath: string, by: Described['by'] = ''): JsonObject {
  const { resource } = source;
  const item = { parameters: parameters(args, source, [inPath]), by };
  // A password unlocks an item for reading.
  const written = { ...item, parameters: item.parameters.filter((each) => each.in === 'path') };
  return {
    get: operation(resource, { purpose: 'read', ...item }),
    post: operation(resource, { purpose: 'write', ...written, body: requestBody(source, false) }),
    delete: operation(resource, { purpose: 'delete', ...written }),
  };
}

function resourcePaths(source: Source): [string, JsonObject][] {
  const { path, filters, idArgs, slugArg } = source.resource;
  const collection = {
    get: operation(source.resource, { purpose: 'list', parameters: parameters(filters, source) }),
    post: operation(source.resource, { purpose: 'create', body: requestBody(source, true) }),
  };
  return [
    [`/${path}`, collection],
    [`/${path}/{id}`, itemPath(source, idArgs, 'id')],
    ...(slugArg ? [[`/${path}/by-slug/{slug}`, itemPath(source, { slug: slugArg }, 'slug', 'BySlug')] as [string, JsonObject]] : []),
  ];
}

/** The version of OpenAPI, and what the document describes. */
export const DOCUMENT = {
  openapi: '3.0.0',
  info: {
    version: '1.0.0',
    title: 'The Events Calendar REST API',
    description: 'Read and write the events of a site, with their venues, organizers, categories and tags.',
  },
};

/**
 * The OpenAPI 3.0 document of the documented interface, for validators and client generators. It is generated from the same declarations as
 * the document of the plugin (`openApiDocument`), and differs from it where that is invalid or wrong.
 * @param servers URLs of the namespace, absolute or relative to the document, without trailing slash
 * @param site gives the defaults that depend on its options
 */
export function strictDocument(resources: readonly DocResource[], servers: readonly string[], site: Site): JsonObject {
  const self = {
    tags: ['doc'],
    summary: 'Get this document',
    operationId: 'getDoc',
    security: [{}],
    responses: { 200: { description: 'This document.', ...json({}) } },
  };
  return {
    ...DOCUMENT,
    servers: servers.map((url) => ({ url })),
    security: [{}, { basic: [] }],
    paths: Object.fromEntries([...resources.flatMap((resource) => resourcePaths({ resource, site })), ['/doc', { get: self }]]),
    components: {
      schemas: asJson(RESPONSE_SCHEMAS),
      examples: namedExamples(),
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'Login and application password.' } },
    },
  };
}
