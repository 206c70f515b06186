import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from '../../src/index.js';
import { http } from '../support/http.js';

/** Changes the response to a path; null: leaves it. */
export type Change = (path: string, text: string, home: string) => readonly [status: number | null, text: string] | null;

/** Starts a site in front of a server that changes responses, as hosts and plugins do. @returns its address */
export function siteInFront(origin: () => Server, change: Change): () => string {
  let home = '';
  const site = createServer((request, response) => {
    const { url = '/', method = 'GET' } = request;
    const { authorization, 'x-tec-eea': eea } = request.headers;
    const passed = { ...(authorization ? { authorization } : {}), ...(typeof eea === 'string' ? { 'x-tec-eea': eea } : {}) };
    const asked = url.replaceAll(encodeURIComponent(home), encodeURIComponent(origin().url));
    void http(method, `${origin().url}${asked}`, passed).then(({ status, headers, text }) => {
      const moved = text.replaceAll(origin().url, home).replaceAll(origin().url.replaceAll('/', '\\/'), home.replaceAll('/', '\\/'));
      const found = method === 'GET' ? change(url, moved, home) : null;
      const link = headers.get('link')?.replaceAll(origin().url, home);
      response.writeHead(found?.[0] ?? status, {
        'content-type': headers.get('content-type') ?? 'text/plain',
        ...(link === undefined ? {} : { link }),
        ...(headers.has('x-wp-totalpages') ? { 'x-wp-totalpages': headers.get('x-wp-totalpages')! } : {}),
      });
      response.end(found ? found[1] : moved);
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    home = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  afterAll(() => site.close());
  return () => home;
}
