import { membersOf } from '../../base/values/records.js';
import type { SiteRequest } from '../live/client/client.js';
import { isUtcOffset } from '../../wordpress/timezones.js';
import { utcOffsetHours } from '../dates.js';
import type { Completion } from './complete.js';
import { EVENTS, type Item } from './collection.js';
import { placeOf, urlOf, type Recordings } from './read.js';

/** WP: the newest route, which tells the release of a site whose index was not recorded. */
const NEWEST_ROUTE = '/wp/v2/view-config';

const NAMESPACES = ['tribe/events/v1', 'tec/v1', 'tribe/tickets/v1', 'wp/v2'];

/** A site that answers only what was recorded. */
export class RecordedSite {
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
    const used = NAMESPACES.filter(
      (name) => name === 'tribe/events/v1' || name === 'tec/v1' || this.routes.some((route) => route.startsWith(`${name}/`)),
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
