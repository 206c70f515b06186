import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { RestError } from '../rest/error.js';
import { RestRequest, type ParamSources } from '../rest/request.js';
import { RestResponse } from '../rest/response.js';
import { withParams, type ParamsOf } from '../rest/params.js';
import type { Args, CallContext, Json, Method } from '../rest/route.js';

/** Where the test surface is mounted. */
export const PREFIX = '/__qa';

/** A request to the test surface: parameters as in any other, and the body as it came where an endpoint asks for that. */
export class QaRequest extends RestRequest {
  constructor(
    method: Method | 'OPTIONS',
    path: string,
    sources: ParamSources,
    /** The request itself. Its body has been read, unless the endpoint's `body` is `stream`. */
    readonly incoming: IncomingMessage,
    /** Bytes of the body; empty where the endpoint reads the stream. */
    readonly bytes: Buffer,
  ) {
    super(method, path, incoming.headers as Record<string, string | undefined>, sources);
  }
}

/** An answer that is not JSON: a file, a page, a stream. */
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
  /** What it does, in a sentence, for the index and the document. */
  summary: string;
  args: Args;
  /**
   * How the body is read. `fields` (when absent): a JSON object or a form, of which each member is a parameter. `bytes`: as
   * `request.bytes`. `stream`: not at all; the handler reads `request.incoming`. With the latter two, parameters are in the query.
   */
  body?: 'fields' | 'bytes' | 'stream';
  /** Whether query parameters that are not declared are let through. */
  open?: boolean;
  /** Needs no token: it shows nothing of the server, and changes nothing. */
  isOpen?: boolean;
  handler: (request: QaRequest, context: CallContext) => Promise<RestResponse> | RestResponse;
}

/** An endpoint whose handler gets the parameters that its table declares. */
export const endpoint = <Table extends Args>({
  handler,
  ...declared
}: Omit<QaEndpoint, 'args' | 'handler'> & {
  args: Table;
  handler: (params: ParamsOf<Table>, request: QaRequest) => Promise<RestResponse> | RestResponse;
}): QaEndpoint => ({
  ...declared,
  handler: (request, context) => withParams(declared.args, ({ params }) => handler(params, request))(context),
});

/** A row of the table of the test surface, as those of the REST API: the path is a regular expression with named groups. */
export interface QaRoute {
  /** The whole path below the server: `/__qa/snapshots/(?P<name>[\w-]+)`. */
  path: string;
  endpoints: QaEndpoint[];
}

/** A refusal of the test surface. */
export const refuse = (code: string, message: string, status = 400, data: Record<string, Json> = {}): RestError =>
  new RestError(`understudy_${code}`, message, status, data);

export const json = (body: Json, status = 200): RestResponse => new RestResponse(body, status);
