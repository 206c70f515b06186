import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** A request and its response, as far as the REST API and the journal look at them. Contexts of Koa are some. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  /** Without the query, still encoded. */
  readonly path: string;
  readonly querystring: string;
  readonly headers: IncomingMessage['headers'];
  /** Address of the caller. */
  readonly ip: string;
  /** The best of some language tags, or `false`. */
  acceptsLanguages(tags: string[]): string | false;
  status: number;
  body: unknown;
  /** Adds headers to the response. */
  set(headers: Record<string, string | string[]>): void;
  set(name: string, value: string | string[]): void;
  vary(name: string): void;
  readonly state: Record<string, unknown>;
  readonly req: Pick<IncomingMessage, 'rawHeaders'>;
  /** Names of headers are in lower case. */
  readonly res: { getHeaders(): OutgoingHttpHeaders; getHeaderNames(): string[] };
}
