import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server, ServerOptions } from '../../src/index.js';
import { http } from './http.js';
import { startTestServer } from './server.js';

/** The recorded site: the dataset of the recordings and of the measured examples. */
export const WORLD = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/world.json');

export type Login = 'admin' | 'editor' | 'author' | 'contributor' | 'subscriber';

const { users } = JSON.parse(readFileSync(WORLD, 'utf8')) as { users: { login: Login; application_password: string }[] };

/** Application password of a user of the recorded site. */
export function passwordOf(login: Login): string {
  const user = users.find((one) => one.login === login);
  if (!user) throw new Error(`The world has no user ${login}.`);
  return user.application_password;
}

/** `Authorization` header of a user of the recorded site. */
export const signIn = (login: Login): string => `Basic ${Buffer.from(`${login}:${passwordOf(login)}`).toString('base64')}`;

export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** Body of an error response. */
export interface Refusal {
  code: string;
  message: string;
  data: { status: number; params?: Record<string, string> | string[] } | null;
}

interface CallOptions {
  /** The user who signs in; anonymous by default. */
  as?: Login;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Api {
  /**
   * Sends a request to a route of the calendar's namespace, such as `events?page=2`, and parses the JSON response. A path that starts
   * with `/` is relative to the REST root.
   */
  call: <T>(method: string, route: string, options?: CallOptions) => Promise<Answer<T>>;
  get: <T>(route: string, as?: Login) => Promise<Answer<T>>;
  post: <T>(route: string, body: unknown, as?: Login) => Promise<Answer<T>>;
  delete: <T>(route: string, as?: Login) => Promise<Answer<T>>;
  /** Restores the dataset. */
  reset: () => Promise<void>;
}

/** Requests to a server with the recorded site. Takes the function that `startTestServer` returns. */
export function apiOf(server: () => Server, namespace = 'tribe/events/v1'): Api {
  const address = (route: string): string => server().restUrl + (route.startsWith('/') ? route : `/${namespace}/${route}`);
  const call = async <T>(method: string, route: string, { as, body, headers = {} }: CallOptions = {}): Promise<Answer<T>> => {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const response = await http(
      method,
      address(route),
      { ...(as && { authorization: signIn(as) }), ...(sent !== undefined && { 'content-type': 'application/json' }), ...headers },
      sent,
    );
    return { ...response, body: JSON.parse(response.text) as T };
  };
  return {
    call,
    get: (route, as) => call('GET', route, { ...(as && { as }) }),
    post: (route, body, as = 'admin') => call('POST', route, { as, body }),
    delete: (route, as = 'admin') => call('DELETE', route, { as }),
    reset: async () => {
      const { status } = await http('POST', `${server().url}/__qa/reset`);
      if (status !== 200) throw new Error(`The reset failed with status ${status}.`);
    },
  };
}

/** Starts a server with the recorded site, for one test file or one `describe`. */
export const startWorld = (options: Partial<ServerOptions> = {}): Api => apiOf(startTestServer({ ...options, dataset: WORLD }));
