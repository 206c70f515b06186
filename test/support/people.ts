import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A dataset without content: one user of each role, and one more to whom "others'" things belong. Its clock stands still. */
export const PEOPLE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'people.json');

const { users } = JSON.parse(readFileSync(PEOPLE, 'utf8')) as { users: { id: number; login: string; application_password: string }[] };

export const userId = (login: string): number => users.find((user) => user.login === login)?.id ?? 0;

/** Headers that sign a user in; none for `anonymous`. */
export function signedIn(login: string): Record<string, string> {
  const password = users.find((user) => user.login === login)?.application_password;
  return password === undefined ? {} : { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Sends a request to an address, with a JSON body if there is one. */
export async function ask(login: string, method: string, url: string, body?: object): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...signedIn(login), ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, headers: response.headers };
}
