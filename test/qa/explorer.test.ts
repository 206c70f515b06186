import { Validator } from '@seriousme/openapi-schema-validator';
import { signIn, WORLD } from '../support/api.js';
import { misfits } from '../support/openapi.js';
import { startTestServer } from '../support/server.js';
import { openPage, PRESETS, type ExplorerPage } from './explorer-page.mjs';

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, profile: 'standard', qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });

/** The headers that fetch sends. */
const CURL = "-H 'accept: */*' -H 'accept-language: *' -H 'sec-fetch-mode: cors' -H 'user-agent: node'";

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server().url}${path}`, { headers, redirect: 'manual' });
const qa = async (path: string): Promise<Record<string, unknown>> =>
  (await (await get(`/__qa/${path}`, { 'x-understudy-token': TOKEN })).json()) as Record<string, unknown>;

describe('the served page', () => {
  test('the page uses only scripts and styles of the server', async () => {
    const response = await get('/__qa/ui');
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:|\/\//i);
  });

  test('every file it refers to exists, also without a token, with the right type', async () => {
    const html = await (await get('/__qa/ui')).text();
    const wanted = [...html.matchAll(/(?:src|href)="(ui\/[^"]+)"/g)].map(([, name]) => name);
    wanted.push('ui/swagger/swagger-ui-bundle.js', 'ui/swagger/LICENSE');
    const types: Record<string, string> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      LICENSE: 'text/plain; charset=utf-8',
    };
    const seen = new Set<string>();
    for (const name of wanted) {
      if (seen.has(name)) continue;
      seen.add(name);
      const response = await get(`/__qa/${name}`);
      const type = types[name.split(/[./]/).at(-1) ?? ''];
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, type]);
      const text = await response.text();
      // Modules name those that they import.
      if (!name.includes('swagger')) wanted.push(...[...text.matchAll(/from '\.\/([^']+)'/g)].map(([, other]) => `ui/${other}`));
    }
    expect([...seen]).toContain('ui/journal.js');
  });

  test.each([
    ['/__qa/ui/', 302],
    ['/__qa/ui/explorer.html', 404],
    ['/__qa/ui/nothing.js', 404],
    ['/__qa/ui/swagger/package.json', 404],
    ['/__qa/ui/swagger/..%2Fexplorer.js', 401],
    ['/__qa/ui/..%2Fui-routes.ts', 401],
    ['/__qa/openapi.json', 401],
    ['/__qa/clock', 401],
    ['/__qa', 401],
  ])('%s without a token is %i', async (path, status) => expect((await get(path)).status).toBe(status));

  test('the index and the server link to the page', async () => {
    expect(await qa('')).toMatchObject({ ui: `${server().url}/__qa/ui` });
    expect(server().explorerUrl).toBe(`${server().url}/__qa/ui`);
  });
});

describe('the OpenAPI document of the page', () => {
  type Any = ReturnType<typeof JSON.parse>;

  test('is valid, describes authentication, and has the URL of the server', async () => {
    const doc: Any = await qa('openapi.json');
    expect(await new Validator().validate(structuredClone(doc))).toMatchObject({ valid: true });
    expect(doc.servers.map(({ url }: { url: string }) => new URL(url, `${server().url}/__qa/openapi.json`).href)).toEqual(
      server().namespaces.map((name) => `${server().restUrl}/${name}`),
    );
    expect(doc.components.securitySchemes.basic).toMatchObject({ type: 'http', scheme: 'basic' });
    const operations = Object.values<Any>(doc.paths).flatMap((path) => Object.values<Any>(path));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect((await qa('openapi.json?_locale=de')) as Any).toMatchObject({
      paths: { '/doc': { get: { responses: { 200: { description: 'Dieses Dokument.' } } } } },
    });
  });

  test('equals /doc of this profile except for URLs', async () => {
    const { servers: ours, ...known } = (await qa('openapi.json')) as Any;
    const { servers: theirs, ...published } = (await (await get('/wp-json/tribe/events/v1/doc')).json()) as Any;
    expect(published).toEqual(known);
    expect([ours.length, theirs]).toEqual([2, [{ url: `${server().restUrl}/tribe/events/v1` }]]);
  });

  test.each([
    ['/events', '/events?per_page=50&start_date=2000-01-01&end_date=2100-01-01'],
    ['/events', '/events?per_page=50&start_date=2000-01-01&status=publish,draft,private,pending'],
    ['/events/{id}', '/events/35'],
    ['/venues', '/venues?per_page=50'],
    ['/venues/{id}', '/venues/10'],
    ['/organizers', '/organizers?per_page=50'],
    ['/organizers/by-slug/{slug}', '/organizers/by-slug/music-guild'],
    ['/categories', '/categories?hide_empty=0'],
    ['/categories/{id}', '/categories/3'],
    ['/tags', '/tags'],
    ['/tags/{id}', '/tags/12'],
    ['/tags/{id}', '/tags/99999'],
    ['/events/{id}', '/events/99999'],
  ])('%s describes the response of %s', async (path, asked) => {
    const doc: Any = await qa('openapi.json');
    const response = await get(`/wp-json/tribe/events/v1${asked}`, { authorization: signIn('admin') });
    const { content } = doc.paths[path].get.responses[response.status];
    expect(misfits(doc, content['application/json'].schema, await response.json(), 'answer')).toEqual([]);
  });
});

describe('using the page', () => {
  let page: ExplorerPage;
  beforeAll(async () => {
    page = await openPage(`${server().url}/__qa/ui`, ['wrong', TOKEN]);
  });
  afterAll(() => page.end());

  test('requests the token until it is correct, once for all requests', () => {
    expect(page.asked).toEqual(['', 'Invalid token.']);
    expect(page.text('#about')).toBe(`${server().url}: The Events Calendar 6.17.2, profile standard (database: embedded)`);
    expect(page.text('#message')).toBe('');
  });

  test('the clock: advances, resumes, freezes and sets it', async () => {
    expect([page.text('#clock-now'), page.text('#clock-state')]).toEqual(['2026-06-15 12:00:00 UTC', 'frozen']);
    await page.send('#clock-advance', { advance: '2 days' });
    await page.click('[data-advance="1 hour"]');
    expect(page.text('#clock-now')).toBe('2026-06-17 13:00:00 UTC');
    await page.click('#clock-run');
    expect([page.text('#clock-state'), page.text('#message')]).toEqual([
      'running',
      expect.stringMatching(/^The clock is at 2026-06-17 .* and running\.$/),
    ]);
    await page.click('#clock-freeze');
    await page.send('#clock-set', { now: '2027-01-01T00:00:00' });
    expect(await qa('clock')).toEqual({ now: '2027-01-01T00:00:00.000Z', frozen: true });
    await page.click('#clock-real');
    expect(await qa('clock')).toMatchObject({ frozen: false });
    await page.send('#clock-advance', { advance: 'soon' });
    expect(page.text('#message')).toMatch(/^Invalid "advance"/);
    expect(page.requests()).toEqual([...Array<string>(6).fill('PUT /__qa/clock 200'), 'PUT /__qa/clock 400']);
  });

  test('content: saves, restores and deletes snapshots, and resets', async () => {
    await page.send('#snapshot-save', { name: 'here' });
    expect(page.text('#snapshots')).toMatch(/^here\d+ posts, saved/);
    await page.click('[aria-label="Restore here"]');
    expect(page.text('#message')).toMatch(/^Restored here in \d+ ms\.$/);
    await page.click('[aria-label="Delete here"]');
    expect(page.text('#snapshots')).toBe('');
    await page.click('#reset');
    expect(page.text('#message')).toMatch(/^Reset in/);
    expect(page.requests()).toEqual([
      'PUT /__qa/snapshots/here 201',
      'POST /__qa/snapshots/here/restore 200',
      'DELETE /__qa/snapshots/here 200',
      'POST /__qa/reset 200',
    ]);
  });

  test('faults: adds predefined and custom rules, and removes them', async () => {
    for (const preset of Object.keys(PRESETS)) await page.send('#fault-add', { preset, path: '', times: '' });
    await page.send('#fault-add', { preset: 'Server error (500)', path: '/tribe/events/v1/tags', times: '1' });
    await page.send('#fault-rule', { rule: '{ "effect": { "status": 418 } }' });
    const count = Object.keys(PRESETS).length + 2;
    expect(page.requests()).toEqual(Array<string>(count).fill('POST /__qa/faults 201'));
    expect(page.count('#faults li')).toBe(count);
    await page.send('#fault-rule', { rule: '{ effect' });
    expect(page.text('#message')).toMatch(/^The rule is not JSON/);
    await page.click('[aria-label="Remove fault 1"]');
    expect(page.count('#faults li')).toBe(count - 1);
    await page.click('#faults-clear');
    expect([page.count('#faults li'), await qa('faults')]).toEqual([0, { faults: [] }]);
    await page.send('#fault-rule', { rule: '{ "sequence": [{ "status": 503 }, "ok"], "atEnd": "repeat", "every": 2 }' });
    await get('/nowhere');
    await page.refresh();
    expect(page.text('#faults')).toBe('status 503 → ok, then againall requests, every 2ndhit 0 of 1Remove');
    await page.click('#faults button');
    await page.send('#scenario-start', { scenario: 'rate-limit', path: '/tribe/**' });
    expect(page.text('#message')).toBe('Started scenario rate-limit.');
    expect(page.text('#scenarios')).toMatch(/^rate-limitOf seven requests/);
    expect(page.text('#faults')).toContain('/tribe/**');
    await page.click('[aria-label="Stop scenario rate-limit"]');
    expect([page.count('#scenarios li'), page.count('#faults li')]).toEqual([0, 0]);
    expect(page.requests()).toEqual([
      'DELETE /__qa/faults/1 200',
      'DELETE /__qa/faults 200',
      'POST /__qa/faults 201',
      expect.stringMatching(/^DELETE \/__qa\/faults\/\d+ 200$/),
      'POST /__qa/faults/scenarios/rate-limit/start 200',
      'POST /__qa/faults/scenarios/rate-limit/stop 200',
    ]);
  });

  test('the journal: lists, filters, opens, saves and clears entries', async () => {
    await page.click('#journal-clear');
    await get('/wp-json/tribe/events/v1/events?stat_date=2026-07-01&per_page=1');
    await get('/wp-json/tribe/events/v1/venues/99999', { authorization: signIn('editor') });
    await page.refresh();
    expect(page.text('#journal-rows')).toMatch(
      /GET \/wp-json\/tribe\/events\/v1\/venues\/99999 ?400.*editor.*events\?stat_date=.*1 warning$/,
    );
    expect(page.text('#journal-warnings')).toMatch(/^1 ignored parameter or field.*did you mean "start_date"/);
    await page.click('#journal-rows tr:last-child button');
    expect(page.text('.details')).toMatch(/^"stat_date" is not a parameter here.*Request.*Response.*"events": \[/);
    await page.click('.details [data-copy]');
    expect(page.text('.curl')).toBe(
      `curl '${server().url}/wp-json/tribe/events/v1/events?stat_date=2026-07-01&per_page=1' --compressed ${CURL}`,
    );
    await page.click('.details [data-save]');
    await page.click('#journal-har');
    await page.click('#journal-rows tr button[aria-expanded="true"]');
    expect(page.count('.details')).toBe(0);
    await page.change('#journal-filter [name=status]', '4xx');
    expect([page.count('#journal-rows tr'), page.text('#journal-count')]).toEqual([1, '1 request']);
    await page.change('#journal-filter [name=status]', '');
    await page.change('#journal-filter [name=warned]', true);
    expect(page.count('#journal-rows tr')).toBe(1);
    await page.change('#journal-filter [name=warned]', false);
    await page.click('#journal-clear');
    expect([page.count('#journal-rows tr'), page.text('#journal-count')]).toEqual([0, '0 requests']);
    expect(page.requests()).toEqual([
      'DELETE /__qa/journal 200',
      expect.stringMatching(/^download journal-\d+\.json$/),
      'download journal.har',
      'DELETE /__qa/journal 200',
    ]);
  });

  test('sandboxes: creates, opens and deletes them', async () => {
    await page.send('#sandbox-create', { name: 'mine' });
    expect(page.text('#sandboxes')).toMatch(/^mineidle for \d+ s/);
    const within = await openPage(`${server().url}/__sandbox/mine/__qa/ui`, [TOKEN]);
    expect(within.text('#tenant')).toBe('This is sandbox mine. Back to the main site');
    await within.click('#clock-freeze');
    expect(within.requests()).toEqual(['PUT /__sandbox/mine/__qa/clock 200']);
    within.end();
    await page.click('[aria-label="Delete sandbox mine"]');
    await page.send('#sandbox-create', { name: '' });
    expect(page.requests()).toEqual(['PUT /__qa/sandboxes/mine 201', 'DELETE /__qa/sandboxes/mine 200', 'POST /__qa/sandboxes 201']);
    expect(page.count('#sandboxes li')).toBe(1);
  });

  test('has no accessibility violation that axe-core finds', async () => {
    await get('/wp-json/tribe/events/v1/events?stat_date=2026-07-01&per_page=1');
    await page.send('#snapshot-save', { name: 'here' });
    await page.send('#fault-add', { preset: 'Server error (500)', path: '/never', times: '1' });
    await page.refresh();
    await page.click('#journal-rows tr:last-child button');
    expect(await page.violations()).toEqual([]);
  });
});
