import { matcher, type MatchedRequest } from '../match.js';
import { jsonOf, NOTHING_SENT, readBody } from '../match-body.js';
import { qaError } from '../api/route.js';
import type { ParamsOf } from '../../../wordpress/rest/params.js';
import type { Args, Json } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import type { Tenant } from '../tenant.js';
import { requestHeader, type Entry } from './journal.js';

/** Which entries to return. */
export const FILTERS = {
  method: { type: 'string', description: 'Only requests with this method.' },
  path: {
    type: 'string',
    description: 'Only requests whose path, or route below the REST root, matches: `*` matches within a segment, `**` across segments.',
  },
  body: {
    type: 'string',
    description: 'Only requests with this body, with `*` as wildcard; or a JSON object of members that its JSON or form must have.',
  },
  status: {
    type: 'string',
    pattern: '^(?:\\d{1,3}|[1-5]xx)$',
    description: 'Only responses with this status or class of statuses: `404`, `4xx`. 0: connections dropped before the response.',
  },
  since: { type: 'string', description: 'Only entries after the entry with this ID, or since this time (ISO 8601, real time).' },
  user: { type: 'string', description: 'Only requests of this login; an empty string matches anonymous requests.' },
  stub: { type: 'integer', description: 'Only requests that the stub with this ID has responded to.' },
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

/** The request of an entry, as rules of a site see it. @param readsBody whether they look at its body */
export async function requestOf(entry: Entry, readsBody: boolean, { options: { rewrite } }: Site): Promise<MatchedRequest> {
  const header = (name: string): string | undefined => requestHeader(entry, name);
  const body = readsBody ? readBody(entry.body, header('content-type')) : NOTHING_SENT;
  return { method: entry.method, url: entry.url, header, body, rewrite };
}

function wantedBody(text: string): Json {
  const value = jsonOf(text) ?? null;
  return value !== null && typeof value === 'object' ? value : text;
}

/** The entries that match, the oldest first. @throws RestError for an invalid filter */
export async function filteredEntries(
  { journal, site }: Tenant,
  { method, path, body, status, since, user, stub }: ParamsOf<typeof FILTERS>,
): Promise<Entry[]> {
  const tests: ((entry: Entry) => boolean)[] = [];
  const hasBody = body !== undefined;
  const matches = matcher({
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(hasBody ? { body: wantedBody(body) } : {}),
  });
  if (stub !== undefined) tests.push((entry) => entry.stub === stub);
  if (status !== undefined) tests.push(statusTest(status));
  if (since !== undefined) tests.push(sinceTest(since));
  if (user !== undefined) tests.push((entry) => (entry.user ?? '') === user);
  const found = journal.all().filter((entry) => tests.every((test) => test(entry)));
  if (method === undefined && path === undefined && !hasBody) return found;
  const differences = await Promise.all(found.map(async (entry) => matches(await requestOf(entry, hasBody, site))));
  return found.filter((_, index) => differences[index].length === 0);
}

/** The argument of routes for a single entry. */
export const NUMBERED = { id: { type: 'integer', required: true, description: 'ID of the entry.' } } satisfies Args;

/** @throws RestError if the entry does not exist */
export function entryOf({ journal }: Tenant, id: number): Entry {
  const entry = journal.find(id);
  if (!entry) throw qaError('no_entry', `Entry ${id} does not exist. It may have been replaced by newer entries.`, 404);
  return entry;
}
