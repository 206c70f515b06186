import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useUnderstudy } from 'wp-understudy/node';
import { whatsOn } from '../whats-on.mjs';

const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

test('shows what comes next', async () => {
  assert.deepEqual(await whatsOn(understudy.restUrl), [
    '2026-06-16 20:00 Open Stage',
    '2026-06-17 07:30 Morning Yoga',
    '2026-06-18 19:00 Brass Night',
  ]);
  await understudy.journal.expect({ path: '**/events', query: { per_page: '5' }, count: 1 });
});
