import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ticketOf } from '../../../../src/plugins/event-tickets/model/ticket.js';
import { attendeeOf } from '../../../../src/plugins/event-tickets/model/attendee.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import type { DatasetSource } from '../../../../src/transfer/source.js';
import { withReferences } from '../../../../src/transfer/references.js';
import { isOfPlugin } from '../../../../src/transfer/writing.js';
import { PLUGINS_OPTION } from '../../../../src/wordpress/quirks.js';
import { metaValue, type MetaRow, type Post } from '../../../../src/wordpress/model.js';
import { FIXTURES, itemsOf, written } from './files.js';
import { NOW, problemsOf, read, written as saved } from './read.js';

const concert = {
  site: { timezone: 'Europe/Berlin' },
  events: [
    {
      title: 'Concert',
      start: '2026-08-01 20:00',
      duration: '2h',
      tickets: [
        {
          name: 'Standard',
          description: 'With a drink',
          price: 25.5,
          capacity: 3,
          sale: { price: 20, from: '2026-06-01', until: '2026-06-30' },
          on_sale: { from: '2026-06-01 08:00', until: '2026-07-31' },
          sku: 'STD',
          attendees: [
            { name: 'Ann', email: 'ann@example.org', checked_in: true, order: 77 },
            { name: 'Ben', email: 'ben@example.org', order: { id: 77, status: 'tec-tc-pending' } },
            { name: 'Ann', email: 'ann2@example.org', opted_out: true },
          ],
        },
        { name: 'Balcony', price: '1200.00' },
        { name: 'Early', price: 5, capacity: 100, sold: 60 },
      ],
      rsvp: [
        {
          name: 'I come',
          capacity: 5,
          attendees: [
            { name: 'Cy', email: 'c@example.org' },
            { name: 'Di', email: 'd@example.org', going: false },
          ],
        },
      ],
    },
    {
      title: 'Weekly',
      start: '2026-08-03 20:00',
      duration: '1h',
      repeat: 'weekly × 3',
      tickets: [{ name: 'Any', price: 3, attendees: [{ name: 'Eve' }] }],
    },
  ],
  pages: [{ title: 'Tour', tickets: [{ name: 'Guided', price: 7, capacity: 0 }] }],
};

const ofType = (posts: readonly Post[], type: string): Post[] => posts.filter((post) => post.type === type);

test('tickets become posts of the plugin, which is then on', async () => {
  const { posts, options } = await read(concert);
  expect(options[PLUGINS_OPTION]).toEqual(['event-tickets']);
  const [standard, balcony, early] = ofType(posts, 'tec_tc_ticket').map(ticketOf);
  const [event] = ofType(posts, 'tribe_events');
  expect(standard).toMatchObject({ event: event._id, price: '25.5', capacity: 3, available: 0, sold: 3, isManaged: true });
  expect(standard).toMatchObject({ startDate: '2026-06-01', startTime: '08:00:00', endDate: '2026-07-31', endTime: '23:59:59' });
  expect(['_sale_price', '_sale_price_start_date', '_sale_price_end_date', '_sku'].map((key) => metaValue(standard.post, key))).toEqual([
    '20',
    '2026-06-01',
    '2026-06-30',
    'STD',
  ]);
  expect(standard.post).toMatchObject({ content: '', excerpt: 'With a drink', menuOrder: -1 });
  expect(balcony).toMatchObject({ price: '1200.00', capacity: -1, available: -1, sold: 0 });
  // As the plugin stores the dates of a ticket without any: the publication and the start of the event.
  expect(balcony).toMatchObject({ startDate: '2026-06-15 00:00:00', endDate: '2026-08-01 20:00:00', startTime: '', endTime: '' });
  expect(early).toMatchObject({ capacity: 100, available: 40, sold: 60 });
  const [reply] = ofType(posts, 'tribe_rsvp_tickets').map(ticketOf);
  expect(reply).toMatchObject({ provider: 'rsvp', event: event._id, capacity: 5, available: 4, sold: 1 });
});

test('attendees have a ticket, and buyers an order', async () => {
  const { posts } = await read(concert);
  const [ann, ben, other] = ofType(posts, 'tec_tc_attendee').map(attendeeOf);
  const [standard] = ofType(posts, 'tec_tc_ticket');
  expect([ann.ticket, ben.ticket]).toEqual([standard._id, standard._id]);
  expect([ann, ben, other].map(({ isCheckedIn, isOptedOut, email }) => [email, isCheckedIn, isOptedOut])).toEqual([
    ['ann@example.org', true, false],
    ['ben@example.org', false, false],
    ['ann2@example.org', false, true],
  ]);
  expect([ann.post.parent, ben.post.parent]).toEqual([77, 77]);
  const orders = new Map(ofType(posts, 'tec_tc_order').map((post) => [post._id, post]));
  expect(orders.get(77)).toMatchObject({ status: 'tec-tc-pending' });
  expect(orders.get(other.post.parent)).toMatchObject({ status: 'tec-tc-completed' });
  expect(ofType(posts, 'tribe_rsvp_attendees').map((post) => attendeeOf(post).isGoing)).toEqual([true, false]);
});

test('each event of a series has its own tickets, and only the first one attendees', async () => {
  const { posts } = await read(concert);
  const weekly = new Set(
    ofType(posts, 'tribe_events')
      .filter(({ title }) => title === 'Weekly')
      .map(({ _id }) => _id),
  );
  const tickets = ofType(posts, 'tec_tc_ticket')
    .map(ticketOf)
    .filter(({ event }) => weekly.has(event));
  expect(new Set(tickets.map(({ event }) => event)).size).toBe(3);
  expect(tickets.map(({ sold }) => sold)).toEqual([1, 0, 0]);
});

const withTicket = (ticket: object, list = 'tickets') => ({
  events: [{ title: 'E', start: '2026-08-01 20:00', duration: '1h', [list]: [ticket] }],
});

test.each([
  [{ name: 'A', capacity: 2, sold: 3 }, 'events[0].tickets[0].capacity: 3 are taken, which is more than a capacity of 2'],
  [
    { name: 'A', sold: 1, attendees: [{ name: 'X' }, { name: 'Y' }] },
    'events[0].tickets[0].sold: 2 attendees have one, which is more than 1',
  ],
  [{ name: 'A', price: 5, sale: { price: 5 } }, 'events[0].tickets[0].sale.price: must be below the price, which is 5'],
  [{ name: 'A', price: 5, sale: {} }, 'events[0].tickets[0].sale.price: is missing'],
  [{ name: 'A', price: -5 }, 'events[0].tickets[0].price: must not be negative'],
  [{ name: 'A', price: '€5' }, 'events[0].tickets[0].price: must be a number, such as 12.5'],
  [
    { name: 'A', on_sale: { from: '2026-07-02', until: '2026-07-01' } },
    'events[0].tickets[0].on_sale.until: is before 2026-07-02 00:00:00, when it begins',
  ],
  [
    { name: 'A', on_sale: { from: 'once' } },
    'events[0].tickets[0].on_sale.from: invalid date "once". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin',
  ],
  [{ name: 'A', attendee: [] }, 'events[0].tickets[0].attendee: unknown field. Did you mean "attendees"?'],
  [{ price: 5 }, 'events[0].tickets[0].name: is missing'],
])('%j is a problem', async (ticket, problem) => {
  expect(await problemsOf(withTicket(ticket))).toEqual([problem]);
});

test('who does not come is not checked in, and an RSVP has no price', async () => {
  const guest = { name: 'A', attendees: [{ name: 'X', going: false, checked_in: true }] };
  expect(await problemsOf(withTicket(guest, 'rsvp'))).toEqual([
    'events[0].rsvp[0].attendees[0].checked_in: who does not come cannot be checked in',
  ]);
  expect((await problemsOf(withTicket({ name: 'A', price: 1 }, 'rsvp'))).join()).toContain('events[0].rsvp[0].price: unknown field');
});

test('a ticket of a past event may be sold out', async () => {
  const past = { events: [{ title: 'E', start: '2026-01-01 20:00', duration: '1h', tickets: [{ name: 'A', capacity: 2, sold: 2 }] }] };
  expect(await problemsOf(past)).toEqual([]);
  expect(ticketOf(ofType((await read(past)).posts, 'tec_tc_ticket')[0])).toMatchObject({ available: 0, startDate: '2026-01-01 00:00:00' });
});

test('a ticket of an event that is not in the file is a probable mistake', async () => {
  const source = await openFile(inputFile(await saved(concert)), { now: NOW });
  const { file } = await written(
    {
      ...source,
      async *items(problems) {
        for await (const item of source.items(problems)) if (item.kind !== 'post' || item.post.type !== 'page') yield item;
      },
    },
    'ndjson',
    'homeless.ndjson',
  );
  const doubts: string[] = [];
  await itemsOf(await openFile(inputFile(file), { now: NOW, warn: (line) => doubts.push(line) }));
  expect(doubts).toEqual([expect.stringMatching(/^The ticket "Guided" is for the event or page \d+, which is not part of the content$/)]);
});

test('tickets, attendees and orders keep their references when ids change', async () => {
  const { posts } = await read(concert);
  const ids = new Set(posts.map(({ _id }) => _id));
  const belonging = posts.filter(isOfPlugin);
  expect(belonging.length).toBeGreaterThan(15);
  for (const { meta } of belonging) {
    const moved = withReferences(meta, (id) => (ids.has(id) ? id + 1000 : undefined));
    const changed = moved.filter(({ value }, index) => value !== meta[index].value).map(({ value }) => Number(value) - 1000);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.every((id) => ids.has(id))).toBe(true);
    expect(moved).toHaveLength(meta.length);
  }
});

const inOrder = (rows: readonly MetaRow[]): MetaRow[] =>
  rows.toSorted((a, b) => `${a.key} ${a.value}`.localeCompare(`${b.key} ${b.value}`));

const TYPES = ['tec_tc_ticket', 'tribe_rsvp_tickets', 'tec_tc_attendee', 'tribe_rsvp_attendees', 'tec_tc_order'];

/** All that is stored of tickets, attendees and orders, by id. */
async function storedOf(source: DatasetSource): Promise<Map<number, unknown>> {
  const posts = (await itemsOf(source)).flatMap((item) => (item.kind === 'post' && TYPES.includes(item.post.type) ? [item.post] : []));
  return new Map(posts.map(({ modified: _m, modifiedGmt: _g, ...post }) => [post._id, { ...post, meta: inOrder(post.meta) }]));
}

/** Odd states that only the API of the plugin leads to. */
const odd = (posts: readonly Post[]): Post[] =>
  posts.map((post) => {
    const change = (changes: Record<string, string>): Post => ({
      ...post,
      meta: [...post.meta.filter(({ key }) => !(key in changes)), ...Object.entries(changes).map(([key, value]) => ({ key, value }))],
    });
    if (post.title === 'Early')
      return change({ _stock: '7', _ticket_start_time: 'noon', _sale_price_checked: '1', _sale_price: '99', total_sales: '200' });
    if (post.title === 'I come')
      return {
        ...change({ total_sales: '9', _ticket_end_date: '2026-09-05 00:00:00' }),
        status: 'draft',
        slug: '',
        dateGmt: '0000-00-00 00:00:00',
      };
    if (post.title === 'Di') return change({ _tribe_rsvp_checkedin: '1', _tribe_rsvp_email: '', _tribe_rsvp_security_code: 'abc' });
    return post;
  });

test.each(['json', 'yaml', 'ndjson', 'site', 'wxr'])('nothing of them is lost through %s', async (format) => {
  const name = `tickets.${{ site: 'site.json', wxr: 'xml' }[format] ?? format}`;
  const source = await openFile(inputFile(await saved(concert)), { now: NOW });
  const changed: DatasetSource = {
    ...source,
    siteUrl: 'http://there.example',
    async *items(problems) {
      for await (const item of source.items(problems)) yield item.kind === 'post' ? { ...item, post: odd([item.post])[0] } : item;
    },
  };
  const { file, warnings, counts } = await written(changed, format, name);
  expect(warnings.filter((line) => /ticket|attendee|order/.test(line))).toEqual([]);
  expect(counts).toMatchObject({ ticket: 8, attendee: 6, order: 3 });
  const again = await openFile(inputFile(file), { now: NOW + 86_400_000, zone: 'Europe/Berlin' });
  expect(again.plugins).toEqual(['event-tickets']);
  const [is, was] = [await storedOf(again), await storedOf(changed)];
  for (const [id, post] of was) expect(is.get(id)).toEqual(post);
  expect(isDeepStrictEqual([...is.keys()].toSorted(), [...was.keys()].toSorted())).toBe(true);
});

test('nothing of the tickets of a recorded site is lost through a dataset', async () => {
  const recorded = await openFile(inputFile(path.join(FIXTURES, '../test/conformance/world-tickets.json')), { now: NOW });
  const { file, warnings } = await written(recorded, 'json', 'recorded.json');
  expect(warnings.filter((line) => /ticket|attendee|order/.test(line))).toEqual([]);
  const [is, was] = [await storedOf(await openFile(inputFile(file), { now: NOW })), await storedOf(recorded)];
  expect(was.size).toBe(23);
  for (const [id, post] of was) expect(is.get(id)).toEqual(post);
});
