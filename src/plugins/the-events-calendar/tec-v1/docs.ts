import { lookup, type JsonObject } from '../../../base/values/records.js';
import { describing } from '../../../wordpress/rest/language.js';
import { REASONS } from '../../../wordpress/rest/reasons.js';
import { resourceUnder } from '../../../wordpress/rest/schema.js';
import { TEC_NAMESPACE, type Entity } from './routes.js';
import { FORCE, textsOf } from './fields.js';
import { ucfirst } from '../../../base/php/cast.js';
import { LINKED, LINKED_KINDS, type LinkedKind } from '../model/event.js';
import type { Arg, Args, Json, Route } from '../../../wordpress/rest/route.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import FACTS from './read-only.json' with { type: 'json' };

const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const TEXT: JsonObject = { type: 'string' };
const NUMBER: JsonObject = { type: 'integer' };
const FLAG: JsonObject = { type: 'boolean' };
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });
const rendered = (more: JsonObject = {}): JsonObject => object({ rendered: TEXT, ...more });

/** The same schema for several names. */
export const each = (names: string, schema: JsonObject): JsonObject => Object.fromEntries(names.split(' ').map((name) => [name, schema]));

const POST: JsonObject = {
  id: NUMBER,
  ...each('date date_gmt', TEXT),
  guid: rendered(),
  ...each('modified modified_gmt slug status type link', TEXT),
  title: rendered(),
  content: rendered({ protected: { ...FLAG, nullable: true } }),
  excerpt: rendered({ protected: { ...FLAG, nullable: true } }),
  ...each('author featured_media', NUMBER),
  template: TEXT,
};

/** Facts about properties that nobody writes, as `wp/v2` describes them; the others have those of their argument. */
const READ_ONLY: Readonly<Record<string, JsonObject>> = lookup(FACTS);

/** Values of properties in examples, by their schema. */
function exampleOf(name: string, { type, enum: values, format }: JsonObject): Json | undefined {
  if (Array.isArray(values)) return values[0];
  if (format === 'date-time' || /date|^(?:start|end)/.test(name)) return '2026-06-21 18:00:00';
  if (type === 'string') return name;
  return type === 'integer' ? 1 : type === 'boolean' ? true : undefined;
}

/** Adds what is known of properties: from the arguments that write them, or as `wp/v2` describes them. */
const withFacts = (own: JsonObject, fields: Args): JsonObject =>
  Object.fromEntries(
    Object.entries(own as Record<string, JsonObject>).map(([name, schema]) => {
      if ('$ref' in schema) return [name, schema];
      const { description, format } = fields[name] ?? {};
      const facts = READ_ONLY[name] ?? {
        ...(description === undefined ? {} : { description }),
        ...(format === undefined ? {} : { format }),
      };
      const example = schema['example'] ?? facts['example'] ?? exampleOf(name, { ...schema, ...facts });
      return [name, { ...schema, ...facts, ...(example === undefined ? {} : { example }) }];
    }),
  );

function linkedNames(kind: LinkedKind): string {
  const names = textsOf(kind)
    .map(({ name }) => name)
    .join(' ');
  return kind === 'venue' ? names.replace('website', 'directions_link website') : names;
}

const examplesOf = (kind: LinkedKind): JsonObject =>
  Object.fromEntries(
    textsOf(kind).flatMap(({ name, field: { example } }) => (example === undefined ? [] : [[name, { ...TEXT, example }]])),
  );

const DATES = ['start', 'end'].flatMap((edge) => [edge, `${edge}_utc`, `${edge}_site`, `${edge}_display`]);

/** The additional properties of the kinds. */
const OWN: Readonly<Record<string, JsonObject>> = lookup({
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [ucfirst(kind), { ...each(linkedNames(kind), TEXT), ...examplesOf(kind) }])),
  Event: {
    tags: listOf(NUMBER),
    tribe_events_cat: listOf(NUMBER),
    class_list: listOf(TEXT),
    ...each('start_date start_date_utc end_date end_date_utc', TEXT),
    dates: refTo('Date'),
    timezone: TEXT,
    duration: { oneOf: [TEXT, NUMBER] },
    // OpenAPI 3.0: `nullable` requires a type.
    multiday: { oneOf: [{ ...NUMBER, nullable: true }, FLAG] },
    ...each('is_past is_now all_day', { ...FLAG, nullable: true }),
    ...each('starts_this_week ends_this_week happens_this_week', { ...FLAG, nullable: true }),
    this_week_duration: { ...NUMBER, nullable: true },
    displays_on: listOf(TEXT),
    ...each('featured sticky', { ...FLAG, nullable: true }),
    cost: TEXT,
    organizer_names: listOf(TEXT),
    ...Object.fromEntries(LINKED_KINDS.toReversed().map((kind) => [LINKED[kind].column, listOf(refTo(ucfirst(kind)))])),
    ...each('schedule_details short_schedule_details', TEXT),
  },
});

/** The keywords of an argument that OpenAPI has too. */
const KEYWORDS = ['type', 'format', 'pattern', 'enum', 'items', 'default', 'minimum', 'maximum', 'uniqueItems'] as const;

const schemaOf = (arg: Arg): JsonObject =>
  Object.fromEntries(KEYWORDS.flatMap((keyword) => (arg[keyword] === undefined ? [] : [[keyword, arg[keyword] as Json]])));

const parametersOf = (args: Args): JsonObject[] =>
  Object.entries(args).map(([name, arg]) => ({
    name,
    in: 'query',
    description: arg.description,
    required: false,
    schema: schemaOf(arg),
    ...(arg.type === 'array' ? { style: 'form', explode: false } : {}),
  }));

const properties = (args: Args): JsonObject =>
  withFacts(Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, schemaOf(arg)])), args);

/** Names of the fields that all kinds have in common. */
const shared = (entities: readonly Entity[]): string[] =>
  Object.keys(entities[0].fields).filter((name) => entities.every(({ fields }) => Object.hasOwn(fields, name)));

const pick = (args: Args, wanted: (name: string) => boolean): Args =>
  Object.fromEntries(Object.entries(args).filter(([name]) => wanted(name)));

const extending = (base: string, own: JsonObject): JsonObject => ({ allOf: [refTo(base), object(own)] });

function schemas(entities: readonly Entity[]): JsonObject {
  const common = new Set(shared(entities));
  const bodies = entities.map(({ schema, fields }): [string, Json] => [
    `${schema}_Request_Body`,
    extending('TEC_Post_Entity_Request_Body', properties(pick(fields, (name) => !common.has(name)))),
  ]);
  return {
    TEC_Post_Entity: object(withFacts(POST, entities[0].fields)),
    TEC_Post_Entity_Request_Body: object(properties(pick(entities[0].fields, (name) => common.has(name)))),
    ...Object.fromEntries(bodies),
    ...Object.fromEntries(
      entities.map(({ schema, own = OWN[schema], fields }) => [schema, extending('TEC_Post_Entity', withFacts(own, fields))]),
    ),
    Date: object(Object.fromEntries(DATES.map((name) => [name, refTo('DateDetails')]))),
    DateDetails: object({ date: TEXT, timezone_type: NUMBER, timezone: TEXT }),
    OpenApiDocumentation: object({
      openapi: TEXT,
      ...each('info paths components', { type: 'object' }),
      servers: listOf({ type: 'object' }),
    }),
    Error: ERROR,
    OpenApiPath: { type: 'object', additionalProperties: { type: 'object' } },
  };
}

/** WP: a code, a message and data. TEC: some errors are a sentence without a code. */
const ERROR: JsonObject = {
  anyOf: [
    {
      ...object({ code: TEXT, message: TEXT, data: object({ status: NUMBER, params: { type: 'object' } }) }),
      required: ['code', 'message'],
    },
    { ...object({ error: TEXT }), required: ['error'] },
  ],
};

type Purpose = 'list' | 'create' | 'read' | 'update' | 'delete';

/** The statuses of each operation: those in the plugin's document, and those that it omits. */
const ENDS: Record<Purpose, readonly number[]> = {
  list: [200, 400, 404],
  create: [201, 400, 401, 403, 500],
  read: [200, 400, 401, 403, 404],
  update: [200, 400, 401, 403, 404, 500],
  delete: [200, 400, 401, 403, 404, 410, 500, 501],
};

const FAILED = 'Error.';

function reasonsOf(purpose: Purpose, { schema, path }: Entity): Record<number, string> {
  const noun = schema.toLowerCase();
  const known = REASONS[purpose === 'create' || purpose === 'update' ? 'write' : purpose](noun, path);
  return { 404: REASONS.read(noun, path)[404], 401: known[403], 500: FAILED, 501: FAILED, ...known };
}

function responses(purpose: Purpose, entity: Entity): JsonObject {
  const reasons = reasonsOf(purpose, entity);
  const schema = purpose === 'list' ? listOf(refTo(entity.schema)) : purpose === 'delete' ? listOf({}) : refTo(entity.schema);
  const contentOf = (status: number): JsonObject => ({ 'application/json': { schema: status < 300 ? schema : refTo('Error') } });
  return Object.fromEntries(ENDS[purpose].map((status) => [status, { description: reasons[status], content: contentOf(status) }]));
}

const ID: JsonObject = { name: 'id', in: 'path', description: 'ID of the object.', required: true, schema: NUMBER };

function operation(purpose: Purpose, entity: Entity, parameters: JsonObject[]): JsonObject {
  const verb = { list: 'get', create: 'create', read: 'get', update: 'update', delete: 'delete' }[purpose];
  const body = { content: { 'application/json': { schema: refTo(`${entity.schema}_Request_Body`) } } };
  return {
    operationId: `${verb}${entity.schema}${purpose === 'list' ? 's' : ''}`,
    tags: [`${entity.schema}s`],
    parameters,
    ...(purpose === 'create' || purpose === 'update' ? { requestBody: body } : {}),
    responses: responses(purpose, entity),
  };
}

const pathsOf = (entity: Entity): [string, JsonObject][] => [
  [`/${entity.path}`, { get: operation('list', entity, parametersOf(entity.filters)), post: operation('create', entity, []) }],
  [
    `/${entity.path}/{id}`,
    {
      get: operation('read', entity, [ID]),
      put: operation('update', entity, [ID]),
      delete: operation('delete', entity, [ID, ...parametersOf(FORCE)]),
    },
  ],
];

/** The OpenAPI document of the namespace, generated from the declarations that validate requests. @param server its URL */
const documentOf = (entities: readonly Entity[], server: string): JsonObject => ({
  openapi: '3.0.4',
  info: {
    title: 'The Events Calendar REST API',
    version: '1.0.0',
    description: 'Read and write the events of a site, with their venues, organizers, categories and tags.',
  },
  servers: [{ url: server }],
  paths: {
    ...Object.fromEntries(entities.flatMap(pathsOf)),
    '/docs': { get: { operationId: 'getOpenApiDocs', parameters: [], responses: { 200: { description: 'This document.' } } } },
  },
  components: { schemas: schemas(entities) },
});

/** The route of the document. TEC: it needs no acknowledgement. */
export const docsRoute = (entities: readonly Entity[], registry: Registry): Route => ({
  path: `/${TEC_NAMESPACE}/docs`,
  endpoints: [
    {
      methods: ['GET'],
      args: {},
      permission: 'public',
      handler: async ({ site, request }) => {
        const added = await Promise.all(registry.hooks('tecEntity').map((load) => load(registry)));
        const existing = [...entities, ...added].map((entity) => resourceUnder(site.quirks, entity));
        return describing(request, documentOf(existing, site.restUrl(`/${TEC_NAMESPACE}`)));
      },
    },
  ],
});
