import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { formatNamed } from '../../src/transfer/formats/registry.js';
import { inputFile, openFile } from '../../src/transfer/formats/open.js';
import { Normalizer } from '../../src/transfer/live/check/compare.js';
import { SiteClient } from '../../src/transfer/live/client/client.js';
import { findSite } from '../../src/transfer/live/client/find.js';
import { pull, type Pulled, type PullOptions } from '../../src/transfer/live/pull/pull.js';
import { placeIn } from '../../src/transfer/load/mirror.js';
import { loadSource } from '../../src/transfer/load/load.js';
import type { DatasetSource } from '../../src/transfer/source.js';
import type { Server } from '../../src/index.js';
import { isRecord } from '../../src/base/values/records.js';
import { http } from '../support/http.js';
import { ACKNOWLEDGED } from '../support/tickets.js';

/** Copies of sites with tickets. */

export const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-pull-tickets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const NOW = '2026-06-15T12:00:00Z';
export const quick = { rate: 0, timeoutMs: 20_000, retries: 0 };

export interface Login {
  login: string;
  password: string;
}

let pulls = 0;

export function pullFrom({ url }: Server, more: Partial<PullOptions> = {}, credentials?: Login): Promise<Pulled> {
  pulls += 1;
  return pull({
    url,
    state: path.join(folder, String(pulls)),
    files: false,
    since: null,
    fresh: false,
    keepsPeople: false,
    client: { ...quick, ...(credentials ? { credentials } : {}) },
    notify: () => undefined,
    progress: () => undefined,
    ...more,
  });
}

/** A source after it was written to a file. */
export async function written(source: DatasetSource, format: string): Promise<DatasetSource> {
  const file = path.join(folder, `${pulls}.${format}`);
  const write = await formatNamed(format).write!();
  const out = createWriteStream(file);
  await write(source, out, { file, warn: () => undefined, wrote: () => undefined, settings: {} });
  out.end();
  await finished(out);
  return openFile(inputFile(file), { now: null });
}

/** Replaces the content of a server. @returns the login of its administrator */
export async function load({ site, url }: Server, source: DatasetSource): Promise<Login> {
  const place = placeIn(path.dirname(site.uploads));
  const { administrator } = await loadSource(site.store, source, {
    mode: 'replace',
    place,
    siteUrl: url,
    now: site.clock.seconds(),
    keepsAccounts: false,
    adminPassword: 'only for tests',
  });
  await site.reload();
  return administrator!;
}

type Body = Record<string, unknown>;

const authorizationOf = ({ login, password }: Login): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

/** Responses, by their routes. */
export type Answers = Record<string, unknown>;

/** The responses to the ordinary requests of readers. */
export async function reads({ url, restUrl }: Server, login?: Login): Promise<Answers> {
  const normalizer = new Normalizer(await findSite(new SiteClient(quick, url), url));
  const answers: Answers = {};
  const get = async (route: string): Promise<unknown> => {
    const { status, text } = await http('GET', `${restUrl}/${route}`, { ...(login && authorizationOf(login)), ...ACKNOWLEDGED });
    // The original addresses of posts (`guid`) are not copied: WordPress escapes the ones of posts that clients made.
    answers[route] = [status, normalizer.value(JSON.parse(text.replaceAll('&#038;p=', '&p=')))];
    return JSON.parse(text);
  };
  const list = async (route: string, key: string, query: string): Promise<Body[]> => {
    const body = (await get(`${route}?${query}`)) as Body;
    return Object.values((Array.isArray(body) ? body : (body[key] ?? [])) as Body[]).filter(isRecord);
  };
  const all = async (route: string, key: string, query: string): Promise<Body[]> => {
    const items = await list(route, key, query);
    for (const { id } of items) await get(`${route}/${String(id)}`);
    return items;
  };
  const events = await all('tribe/events/v1/events', 'events', 'start_date=1000-01-02&end_date=9999-12-30&per_page=50');
  await list('tribe/events/v1/events', 'events', 'start_date=1000-01-02&end_date=9999-12-30&per_page=50&page=2');
  await list('tribe/events/v1/events', 'events', 'start_date=1000-01-02&end_date=9999-12-30&per_page=50&ticketed=1');
  await all('tribe/tickets/v1/tickets', 'tickets', 'per_page=100');
  for (const { id } of events) await list('tribe/tickets/v1/tickets', 'tickets', `include_post=${String(id)}`);
  for (const query of ['provider=rsvp', 'is_available=0', 'capacity_min=10', 'available_from=2026-02-01', 'order=DESC&orderby=title'])
    await list('tribe/tickets/v1/tickets', 'tickets', `${query}&per_page=100`);
  await all('tribe/tickets/v1/attendees', 'attendees', 'per_page=100&orderby=id&order=ASC');
  for (const query of ['checkedin=1', 'rsvp_going_status=no']) await list('tribe/tickets/v1/attendees', 'attendees', `${query}&orderby=id`);
  await all('tec/v1/tickets', '', 'per_page=100&orderby=id&order=asc');
  await list('wp/v2/tribe_rsvp_tickets', '', 'per_page=100&orderby=id&order=asc');
  await list('wp/v2/tribe_events', '', 'per_page=100&orderby=id&order=asc');
  return answers;
}

/** An attendee in a response. */
const isPerson = (value: unknown): value is { title: string; email: string } =>
  isRecord(value) && typeof value['email'] === 'string' && 'checked_in' in value;

/** The names of attendees by their addresses. */
export function peopleOf(value: unknown, people = new Map<string, string>()): Map<string, string> {
  if (isPerson(value)) people.set(value.email, value.title);
  else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) peopleOf(member, people);
  return people;
}

/** Responses without what says who attendees are. */
export const withoutPeople = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, member: unknown) => (isPerson(member) ? { ...member, title: '', email: '' } : member));

/** Responses without the lists of attendees. */
export const withoutAttendees = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([route]) => !route.includes('/attendees')));

/** A request of an administrator that changes the site. */
export async function change({ restUrl }: Server, login: Login, method: string, route: string, body?: unknown): Promise<Body> {
  const headers = { ...authorizationOf(login), ...ACKNOWLEDGED, 'content-type': 'application/json' };
  const { status, text } = await http(method, `${restUrl}/${route}`, headers, body === undefined ? undefined : JSON.stringify(body));
  if (status > 299) throw new Error(`${route}: ${status} ${text}`);
  return JSON.parse(text) as Body;
}

/** Makes tickets as clients do, whose times are stored in other rows than a dataset's. */
export async function changeTickets(server: Server, admin: Login): Promise<void> {
  const add = async (title: string, more: object): Promise<number> => {
    const ticket = await change(server, admin, 'POST', 'tec/v1/tickets', { event: 50, title, price: 4, ...more });
    return Number(ticket['id']);
  };
  const moved = await add('Moved', { stock: 9 });
  await add('Usual', { stock: 2 });
  await add('With both times', { stock: 5, start_date: '2026-05-01 09:30:00', end_date: '2026-06-18 12:00:00' });
  await add('With a start', { stock_mode: 'unlimited', start_date: '2026-05-01 00:00:00' });
  await add('With an end', { stock: 5, end_date: '2026-06-18 12:00:00', sale_price: 2.5, sale_price_start_date: '2026-06-01' });
  await change(server, admin, 'PUT', `tec/v1/tickets/${moved}`, {
    title: 'Moved to the end',
    excerpt: 'a <b>description</b>',
    content: 'x',
  });
  await change(server, admin, 'POST', 'tribe/events/v1/events/20', { start_date: '2026-07-07 20:15:00', end_date: '2026-07-07 22:00:00' });
  await change(server, admin, 'POST', 'tribe/events/v1/events/40', { title: 'Costs what its tickets cost' });
  await change(server, admin, 'POST', 'tribe/tickets/v1/attendees/12', { check_in: true });
  await change(server, admin, 'POST', 'wp/v2/tribe_rsvp_tickets', {
    title: 'Made without the plugin',
    content: '<p>Text</p>',
    status: 'publish',
    meta: { _tribe_rsvp_for_event: '30', _tribe_ticket_capacity: '' },
  });
  const { id } = await change(server, admin, 'POST', 'tribe/events/v1/events', {
    title: 'Private',
    status: 'private',
    start_date: '2026-07-01',
    end_date: '2026-07-02',
  });
  await add('Of a private event', { event: id, stock: 3 });
}
