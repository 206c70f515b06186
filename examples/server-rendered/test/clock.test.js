import { expect, test } from 'vitest';
import { understudy, visit } from './calendar.js';

test('leaves out what is over', async () => {
  await understudy.clock.advance('2 days 12 hours');
  expect(await visit()).toBe('<ul><li>Brass Night</li></ul>');
});
