import {
  BadRequestError,
  createClient,
  ForbiddenError,
  NotFoundError,
  UnauthorizedError,
  type Client,
  type Fetch,
} from '../../src/sdk/client/index.js';
import { ticketsInTec } from '../../src/plugins/event-tickets/tec-v1/index.js';
import { tickets as ticketsV1 } from '../../src/plugins/event-tickets/tickets-v1/index.js';
import { routePattern, type Route } from '../../src/wordpress/rest/route.js';
import { passwordOf } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import { TICKETS_WORLD } from '../support/tickets.js';
import { PROFILES } from './support.js';

/** The tickets and attendees of the typed client. */

const server = startTestServer({ dataset: TICKETS_WORLD, plugins: ['event-tickets'], profile: 'standard' });
const plugin = startTestServer({ dataset: TICKETS_WORLD, plugins: ['event-tickets'], profile: 'tec' });
const servers = { standard: server, tec: plugin };
afterEach(() => Promise.all([server().reset(), plugin().reset()]));

const as = (login: 'admin' | 'subscriber', profile: (typeof PROFILES)[number] = 'standard'): Client =>
  createClient({ url: servers[profile]().url, auth: { login, password: passwordOf(login) } });
const reader = (): Client => createClient({ url: server().url });

/** A ticket that is on sale at the time of the dataset, with two places. */
const SEATS = { title: 'Balcony', event: 52, price: 12.5, capacity: 2, start_date: '2026-01-01 00:00:00', end_date: '2026-12-31 20:00:00' };
const guest = (ticket: number, name: string) => ({ ticket_id: ticket, full_name: name, email: 'guest@example.org' });

test('endpoints of tickets and attendees that can be used without a browser session, and methods of the client match one to one', async () => {
  const sent: string[] = [];
  const fetch: Fetch = (url, { method }) => {
    sent.push(`${method} ${new URL(url).pathname.replace('/wp-json', '')}`);
    return Promise.resolve({ status: 200, headers: { get: () => null }, text: () => Promise.resolve('{}') });
  };
  const { tickets, attendees } = createClient({ url: 'http://site.test', fetch });
  await tickets.list();
  await tickets.get(1);
  await tickets.create(SEATS);
  await tickets.update(1, {});
  await tickets.delete(1);
  await attendees.list();
  await attendees.get(1);
  await attendees.create(guest(1, 'A'));
  await attendees.update(1, {});

  const endpointsOf = (routes: Route[]) => routes.flatMap(({ path, endpoints }) => endpoints.map((endpoint) => ({ path, ...endpoint })));
  const ofV1 = endpointsOf(ticketsV1().routes).filter(
    ({ path, methods }) => /\/attendees(\/\(|$)/.test(path) || (/\/tickets(\/\([^/]*|)$/.test(path) && methods[0] === 'GET'),
  );
  const ofTec = endpointsOf(ticketsInTec(server().site.registry).routes).filter(({ methods }) => methods[0] !== 'GET');
  const endpoints = [...ofV1, ...ofTec];
  const name = ({ path, methods }: (typeof endpoints)[number]): string => `${methods[0]} ${path}`;
  const reached = sent.map((request) => {
    const [method, path] = request.split(' ');
    const endpoint = endpoints.find((each) => (each.methods as readonly string[]).includes(method) && routePattern(each.path).test(path));
    return endpoint ? name(endpoint) : `nothing: ${request}`;
  });
  expect(reached.sort()).toEqual(endpoints.map(name).sort());
});

describe.each(PROFILES)('%s', (profile) => {
  test('a ticket is created, sold, changed and deleted', async () => {
    const { tickets, attendees } = as('admin', profile);
    const made = await tickets.create(SEATS);
    expect(made).toMatchObject({ event_id: 52, price: 12.5, stock: 2, sold: 0, title: { rendered: 'Balcony' } });
    const ann = await attendees.create(guest(made.id, 'Ann Able'));
    expect(ann).toMatchObject({ ticket_id: made.id, post_id: 52, title: 'Ann Able', checked_in: false });
    const { capacity, capacity_details: places, attendees: sold } = await tickets.get(made.id);
    expect([capacity, places.available, places.sold, sold.map(({ id }) => id)]).toEqual([2, 1, 1, [ann.id]]);
    expect(await tickets.update(made.id, { title: 'Upper balcony', price: 15 })).toMatchObject({ price: 15, slug: 'balcony' });
    await tickets.delete(made.id);
    expect((await tickets.get(made.id)).status).toBe('trash');
    await tickets.delete(made.id, { force: true });
    await expect(tickets.get(made.id)).rejects.toThrow(NotFoundError);
    await expect(tickets.update(made.id, { price: 1 })).rejects.toThrow(ForbiddenError);
  });

  test('attendees are checked in once, and out again', async () => {
    const { attendees } = as('admin', profile);
    const isIn = async () => (await attendees.list({ post_id: 37, checkedin: true })).total;
    expect(await isIn()).toBe(1);
    expect(await attendees.update(313, { check_in: true })).toMatchObject({ checked_in: true, checkin_details: { author: 1 } });
    expect(await isIn()).toBe(2);
    const again = await attendees.update(313, { check_in: true }).catch((error: unknown) => error);
    expect(again).toBeInstanceOf(BadRequestError);
    expect(again).toMatchObject({ code: 'tec-et-attendee-already-checked-in' });
    expect(await attendees.update(313, { check_in: false })).toMatchObject({ checked_in: false, checkin_details: false });
    expect(await isIn()).toBe(1);
  });
});

test('no place is sold twice', async () => {
  const { tickets, attendees } = as('admin');
  const { id } = await tickets.create(SEATS);
  await attendees.create(guest(id, 'One'));
  await attendees.create(guest(id, 'Two'));
  await expect(attendees.create(guest(id, 'Three'))).rejects.toMatchObject({ code: 'ticket-sold-out' });
  expect((await tickets.get(id)).capacity_details.available).toBe(0);
});

test('all tickets and attendees, page by page, with filters', async () => {
  const { tickets, attendees } = as('admin');
  const list = await tickets.list({ per_page: 2 });
  const ids = (await tickets.all({ per_page: 2 }).toArray()).map(({ id }) => id);
  expect([list.total_pages > 2, list.tickets.map(({ id }) => id)]).toEqual([true, ids.slice(0, 2)]);
  expect(new Set(ids).size).toBe(list.total);
  const ofEvent = await tickets.all({ include_post: [52], provider: ['tickets-commerce'] }).toArray();
  expect(ofEvent.map(({ post_id: event, provider }) => [event, provider])).toEqual([
    [52, 'tc'],
    [52, 'tc'],
  ]);
  const guests = await attendees.all({ ticket_id: 303, per_page: 1, order: 'ASC', orderby: 'title' }).toArray();
  expect(guests.map(({ title }) => title)).toEqual(['Ann Attends', 'Ben Attends', 'Cleo Cannot']);
});

test('attendees of deleted tickets are gaps, also where they fill a page', async () => {
  const { tickets, attendees } = as('admin');
  const before = await attendees.all().toArray();
  await tickets.delete(310, { force: true });
  const left = before.filter(({ ticket_id: ticket }) => ticket !== 310);
  expect(before.length - left.length).toBe(2);
  const list = await attendees.list();
  expect([Array.isArray(list.attendees), Object.values(list.attendees).length]).toEqual([false, left.length]);
  for (const size of [1, 2, 50]) {
    const found = await attendees.all({ per_page: size }).toArray();
    expect(found.map(({ id }) => id)).toEqual(left.map(({ id }) => id));
  }
});

test.each<[what: string, request: (client: Client) => Promise<unknown>, status: number]>([
  ['a ticket', ({ tickets }) => tickets.get(99_999), 404],
  ['an attendee', ({ attendees }) => attendees.get(99_999), 404],
  ['an attendee to check in', ({ attendees }) => attendees.update(99_999, { check_in: true }), 404],
  ['a page', ({ tickets }) => tickets.list({ page: 99 }), 400],
])('%s that does not exist is not found', async (_, request, status) => {
  await expect(request(as('admin'))).rejects.toMatchObject({ name: 'NotFoundError', status });
});

test('events say which tickets they have, and how many attendees', async () => {
  const { total, events } = await as('admin').events.list({ ticketed: true, start_date: '2000-01-01', per_page: 50 });
  const show = events.find(({ id }) => id === 52);
  expect([events.length, show?.ticketed, show?.attendance]).toEqual([
    total,
    ['tc'],
    { total_attendees: 1, checked_in: 0, not_checked_in: 1 },
  ]);
  expect(events.filter(({ ticketed }) => ticketed === false)).toEqual([]);
});

test('tickets are public, attendees and writes are not', async () => {
  const [ticket] = (await reader().tickets.list({ include: [301] })).tickets;
  expect([ticket.attendees, ticket.checkin, ticket.capacity_details.sold]).toEqual([[], undefined, undefined]);
  expect((await reader().attendees.list()).total).toBe(0);
  await expect(reader().tickets.create(SEATS)).rejects.toThrow(UnauthorizedError);
  await expect(reader().attendees.update(313, { check_in: true })).rejects.toThrow(UnauthorizedError);
  await expect(as('subscriber').attendees.create(guest(301, 'A'))).rejects.toThrow(ForbiddenError);
});
