import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip, useSite } from '../support.mjs';

const { understudy, openPage } = useSite();

test('shows a new event', { skip }, async () => {
  await understudy.admin.events.create({ title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' });
  const page = await openPage();
  assert.deepEqual(await page.locator('li').allTextContents(), ['Late Show', 'Open Stage', 'Morning Yoga', 'Brass Night']);
});
