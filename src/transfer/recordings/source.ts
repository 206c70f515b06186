import { newestZones } from '../../base/php/zone-data.js';
import { ATTACHMENT, type Post } from '../../wordpress/model.js';
import { Clock } from '../../wordpress/clock.js';
import { releaseOption, WORDPRESS } from '../../wordpress/quirks.js';
import { CALENDAR } from '../../plugins/the-events-calendar/quirks/version.js';
import { membersOf, type Json } from '../../base/values/records.js';
import type { Stub } from '../../sdk/types/qa.js';
import path from 'node:path';
import type { InputFile, ReadOptions } from '../formats/format.js';
import { pull } from '../live/pull/pull.js';
import { stubFor } from '../live/pull/wp-v2/site-routes.js';
import { urlMover } from '../load/links.js';
import { type DatasetSource, type SourceFile, DatasetError } from '../source.js';
import { isError } from './recognize.js';
import { many } from '../inspect.js';
import { stubRoutes, stubsOption, withOptions } from '../stubs.js';
import { Completion } from './complete.js';
import { exchangesOf, filesBeside, type Exchange } from './exchange.js';
import { Recordings, placeOf, urlOf } from './read.js';
import { imageTypeOfName } from '../../wordpress/media/types.js';
import { drawPlaceholder, MAX_SIDE } from '../placeholder.js';
import type { SiteRequest } from '../live/client/client.js';
import { isUtcOffset } from '../../wordpress/timezones.js';
import { utcOffsetHours } from '../dates.js';
import { EVENTS, type Item } from './collection.js';

/** WP: the newest route, which tells the release of a site whose index was not recorded. */
const NEWEST_ROUTE = '/wp/v2/view-config';

const TICKETS = 'tribe/tickets/v1';
const NAMESPACES = ['tribe/events/v1', 'tec/v1', TICKETS, 'wp/v2'];

/** A site that answers only what was recorded. */
class RecordedSite {
  private readonly lists = new Map<string, Item[]>();
  private readonly items = new Map<string, Item>();
  private readonly routes: readonly string[];

  constructor(
    private readonly recordings: Recordings,
    completion: Completion,
  ) {
    const all = new Set(recordings.collection.entries.map(({ route }) => route));
    for (const route of [
      ...all,
      'tribe/events/v1/venues',
      'tribe/events/v1/organizers',
      'tribe/events/v1/categories',
      'tribe/events/v1/tags',
      EVENTS,
    ]) {
      const items = completion.list(route);
      this.lists.set(route, items);
      // Lists do not have the structured data by which single items are told.
      for (const item of items) if ('json_ld' in item) this.items.set(`${route}/${String(item['id'])}`, item);
    }
    this.routes = [...all];
    this.index = { ...this.made(completion.zone), ...membersOf(recordings.answers.get('GET ')) };
  }

  private readonly index: Item;

  private made(timezone: string): Item {
    const hasTickets = this.recordings.collection.entries.some(({ item }) => 'ticketed' in item);
    const used = NAMESPACES.filter(
      (name) =>
        name === 'tribe/events/v1' ||
        name === 'tec/v1' ||
        this.routes.some((route) => route.startsWith(`${name}/`)) ||
        (name === TICKETS && hasTickets),
    );
    return {
      name: '',
      home: this.recordings.home,
      url: this.recordings.home,
      // WP: an offset is another setting.
      ...(isUtcOffset(timezone)
        ? { timezone_string: '', gmt_offset: utcOffsetHours(timezone) }
        : { timezone_string: timezone, gmt_offset: 0 }),
      namespaces: used,
      routes: Object.fromEntries([NEWEST_ROUTE, ...this.routes.map((route) => `/${route}`)].map((route) => [route, {}])),
    };
  }

  /** Answers like `fetch`. */
  readonly fetch = (url: string, { method = 'GET' }: SiteRequest): Promise<Response> => {
    const place = placeOf(url);
    const body = place === null ? undefined : this.answer(method, place.route, place.query);
    const missing = { code: 'rest_no_route', message: 'This was not recorded.', data: { status: 404 } };
    return Promise.resolve(Response.json(body ?? missing, { status: body === undefined ? 404 : 200 }));
  };

  private answer(method: string, route: string, query: URLSearchParams): unknown {
    const { answers } = this.recordings;
    if (method !== 'GET') return answers.get(`${method} ${route}`);
    if (route === '') return this.index;
    const list = this.lists.get(route);
    if (list) return this.page(route, list, query);
    if (route === 'wp/v2/types' || route === 'wp/v2/taxonomies')
      return { ...this.registered(route), ...membersOf(answers.get(`GET ${route}`)) };
    return this.items.get(route) ?? answers.get(`GET ${route}`);
  }

  /** The terms of an event whose password the calendar asks for, from `wp/v2`. */
  private ofEvent(route: string, event: string): Item[] {
    const { item = {} } = this.recordings.collection.withId('wp/v2/tribe_events', event) ?? {};
    const ids = [item[route.endsWith('/tags') ? 'tags' : 'tribe_events_cat']].flat();
    return /\/(?:categories|tags)$/.test(route) ? (this.lists.get(route) ?? []).filter(({ id }) => ids.includes(id)) : [];
  }

  private page(route: string, all: readonly Item[], query: URLSearchParams): unknown {
    const include = query.get('include')?.split(',');
    const event = query.get('event');
    if (event !== null) return { [route.replace(/.*\//, '')]: this.ofEvent(route, event) };
    const items = include ? all.filter(({ id }) => include.includes(String(id))) : all;
    const [size, page] = [Number(query.get('per_page') ?? 10), Number(query.get('page') ?? 1)];
    const shown = items.slice((page - 1) * size, page * size);
    const [, base] = /^tribe\/.*\/(\w+)$/.exec(route) ?? [];
    if (base === undefined) return shown;
    // TEC: the address of the list without parameters has settings of the site.
    const plain = this.recordings.exchanges.find((each) => placeOf(urlOf(each))?.route === route && !urlOf(each).includes('per_page'));
    return {
      rest_url: '',
      ...(query.size === 0 ? { rest_url: membersOf(plain?.json)?.['rest_url'] ?? '' } : {}),
      [base]: shown,
      total: items.length,
      total_pages: Math.ceil(items.length / size),
    };
  }

  /** The types of posts, or the taxonomies, of the items. */
  private registered(route: string): Record<string, Item> {
    const member = route.endsWith('types') ? 'type' : 'taxonomy';
    const found = new Map<string, Item>();
    for (const [list, items] of this.lists) {
      const [, base] = /^wp\/v2\/([^/]+)$/.exec(list) ?? [];
      const name = items[0]?.[member];
      if (base === undefined || typeof name !== 'string' || base === 'comments') continue;
      const taxonomies = Object.keys(items[0]).filter(
        (each) => this.lists.has(`wp/v2/${each}`) && each !== 'categories' && each !== 'tags',
      );
      found.set(name, { name, slug: name, rest_base: base, ...(member === 'type' ? { taxonomies } : { types: [] }) });
    }
    return Object.fromEntries(found);
  }
}

/** The files of images, as drawings: responses have the addresses of images alone. Those of a size and type are drawn once. */
class Pictures {
  private readonly drawn = new Map<string, Promise<Buffer | null>>();

  /** The files of an attachment, with those of its sizes. */
  async *of({ file = '', image }: Post): AsyncGenerator<SourceFile> {
    if (!image) return;
    const folder = path.posix.dirname(file);
    const { width, height, original_image: original, sizes } = image;
    const all = [{ file: path.posix.basename(file), width, height }, ...Object.values(sizes)];
    for (const each of original === undefined ? all : [...all, { file: original, width, height }]) {
      const data = await this.draw(each);
      if (data) yield { source: '', data, target: path.posix.join(folder, each.file) };
    }
  }

  private draw({ file, width, height }: { file: string; width: number; height: number }): Promise<Buffer | null> {
    const type = imageTypeOfName(file)?.replace('image/', '');
    const key = `${type} ${width}x${height}`;
    const known = this.drawn.get(key) ?? drawAs(type, Math.trunc(Math.min(width, MAX_SIDE)), Math.trunc(Math.min(height, MAX_SIDE)));
    this.drawn.set(key, known);
    return known;
  }
}

async function drawAs(type: string | undefined, width: number, height: number): Promise<Buffer | null> {
  // Recorded sizes may be no numbers.
  if (!(width >= 1 && height >= 1) || (type !== 'png' && type !== 'jpeg' && type !== 'webp' && type !== 'gif' && type !== 'avif'))
    return null;
  const bytes = drawPlaceholder({ width, height, text: `${width} × ${height}` });
  if (type === 'png') return bytes;
  const { default: sharp } = await import('sharp');
  return sharp(bytes).toFormat(type).toBuffer();
}

/** A site that no response names. No such host exists (RFC 2606). */
const NOWHERE = 'https://site.invalid';

/** How many stubs are made at most. */
const MOST = 100;

const HERE = '{{site.url}}';

/** Stubs for the responses of other APIs. */
function stubsFor(others: readonly Exchange[], home: string): Stub[] {
  const stubs = new Map<string, Stub>();
  for (const { url, method, status, json } of others.filter((each) => URL.canParse(each.url, home))) {
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
  const list = (counts: ReadonlyMap<string, number>): string => [...counts].map(([what, count]) => `${what} (${count})`).join(', ');
  return [
    `Read ${many(collection.entries.length, 'item')}${stubs === 0 ? '' : ` and ${many(stubs, 'stub')}`} from ${many(exchanges.length, 'response')} in ${many(new Set(exchanges.map(({ file }) => file)).size, 'file')}.`,
    ...(made.size === 0
      ? []
      : [
          `Generated, because no response contains them: ${[...made].map(([kind, counts]) => `${kind}: ${list(counts)}`).join('; ')}. Other missing values get their defaults.`,
        ]),
    ...(left.size === 0 ? [] : [`Left out: responses ${list(left)}.`]),
  ];
}
