import { matcher } from '../match.js';
import { qaError } from '../api/route.js';
import type { ParamsOf } from '../../rest/params.js';
import type { Args } from '../../rest/route.js';
import type { Tenant } from '../tenant.js';
import type { Entry } from './journal.js';

/** Which entries to return. */
export const FILTERS = {
  method: { type: 'string', description: 'Only requests with this method.' },
  path: {
    type: 'string',
    description: 'Only requests whose path, or route below the REST root, matches: `*` matches within a segment, `**` across segments.',
  },
  status: {
    type: 'string',
    pattern: '^(?:\\d{1,3}|[1-5]xx)$',
    description: 'Only responses with this status or class of statuses: `404`, `4xx`. 0: connections dropped before the response.',
  },
  since: { type: 'string', description: 'Only entries after the entry with this ID, or since this time (ISO 8601, real time).' },
  user: { type: 'string', description: 'Only requests of this login; an empty string matches anonymous requests.' },
} satisfies Args;

function sinceTest(text: string): (entry: Entry) => boolean {
  if (/^\d+$/.test(text)) return ({ id }) => id > Number(text);
  const from = Date.parse(text);
  if (Number.isNaN(from))
    throw qaError(
      'invalid_filter',
      'Invalid "since". Use the number of an entry or an ISO 8601 date and time such as "2026-06-15T12:00:00Z".',
    );
  return ({ at }) => at >= from;
}

function statusTest(text: string): (entry: Entry) => boolean {
  if (text.endsWith('xx')) return ({ status }) => Math.floor(status / 100) === Number(text[0]);
  return ({ status }) => status === Number(text);
}

/** The entries that match, the oldest first. @throws RestError for an invalid filter */
export function filtered({ journal }: Tenant, { method, path, status, since, user }: ParamsOf<typeof FILTERS>): Entry[] {
  const tests: ((entry: Entry) => boolean)[] = [];
  if (method !== undefined || path !== undefined) {
    const matches = matcher({ method, path });
    tests.push((entry) => matches({ method: entry.method, url: entry.url, header: () => undefined }).length === 0);
  }
  if (status !== undefined) tests.push(statusTest(status));
  if (since !== undefined) tests.push(sinceTest(since));
  if (user !== undefined) tests.push((entry) => (entry.user ?? '') === user);
  return journal.all().filter((entry) => tests.every((test) => test(entry)));
}

/** The argument of routes for a single entry. */
export const NUMBERED = { id: { type: 'integer', required: true, description: 'ID of the entry.' } } satisfies Args;

/** @throws RestError if the entry does not exist */
export function entryOf({ journal }: Tenant, id: number): Entry {
  const entry = journal.find(id);
  if (!entry) throw qaError('no_entry', `Entry ${id} does not exist. It may have been replaced by newer entries.`, 404);
  return entry;
}
