import { checkSite, reportLines, type CheckReport } from '../../src/transfer/live/check/site.js';
import type { Server } from '../../src/index.js';
import { startTestServer } from '../support/server.js';
import { change, changeTickets, load, NOW, pullFrom, quick, type Login } from './ticket-copies.js';

const ADMIN: Login = { login: 'admin', password: 'only for tests 1234' };

const source = startTestServer({ dataset: 'tickets', now: NOW });
const target = startTestServer({ plugins: ['event-tickets'], now: NOW });
const without = startTestServer({ now: NOW });

let administrator: Login;

beforeAll(async () => {
  await changeTickets(source(), ADMIN);
  const pulled = await pullFrom(source(), { keepsPeople: true }, ADMIN);
  administrator = await load(target(), pulled.source);
  await pulled.deleteProgress();
}, 30_000);

const told: string[] = [];
beforeEach(() => void told.splice(0));

const check = ({ url }: Server, { url: against }: Server, login?: Login, known: Login | null = null): Promise<CheckReport> =>
  checkSite({
    url,
    against,
    only: ['lists', 'tickets'],
    limit: 5,
    client: { ...quick, ...(login ? { credentials: login } : {}) },
    administrator: known,
    notify: (line) => void told.push(line),
    progress: () => undefined,
  });

test('the tickets of a copy are equal', async () => {
  const report = await check(source(), target());
  expect(report.findings).toEqual([]);
  expect([report.requests > 30, told]).toEqual([true, []]);
});

test('with the login of an administrator also attendees', async () => {
  const [visitors, managers] = [await check(source(), target()), await check(source(), target(), ADMIN, administrator)];
  expect(managers.findings).toEqual([]);
  expect(managers.requests).toBeGreaterThan(visitors.requests + 5);
});

test('the login of the site is not for the server', async () => {
  const { findings } = await check(source(), target(), ADMIN);
  expect(told).toEqual([expect.stringContaining('the server gets no login')]);
  expect(findings.map(({ request }) => request)).toContain('GET tribe/tickets/v1/tickets/11');
});

test.each([
  ['the site', target, without, 'tribe/tickets/v1', undefined],
  ['the server', without, target, undefined, 'tribe/tickets/v1'],
])('only %s has tickets', async (name, site, server, expected, actual) => {
  const report = await check(site(), server());
  expect(report.findings[0]).toEqual({
    request: `GET / (only ${name} has Event Tickets)`,
    group: 'tickets',
    differences: [{ at: '/namespaces', expected, actual }],
  });
  expect(report.same).toBe(report.requests - report.findings.length);
  expect(reportLines(report)[0]).toBe(`GET / (only ${name} has Event Tickets)`);
});

test('shows where a ticket differs', async () => {
  const admin = administrator;
  await change(target(), admin, 'POST', 'tribe/tickets/v1/attendees', { ticket_id: 11, full_name: 'Gil', email: 'gil@example.org' });
  const { findings } = await check(source(), target());
  expect(findings).toContainEqual({
    request: 'GET tribe/tickets/v1/tickets/11',
    group: 'tickets',
    differences: expect.arrayContaining([{ at: '/capacity_details/available', expected: 39, actual: 38 }]),
  });
  expect(findings.map(({ request }) => request)).toContain('GET tec/v1/tickets/11');
});
