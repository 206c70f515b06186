import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip, useSite } from '../support.mjs';

const { understudy, openPage } = useSite();

test('leaves out what is over', { skip }, async () => {
  await understudy.clock.advance('2 days');
  const page = await openPage();
  assert.deepEqual(await page.locator('li').allTextContents(), ['Morning Yoga', 'Brass Night']);
});
