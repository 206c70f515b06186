import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { signIn, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

export const server = startTestServer({ dataset: WORLD, journal: 60 });
export const API = '/wp-json/tribe/events/v1';
export const AS_ADMIN = { authorization: signIn('admin'), 'content-type': 'application/json' };

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, parsed as JSON. */
  json: Any;
  /** The connection ended before the response was complete. */
  isCut: boolean;
  ms: number;
}
/** JSON of any shape. The expectations check it. */
export type Any = ReturnType<typeof JSON.parse>;

export const send = (
  method: string,
  at: string,
  body?: unknown,
  headers: Record<string, string> = {},
  base = server().url,
): Promise<Answer> =>
  new Promise((resolve) => {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    const started = performance.now();
    const chunks: Buffer[] = [];
    const finish = (status: number, answered: IncomingHttpHeaders, isCut: boolean): void => {
      const whole = Buffer.concat(chunks).toString();
      let json = {} as Any;
      try {
        json = JSON.parse(whole);
      } catch {
        // Pages and incomplete responses remain text.
      }
      resolve({ status, headers: answered, text: whole, json, isCut, ms: performance.now() - started });
    };
    const sent = httpRequest(`${base}${at}`, {
      method,
      agent: false,
      headers: { 'content-length': String(Buffer.byteLength(text)), ...headers },
    });
    sent.on('response', (response) => {
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => finish(response.statusCode ?? 0, response.headers, false));
      response.on('error', () => finish(response.statusCode ?? 0, response.headers, true));
    });
    sent.on('error', () => finish(0, {}, true));
    sent.end(text);
  });

export const event = (title: string): object => ({ title, start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' });
export const create = async (title: string): Promise<number> => (await send('POST', `${API}/events`, event(title), AS_ADMIN)).json.id;

beforeEach(async () => {
  await send('DELETE', '/__qa/faults');
  await send('DELETE', '/__qa/journal');
});
