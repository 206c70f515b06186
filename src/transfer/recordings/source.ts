import { newestZones } from '../../base/php/zone-data.js';
import { ATTACHMENT } from '../../wordpress/model.js';
import { Clock } from '../../wordpress/clock.js';
import { releaseOption, WORDPRESS } from '../../wordpress/releases.js';
import { CALENDAR } from '../../plugins/the-events-calendar/quirks/version.js';
import { membersOf } from '../../base/values/records.js';
import type { Json } from '../../base/values/json.js';
import type { Stub } from '../../sdk/types/qa.js';
import path from 'node:path';
import type { InputFile, ReadOptions } from '../formats/format.js';
import { pull } from '../live/pull/pull.js';
import { stubFor } from '../live/pull/wp-v2/site-routes.js';
import { urlMover } from '../load/links.js';
import { DatasetError } from '../problems.js';
import type { DatasetSource } from '../source.js';
import { isError } from './recognize.js';
import { stubRoutes, stubsOption, withOptions } from '../stubs.js';
import { Completion } from './complete.js';
import { exchangesOf, filesBeside, type Exchange } from './exchange.js';
import { Pictures } from './pictures.js';
import { Recordings } from './read.js';
import { RecordedSite } from './site.js';

/** A site that no response names. No such host exists (RFC 2606). */
const NOWHERE = 'https://site.invalid';

/** How many stubs are made at most. */
const MOST = 100;

const HERE = '{{site.url}}';

/** Stubs for the responses of other APIs. */
function stubsFor(others: readonly Exchange[], home: string): Stub[] {
  const stubs = new Map<string, Stub>();
  for (const { url, method, status, json } of others) {
    const { pathname, searchParams } = new URL(url, home);
    const stub = stubFor(pathname, json as Json, urlMover(home, HERE));
    const query = Object.fromEntries(searchParams);
    const match = { ...stub.match, method, ...(searchParams.size === 0 ? {} : { query }) };
    stubs.set(JSON.stringify(match), { ...stub, match, respond: { ...stub.respond, ...(status === 200 ? {} : { status }) } });
  }
  return [...stubs.values()].slice(0, MOST);
}

/** The responses of a parsed file. @param input its name, and the folder with files of bodies, which are read only for the user's own */
export const responsesIn = (value: unknown, { name, folder, isOwn = false }: Omit<InputFile, 'file'>): Exchange[] =>
  exchangesOf(value, path.basename(name), isOwn ? filesBeside(folder) : () => null);

/** Opens recorded responses as a site, through the code that reads live sites. @throws DatasetError if they have no content */
export async function recordedSource(
  name: string,
  exchanges: readonly Exchange[],
  { now, zones = newestZones(), zone = 'UTC', warn = () => undefined, notify = () => undefined }: Omit<ReadOptions, 'settings'>,
): Promise<DatasetSource> {
  const recordings = new Recordings(exchanges, (line) => warn(line));
  const seconds = Math.floor((now ?? recordings.time ?? new Clock().now()) / 1000);
  recordings.home ||= NOWHERE;
  const completion = new Completion(recordings, { now: seconds, zones, zone }, (line) => warn(line));
  const { entries } = recordings.collection;
  const stubs = stubsFor(recordings.others, recordings.home);
  if (entries.length + stubs.length + recordings.lists.size + recordings.answers.size === 0)
    throw new DatasetError(name, [recordings.unread[0] ?? nothingIn(exchanges)]);
  const site = new RecordedSite(recordings, completion);
  const pulled = await pull({
    url: recordings.home,
    state: null,
    files: false,
    since: null,
    fresh: true,
    keepsPeople: true,
    client: { rate: 0, timeoutMs: 60_000, retries: 0, fetch: site.fetch },
    notify: () => undefined,
    progress: () => undefined,
  });
  const hasIndex = recordings.answers.has('GET ');
  const unknown = hasIndex ? [] : [...[WORDPRESS.name, CALENDAR].map(releaseOption), 'blogname', 'blogdescription'];
  let isSaid = false;
  const { source } = pulled;
  const routes = { ...source.declarations?.routes, ...stubRoutes(stubs) };
  return {
    ...source,
    name,
    exchanges,
    declarations: { ...source.declarations, ...(Object.keys(routes).length === 0 ? {} : { routes }) },
    async *items(problems) {
      // Sources that are joined with others are not read.
      if (!isSaid) for (const line of summary(recordings, completion, stubs.length)) notify(line);
      isSaid = true;
      const pictures = new Pictures();
      for await (const item of source.items(problems)) {
        if (item.kind === 'post' && item.post.type === ATTACHMENT)
          for await (const file of pictures.of(item.post)) yield { kind: 'file', file };
        if (item.kind !== 'options') yield item;
        else {
          const known = Object.entries(item.options).filter(([option]) => !unknown.includes(option));
          yield { ...item, options: withOptions(Object.fromEntries(known), stubsOption(stubs)) };
        }
      }
    },
  };
}

/** Names what a response without content has instead. */
function nothingIn(exchanges: readonly Exchange[]): string {
  const wanted = 'has no events, venues, organizers, terms, posts, pages or users in the form of The Events Calendar or WordPress';
  const [first] = [exchanges[0]?.json].flat();
  if (isError(first)) return `is an error response (${String(membersOf(first)?.['code'])}), and has no content`;
  const [item] = [membersOf(first)?.['events'] ?? first].flat();
  const inner = Object.keys(membersOf(item) ?? {}).slice(0, 6);
  return inner.length === 0 ? wanted : `${wanted}. It has ${inner.join(', ')}`;
}

function summary({ collection, left, exchanges }: Recordings, { made }: Completion, stubs: number): string[] {
  const files = new Set(exchanges.map(({ file }) => file)).size;
  const list = (counts: ReadonlyMap<string, number>): string => [...counts].map(([what, count]) => `${what} (${count})`).join(', ');
  return [
    `Read ${collection.entries.length} items${stubs === 0 ? '' : ` and ${stubs} stubs`} from ${exchanges.length} responses in ${files} ${files === 1 ? 'file' : 'files'}.`,
    ...(made.size === 0
      ? []
      : [
          `Made up, since no response has it: ${[...made].map(([kind, counts]) => `${kind}: ${list(counts)}`).join('; ')}. What else is missing has its default.`,
        ]),
    ...(left.size === 0 ? [] : [`Left out: responses ${list(left)}.`]),
  ];
}
