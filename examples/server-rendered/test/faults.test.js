import { expect, test } from 'vitest';
import { understudy, visit } from './calendar.js';

test('shows a notice while the calendar is being updated', async () => {
  await understudy.faults.profile('maintenance');
  expect(await visit()).toBe('<p>Please come back soon.</p>');
});
