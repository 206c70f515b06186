import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DatasetError } from '../content/problems.js';
import type { UserActionName, UserCall } from '../tenant/api/user-actions.js';
import { CommandError } from './command.js';

/** Error codes of a server that is not there, or goes away. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'EPIPE']);

/** Error response of the test API. */
interface ErrorResponse {
  message?: string;
  data?: { problems?: string[] };
}

export async function textOf(response: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The test API of a running server, for commands. */
export class ServerApi {
  constructor(
    private readonly url: string,
    private readonly token: string | undefined,
  ) {}

  /** Runs an action of `understudy users`. @returns the text to print */
  async users(action: UserActionName, login: string, call: UserCall): Promise<string> {
    const response = await this.ask('POST', '/users', undefined, Readable.from([JSON.stringify({ action, login, ...call })]));
    return (JSON.parse(await textOf(response)) as { text: string }).text;
  }

  async ask(method: string, route: string, signal?: AbortSignal, body?: Readable): Promise<http.IncomingMessage> {
    const { request } = this.url.startsWith('https:') ? https : http;
    const headers = { ...(this.token === undefined ? {} : { 'X-Understudy-Token': this.token }) };
    // A separate connection: the server may just be closing one that was kept, and a stream cannot be sent twice.
    const sent = request(`${this.url}/__qa${route}`, { method, headers, agent: false, ...(signal ? { signal } : {}) });
    // An error in the content is more useful than the aborted request that follows from it.
    let sendError: unknown;
    const sending = body ? pipeline(body, sent).catch((error: unknown) => (sendError ??= error)) : sent.end();
    try {
      const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
      if ((response.statusCode ?? 500) < 300) return response;
      throw await this.errorFrom(response);
    } catch (error) {
      await sending;
      if (sendError instanceof DatasetError) throw sendError;
      throw this.describe(error);
    }
  }

  /** Replaces connection errors with a message for the user. */
  describe(error: unknown): unknown {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !UNREACHABLE.has(code)) return error;
    return new CommandError(`Cannot connect to ${this.url} (${code}). Start the server with understudy serve`);
  }

  private async errorFrom(response: http.IncomingMessage): Promise<Error> {
    const text = await textOf(response);
    if (response.statusCode === 404)
      return new CommandError(
        `${this.url} does not serve this route: it is not Understudy, or it runs with --no-qa and requires its token`,
      );
    try {
      const { message = text } = JSON.parse(text) as ErrorResponse;
      return new CommandError(message);
    } catch {
      return new CommandError(`${this.url} responded with ${response.statusCode ?? ''}: ${text.slice(0, 200)}`);
    }
  }
}
