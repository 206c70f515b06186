import { useUnderstudy } from 'wp-understudy/jest';
import { whatsOn } from '../whats-on.js';

const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z' });

test('leaves out what is over', async () => {
  await understudy.clock.advance('2 days');
  expect(await whatsOn(understudy.restUrl)).toEqual(['2026-06-17 07:30 Morning Yoga', '2026-06-18 19:00 Brass Night']);
});

test('the clock is back where it was', async () => {
  const { now } = await understudy.clock.get();
  expect(now).toEqual('2026-06-15T12:00:00.000Z');
});
