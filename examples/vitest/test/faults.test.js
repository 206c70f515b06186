import { expect, test } from 'vitest';
import { useUnderstudy } from 'wp-understudy/vitest';
import { whatsOn } from '../whats-on.js';

const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

const SORRY = 'The calendar is being looked after. Please come back soon.';

test('says so when the site is being updated', async () => {
  await understudy.faults.profile('maintenance');
  expect(await whatsOn(understudy.restUrl)).toEqual([SORRY]);
});

test('gets over a single failure', async () => {
  await understudy.faults.add({ match: { path: '**/events' }, times: 1, effect: { status: 500 } });
  expect(await whatsOn(understudy.restUrl)).toEqual([SORRY]);
  const lines = await whatsOn(understudy.restUrl);
  expect(lines.length).toEqual(3);
});
