import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createHandler } from 'wp-understudy';
import { handlers } from 'wp-understudy/msw';
import { whatsOn } from '../whats-on.js';

let calendar;
let server;

beforeAll(async () => {
  calendar = await createHandler({
    url: 'https://www.old-mill.example',
    dataset: 'dataset.json',
    now: '2026-06-15T12:00:00Z',
    strict: true,
  });
  server = setupServer(...handlers(calendar));
  // The names of the option in MSW 2 and 3.
  server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' });
}, 90_000);
afterEach(() => calendar.reset());
afterAll(async () => {
  server.close();
  await calendar.close();
});

test('shows what comes next', async () => {
  expect(await whatsOn()).toEqual(['2026-06-16 20:00 Open Stage', '2026-06-17 07:30 Morning Yoga', '2026-06-18 19:00 Brass Night']);
  await calendar.journal.expect({ path: '**/events', query: { per_page: '5' }, count: 1 });
});

test('shows a new event', async () => {
  await calendar.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' });
  expect((await whatsOn())[0]).toBe('2026-06-15 22:00 Late Show');
});

test('leaves out what is over', async () => {
  await calendar.clock.advance('2 days');
  expect(await whatsOn()).toHaveLength(2);
});

test('says so when the site is being updated', async () => {
  await calendar.faults.profile('maintenance');
  expect(await whatsOn()).toEqual(['The calendar is being updated. Please come back soon.']);
});

test('fails when the connection is dropped', async () => {
  await calendar.faults.add({ match: { path: '**/events' }, effect: { drop: 'before' } });
  await expect(whatsOn()).rejects.toThrow(TypeError);
});
