import type { Evidence, Understudy } from '../../src/sdk/testing/jest.js';
import { understudyFixtures } from '../../src/sdk/testing/playwright.js';
import { testEnvironment } from '../support/environment.js';
import { finishedTest, runByHand } from '../support/helpers.js';
import { startTestServer } from '../support/server.js';

const PASSWORD = 'a-password-of-24-letters';
const NOW = '2026-06-15T12:00:00.000Z';
const dataset = { events: [{ title: 'Open Stage', start: '+1d 20:00', duration: '3h' }] };
const server = startTestServer({ adminPassword: PASSWORD });

testEnvironment(() => ({ UNDERSTUDY_URL: server().url, UNDERSTUDY_ADMIN_PASSWORD: PASSWORD }));

const ask = (understudy: Understudy, query: string): Promise<Response> => fetch(`${understudy.restUrl}/tribe/events/v1/events?${query}`);

/** A failing test that uses every feature that the evidence reports. */
async function fails(understudy: Understudy): Promise<never> {
  await understudy.faults.add({ match: { path: '**/venues' }, effect: { status: 503 } });
  await understudy.faults.define('busy', [{ times: 2, effect: { delay: 5 } }]);
  await understudy.faults.start('busy', { match: { path: '**/tags' } });
  await understudy.stubs.add({ match: { path: '/graphql' }, respond: { status: 201, body: { data: {} } } });
  await understudy.admin.events.list({ per_page: 1 });
  await fetch(`${understudy.url}/graphql`);
  await understudy.client.venues.list().catch(() => undefined);
  await ask(understudy, 'perPage=2');
  throw new Error('Three events, not two.');
}

/** Removes values that differ between runs. */
const stable = (text: string): string => text.replaceAll(/\b\d+ ms\b/g, 'N ms').replaceAll(/__sandbox\/[\w-]+/g, '__sandbox/NAME');

const TEXT = (url: string): string => `Understudy at ${url}/__sandbox/NAME
  the site as it is now, for an hour: ${url}/__sandbox/NAME/__qa/ui
  clock: ${NOW}, frozen
  faults:
    fault 1 {"match":{"path":"**/venues"},"effect":{"status":503}}: affected 1 of 1 requests
    fault 2 {"times":2,"effect":{"delay":5},"match":{"path":"**/tags"}} of the scenario busy: affected 0 of 0 requests
  stubs:
    stub 1 {"path":"/graphql"}: responded to 1 of 1 requests
  requests:
    GET /wp-json/tribe/events/v1/events?per_page=1 -> 200, N ms, as admin
    GET /graphql -> 201, N ms, stub 1
    GET /wp-json/tribe/events/v1/venues -> 503, N ms, fault 1
    GET /wp-json/tribe/events/v1/events?perPage=2 -> 200, N ms
      "perPage" is not a parameter here and is ignored: did you mean "per_page"?`;

test('a failed test reports its requests, the clock and the faults', async () => {
  const { understudy, run, end, reports } = runByHand({ dataset, now: NOW });
  await run(() => fails(understudy));
  expect(reports.map(stable)).toEqual([TEXT(server().url)]);
  await run(() => ask(understudy, 'per_page=1'));
  expect(reports).toHaveLength(1);
  await run(async () => {
    for (let page = 1; page <= 20; page += 1) await ask(understudy, `page=${page}`);
    throw new Error('No 21 pages.');
  });
  expect(reports[1]).toMatch(
    /no faults\n {2}requests, the last 15:\n {4}GET \S+\?page=6 -> .*\n(?:.*\n){13} {4}GET \S+\?page=20 -> [^\n]*$/,
  );
  await end();
});

test('a test that timed out reports the request that waits for a response', async () => {
  const { understudy, run, end, reports } = runByHand({ dataset, now: NOW });
  const stop = new AbortController();
  await run(async () => {
    await understudy.faults.add({ match: { path: '**/venues' }, effect: { delay: 4000 } });
    fetch(`${understudy.restUrl}/tribe/events/v1/venues?token=secret`, { signal: stop.signal }).catch(() => undefined);
    let waiting: unknown[] = [];
    while (waiting.length === 0) ({ waiting } = await understudy.journal.page());
    throw new Error('Timeout of the test.');
  });
  expect(reports[0]).toMatch(/requests:\n {4}GET \S+\/venues\?token=\*{3} -> no response yet, \d+ ms, fault 1$/);
  // It belongs to the earlier test.
  await run(() => Promise.reject(new Error('no')));
  expect(reports[1]).toMatch(/no requests$/);
  stop.abort();
  await end();
});

test('the site of a failed test can be looked at after the next test, for ten tests of a file', async () => {
  const { understudy, run, end, reports } = runByHand({ dataset, now: NOW });
  await run(() => fails(understudy));
  await run(() => ask(understudy, 'per_page=1'));
  const [page] = /http\S+__qa\/ui$/m.exec(reports[0]) ?? [''];
  expect(await (await fetch(page)).text()).toContain('<div id="app"');
  const state = (await (await fetch(page.replace(/ui$/, 'state'))).json()) as Record<string, unknown>;
  expect(state).toMatchObject({
    sandbox: expect.stringMatching(/^failed-shows-the-next-events-/),
    clock: { now: NOW, frozen: true },
    counts: { events: 1 },
    faults: [{ id: 1, hits: 1 }, { id: 2 }],
    stubs: [{ id: 1, hits: 1 }],
  });
  const { total } = (await (await fetch(page.replace(/ui$/, 'journal'))).json()) as { total: number };
  expect(total).toBe(4);
  for (let n = 2; n <= 11; n += 1) await run(() => Promise.reject(new Error('again')));
  expect(reports[9]).toContain('the site as it is now, for an hour: http');
  expect(reports[10]).toContain('the site as it is now was not kept: 10 sites of this test file are');
  await end();
  // The sandboxes of failed tests stay when the test file ends.
  const [last] = /http\S+__qa\/ui$/m.exec(reports[9]) ?? [''];
  expect((await fetch(last)).status).toBe(200);
});

test('a test that fails afterwards, in the check of its requests, reports them', async () => {
  const { understudy, run, end, reports } = runByHand({ dataset, now: NOW, strict: true });
  await expect(run(() => ask(understudy, 'perPage=2'))).rejects.toMatchObject({ name: 'IgnoredError' });
  expect(reports).toEqual([expect.stringContaining('events?perPage=2')]);
  await end();
});

test('evidence: false reports nothing', async () => {
  const { understudy, run, end, reports } = runByHand({ dataset, now: NOW, evidence: false });
  await run(() => fails(understudy));
  expect(reports).toEqual([]);
  await end();
});

describe('a server that is gone', () => {
  const own = startTestServer();

  test('does not hide why the test failed', async () => {
    const { run, reports } = runByHand({ url: own().url, stray: 'ignore' });
    await run(async () => {
      await own().close();
      throw new Error('Three events, not two.');
    });
    expect(reports).toEqual([expect.stringMatching(/^Understudy at \S+: the journal cannot be read \(ConnectionError: /)]);
  });
});

describe('Playwright', () => {
  const attachedBy = async (status: string, evidence = true): Promise<Record<string, string> & { links: string }> => {
    const table = understudyFixtures({ dataset, now: NOW, evidence });
    const [worker] = table.understudySandbox;
    const test = finishedTest(status);
    const use = (understudy: Understudy): Promise<void> => fails(understudy).catch(() => undefined);
    await worker({}, (understudySandbox) => table.understudy({ understudySandbox }, use, test));
    return { ...test.attached, links: test.annotations.map(({ description }) => description).join() };
  };

  test('a failed test has the journal in its report, without secrets', async () => {
    const attached = await attachedBy('failed');
    expect(stable(attached['understudy'])).toBe(TEXT(server().url));
    const { clock, faults, stubs, journal, kept } = JSON.parse(attached['understudy.json']) as Evidence;
    expect(attached.links).toBe(kept.page);
    expect(kept.page).toMatch(/__sandbox\/failed-shows-the-next-events-\w{6}\/__qa\/ui$/);
    expect(clock).toEqual({ now: NOW, frozen: true });
    expect(faults).toMatchObject([{ id: 1, hits: 1 }, { scenario: 'busy' }]);
    expect(stubs).toMatchObject([{ id: 1, hits: 1, respond: { status: 201 } }]);
    expect(journal).toMatchObject([
      { status: 200, response: { body: { events: [{ title: 'Open Stage' }] } } },
      { status: 201, stub: 1 },
      { status: 503, fault: 1 },
      { warnings: [{ name: 'perPage', suggestion: 'per_page' }] },
    ]);
    expect(JSON.stringify(journal[0].request.headers)).toMatch(/"authorization":"Basic \*{3}"/i);
  });

  test.each([
    ['a test that passes', 'passed', true],
    ['evidence: false', 'failed', false],
  ])('%s has nothing', async (_, status, evidence) => {
    expect(await attachedBy(status, evidence)).toEqual({ links: '' });
  });
});
