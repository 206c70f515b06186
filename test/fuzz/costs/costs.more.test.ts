import { costs } from './campaign.mjs';

/** Fewer requests and less content than `npm run fuzz -- --only costs`, and with a margin, since machines are busy. */
const SHORT = { events: 1_000, most: 40, listed: 120, margin: 2 };

test.each(['tec', 'standard'])(
  'under %s, an anonymous request costs little, whatever it contains',
  async (profile) => {
    const { statuses, dearest, failures } = await costs({ ...SHORT, profile });
    expect(failures).toEqual([]);
    // Requests reach the handlers, and time is measured.
    expect(dearest[0].cpu).toBeGreaterThan(1);
    for (const status of ['200', '400', '401', '404', '413']) expect(statuses[status]).toBeGreaterThan(0);
  },
  600_000,
);
