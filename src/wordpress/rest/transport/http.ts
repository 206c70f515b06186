import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';

/** The parts of a request that the REST API and pages read. Contexts of Koa have them. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** Without the query, still encoded. */
  readonly path: string;
  readonly querystring: string;
  readonly headers: IncomingMessage['headers'];
  /** Address of the caller. */
  readonly ip: string;
  /** The best of some language tags, or `false`. */
  acceptsLanguages(tags: string[]): string | false;
}

export interface HttpResponse {
  status: number;
  /** In the order in which they are sent. */
  headers: Record<string, string | string[]>;
  /** Whether `Vary` is added to the middleware's, such as compression, instead of replacing it. */
  addsVary?: boolean;
  body: string | Buffer;
  /** Whether it is the same for every anonymous reader until something changes. */
  cacheable?: boolean;
  /** Whether there is nothing at the URL of the request. */
  isMissing?: boolean;
  /** Login of the caller, if they signed in. */
  login?: string | undefined;
}

declare module 'koa' {
  /** State of a request and its response that middleware shares. */
  interface DefaultState {
    rawBody?: Buffer | undefined;
    /** With what the body ended, if not well. */
    bodyError?: unknown;
    cacheable?: boolean;
    isMissing?: boolean;
    login?: string | undefined;
    /** The body of the response before it is compressed. */
    plainBody?: string | Buffer;
  }
}

/**
 * Koa middleware for a function that responds to requests.
 * @param respond takes the request and its body; returns null for requests that are passed on
 */
export function byKoa(respond: (request: HttpRequest, body: Buffer | undefined) => Promise<HttpResponse | null>): Middleware {
  return async (ctx, next) => {
    const response = await respond(ctx.request, ctx.state.rawBody);
    if (!response) return next();
    const { status, headers, addsVary = false, body, cacheable = false, isMissing = false, login } = response;
    const { response: sent, res } = ctx;
    sent.status = status;
    for (const name in headers) {
      if (addsVary && name === 'Vary') sent.vary(headers[name]);
      // `sent.set` takes several times as long.
      else res.setHeader(name, headers[name]);
    }
    sent.body = body;
    Object.assign(ctx.state, { cacheable, isMissing, login });
  };
}
