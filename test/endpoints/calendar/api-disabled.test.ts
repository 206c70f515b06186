import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ACKNOWLEDGED } from '../../../src/plugins/the-events-calendar/tec-v1/routes.js';
import { apiOf, WORLD, type Refusal } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** A site whose plugin setting switches `tribe/events/v1` off. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-disabled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const world = JSON.parse(readFileSync(WORLD, 'utf8')) as { site: { tec_options: object } };
const dataset = path.join(folder, 'world.json');
writeFileSync(
  dataset,
  JSON.stringify({ ...world, site: { ...world.site, tec_options: { ...world.site.tec_options, 'rest-v1-disabled': true } } }),
);

const server = startTestServer({ dataset });
const { get, call, post } = apiOf(server);

test('pages say so', async () => {
  const response = await fetch(`${server().url}/event/long-conference/`);
  const names = ['x-tec-api-version', 'x-tec-api-root', 'x-tec-api-origin'];
  expect(names.map((name) => response.headers.get(name))).toEqual(['disabled', null, null]);
  const text = await response.text();
  expect(text).not.toMatch(/tec-api-|tribe\/events\/v1/);
  expect(text).toContain('type="text/calendar"');
});

test.each([
  ['/tribe/events/v1', 'rest_no_route'],
  ['/tribe/events/v1/events', 'rest_no_route'],
  ['/tribe/events/v1/doc', 'rest_no_route'],
  ['/wp/v2/tribe_events_cat', 'rest_no_route'],
  ['/wp/v2/tribe_events_cat/2', 'rest_no_route'],
  ['/wp/v2/taxonomies/tribe_events_cat', 'rest_forbidden'],
])('%s: %s', async (route, code) => {
  expect((await get<Refusal>(route)).body.code).toBe(code);
});

test('the other namespaces stay, without categories of events', async () => {
  const { namespaces } = (await get<{ namespaces: string[] }>('/')).body;
  expect(namespaces).toEqual(expect.arrayContaining(['tec/v1', 'tribe/views/v2', 'wp/v2']));
  expect(namespaces).not.toContain('tribe/events/v1');
  const { body } = await get<{ class_list: string[]; tribe_events_cat?: number[]; _links: { 'wp:term': object[] } }>(
    '/wp/v2/tribe_events/41',
  );
  expect(body).not.toHaveProperty('tribe_events_cat');
  expect(body.class_list).toContain('tribe_events_cat-community');
  expect(body._links['wp:term']).toHaveLength(1);
  const event = await call<object>('GET', '/tec/v1/events/41', { headers: ACKNOWLEDGED });
  expect([event.status, 'tribe_events_cat' in event.body]).toEqual([200, false]);
  expect(Object.keys((await get<object>('/wp/v2/taxonomies')).body)).not.toContain('tribe_events_cat');
  expect((await get<{ taxonomies: string[] }>('/wp/v2/types/tribe_events')).body.taxonomies).toEqual(['post_tag']);
  const written = await post<object>('/wp/v2/tribe_events', { title: 'X', tribe_events_cat: [2] });
  expect([written.status, 'tribe_events_cat' in written.body]).toEqual([201, false]);
});
