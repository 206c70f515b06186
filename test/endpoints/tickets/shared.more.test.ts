import { apiOf } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { startTestServer } from '../../support/server.js';
import { ACKNOWLEDGED, TICKETS_WORLD } from '../../support/tickets.js';

/* Two servers over one database sell the same tickets. */

const V1 = '/tribe/tickets/v1';
const SHARED = { isShared: true, database: testDatabase() };

interface Ticket {
  capacity: number;
  capacity_details: { available: number; sold: number };
  attendees: unknown[];
}

const SITE = { dataset: TICKETS_WORLD, profile: 'standard' } as const;
const one = startTestServer(SITE, SHARED);
const other = startTestServer(SITE, SHARED);
const apis = [apiOf(one), apiOf(other)];
afterEach(() => one().reset());

/** Sends requests at once, to both servers in turn. */
const spread = <T>(count: number, send: (api: (typeof apis)[number], index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(apis[index % apis.length], index)));

const buy = (ticket: number) => (api: (typeof apis)[number], index: number) =>
  api.post<{ code?: string }>(`${V1}/attendees`, { ticket_id: ticket, full_name: `Rival ${index}`, email: 'one@example.org' });

const sold = (answers: readonly { status: number }[]): number => answers.filter(({ status }) => status === 201).length;

/** The ticket as both servers show it. */
async function ticketOf(id: number): Promise<Ticket> {
  const [shown, alsoShown] = await Promise.all(apis.map((api) => api.get<Ticket>(`${V1}/tickets/${id}`, 'admin')));
  const { capacity, capacity_details: details, attendees } = shown.body;
  expect(alsoShown.body).toMatchObject({ capacity, capacity_details: details });
  expect(alsoShown.body.attendees).toHaveLength(attendees.length);
  return shown.body;
}

/** A ticket of each kind: its id, and how many are left. */
const CASES = [
  ['an RSVP', 312, 4],
  ['a ticket', 309, 2],
] as const;

test.each(CASES)('50 requests at once for the last place of %s: one gets it', async (_kind, id, left) => {
  await spread(left - 1, buy(id));
  const before = await ticketOf(id);
  expect(before.capacity_details.available).toBe(1);
  const answers = await spread(50, buy(id));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['201 undefined', '400 ticket-sold-out']));
  expect(sold(answers)).toBe(1);
  const after = await ticketOf(id);
  expect(after.capacity_details).toMatchObject({ available: 0, sold: before.capacity_details.sold + 1 });
  expect(after.attendees).toHaveLength(before.attendees.length + 1);
});

/** Updates that a ticket with 9 of 10 places left gets while it is sold, and the capacity that it has in the end. */
const UPDATES: [string, object, number][] = [
  ['its title', { title: 'Other' }, 10],
  ['the same capacity', { capacity: 10 }, 10],
  ['a smaller capacity', { capacity: 6 }, 6],
  ['a capacity and a larger stock', { capacity: 6, stock: 20 }, 6],
];

test.each(UPDATES)('what is sold while both servers update %s counts, and no place is sold twice', async (_what, body, capacity) => {
  const before = await ticketOf(301);
  const update = (api: (typeof apis)[number]) => api.call('PUT', '/tec/v1/tickets/301', { as: 'admin', body, headers: ACKNOWLEDGED });
  expect((await update(apis[0])).status).toBe(200);
  const [answers, updates] = await Promise.all([spread(30, buy(301)), spread(10, update)]);
  expect(new Set(updates.map(({ status }) => status))).toEqual(new Set([200]));
  const after = await ticketOf(301);
  expect(sold(answers)).toBe(capacity - before.capacity_details.sold);
  expect(after).toMatchObject({ capacity, capacity_details: { available: 0, sold: capacity } });
  expect(after.attendees).toHaveLength(before.attendees.length + sold(answers));
});

test('a stock that is sent is what is left, whatever was sold', async () => {
  await spread(3, buy(301));
  await apis[0].call('PUT', '/tec/v1/tickets/301', { as: 'admin', body: { stock: 2 }, headers: ACKNOWLEDGED });
  expect(await ticketOf(301)).toMatchObject({ capacity: 6, capacity_details: { available: 2, sold: 4 } });
  expect(sold(await spread(20, buy(301)))).toBe(2);
});

test('requests at once that let the same guest cancel give one place back', async () => {
  const { body: guest } = await apis[0].post<{ id: number }>(`${V1}/attendees`, {
    ticket_id: 312,
    full_name: 'Guest',
    email: 'one@example.org',
  });
  const before = await ticketOf(312);
  const reply = (status: string) => spread(20, (api) => api.post(`${V1}/attendees/${guest.id}`, { attendee_status: status }));
  await reply('no');
  const { available, sold: taken } = before.capacity_details;
  expect((await ticketOf(312)).capacity_details).toMatchObject({ available: available + 1, sold: taken - 1 });
  await reply('yes');
  expect((await ticketOf(312)).capacity_details).toMatchObject({ available, sold: taken });
});

test('a change of an attendee that is refused takes no place', async () => {
  const { body: guest } = await apis[0].post<{ id: number }>(`${V1}/attendees`, {
    ...{ ticket_id: 312, full_name: 'Guest', email: 'one@example.org' },
    ...{ attendee_status: 'no', check_in: true },
  });
  const before = await ticketOf(312);
  const { status } = await apis[1].post(`${V1}/attendees/${guest.id}`, { attendee_status: 'yes', check_in: true });
  expect(status).toBe(400);
  expect((await ticketOf(312)).capacity_details).toEqual(before.capacity_details);
});

test('a capacity that `wp/v2` makes smaller ends the sale', async () => {
  await spread(2, buy(312));
  await apis[0].post('/wp/v2/tribe_rsvp_tickets/312', { meta: { _tribe_ticket_capacity: '3' } });
  expect(sold(await spread(10, buy(312)))).toBe(1);
});
