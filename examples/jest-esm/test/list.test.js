import { useUnderstudy } from 'wp-understudy/jest';
import { whatsOn } from '../whats-on.js';

const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

test('shows what comes next', async () => {
  expect(await whatsOn(understudy.restUrl)).toEqual([
    '2026-06-16 20:00 Open Stage',
    '2026-06-17 07:30 Morning Yoga',
    '2026-06-18 19:00 Brass Night',
  ]);
  await understudy.journal.expect({ path: '**/events', query: { per_page: '5' }, count: 1 });
});
