import { changesRoutes, contentRoutes } from './changes-routes.js';
import { clockRoutes } from './clock-routes.js';
import { faultRoutes } from './faults/fault-routes.js';
import { journalRoutes } from './journal/journal-routes.js';
import { explainRoutes } from './explain-route.js';
import { restRoutes } from './rest-route.js';
import { sandboxRoutes } from './sandboxes/sandbox-routes.js';
import { saveRoutes } from './save-routes.js';
import { seedRoutes } from './seed.js';
import { settingsRoutes } from './settings-routes.js';
import { stateRoutes } from './state-routes.js';
import { stubRoutes } from './stubs/stub-routes.js';
import { transferRoutes } from '../tenant/api/transfer.js';
import { tokenRoutes } from './token-routes.js';
import { uiRoutes } from './ui-routes.js';
import { versionRoutes } from './version-routes.js';
import { webhookRoutes } from './webhooks/webhook-routes.js';
import type { QaHost, QaRows } from './host.js';
import { byPath, PREFIX, QaFile, json, readable, get, type QaRoute } from '../tenant/api/route.js';
import type { Tenant } from '../tenant/tenant.js';
import { argEntry } from '../../wordpress/rest/schema.js';
import { captures, ERROR, operationIdOf, refTo } from './rest-document.js';
import type { Arg, Args, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import { asJson } from '../../base/values/records.js';

function index(routes: QaRoute[], site: Site): Json {
  const entries = routes.map(({ path, endpoints }) => {
    const shown = endpoints.map(({ methods, summary, args }) => ({
      methods: [...methods],
      summary,
      args: Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, argEntry(arg, site)])),
    }));
    return [readable(path), { endpoints: shown }] as const;
  });
  return {
    name: 'Understudy',
    ui: `${site.url}${PREFIX}/ui`,
    explorer: `${site.url}${PREFIX}/explorer`,
    doc: `${site.url}${PREFIX}/doc`,
    routes: asJson(Object.fromEntries(entries)),
  };
}

const SCHEMA_KEYWORDS = [
  'enum',
  'items',
  'minItems',
  'properties',
  'additionalProperties',
  'minimum',
  'maximum',
  'pattern',
  'default',
] as const;

/** The OpenAPI 3.1 schema of an argument. */
export function schemaOf(arg: Omit<Arg, 'description'> & { description?: string }): Json {
  const schema: Record<string, Json> = { ...(arg.type === undefined ? {} : { type: arg.type }) };
  if (arg.description) schema.description = arg.description;
  for (const keyword of SCHEMA_KEYWORDS) {
    const value = arg[keyword];
    if (value !== undefined && typeof value !== 'function') schema[keyword] = value as Json;
  }
  return schema;
}

function parameter([name, arg]: [string, Arg], place: 'query' | 'path'): Json {
  return { name, in: place, required: place === 'path' || (arg.required ?? false), description: arg.description, schema: schemaOf(arg) };
}

function requestBody(args: [string, Arg][]): Json {
  const required = args.filter(([, arg]) => arg.required).map(([name]) => name);
  const properties = Object.fromEntries(args.map(([name, arg]) => [name, schemaOf(arg)]));
  const schema: Json = { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
  return { content: { 'application/json': { schema } } };
}

const NO_ARG: Arg = { type: 'string', description: 'Name or ID.' };

/** The first sentence names the operation; the others describe it. */
function textsOf(summary: string): { summary: string; description?: string } {
  const [, name, description] = /^(.*?)(?:\.(?: (.*))?)?$/s.exec(summary) ?? [];
  return description === undefined ? { summary: name } : { summary: name, description };
}

function operation(path: string, declared: QaRoute['endpoints'][number], method: string): Json {
  const { summary, args, body } = declared;
  const inPath = captures(path);
  const rest = Object.entries(args).filter(([name]) => !inPath.includes(name));
  const takesFields = method !== 'GET' && (body === undefined || body === 'fields');
  const parameters = [
    ...inPath.map((name) => parameter([name, (args as Partial<Args>)[name] ?? NO_ARG], 'path')),
    ...(takesFields ? [] : rest.map((arg) => parameter(arg, 'query'))),
  ];
  const bytes = { requestBody: { content: { '*/*': { schema: {} } } } };
  return {
    ...textsOf(summary),
    operationId: operationIdOf(readable(path).slice(PREFIX.length), method),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(takesFields ? (rest.length > 0 ? { requestBody: requestBody(rest) } : {}) : method === 'GET' ? {} : bytes),
    responses: {
      '200': { description: 'Success.', content: { 'application/json': { schema: {} } } },
      default: { description: 'Error.', content: { 'application/json': { schema: refTo('Error') } } },
    },
  };
}

/** The OpenAPI document of the test API, generated from its routes. */
function openApi(routes: QaRoute[], site: Site): Json {
  const paths = routes.map(({ path, endpoints }) => {
    const operations = endpoints.flatMap((each) =>
      each.methods.map((method) => [method.toLowerCase(), operation(path, each, method)] as const),
    );
    return [readable(path), Object.fromEntries(operations)] as const;
  });
  const bearer = { type: 'http', scheme: 'bearer' };
  const header = { type: 'apiKey', in: 'header', name: 'X-Understudy-Token' };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Understudy test API',
      version: '1.0.0',
      description: 'Controls a server from tests: clock, content, faults, journal, sandboxes, webhooks.',
    },
    servers: [{ url: site.url }],
    security: [{}, { bearer: [] }, { header: [] }],
    paths: Object.fromEntries(paths),
    components: { schemas: { Error: ERROR }, securitySchemes: { bearer, header } },
  };
}

/** The routes of the index and the OpenAPI document, which are in English: they are for developers of tests. @param table all routes, including these */
function docRoutes(table: () => QaRoute[]): QaRoute[] {
  return [
    get(PREFIX, {
      summary: 'List all routes',
      handler: (_params, _request, { site }) => json(index(table(), site)),
    }),
    get(`${PREFIX}/doc`, {
      summary: 'Get this document',
      handler: (_params, _request, { site }) =>
        new QaFile(JSON.stringify(openApi(table(), site), null, 2), 'application/json; charset=utf-8'),
    }),
  ];
}

const PARTS: readonly QaRows[] = [
  stateRoutes,
  contentRoutes,
  changesRoutes,
  seedRoutes,
  saveRoutes,
  clockRoutes,
  versionRoutes,
  settingsRoutes,
  tokenRoutes,
  faultRoutes,
  stubRoutes,
  journalRoutes,
  sandboxRoutes,
  transferRoutes,
  restRoutes,
  explainRoutes,
  uiRoutes,
  webhookRoutes,
];

export function qaRoutes(tenant: Tenant, host: QaHost): QaRoute[] {
  const table: QaRoute[] = byPath([...docRoutes(() => table), ...PARTS.flatMap((part) => part(tenant, host))]);
  return table;
}

/** The routes with their texts and arguments. Their handlers must not be called, since there is no tenant. */
export const describedRoutes = (): QaRoute[] => qaRoutes({} as Tenant, {} as QaHost);
