import { expect, test } from 'vitest';
import { understudy, visit } from './calendar.js';

test('shows what comes next', async () => {
  expect(await visit()).toBe('<ul><li>Open Stage</li><li>Morning Yoga</li><li>Brass Night</li></ul>');
  await understudy.journal.expect({ path: '**/events', query: { per_page: '5' }, count: 1 });
});

test('shows a new event', async () => {
  await understudy.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' });
  expect(await visit()).toContain('<li>Late Show</li>');
});
