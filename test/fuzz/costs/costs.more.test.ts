import { costs } from './campaign.mjs';

/** Fewer and smaller than `npm run fuzz -- --only costs`, and with a margin, since machines are busy. */
const SHORT = { events: 500, most: 120, margin: 2 };

test.each(['standard', 'tec'])(
  'an anonymous request costs little, whatever it contains, profile %s',
  async (profile) => {
    const { sent, statuses, dearest, failures } = await costs({ ...SHORT, profile });
    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(SHORT.most);
    // The measurements measure: large bodies take a while to arrive, and requests reach the handlers.
    expect(dearest[0].cpu).toBeGreaterThan(1);
    for (const status of ['200', '400', '401', '404', '413']) expect(statuses[status]).toBeGreaterThan(0);
  },
  120_000,
);
