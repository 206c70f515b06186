import { toStr } from '../../base/php/cast.js';
import { parseQuery } from '../../base/php/query-string.js';
import { describeFailure, dispatch } from './dispatch.js';
import { filterFields, RestRequest, type Json } from './request.js';
import { endpoint, type EndpointCall } from './params.js';
import { RestResponse, type CallContext, type Method, type Route, type Schema, CriticalError, RestError } from './route.js';
import { findRoute, type MountedRoute } from './table.js';
import type { Site } from '../site.js';
import { isOneOf, type JsonObject } from '../../base/values/records.js';

const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** PHP: an empty map is written as a list. */
const NO_PROPERTIES = [] as unknown as NonNullable<Schema['properties']>;

const HEADERS: Schema = {
  type: 'object',
  properties: NO_PROPERTIES,
  additionalProperties: { type: ['string', 'array'], items: { type: 'string' } },
};

const ARGS = {
  validation: { description: '', type: 'string', enum: ['require-all-validate', 'normal'], default: 'normal' },
  requests: {
    description: '',
    required: true,
    type: 'array',
    maxItems: 25,
    items: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: WRITING, default: 'POST' },
        path: { type: 'string', required: true },
        body: { type: 'object', properties: NO_PROPERTIES, additionalProperties: true },
        headers: HEADERS,
      },
    },
  },
} as const;

/** One request of a batch, as `requests` holds it. */
type Part = JsonObject;

const objectOf = (value: Json | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};

/** PHP `parse_url`: a URL without a host, or with an invalid port, is invalid. */
function parsePath(address: string): { path: string; query: string } | null {
  if (/^(?:[a-z][\w+.-]*:)?\/\/(?:[/?#:]|$)/i.test(address)) return null;
  const [, port = '', rest = ''] = /^(?:(?:[a-z][\w+.-]*:)?\/\/[^/?#]*?(?::(\d+))?(?=[/?#]|$))?([^#]*)/is.exec(address) ?? [];
  if (Number(port) > 65_535) return null;
  const mark = rest.indexOf('?');
  return mark < 0 ? { path: rest, query: '' } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

/** The request of a part, with the caller of the batch. Null: its path cannot be read. */
function requestOf(part: Part, outer: RestRequest): RestRequest | null {
  const address = parsePath(toStr(part.path));
  if (!address) return null;
  const headers = Object.entries(objectOf(part.headers)).map(([name, value]) => [
    name.toLowerCase().replaceAll('_', '-'),
    Array.isArray(value) ? value.map(toStr).join(',') : toStr(value),
  ]);
  const method = typeof part.method === 'string' ? part.method : 'POST';
  return new RestRequest(method as Method, address.path, Object.fromEntries(headers) as Record<string, string>, {
    json: null,
    form: structuredClone(objectOf(part.body)),
    query: parseQuery(address.query),
    path: {},
    defaults: {},
  }).partOf(outer);
}

const enveloped = ({ body, status, headers }: RestResponse, shown = body): Json => ({
  body: shown,
  status,
  headers: Object.keys(headers).length > 0 ? { ...headers } : [],
});

const failed = (error: RestError): Json => enveloped(new RestResponse(error.body(), error.httpStatus));

const UNREADABLE = new RestError('parse_path_failed', 'Could not parse the path.', 400);
const NOT_ALLOWED = new RestError('rest_batch_not_allowed', 'The requested route does not support batch requests.', 400);

/** Why a request may not be part of a batch; null when it may, or when no route matches it. */
function refusal(request: RestRequest, table: MountedRoute[], { quirks }: Site): RestError | null {
  const endpoints = findRoute(table, request.path, quirks)?.mounted.route.endpoints ?? [];
  const called = endpoints.find(({ methods }) => isOneOf(methods, request.method));
  return called && !called.allowBatch ? NOT_ALLOWED : null;
}

/** The error of a part before anything is executed; null if there is none. */
async function invalid(part: Part, { request: outer, site }: CallContext, table: MountedRoute[]): Promise<RestError | null> {
  const request = requestOf(part, outer);
  return request ? (refusal(request, table, site) ?? describeFailure(table, request, site)) : UNREADABLE;
}

async function execute(part: Part, outer: RestRequest, table: MountedRoute[], site: Site): Promise<Json> {
  const request = requestOf(part, outer);
  if (!request) return failed(UNREADABLE);
  const response = await dispatch(table, request, site, false, refusal(request, table, site));
  const isError = response.status >= 400;
  return enveloped(response, isError ? response.body : filterFields(response.body, request.get('_fields'), false, response.wholeFields));
}

/** `POST /batch/v1`: several writes in one request, one after another. WP: only routes that allow it. */
export function batchRoute(table: () => MountedRoute[]): Route {
  const handler = async (call: EndpointCall<typeof ARGS>): Promise<RestResponse> => {
    const { params, request, site } = call;
    const parts = params.requests as Part[];
    if (site.quirks.has('batches-break-on-bad-paths') && parts.some((part) => !requestOf(part, request))) throw new CriticalError();
    if (params.validation === 'require-all-validate') {
      const errors = await Promise.all(parts.map((part) => invalid(part, call, table())));
      const responses = errors.map((error) => error && failed(error));
      if (errors.some(Boolean)) return new RestResponse({ failed: 'validation', responses }, 207);
    }
    const responses: Json[] = [];
    for (const part of parts) responses.push(await execute(part, request, table(), site));
    return new RestResponse({ responses }, 207);
  };
  return { path: '/batch/v1', endpoints: [endpoint({ methods: ['POST'], permission: 'public', args: ARGS, handler })] };
}
