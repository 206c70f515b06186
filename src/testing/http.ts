import http from 'node:http';
import https from 'node:https';
import type { Fetch, FetchAnswer } from '../client/transport.js';

/** `fetch` by Node's own means: environments such as jsdom have no global one. Follows no redirects. */
const nodeFetch: Fetch = (url, { method, headers, body, signal }) =>
  new Promise<FetchAnswer>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    const sent = request(url, { method, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body ?? '')) } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const header = (name: string): string | null => {
          const value = answer.headers[name.toLowerCase()];
          return value === undefined ? null : [value].flat().join(', ');
        };
        resolve({ status: answer.statusCode ?? 0, headers: { get: header }, text: () => Promise.resolve(text) });
      });
    });
    signal?.addEventListener('abort', () => sent.destroy(new Error('aborted')));
    sent.on('error', reject).end(body);
  });

/** What asks when nothing else is given: never what a test has put in place of the global `fetch`, if that can be told. */
export const defaultFetch: Fetch = nodeFetch;
