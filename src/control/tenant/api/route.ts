import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { RestRequest, type ParamSources, textHeaders } from '../../../wordpress/rest/request.js';
import { RestResponse, type Args, type CallContext, type Json, type Method, RestError } from '../../../wordpress/rest/route.js';
import { withParams, type ParamsOf } from '../../../wordpress/rest/params.js';

/** Path of the test API. */
export const PREFIX = '/__qa';

/** Formats a path for people: `/__qa/snapshots/(?P<name>[\w-]+)` becomes `/__qa/snapshots/{name}`. */
export function readable(path: string): string {
  // Innermost groups without a name first. Escaped parentheses do not group.
  const flat = path.replace(/\\[()]/g, '').replace(/\((?!\?P<)[^()]*\)/g, '');
  return flat === path ? path.replace(/\(\?P<(\w+)>[^()]*\)/g, '{$1}').replaceAll('\\.', '.') : readable(flat);
}

/** Path of the dataset file, for a load. */
export const FILE_ARG = {
  type: 'string',
  description: 'Real path of the file, which `save` writes to from now on. Ignored unless the token is that in the data folder.',
} as const;

/** A request to the test API, with the raw body for endpoints that need it. */
export class QaRequest extends RestRequest {
  constructor(
    method: Method | 'OPTIONS',
    path: string,
    sources: ParamSources,
    /** The HTTP request. Its body has been read, unless the endpoint's `body` is `stream`. */
    readonly incoming: IncomingMessage,
    /** The body; empty if the endpoint reads the stream. */
    readonly bytes: Buffer,
  ) {
    super(method, path, textHeaders(incoming.headers), sources);
  }
}

/** A response that is not JSON: a file, a page, a stream. */
export class QaFile extends RestResponse {
  constructor(
    readonly content: string | Buffer | Readable,
    readonly type: string,
    headers: Record<string, string> = {},
    status = 200,
  ) {
    super(null, status, headers);
  }
}

export interface QaEndpoint {
  methods: readonly Method[];
  /** A sentence for the index and the OpenAPI document. */
  summary: string;
  args: Args;
  /**
   * How the body is read. `fields` (default): a JSON object or a form whose members are parameters. `bytes`: as `request.bytes`.
   * `stream`: not at all; the handler reads `request.incoming`. With the latter two, parameters are in the query.
   */
  body?: 'fields' | 'bytes' | 'stream';
  /** Whether it has no time limit, because it loads content. */
  isLong?: boolean;
  /** Whether unknown parameters are accepted. */
  open?: boolean;
  /** Whether no token is required: it reveals nothing about the server and changes nothing. */
  isPublic?: boolean;
  handler: (request: QaRequest, context: CallContext) => Promise<RestResponse> | RestResponse;
}

/** A route of the test API. As in the REST API, the path is a regular expression with named groups. */
export interface QaRoute {
  /** The full path: `/__qa/snapshots/(?P<name>[\w-]+)`. */
  path: string;
  endpoints: QaEndpoint[];
}

interface Declared<Table extends Args> extends Omit<QaEndpoint, 'methods' | 'args' | 'handler'> {
  args?: Table;
  handler: (params: ParamsOf<Table>, request: QaRequest, context: CallContext) => Promise<RestResponse> | RestResponse;
}

const on =
  (...methods: Method[]) =>
  <Table extends Args = Record<string, never>>(path: string, { args = {} as Table, handler, ...declared }: Declared<Table>): QaRoute => ({
    path,
    endpoints: [
      {
        ...declared,
        methods,
        args,
        handler: (request, context) => withParams(args, ({ params }) => handler(params, request, context))(context),
      },
    ],
  });

/* An endpoint of a path, by its methods. */
export const get = on('GET');
export const post = on('POST');
export const put = on('PUT');
export const remove = on('DELETE');
export const putOrPost = on('PUT', 'POST');
export const change = on('PUT', 'POST', 'PATCH');

/** A route for each path, with all its endpoints. */
export function byPath(declared: readonly QaRoute[]): QaRoute[] {
  const routes = new Map<string, QaRoute>();
  for (const { path, endpoints } of declared) routes.set(path, { path, endpoints: [...(routes.get(path)?.endpoints ?? []), ...endpoints] });
  return [...routes.values()];
}

export const qaError = (code: string, message: string, status = 400, data: Record<string, Json> = {}): RestError =>
  new RestError(`understudy_${code}`, message, status, data);

/** The error of a request that timed out. @param what the request @param ms how long it took */
export const tooLong = (what: string, ms: number): RestError =>
  qaError('timeout', `${what} took longer than ${ms / 1000} s and was canceled.`, 503);

export const json = (body: Json, status = 200): RestResponse => new RestResponse(body, status);
