import * as fc from 'fast-check';
import { PEOPLE, ask, type Answer } from '../../../support/people.js';
import { startTestServer } from '../../../support/server.js';

/** Factor on the usual number of runs. Higher values search longer. */
const EFFORT = Number(process.env['UNDERSTUDY_TEST_EFFORT'] ?? 0.5);
export const runs = (count: number) => ({ numRuns: Math.max(1, Math.round(count * EFFORT)), interruptAfterTimeLimit: LIMIT / 2 });
export const LIMIT = 60_000 * Math.max(1, EFFORT);

export const server = startTestServer({ dataset: PEOPLE });

export const call = (login: string, method: string, address: string, body?: object): Promise<Answer> =>
  ask(login, method, `${server().restUrl}/tribe/events/v1/${address}`, body);

export const created = async (login: string, collection: string, body: object): Promise<Record<string, unknown>> => {
  const { status, body: made } = await call(login, 'POST', collection, body);
  expect({ status, ...(status === 201 ? {} : made) }).toEqual({ status: 201 });
  return made;
};

const TITLES = ['Alpha', 'alpha', 'Beta', 'Ünï Tést', 'Gamma Ray', '!!!', '日本', 'Alpha 2'];
export const TERM_NAMES = ['Music', 'music', 'Rock', 'Rock & Roll', 'Talk', '2026', '!!!'];
export const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'];
export const WRITERS = ['administrator', 'editor', 'author', 'contributor'];
export const DAYS = ['2026-06-20', '2026-07-01', '2026-10-25', '2026-11-01', '2027-03-14'];
export const ZONES = ['', 'America/New_York', 'Asia/Tokyo', 'Europe/Paris', 'UTC+2'];
export const title = fc.constantFrom(...TITLES);
export const optional = { requiredKeys: [] };
export const EVENT_DATES = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' };
export const queryOf = (filter: object): string =>
  Object.entries(filter)
    .map(([name, value]) => `&${name}=${encodeURIComponent(String(value))}`)
    .join('');
export type Json = Record<string, unknown>;
