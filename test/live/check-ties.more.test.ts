import { checkSite } from '../../src/transfer/live/check/site.js';
import { startTestServer } from '../support/server.js';
import { quick } from './ticket-copies.js';

const DATASET = { venues: ['Arena', 'Barn', 'Cellar'].map((name) => ({ name, slug: name, date: '2026-01-02 10:00:00' })) };
const NOW = '2026-06-15T12:00:00Z';

const site = startTestServer({ dataset: DATASET, now: NOW });
const server = startTestServer({ dataset: DATASET, now: NOW });

type List = Record<'venues', { id: number }[]>;

/** Lets the server show other venues on a page of one, and returns what differs. */
async function checkWith(venuesOf: (all: List['venues']) => List['venues']): Promise<string[]> {
  const list = async (query: string): Promise<List> =>
    (await (await fetch(`${server().url}/wp-json/tribe/events/v1/venues${query}`)).json()) as List;
  const body = { ...(await list('?per_page=1')), venues: venuesOf((await list('')).venues) };
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', Allow: 'GET', 'X-TEC-Total': '3', 'X-TEC-TotalPages': '3' };
  const stub = { match: { path: '/tribe/events/v1/venues', query: { per_page: '1' } }, respond: { headers, body } };
  const options = { method: 'POST', headers: { 'content-type': 'application/json' } };
  await fetch(`${server().url}/__qa/stubs`, { ...options, body: JSON.stringify(stub) });
  const { findings } = await checkSite({
    ...{ url: site().url, against: server().url, only: ['filters'], limit: 0, client: quick },
    ...{ notify: () => undefined, progress: () => undefined },
  });
  await fetch(`${server().url}/__qa/stubs`, { method: 'DELETE' });
  return findings.flatMap(({ request, differences }) => differences.map(({ at, actual }) => `${request} ${at} ${String(actual)}`));
}

test('an equal item that is on another page is no difference, an unknown one is', async () => {
  expect(await checkWith((all) => [all[0]])).toEqual([]);
  expect(await checkWith((all) => [all[2]])).toEqual([]);
  expect(await checkWith((all) => [{ ...all[2], id: 999 }])).toEqual(['GET venues?per_page=1 /venues/0/id 999']);
});

test('settings that the sites show and that differ are one difference', async () => {
  const set = (settings: object): Promise<Response> =>
    fetch(`${server().url}/__qa/settings`, { method: 'PUT', body: JSON.stringify(settings) });
  const check = async (): Promise<unknown[]> => {
    const options = { url: site().url, against: server().url, only: ['settings'], limit: 0, client: quick };
    const { findings } = await checkSite({ ...options, notify: () => undefined, progress: () => undefined });
    return findings.flatMap(({ differences }) => differences);
  };
  expect(await check()).toEqual([]);
  await set({ events_slug: 'termine', posts_per_page: 4, date_format: 'Y', search_engines: false });
  expect(await check()).toEqual([
    { at: '/posts_per_page', expected: 10, actual: 4 },
    { at: '/search_engines', expected: true, actual: false },
    { at: '/events_slug', expected: 'events', actual: 'termine' },
  ]);
  await set({ events_slug: null, posts_per_page: null, date_format: null, search_engines: null });
});
