import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Fetch, FetchResponse } from '../client/transport.js';

/**
 * A minimal `fetch` based on Node's `http`. It also works in jsdom, and tests that mock the global `fetch` do not affect it. Does not
 * follow redirects.
 */
export const nodeFetch: Fetch = (url, { method, headers, body = '', signal }) =>
  new Promise<FetchResponse>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const get = (name: string): string | null => [response.headers[name.toLowerCase()] ?? []].flat().join(', ') || null;
        resolve({ status: response.statusCode ?? 0, headers: { get }, text: () => Promise.resolve(text) });
      });
    });
    signal?.addEventListener('abort', () => sent.destroy(new Error('aborted')));
    sent.on('error', reject).end(body);
  });

/** Sends a POST request without a body, and writes the response to a file. @throws Error unless the whole response is there */
export async function download(url: string, headers: Record<string, string>, file: string): Promise<void> {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'POST', headers }).end();
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`POST ${url} responded with status ${response.statusCode}.`);
  await pipeline(response, createWriteStream(file, { mode: 0o600 }));
}
