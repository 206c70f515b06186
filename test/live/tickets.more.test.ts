import { isOneOf } from '../../src/base/values/records.js';
import { readFileSync } from 'node:fs';
import type { Dataset } from '../../src/sdk/types/dataset.js';
import { collect } from '../../src/transfer/formats/collect.js';
import { TICKET_TYPES, ticketOf } from '../../src/plugins/event-tickets/model/ticket.js';
import { http } from '../support/http.js';
import { TICKETS_DATASET } from '../support/tickets.js';
import { startTestServer } from '../support/server.js';
import {
  change,
  changeTickets,
  load,
  NOW,
  peopleOf,
  pullFrom,
  reads,
  withoutAttendees,
  withoutPeople,
  written,
  type Answers,
  type Login,
} from './ticket-copies.js';

const ADMIN: Login = { login: 'admin', password: 'only for tests 1234' };
const EDITOR: Login = { login: 'editor', password: 'only for tests 5678' };

/** The dataset `tickets`, in which somebody bought a ticket with an account. */
const dataset = JSON.parse(readFileSync(TICKETS_DATASET, 'utf8')) as Dataset;
const [concert] = dataset.events ?? [];
Object.assign(concert.tickets?.[0].attendees?.[0] ?? {}, { author: 'ann' });
const users = [...(dataset.users ?? []), { login: 'ann', name: 'Ann Account', role: 'subscriber' as const }];

const source = startTestServer({ dataset: { ...dataset, users }, now: NOW });
const target = startTestServer({ plugins: ['event-tickets'], now: NOW });

/** What the site shows to visitors, and to its administrator. */
let [toVisitors, toAdmin]: Answers[] = [];

beforeAll(async () => {
  await changeTickets(source(), ADMIN);
  [toVisitors, toAdmin] = [await reads(source()), await reads(source(), ADMIN)];
}, 30_000);

/** Notes of a pull besides the releases. */
const notesOf = (notes: readonly string[]): string[] =>
  notes.filter((note) => !/^The site (?:runs|does not show these settings)/.test(note));

const UNCOUNTED = '1 ticket or RSVP has no limit: the site does not show how many are taken.';

describe('a copy by an administrator', () => {
  test('shows the same as the site, also from a file', async () => {
    const pulled = await pullFrom(source(), { keepsPeople: true }, ADMIN);
    expect((await collect(pulled.source)).users.map(({ displayName }) => displayName)).toContain('Ann Account');
    const administrator = await load(target(), await written(pulled.source, 'json'));
    await pulled.deleteProgress();
    expect(await reads(target())).toEqual(toVisitors);
    expect(await reads(target(), administrator)).toEqual(toAdmin);
    expect(notesOf(pulled.notes())).toEqual([]);
  });

  test('has other people, and shows the same otherwise', async () => {
    const pulled = await pullFrom(source(), {}, ADMIN);
    const content = JSON.stringify(await collect(pulled.source));
    const administrator = await load(target(), pulled.source);
    await pulled.deleteProgress();
    const copied = await reads(target(), administrator);
    const [people, before] = [peopleOf(copied), peopleOf(toAdmin)];
    expect(before.size).toBeGreaterThan(5);
    expect(people.size).toBe(before.size);
    expect([...people].filter(([email, name]) => !/^attendee-\d+@example\.org$/.test(email) || !/^Attendee \d+$/.test(name))).toEqual([]);
    expect(['Ann Account', ...[...before].flat()].filter((text) => content.includes(text))).toEqual([]);
    expect(withoutPeople(copied)).toEqual(withoutPeople(toAdmin));
    expect(notesOf(pulled.notes())).toEqual([
      `${before.size} attendees have other names and email addresses. Use --keep-emails to keep them.`,
    ]);
  });

  test('needs no request for each ticket', async () => {
    await http('DELETE', `${source().url}/__qa/journal`);
    await (await pullFrom(source(), {}, ADMIN)).deleteProgress();
    const journal = JSON.parse((await http('GET', `${source().url}/__qa/journal?limit=1000`)).text) as { entries: { url: string }[] };
    const paths = journal.entries.map(({ url }) => url.replace(/\?.*/, '').replace(/^.*\/wp-json\//, ''));
    expect(paths.filter((each) => /ticket|attendee/.test(each)).toSorted()).toEqual([
      'tec/v1/tickets',
      'tribe/tickets/v1/tickets',
      'wp/v2/tribe_rsvp_tickets',
    ]);
  });

  test('says how many attendees are not in the lists', async () => {
    await change(source(), ADMIN, 'DELETE', 'tec/v1/tickets/21');
    const pulled = await pullFrom(source(), { keepsPeople: true }, ADMIN);
    await pulled.deleteProgress();
    await http('POST', `${source().url}/__qa/reset`);
    await changeTickets(source(), ADMIN);
    expect(notesOf(pulled.notes())).toEqual(['2 attendees with deleted tickets are not copied.']);
  });
});

describe('a copy without rights', () => {
  const WHY = 'The site shows attendees, with names and email addresses, only to administrators: none are copied.';

  test('shows visitors the same, except attendees', async () => {
    const pulled = await pullFrom(source());
    const content = JSON.stringify(await collect(pulled.source));
    await load(target(), await written(pulled.source, 'json'));
    await pulled.deleteProgress();
    expect(withoutAttendees(await reads(target()))).toEqual(withoutAttendees(toVisitors));
    expect([...peopleOf(toAdmin)].flat().filter((text) => content.includes(text))).toEqual([]);
    expect(notesOf(pulled.notes())).toEqual([UNCOUNTED, `${WHY} Sign in with --login and --password-env.`]);
  });

  test('by an editor says that editors do not see them either', async () => {
    const pulled = await pullFrom(source(), {}, EDITOR);
    await pulled.deleteProgress();
    expect(notesOf(pulled.notes())).toEqual([UNCOUNTED, `${WHY} This login does not manage attendees.`]);
  });

  test('takes tickets of older releases, and names other providers', async () => {
    const known = toVisitors['tribe/tickets/v1/tickets/14'] as [number, object];
    const { sale_price_data: _, type: _type, available_until: _until, ...older } = known[1] as Record<string, unknown>;
    const tickets = [
      { ...older, capacity: -1, capacity_details: { available_percentage: 100, available: -1 } },
      { ...older, id: 900, provider: 'woo' },
    ];
    const stubs = [
      { match: { path: '/wp-json/tribe/tickets/v1/tickets' }, respond: { body: { total: 2, total_pages: 1, tickets } } },
      { match: { path: '/wp-json/tec/v1/tickets' }, respond: { status: 404, body: { code: 'rest_no_route' } } },
    ];
    for (const stub of stubs) await http('POST', `${source().url}/__qa/stubs`, {}, JSON.stringify(stub));
    const pulled = await pullFrom(source());
    const { posts } = await collect(pulled.source);
    await pulled.deleteProgress();
    await http('DELETE', `${source().url}/__qa/stubs`);
    const copied = posts.filter(({ type }) => isOneOf(TICKET_TYPES, type));
    expect(copied).toMatchObject([{ _id: 14, slug: 'early-bird', title: 'Early bird' }]);
    expect(ticketOf(copied[0])).toMatchObject({ price: '25', isManaged: false, available: -1, endDate: '' });
    expect(notesOf(pulled.notes())).toEqual([
      'Tickets of other providers are not copied: 1 of woo.',
      UNCOUNTED,
      expect.stringContaining('none are copied'),
    ]);
  });

  test('says that the site does not show its tickets', async () => {
    const rule = { match: { path: '/tribe/tickets/v1/tickets' }, effect: { status: 403 } };
    await http('POST', `${source().url}/__qa/faults`, {}, JSON.stringify(rule));
    const pulled = await pullFrom(source());
    await load(target(), pulled.source);
    await pulled.deleteProgress();
    await http('DELETE', `${source().url}/__qa/faults`);
    expect(notesOf(pulled.notes())).toEqual([expect.stringMatching(/^No tickets are copied: access denied \(403/)]);
  });
});
