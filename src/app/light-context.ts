import { validateHeaderValue, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type Koa from 'koa';
import type { Exchange } from '../rest/transport/exchange.js';

type Value = string | number | string[];

/**
 * A request and its response in place of a context of Koa, for requests that need little of Koa. What it has of a context does the same.
 * The response is put together here, and then sent at once.
 */
export class LightContext implements Exchange {
  readonly state: Exchange['state'] = {};
  /** For koa-compress: whether it may compress. */
  compress?: boolean;
  readonly writable = true;
  readonly request: Koa.Request;
  private code = 404;
  private content: unknown;
  private isSent = false;
  /** Headers by names in lower case, and these names as they are sent. */
  private readonly values: Record<string, Value> = {};
  private readonly names: Record<string, string> = {};

  constructor(
    app: Koa,
    readonly req: IncomingMessage,
    private readonly outgoing: ServerResponse,
  ) {
    // What Koa reads of a request depends on nothing else.
    this.request = Object.assign(Object.create(app.request) as Koa.Request, { app, req });
  }

  get method(): string {
    return this.req.method ?? '';
  }

  get url(): string {
    return this.req.url ?? '';
  }

  get headers(): Exchange['headers'] {
    return this.req.headers;
  }

  get path(): string {
    return this.request.path;
  }

  get querystring(): string {
    return this.request.querystring;
  }

  get ip(): string {
    return this.request.ip;
  }

  acceptsLanguages(tags: string[]): string | false {
    return this.request.acceptsLanguages(tags);
  }

  acceptsEncodings(encodings: string[]): string | false {
    return this.request.acceptsEncodings(encodings);
  }

  get status(): number {
    return this.code;
  }

  set status(status: number) {
    if (!this.isSent) this.code = status;
  }

  get body(): unknown {
    return this.content;
  }

  set body(body: unknown) {
    if (this.isSent) return;
    this.content = body;
    if (typeof body === 'string' || Buffer.isBuffer(body)) this.put('Content-Length', Buffer.byteLength(body));
  }

  set(given: string | Record<string, string | string[]>, value: string | string[] = ''): void {
    if (typeof given === 'string') this.put(given, value);
    else for (const name in given) this.put(name, given[name]);
  }

  private put(name: string, value: Value): void {
    if (this.isSent) return;
    if (typeof value === 'string') validateHeaderValue(name, value);
    else if (typeof value === 'object') for (const each of value) validateHeaderValue(name, each);
    const lower = name.toLowerCase();
    this.values[lower] = value;
    this.names[lower] = name;
  }

  vary(name: string): void {
    const known = this.field('vary');
    const isNamed = known?.split(', ').some((each) => each.toLowerCase() === name.toLowerCase());
    if (!isNamed) this.put('Vary', known === undefined ? name : `${known}, ${name}`);
  }

  private field(name: string): string | undefined {
    return Object.hasOwn(this.values, name) ? String(this.values[name]) : undefined;
  }

  /** The response, as far as koa-compress asks for it. */
  get response() {
    const length = this.field('content-length');
    return {
      type: this.field('content-type')?.split(';', 1)[0] ?? '',
      length: length === undefined ? undefined : Number(length),
      get: (name: string) => this.field(name.toLowerCase()) ?? '',
    };
  }

  get res() {
    const { outgoing, values } = this;
    return {
      headersSent: this.isSent,
      getHeaders: (): OutgoingHttpHeaders => ({ ...outgoing.getHeaders(), ...values }),
      getHeaderNames: () => [...outgoing.getHeaderNames(), ...Object.keys(values)],
      removeHeader: (name: string): void => {
        delete values[name.toLowerCase()];
      },
    };
  }

  /** Sends the response. What is changed later has no effect. @param failed called if the client does not receive it */
  send(failed: (error: Error) => void): void {
    const { outgoing, content, values, names } = this;
    this.isSent = true;
    const headers: Value[] = [];
    for (const name in values) headers.push(names[name], values[name]);
    outgoing.writeHead(this.code, headers as string[]);
    if (content instanceof Readable) pipeline(content, outgoing, (error) => error && failed(error));
    else outgoing.end(content);
  }
}
