import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { useUnderstudy } from 'wp-understudy/node';
import { startSite } from '../site.js';

const lateShow = { title: 'Late Show', start_date: '2026-06-15 22:00:00', end_date: '2026-06-15 23:00:00' };

// Within `describe`, since node:test does not wait for one hook before the next outside of it.
describe('the page', () => {
  const understudy = useUnderstudy({ dataset: 'dataset.json', now: '2026-06-15T12:00:00Z', strict: true });
  let site;
  before(async () => {
    site = await startSite(understudy.url);
  });
  // What a test before has left in the cache of Next.js.
  beforeEach(() => site.revalidate());
  after(() => site.stop());

  test('is rendered on the server', async () => {
    assert.deepEqual(await site.titles(), ['Open Stage', 'Morning Yoga', 'Brass Night']);
  });

  test('shows pictures of the calendar, which Next.js makes smaller', async () => {
    const pictures = await site.pictures();
    assert.deepEqual(
      pictures.map(({ status, headers }) => [status, headers.get('content-type')]),
      [[200, 'image/jpeg']],
    );
  });

  test('asks the calendar once for two visitors', async () => {
    await site.titles();
    await site.titles();
    await understudy.journal.expect({ path: '**/events', count: 1 });
  });

  test('shows a new event when the tag has been revalidated', async () => {
    await site.titles();
    await understudy.admin.events.create(lateShow);
    assert.equal((await site.titles()).length, 3);
    await site.revalidate();
    assert.deepEqual(await site.titles(), ['Late Show', 'Open Stage', 'Morning Yoga', 'Brass Night']);
  });

  test('does not cache an error of the calendar', async () => {
    await understudy.faults.add({ match: { path: '**/events' }, times: 1, effect: { status: 503 } });
    assert.equal(await site.status(), 500);
    assert.equal(await site.status(), 200);
  });
});
