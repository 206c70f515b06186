import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { http } from './http.js';

/** A dataset without content: one user of each role, and another one who owns the posts of "others". Its clock is frozen. */
export const PEOPLE = path.join(path.dirname(fileURLToPath(import.meta.url)), 'people.json');

const { users } = JSON.parse(readFileSync(PEOPLE, 'utf8')) as { users: { id: number; login: string; application_password: string }[] };

export const userId = (login: string): number => users.find((user) => user.login === login)?.id ?? 0;

/** Headers that sign in a user; none for `anonymous`. */
export function signedIn(login: string): Record<string, string> {
  const password = users.find((user) => user.login === login)?.application_password;
  return password === undefined ? {} : { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Sends a request to a URL, with an optional JSON body. */
export async function ask(login: string, method: string, url: string, body?: object): Promise<Answer> {
  const sent = body && JSON.stringify(body);
  const response = await http(method, url, { ...signedIn(login), ...(sent && { 'content-type': 'application/json' }) }, sent);
  return { ...response, body: JSON.parse(response.text) as Record<string, unknown> };
}
