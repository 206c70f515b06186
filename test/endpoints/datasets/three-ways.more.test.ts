import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Server } from '../../../src/index.js';
import { startServer } from '../../../src/server/app/start.js';
import { resolveOptions } from '../../../src/server/config/index.js';
import { runCli } from '../../support/cli.js';
import { startTestServer } from '../../support/server.js';
import { INPUTS, inputNames } from '../../unit/transfer/formats/inputs.js';

/** Files say the same to `understudy import`, to the test API and to `--dataset`. */

const NOW = '2026-06-15T12:00:00Z';
const EMPTY = '{"site":{"timezone":"UTC"}}';
const READABLE = inputNames.filter((name) => name !== 'ics-bare-vevent.ics');

const server = startTestServer({ now: NOW, qaToken: 'secret-token' });

const seed = async (content: string | Buffer, strict = false): Promise<{ status: number; body: Record<string, unknown> }> => {
  const headers = { authorization: 'Bearer secret-token' };
  const response = await fetch(`${server().url}/__qa/seed?now=${NOW}&strict=${String(strict)}`, { method: 'POST', headers, body: content });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** What readers see of a site. Ids may differ. */
async function seen({ url }: Pick<Server, 'url'>): Promise<unknown> {
  const get = async (at: string): Promise<Record<string, unknown>> => (await (await fetch(`${url}/wp-json${at}`)).json()) as never;
  const list = async (at: string, name: string): Promise<unknown[]> => ((await get(at))[name] as unknown[] | undefined) ?? [];
  const events = await list('/tribe/events/v1/events?start_date=2000-01-01&per_page=50', 'events');
  const posts = (await get('/wp/v2/posts?per_page=50')) as unknown as Record<string, unknown>[];
  const strings = (items: unknown[], names: readonly string[]): unknown[] =>
    (items as Record<string, unknown>[]).map((item) => names.map((name) => JSON.stringify(item[name]))).sort();
  return {
    events: strings(events, ['title', 'slug', 'start_date', 'utc_start_date', 'timezone', 'show_map', 'show_map_link', 'cost_details']),
    venues: strings(await list('/tribe/events/v1/venues', 'venues'), ['venue', 'state', 'province', 'stateprovince', 'show_map']),
    organizers: strings(await list('/tribe/events/v1/organizers', 'organizers'), ['organizer']),
    posts: strings(posts, ['slug', 'title', 'date', 'date_gmt', 'content', 'status']),
    categories: strings((await get('/wp/v2/categories')) as never, ['slug', 'name', 'count']),
  };
}

test.each(READABLE)('%s', async (name) => {
  const file = path.join(INPUTS, name);
  expect(await seed(readFileSync(file))).toMatchObject({ status: 200, body: { seeded: true } });
  const sent = await seen(server());
  await seed(EMPTY);
  const result = await runCli(['import', file, '--now', NOW, '--json', '--url', server().url, '--token', 'secret-token']);
  expect(result).toMatchObject({ code: 0 });
  expect(await seen(server())).toEqual(sent);
  const own = await startServer(resolveOptions({ port: 0, ephemeral: true, logLevel: 'error', profile: 'tec', dataset: file, now: NOW }));
  try {
    expect(await seen(own)).toEqual(sent);
  } finally {
    await own.close();
  }
});

test('slugs that items get are unique', async () => {
  await seed(readFileSync(path.join(INPUTS, 'wxr-item-without-slug.xml')));
  const posts = (await (await fetch(`${server().url}/wp-json/wp/v2/posts`)).json()) as { slug: string; link: string }[];
  expect(posts.map(({ slug }) => slug).sort()).toEqual(['summer-party', 'summer-party-2']);
});

test.each(['csv-row-without-name.csv', 'wxr-menu-item-twice.xml', 'ics-zones-and-count.ics'])('strict refuses %s', async (name) => {
  const file = path.join(INPUTS, name);
  expect(await seed(readFileSync(file), true)).toMatchObject({ status: 400 });
  const args = ['import', file, '--strict', '--url', server().url, '--token', 'secret-token'];
  expect(await runCli(args)).toMatchObject({ code: 1 });
});

test('an event without a calendar, sent as a body', async () => {
  const { status, body } = await seed(readFileSync(path.join(INPUTS, 'ics-bare-vevent.ics')));
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('it has no line BEGIN:VCALENDAR')]);
});

test('several files of one export: their authors and terms are the same', async () => {
  const part = (id: number): string =>
    `<rss><channel><title>Town</title><wp:base_site_url>https://old.example</wp:base_site_url>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>ann</wp:author_login></wp:author>
<wp:category><wp:term_id>2</wp:term_id><wp:category_nicename>music</wp:category_nicename><wp:cat_name>Music</wp:cat_name></wp:category>
<item><title>Part ${id}</title><dc:creator>ann</dc:creator><wp:post_id>${id}</wp:post_id><wp:post_date>2026-01-01 10:00:00</wp:post_date><wp:status>publish</wp:status><wp:post_type>post</wp:post_type><category domain="category" nicename="music">Music</category></item>
</channel></rss>`;
  const dataset = [10, 11].map((id) => ({ name: `${id}.xml`, content: Buffer.from(part(id)).toString('base64') }));
  const headers = { authorization: 'Bearer secret-token', 'content-type': 'application/json' };
  const response = await fetch(`${server().url}/__qa/seed/files`, { method: 'POST', headers, body: JSON.stringify({ dataset }) });
  expect(response.status).toBe(200);
  const { posts, categories } = (await seen(server())) as { posts: string[][]; categories: string[][] };
  expect(posts.map(([slug]) => slug)).toEqual(['"part-10"', '"part-11"']);
  expect(categories).toEqual([['"music"', '"Music"', '2']]);
});
