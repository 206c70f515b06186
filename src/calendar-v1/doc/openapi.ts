import { documented, typeOf, type DocResource } from './doc-facts.js';
import { REASONS, type Operation } from '../../rest/reasons.js';
import { ucfirst } from '../../php/cast.js';
import { eachKind } from '../../tec/linked.js';
import { schemaRef } from './definitions.js';
import { ANSWER_SCHEMAS, pageSchema } from './openapi-schemas.js';
import type { Arg, Args, Json } from '../../rest/route.js';

type JsonObject = Record<string, Json>;

const ID_OR_SLUG: JsonObject = { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } };
const LINKED: JsonObject = { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'object' }] } };

/** Arguments that take more than they declare. */
const FILTERS: Record<string, JsonObject> = { categories: ID_OR_SLUG, tags: ID_OR_SLUG, strict_dates: { type: 'boolean' } };
const FIELDS: Record<string, JsonObject> = {
  categories: ID_OR_SLUG,
  tags: ID_OR_SLUG,
  ...eachKind(() => LINKED),
  cost: { anyOf: [{ type: 'string' }, { type: 'number' }] },
};

/** A field that declares its type, such as the name of a venue, is not the one of events that is called alike. */
const schemaOf = (name: string, arg: Arg, known: Record<string, JsonObject>): JsonObject =>
  arg.type !== undefined || !Object.hasOwn(known, name) ? typeOf(arg) : known[name];

/** Lists are comma-separated in a query; of several parameters of one name PHP keeps the last. */
function parameter(name: string, arg: Arg, place: 'query' | 'path'): JsonObject {
  const schema = schemaOf(name, arg, FILTERS);
  const isList = schema.type === 'array';
  return {
    name,
    in: place,
    required: place === 'path',
    description: arg.description,
    schema,
    ...(isList ? { style: 'form', explode: false } : {}),
  };
}

/** What the path does not hold of an item's arguments goes into the query. */
const parameters = (args: Args, inPath: readonly string[] = []): JsonObject[] =>
  documented(args).map(([name, arg]) => parameter(name, arg, inPath.includes(name) ? 'path' : 'query'));

function requestBody({ fields: args, doc }: DocResource, isNew: boolean): JsonObject {
  const fields = documented(args);
  const required = isNew ? fields.filter(([, arg]) => arg.required).map(([name]) => name) : [];
  const properties = fields.map(([name, arg]): [string, JsonObject] => [
    name,
    { ...schemaOf(name, arg, FIELDS), description: arg.description },
  ]);
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

/** In the plugin's document creating and changing are one. */
type Purpose = Operation | 'create';

/** The statuses of responses. Anonymous callers get 401 where others get 403. */
const ENDS: Record<Purpose, readonly number[]> = {
  list: [200, 400, 404],
  create: [201, 400, 401, 403],
  read: [200, 400, 401, 403, 404],
  write: [200, 400, 401, 403, 404],
  delete: [200, 400, 401, 403, 404, 410],
};

function responses(purpose: Purpose, { path, doc }: DocResource, schema: Json): JsonObject {
  const own = REASONS[purpose === 'create' ? 'write' : purpose](doc.noun, path);
  const reasons: Record<number, string> = { 401: own[403], 404: REASONS.read(doc.noun, path)[404], ...own };
  const error = { $ref: '#/components/schemas/Error' };
  return Object.fromEntries(
    ENDS[purpose].map((status) => [status, { description: reasons[status], ...json(status < 300 ? schema : error) }]),
  );
}

interface Described {
  purpose: Purpose;
  /** Which of the paths: `BySlug`, or nothing. */
  by?: string;
  parameters?: JsonObject[];
  body?: JsonObject;
}

const VERBS: Record<Purpose, string> = { list: 'list', create: 'create', read: 'get', write: 'update', delete: 'delete' };

function operation(resource: DocResource, { purpose, by = '', parameters: params, body }: Described): JsonObject {
  const { path, doc } = resource;
  const schema = purpose === 'list' ? pageSchema(path, doc.schema) : schemaRef(doc.schema);
  const answers = responses(purpose, resource, schema);
  const [, success] = Object.entries(answers).find(([status]) => status.startsWith('2')) ?? [];
  const isPublic = purpose === 'list' || purpose === 'read';
  return {
    tags: [path],
    summary: (success as JsonObject).description,
    operationId: `${VERBS[purpose]}${ucfirst(purpose === 'list' ? path : doc.noun)}${by}`,
    ...(params && params.length > 0 ? { parameters: params } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: answers,
    security: isPublic ? [{}, { basic: [] }] : [{ basic: [] }],
  };
}

function itemPath(resource: DocResource, args: Args, inPath: string, by?: string): JsonObject {
  const item = { parameters: parameters(args, [inPath]), ...(by === undefined ? {} : { by }) };
  // A password opens an item to those who read it.
  const written = { ...item, parameters: item.parameters.filter((each) => each.in === 'path') };
  return {
    get: operation(resource, { purpose: 'read', ...item }),
    post: operation(resource, { purpose: 'write', ...written, body: requestBody(resource, false) }),
    delete: operation(resource, { purpose: 'delete', ...written }),
  };
}

function resourcePaths(resource: DocResource): [string, JsonObject][] {
  const { path, filters, idArgs, slugArg } = resource;
  const collection = {
    get: operation(resource, { purpose: 'list', parameters: parameters(filters) }),
    post: operation(resource, { purpose: 'create', body: requestBody(resource, true) }),
  };
  return [
    [`/${path}`, collection],
    [`/${path}/{id}`, itemPath(resource, idArgs, 'id')],
    ...(slugArg ? [[`/${path}/by-slug/{slug}`, itemPath(resource, { slug: slugArg }, 'slug', 'BySlug')] as [string, JsonObject]] : []),
  ];
}

/**
 * The OpenAPI 3.0 document of the documented interface: what validators take and clients are generated from. It is made of the same
 * declarations as that of the plugin (`openApiDocument`), and differs from it where that is not valid or not true.
 * @param servers addresses of the namespace, absolute or relative to the document, without trailing slash
 */
export function strictDocument(resources: readonly DocResource[], servers: readonly string[]): JsonObject {
  const self = { tags: ['doc'], operationId: 'getDoc', security: [{}], responses: { 200: { description: 'This document.', ...json({}) } } };
  return {
    openapi: '3.0.0',
    info: {
      version: '1.0.0',
      title: 'The Events Calendar REST API',
      description: 'Reads and writes the events of a site, with their venues, organizers, categories and tags.',
    },
    servers: servers.map((url) => ({ url })),
    security: [{}, { basic: [] }],
    paths: Object.fromEntries([...resources.flatMap(resourcePaths), ['/doc', { get: self }]]),
    components: {
      schemas: ANSWER_SCHEMAS as unknown as Json,
      securitySchemes: { basic: { type: 'http', scheme: 'basic', description: 'Login and application password.' } },
    },
  };
}
