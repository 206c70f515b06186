import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DatasetError } from '../../../transfer/problems.js';
import type { UserActionName, UserCall } from '../../../control/tenant/api/user-actions.js';
import { CommandError } from '../command.js';
import { codeOf } from '../../../base/values/errors.js';
import { chunksOf } from '../../../base/system/streams.js';

/** Problems with a connection, by the codes of errors. */
const CONNECTION_PROBLEMS: readonly (readonly [codes: RegExp, message: (url: string) => string])[] = [
  [/^(?:EPROTO|ERR_SSL_|ERR_TLS_|HPE_)/, (url) => `${url} does not speak ${url.split(':')[0].toUpperCase()}. Try ${otherProtocol(url)}`],
  [
    /CERT|SELF_SIGNED|ISSUER/,
    (url) => `The certificate of ${url} is not trusted. Name its file in the environment variable NODE_EXTRA_CA_CERTS`,
  ],
  [/./, (url) => `Cannot connect to ${url}. Is the server running? Start one with understudy serve`],
];

const otherProtocol = (url: string): string => (url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:'));

interface ErrorResponse {
  code?: string;
  message?: string;
}

export async function readResponseText(response: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The time in a response about the clock, ms since 1970 UTC; NaN if it is none. */
function timeIn(text: string): number {
  try {
    return Date.parse(String((JSON.parse(text) as { now?: unknown } | null)?.now));
  } catch {
    return Number.NaN;
  }
}

/** The test API of a running server, for commands. */
export class ServerApi {
  private met?: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly token: string | undefined,
  ) {}

  /** Runs an action of `understudy users`. @returns the text to print */
  async users(action: UserActionName, login: string, call: UserCall): Promise<string> {
    const { text } = await this.json<{ text: string }>('POST', '/__qa/users', undefined, { action, login, ...call });
    return text;
  }

  /** The site's clock, ms since 1970 UTC. */
  async now(): Promise<number> {
    const now = await this.send('GET', '/__qa/clock').then(readResponseText).then(timeIn);
    if (Number.isNaN(now)) throw this.stranger();
    return now;
  }

  /** The body of a response, which is JSON. @param route with its query, such as `/__qa/clock` */
  async json<T>(method: string, route: string, signal?: AbortSignal, body?: Readable | object): Promise<T> {
    const text = await readResponseText(await this.ask(method, route, signal, body));
    try {
      return JSON.parse(text) as T;
    } catch {
      throw this.stranger();
    }
  }

  /**
   * Asks first who is there: another server may take everything that is sent, and say that it is done.
   * @param body a stream as it is, an object as JSON
   * @throws CommandError for every error of the server or the connection to it; DatasetError if the content to send is faulty
   */
  async ask(method: string, route: string, signal?: AbortSignal, body?: Readable | object): Promise<http.IncomingMessage> {
    await (this.met ??= this.now().then(() => undefined));
    return this.send(method, route, signal, body);
  }

  private async send(method: string, route: string, signal?: AbortSignal, given?: Readable | object): Promise<http.IncomingMessage> {
    const { request } = this.url.startsWith('https:') ? https : http;
    const body = given === undefined || given instanceof Readable ? given : Readable.from([JSON.stringify(given)]);
    const headers = this.token === undefined ? {} : { 'X-Understudy-Token': this.token };
    // A separate connection: the server may be closing an idle one, and a stream cannot be sent twice.
    const sent = request(`${this.url}${route}`, { method, headers, agent: false, ...(signal ? { signal } : {}) });
    // An error in the content is more useful than the aborted request that follows from it.
    let sendError: unknown;
    const sending = body ? pipeline(body, sent).catch((error: unknown) => (sendError ??= error)) : sent.end();
    try {
      const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
      if ((response.statusCode ?? 500) >= 300) throw await this.errorFrom(response);
      return response;
    } catch (error) {
      await sending;
      if (sendError instanceof DatasetError) throw sendError;
      throw this.describe(error);
    }
  }

  /** Replaces connection errors with a message for the user. */
  private describe(error: unknown): unknown {
    const code = codeOf(error);
    if (code === undefined || code === 'ABORT_ERR') return error;
    const [, message] = CONNECTION_PROBLEMS.find(([codes]) => codes.test(code)) ?? CONNECTION_PROBLEMS[2];
    return new CommandError(`${message(this.url)} (${code})`);
  }

  private stranger(): CommandError {
    return new CommandError(`${this.url} is not an Understudy server, or its test API is off. Check the URL, and --token if it needs one`);
  }

  private async errorFrom(response: http.IncomingMessage): Promise<Error> {
    const text = await readResponseText(response);
    try {
      const { code = '', message = text } = JSON.parse(text) as ErrorResponse;
      if (/^(?:understudy|rest)_/.test(code)) return new CommandError(message);
    } catch {
      // Responses that are not from Understudy.
    }
    return this.stranger();
  }
}
