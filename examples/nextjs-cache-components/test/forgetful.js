import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useUnderstudy } from 'wp-understudy/node';

/** Not run by `npm test` itself: page.test.js expects these tests to fail. */
describe('a page that does not pass the sandbox on', () => {
  const understudy = useUnderstudy({ url: process.env.CALENDAR_URL, now: '2026-06-15T12:00:00Z' });

  test('asks the main site', async () => {
    const response = await fetch(`${process.env.SITE_URL}/forgetful`, { headers: understudy.headers });
    assert.equal(response.status, 200);
    if (process.env.READS === 'yes') await response.text();
  });
});
