import { LINKED, LINKED_KINDS } from '../../src/plugins/the-events-calendar/model/event.js';
import { GENERATE_DEFAULTS, generate } from '../../src/transfer/generate/index.js';
import { placeIn } from '../../src/transfer/load/mirror.js';
import { loadSource } from '../../src/transfer/load/load.js';
import { isRecord, membersOf } from '../../src/base/values/records.js';
import { checkResponses } from '../../src/transfer/live/check/responses.js';
import { exchangesOf } from '../../src/transfer/recordings/exchange.js';
import { startTestServer } from '../support/server.js';
import { ACKNOWLEDGED } from '../support/tickets.js';
import { CONTAINERS, ORIGIN, type Recorded } from '../unit/transfer/recordings/recordings.js';
import path from 'node:path';
import { parse } from '../../src/transfer/formats/dataset/parse.js';

const OPTIONS = { now: '2026-06-15T12:00:00Z', qa: true } as const;
const first = startTestServer(OPTIONS, { isInMemory: true });
const second = startTestServer(OPTIONS, { isInMemory: true });

/** All lists and singles of the calendar, and the lists of `wp/v2`. */
async function recorded(url: string): Promise<Recorded[]> {
  const found: Recorded[] = [];
  const get = async (route: string): Promise<unknown> => {
    const response = await fetch(`${url}/wp-json/${route}`, { headers: ACKNOWLEDGED });
    const json: unknown = await response.json();
    found.push({ url: `${url}/wp-json/${route}`, json, status: response.status });
    return json;
  };
  for (const list of ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column), 'categories', 'tags']) {
    const query =
      list === 'events' ? 'start_date=1000-01-02&end_date=9999-12-30&' : list === 'venues' || list === 'organizers' ? '' : 'hide_empty=0&';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const body = membersOf(await get(`tribe/events/v1/${list}?${query}per_page=7&page=${page}`)) ?? {};
      pages = Number(body['total_pages']);
      for (const { id } of (body[list] ?? []) as { id: number }[]) await get(`tribe/events/v1/${list}/${id}`);
    }
  }
  for (const list of ['posts', 'media', 'users', 'tribe_events', 'tribe_venue', 'tags']) await get(`wp/v2/${list}?per_page=100`);
  await get('tec/v1/events?start_date=1000-01-02&per_page=50');
  return found;
}

/** The places where a response does not have what was recorded. What it has besides does not count. */
function* differences(expected: unknown, actual: unknown, at: string): Generator<string> {
  if (isRecord(expected) && isRecord(actual))
    for (const name of Object.keys(expected)) yield* differences(expected[name], actual[name], `${at}/${name}`);
  else if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length)
    for (const [index, each] of expected.entries()) yield* differences(each, actual[index], `${at}/${index}`);
  else if (JSON.stringify(expected) !== JSON.stringify(actual)) yield `${at}: ${JSON.stringify(expected)} is ${JSON.stringify(actual)}`;
}

test.each(['one', 'two'])('what a generated site responds is a site that responds the same (%s)', async (seed) => {
  const { site, url } = first();
  await loadSource(site.store, generate({ ...GENERATE_DEFAULTS, events: 15, seed, images: 1 }, null), {
    mode: 'replace',
    place: placeIn(path.dirname(site.uploads)),
    siteUrl: url,
    now: site.clock.seconds(),
  });
  await site.reload();
  const responses = await recorded(url);
  const seeded = await fetch(`${second().url}/__qa/seed?now=${OPTIONS.now}`, { method: 'POST', body: CONTAINERS['har'].save(responses) });
  expect(await seeded.json()).toMatchObject({ seeded: true, warnings: [] });
  const wrong: string[] = [];
  const move = (text: string): string =>
    [second().url, second().url.replaceAll('/', '\\/'), encodeURIComponent(second().url), new URL(second().url).host].reduce(
      (moved, each, index) => moved.replaceAll(each, [url, url.replaceAll('/', '\\/'), encodeURIComponent(url), new URL(url).host][index]),
      text,
    );
  for (const { url: asked, json } of responses) {
    const text = await (await fetch(asked.replace(url, second().url), { headers: ACKNOWLEDGED })).text();
    wrong.push(...differences(json, JSON.parse(move(text)), asked.slice(url.length)));
  }
  expect(responses.length).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
});

test('check --responses compares what was recorded', async () => {
  const { url } = first();
  const responses = await recorded(url);
  const events = responses.find(({ url: asked }) => asked.includes('/events?'))!.json as { events: Record<string, unknown>[] };
  const [event] = events.events;
  const exchanges = [
    ...exchangesOf(JSON.parse(CONTAINERS['har'].save(responses.slice(0, 3))), 'a.har', () => null),
    ...exchangesOf({ ...event, title: 'Other', color: 'red', rest_url: undefined, json_ld: undefined }, 'b.json', () => null),
    ...exchangesOf(
      JSON.parse(CONTAINERS['har'].save([{ url: `${url}/wp-json/tribe/events/v1/events`, json: event, method: 'POST' }])),
      'c.har',
      () => null,
    ),
  ];
  const report = await checkResponses({ exchanges, url, client: { rate: 0, timeoutMs: 30_000, retries: 0 }, progress: () => undefined });
  expect(report).toMatchObject({ requests: 4, same: 3, skipped: 1, fields: { missing: 1, other: 1 } });
  expect(report.findings.flatMap((found) => found.differences.map(({ at }) => at))).toEqual(['/title', '/color']);
});

describe('check --responses finds each value of a recording in the site that it becomes', () => {
  let responses: Recorded[] = [];
  beforeAll(async () => {
    const all = (await recorded(first().url)).filter(({ status }) => status === 200);
    const { host, hostname } = new URL(first().url);
    const names = [first().url, host, hostname];
    const moved = names.reduce(
      (text, name, index) => text.replaceAll(name, index === 0 ? ORIGIN : new URL(ORIGIN).host),
      JSON.stringify(all),
    );
    responses = JSON.parse(moved) as Recorded[];
  }, 60_000);

  test.each(['har', 'polly', 'nock', 'vcr', 'vcrpy', 'vcrpyJson', 'wiremock', 'mockoon'].map((name) => [name, CONTAINERS[name]] as const))(
    '%s',
    async (_, { file, save }) => {
      const text = save(responses);
      const body = typeof text === 'string' ? text : JSON.stringify(text);
      const seeded = await fetch(`${second().url}/__qa/seed?now=${OPTIONS.now}`, { method: 'POST', body });
      expect(await seeded.json()).toMatchObject({ seeded: true });
      const exchanges = exchangesOf(parse(body, file, /\.ya?ml$/.test(file) ? 'yaml' : 'json').value, file, () => null);
      const { url } = second();
      const report = await checkResponses({
        exchanges,
        url,
        client: { rate: 0, timeoutMs: 30_000, retries: 0 },
        progress: () => undefined,
      });
      expect(report.findings).toEqual([]);
      expect(report.requests).toBeGreaterThanOrEqual(responses.length);
      expect(report).toMatchObject({ same: report.requests, skipped: 0, fields: { missing: 0, other: 0 } });
    },
  );
});
