import { Validator } from '@seriousme/openapi-schema-validator';
import { signIn, WORLD } from '../support/api.js';
import { misfits } from '../support/openapi.js';
import { elementsOf } from '../support/page.js';
import { startTestServer } from '../support/server.js';

const TOKEN = 'open-sesame';
const server = startTestServer({ dataset: WORLD, profile: 'standard', qaToken: TOKEN, now: '2026-06-15T12:00:00Z' });

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server().url}${path}`, { headers, redirect: 'manual' });
const qa = async (path: string): Promise<Record<string, unknown>> =>
  (await (await get(`/__qa/${path}`, { 'x-understudy-token': TOKEN })).json()) as Record<string, unknown>;

describe.each([
  ['/__qa/ui', 'ui/journal.js'],
  ['/__qa/explorer', 'ui/explorer/operations.js'],
])('the page at %s', (address, module) => {
  test('the page uses only scripts and styles of the server', async () => {
    const response = await get(address);
    const html = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:|\/\//i);
  });

  test('the hint for browsers without scripts is not hidden', async () => {
    const body = elementsOf(await (await get(address)).text()).find(({ tagName }) => tagName === 'body');
    expect(body?.childNodes?.map(({ tagName }) => tagName)).toContain('noscript');
  });

  test('every file it refers to exists, also without a token, with the right type', async () => {
    const html = await (await get(address)).text();
    const wanted = [...html.matchAll(/(?:src|href)="(ui\/[^"]+)"/g)].map(([, name]) => name);
    wanted.push('ui/htm.LICENSE.txt');
    const types: Record<string, string> = {
      js: 'text/javascript; charset=utf-8',
      css: 'text/css; charset=utf-8',
      txt: 'text/plain; charset=utf-8',
    };
    const seen = new Set<string>();
    for (const name of wanted) {
      if (seen.has(name)) continue;
      seen.add(name);
      const response = await get(`/__qa/${name}`);
      const type = types[name.split(/[./]/).at(-1) ?? ''];
      expect([name, response.status, response.headers.get('content-type')]).toEqual([name, 200, type]);
      const text = await response.text();
      // Modules contain the names of their imports.
      const beside = (other: string): string => new URL(other, `http://host/${name}`).pathname.slice(1);
      wanted.push(...[...text.matchAll(/from '(\.[^']+)'/g)].map(([, other]) => beside(other)));
    }
    expect([...seen]).toContain(module);
  });
});

describe('the files of the pages', () => {
  test.each([
    ['/__qa/ui/', 302],
    ['/__qa/explorer/', 302],
    ['/__qa/ui/index.html', 404],
    ['/__qa/ui/explorer.html', 404],
    ['/__qa/ui/nothing.js', 404],
    ['/__qa/ui/explorer/nothing.js', 404],
    ['/__qa/ui/explorer/..%2Fexplorer.js', 401],
    ['/__qa/ui/..%2Fui-routes.ts', 401],
    ['/__qa/openapi.json', 401],
    ['/__qa/clock', 401],
    ['/__qa', 401],
  ])('%s without a token is %i', async (path, status) => expect((await get(path)).status).toBe(status));

  test.each([
    ['ui', 150_000],
    ['explorer', 75_000],
  ])('the page %s is smaller than %i bytes', async (page, most) => {
    const html = await (await get(`/__qa/${page}`)).text();
    const names = [...html.matchAll(/(?:src|href)="(ui\/[^"]+)"/g)].map(([, name]) => name);
    const sizes = new Map([[page, html.length]]);
    for (const name of names) {
      if (sizes.has(name)) continue;
      const text = await (await get(`/__qa/${name}`)).text();
      sizes.set(name, Buffer.byteLength(text));
      names.push(...[...text.matchAll(/from '(\.[^']+)'/g)].map(([, other]) => new URL(other, `http://host/${name}`).pathname.slice(1)));
    }
    expect(sizes.size).toBeGreaterThan(10);
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(most);
  });

  test('the index and the server link to the pages', async () => {
    expect(await qa('')).toMatchObject({ ui: `${server().url}/__qa/ui`, explorer: `${server().url}/__qa/explorer` });
    expect(server().explorerUrl).toBe(`${server().url}/__qa/ui`);
  });
});

describe('the OpenAPI document of the explorer', () => {
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
