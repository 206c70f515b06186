import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useUnderstudy } from 'wp-understudy/node';
import { whatsOn } from '../whats-on.mjs';

const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

const SORRY = 'The calendar is being looked after. Please come back soon.';

test('says so when the site is being updated', async () => {
  await understudy.faults.profile('maintenance');
  assert.deepEqual(await whatsOn(understudy.restUrl), [SORRY]);
});

test('gets over a single failure', async () => {
  await understudy.faults.add({ match: { path: '**/events' }, times: 1, effect: { status: 500 } });
  assert.deepEqual(await whatsOn(understudy.restUrl), [SORRY]);
  const lines = await whatsOn(understudy.restUrl);
  assert.deepEqual(lines.length, 3);
});
