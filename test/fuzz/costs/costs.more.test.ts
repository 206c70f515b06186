import { costs } from './campaign.mjs';

/** Fewer requests and events than `npm run fuzz -- --only costs`, and with a margin, since machines are busy. */
const SHORT = { events: 500, most: 40, margin: 2, profile: 'standard' };

test('an anonymous request costs little, whatever it contains', async () => {
  const { statuses, dearest, failures } = await costs(SHORT);
  expect(failures).toEqual([]);
  // Requests reach the handlers, and time is measured.
  expect(dearest[0].cpu).toBeGreaterThan(1);
  for (const status of ['200', '400', '401', '404', '413']) expect(statuses[status]).toBeGreaterThan(0);
}, 300_000);

test('nor does one to the tickets of a site', async () => {
  const { statuses, dearest, failures } = await costs({ ...SHORT, tickets: 400, only: 'ticket' });
  expect(failures).toEqual([]);
  expect(dearest[0].cpu).toBeGreaterThan(1);
  for (const status of ['200', '400', '401']) expect(statuses[status]).toBeGreaterThan(0);
}, 300_000);
