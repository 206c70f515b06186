import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiOf, type Api, type Login } from './api.js';
import type { Server } from '../../src/index.js';

/** The edge case dataset, described in `docs/edge-dataset.md`. */
export const EDGE = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/edge.json');

/** `Authorization` header of a user of that dataset. */
export const edgeSignIn = (login: Login): string => `Basic ${Buffer.from(`${login}:edge ${login} password`).toString('base64')}`;

/** Requests to a server with the edge case dataset, by its users. Takes the function that `startTestServer` returns. */
export function edgeApi(server: () => Server): Api {
  const api = apiOf(server);
  const call: Api['call'] = (method, route, { as, headers = {}, ...rest } = {}) =>
    api.call(method, route, { ...rest, headers: { ...(as && { authorization: edgeSignIn(as) }), ...headers } });
  return {
    call,
    get: (route, as) => call('GET', route, { ...(as && { as }) }),
    post: (route, body, as = 'admin') => call('POST', route, { as, body }),
    delete: (route, as = 'admin') => call('DELETE', route, { as }),
    reset: api.reset,
  };
}
