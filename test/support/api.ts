import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '../../src/index.js';
import { startTestServer } from './server.js';

/** The recorded world: the dataset that the recordings and the measured examples were made in. */
export const WORLD = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/world.json');

export type Login = 'admin' | 'editor' | 'author' | 'contributor' | 'subscriber';

const { users } = JSON.parse(readFileSync(WORLD, 'utf8')) as { users: { login: Login; application_password: string }[] };

/** Value of the `Authorization` header with which a user of the world signs in. */
export function signIn(login: Login): string {
  const user = users.find((one) => one.login === login);
  if (!user) throw new Error(`The world has no user ${login}.`);
  return `Basic ${Buffer.from(`${login}:${user.application_password}`).toString('base64')}`;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** Body of a refusal. */
export interface Refusal {
  code: string;
  message: string;
  data: { status: number; params?: Record<string, string> | string[] } | null;
}

export interface CallOptions {
  /** Who calls; nobody signed in when absent. */
  as?: Login;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Api {
  /**
   * Sends a request to a route, such as `events?page=2`, of the calendar's namespace (a path that starts with `/` is one below the
   * REST root) and reads the JSON answer.
   */
  call: <T>(method: string, route: string, options?: CallOptions) => Promise<Answer<T>>;
  get: <T>(route: string, as?: Login) => Promise<Answer<T>>;
  post: <T>(route: string, body: unknown, as?: Login) => Promise<Answer<T>>;
  delete: <T>(route: string, as?: Login) => Promise<Answer<T>>;
  /** Brings the world back. */
  reset: () => Promise<void>;
}

/** Calls to a server that has the recorded world; give the function that `startTestServer` returns. */
export function apiOf(server: () => Server, namespace = 'tribe/events/v1'): Api {
  const address = (route: string): string => server().restUrl + (route.startsWith('/') ? route : `/${namespace}/${route}`);
  const call = async <T>(method: string, route: string, { as, body, headers = {} }: CallOptions = {}): Promise<Answer<T>> => {
    const response = await fetch(address(route), {
      method,
      headers: {
        ...(as && { authorization: signIn(as) }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  return {
    call,
    get: (route, as) => call('GET', route, { ...(as && { as }) }),
    post: (route, body, as = 'admin') => call('POST', route, { as, body }),
    delete: (route, as = 'admin') => call('DELETE', route, { as }),
    reset: async () => {
      const response = await fetch(`${server().url}/__qa/reset`, { method: 'POST' });
      if (!response.ok) throw new Error(`The reset was answered with ${response.status}.`);
    },
  };
}

/** A server with the recorded world for one test file or one `describe`. */
export const startWorld = (): Api => apiOf(startTestServer({ dataset: WORLD }));
