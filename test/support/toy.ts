import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Server as HttpServer,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { handleErrors, receiveBody, requireBody } from '../../src/server/app/koa.js';
import { mountRoutes, type MountedRoute } from '../../src/wordpress/rest/table.js';
import { withIndexes } from '../../src/wordpress/rest/discovery.js';
import { byKoa } from '../../src/wordpress/rest/transport/http.js';
import { restApi } from '../../src/wordpress/rest/transport/transport.js';
import { Clock } from '../../src/wordpress/clock.js';
import { quirksOf } from '../../src/plugins/quirks.js';
import type { Profile } from '../../src/wordpress/quirks.js';
import { Site } from '../../src/wordpress/site.js';
import { newApplicationPassword } from '../../src/wordpress/users/users.js';
import type { Namespace } from '../../src/wordpress/rest/route.js';
import type { User } from '../../src/wordpress/model.js';
import type { Store } from '../../src/wordpress/store.js';
import { registry } from './registry.js';

const NOW = Date.UTC(2026, 5, 15, 12);

/** A user whose application password is `<login> secret`. */
export const toyUser = (id: number, login: string, role: string): User => ({
  _id: id,
  login,
  email: `${login}@example.org`,
  displayName: login,
  nicename: login,
  url: '',
  role,
  applicationPasswords: [newApplicationPassword('test', `${login} secret`, 0)],
});

/** The part of a store that authentication uses: finds users by a column, ignoring case. */
const userStore = (users: User[]): Store => {
  const findOne = (filter: Record<string, unknown>) => {
    const [[column, value]] = Object.entries(filter);
    if (column === 'applicationPasswords.0')
      return Promise.resolve(users.find(({ applicationPasswords }) => applicationPasswords.length > 0) ?? null);
    const wanted = String(value).toLowerCase();
    return Promise.resolve(users.find((user) => user[column as 'login' | 'email'].toLowerCase() === wanted) ?? null);
  };
  const remember = <T>(_name: string, compute: () => Promise<T>): Promise<T> => compute();
  const updateOne = (): Promise<void> => Promise.resolve();
  return { registry, users: { findOne, updateOne }, cache: { remember, invalidate: () => undefined } } as unknown as Store;
};

/** A site without a database, with a frozen clock, default options, and the given users. */
export const toySite = (url: string, users: User[] = [], profile: Profile = 'tec'): Site =>
  new Site(userStore(users), new Clock(NOW), quirksOf(profile), url, '/nowhere');

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, parsed as JSON; `undefined` if there is none. */
  json: unknown;
}

export interface Call {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
  /** Signs in with the toy user's application password. */
  as?: string;
}

export interface Toy {
  url: string;
  site: Site;
  /** Lines in the error log. */
  errors: string[];
  /** Paths without a matching route, as logged. */
  unrouted: string[];
  /** Sends a request to a path below the site's address, exactly as written. */
  call: (path: string, options?: Call) => Promise<Answer>;
  close: () => Promise<void>;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const agent = new Agent({ keepAlive: true });

/** Sends a request with the path exactly as written. `fetch` would normalize it. */
export function send(origin: string, path: string, { method = 'GET', headers = {}, body, as }: Call = {}): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const authorization = as === undefined ? {} : { authorization: `Basic ${Buffer.from(`${as}:${as} secret`).toString('base64')}` };
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method, headers: { ...authorization, ...length, ...headers }, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const listen = (server: HttpServer): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** Serves namespaces over HTTP with the real server's middleware, on a site without a database. */
export async function startToy(namespaces: Namespace[], users: User[] = [], profile?: Profile): Promise<Toy> {
  const errors: string[] = [];
  const unrouted: string[] = [];
  const server = createServer();
  const url = `http://127.0.0.1:${await listen(server)}`;
  const site = toySite(url, users, profile);
  const table: MountedRoute[] = mountRoutes(withIndexes(namespaces, () => table));
  const ignore = (): void => undefined;
  const app = new Koa();
  app.use(handleErrors({ error: (line) => errors.push(line), warn: ignore, info: ignore, debug: ignore }));
  app.use(receiveBody());
  app.use(requireBody);
  app.use(byKoa(restApi({ site, table: () => table, onNoRoute: (path) => unrouted.push(path) })));
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    url,
    site,
    errors,
    unrouted,
    call: (path, options) => send(url, path, options),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
