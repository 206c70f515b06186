import http from 'node:http';
import https from 'node:https';
import type { Fetch, FetchAnswer } from '../client/transport.js';

/**
 * `fetch` by Node's own means, as far as the helpers need it: it is there in jsdom, too, and a test that puts something in place of the
 * global one does not change what steers the server. Follows no redirects.
 */
export const nodeFetch: Fetch = (url, { method, headers, body = '', signal }) =>
  new Promise<FetchAnswer>((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const get = (name: string): string | null => [answer.headers[name.toLowerCase()] ?? []].flat().join(', ') || null;
        resolve({ status: answer.statusCode ?? 0, headers: { get }, text: () => Promise.resolve(text) });
      });
    });
    signal?.addEventListener('abort', () => sent.destroy(new Error('aborted')));
    sent.on('error', reject).end(body);
  });
