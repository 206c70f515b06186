import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip, useSite } from '../support.mjs';

const { understudy, openPage } = useSite();

test('lists what comes next', { skip }, async () => {
  const page = await openPage();
  assert.deepEqual(await page.locator('li').allTextContents(), ['Open Stage', 'Morning Yoga', 'Brass Night']);
  await understudy.journal.expect({ path: '**/events', query: { page: '2' }, count: 1 });
});
