import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip, useSite } from '../support.mjs';

const { understudy, openPage } = useSite();

test('says what is wrong', { skip }, async () => {
  await understudy.faults.profile('maintenance');
  const page = await openPage();
  assert.equal(await page.locator('#message').textContent(), 'The calendar cannot be read now (503).');
});
