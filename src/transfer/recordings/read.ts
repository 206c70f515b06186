import { isRecord, lookup, membersOf, mostFrequent } from '../../base/values/records.js';
import { Collection, EVENTS, routeOfItem, type Item } from './collection.js';
import type { Exchange } from './exchange.js';
import kinds from './kinds.json' with { type: 'json' };

/** Where a URL leads on a site. */
export interface Place {
  /** Address of the site, without trailing slash; '' for a path. */
  home: string;
  /** Without slashes at its ends; '' is the index. */
  route: string;
  query: URLSearchParams;
}

const NAMESPACES = /(?:^|\/)((?:tribe|calendar)\/events\/v1|tribe\/tickets\/v1|tec\/v1|wp\/v2)(?=\/|$)/;

/** The place of a URL in the REST API of a site; null: it is elsewhere. */
export function placeOf(url: string): Place | null {
  const [, home = '', path = '', search = ''] = /^(https?:\/\/[^/?#]+)?([^?#]*)(?:\?([^#]*))?/i.exec(url) ?? [];
  const query = new URLSearchParams(search);
  const plain = query.get('rest_route');
  const root = /^(.*?)\/(?:index\.php\/)?wp-json(?:\/|$)/.exec(path);
  const namespace = NAMESPACES.exec(path);
  if (plain === null && !root && !namespace) return null;
  query.delete('rest_route');
  const [below, route] =
    plain !== null
      ? [path.replace(/\/(?:index\.php)?$/, ''), plain]
      : root
        ? [root[1], path.slice(root[0].length)]
        : [path.slice(0, namespace!.index), path.slice(namespace!.index)];
  const named = route.replace(/^\/+|\/+$/g, '').replace(/^calendar\/events\/v1/, 'tribe/events/v1');
  return { home: `${home}${below}`.replace(/\/$/, ''), route: named, query };
}

/** The URL of a request. A list that was saved alone, or without what was asked in the query, names it. */
export const urlOf = ({ url, json, isPartial = false }: Exchange): string => {
  const { rest_url: named, title } = membersOf(json) ?? {};
  if ((url !== '' && !isPartial) || typeof named !== 'string' || title !== undefined) return url;
  const place = placeOf(named);
  return place?.home && (url === '' || place.route === placeOf(url)?.route) ? named : url;
};

const PERIOD = ['page', 'per_page', 'start_date', 'end_date'];

const NOT_ITEMS = new Set(kinds.notItems);

/** WP: the lists that embedded items are from, by relation. Others tell their kinds. */
const EMBEDDED: Readonly<Record<string, string>> = lookup({ author: 'users', 'wp:featuredmedia': 'media', replies: 'comments' });

/** How deep lists may be in a file of fixtures. */
const DEEPEST = 6;

/** The calendar's members of an event with items of their own, and the lists of these. */
const NESTED = ['venue', 'organizer', 'categories', 'tags'] as const;

/** An item that is only named, as in fixtures. */
const asItem = (value: unknown, name: string): Item | null =>
  isRecord(value) ? value : typeof value === 'string' && value !== '' ? { [name]: value } : null;

/** The content of the responses of a site. */
export class Recordings {
  readonly collection: Collection;
  /** Responses that are no lists of items, by method and route. */
  readonly answers = new Map<string, unknown>();
  /** Responses of the API that are no JSON. */
  readonly unread: string[] = [];
  /** The routes of the lists of the API that were recorded, also if they are empty. */
  readonly lists = new Set<string>();
  /** The periods of lists of events that have no other filter, with the number of their events. */
  readonly periods: { from: string; to: string; total: unknown }[] = [];
  /** Responses of other APIs. */
  readonly others: Exchange[] = [];
  /** Address of the site, without trailing slash. */
  home = '';
  /** How many responses have no part in the content, by the reason. */
  readonly left = new Map<string, number>();
  /** When the first response was recorded, in ms since 1970 UTC. */
  time: number | undefined;

  /** @param warn receives what is contradictory, or cannot be read */
  constructor(
    readonly exchanges: readonly Exchange[],
    private readonly warn: (line: string) => void,
  ) {
    this.collection = new Collection(warn);
    this.home = this.findHome();
    for (const exchange of exchanges) this.read(exchange);
    const times = exchanges.flatMap(({ time }) => time ?? []);
    this.time = times.length === 0 ? undefined : Math.min(...times);
  }

  /** The site that most requests were sent to, or that the items name. */
  private findHome(): string {
    const asked = this.exchanges.map((exchange) => placeOf(urlOf(exchange))?.home ?? '').filter((home) => home !== '');
    return mostFrequent(asked) ?? this.namedHome() ?? '';
  }

  private namedHome(): string | undefined {
    const text = JSON.stringify(this.exchanges.map(({ json }) => json));
    const rest = [...text.matchAll(/"rest_url":"(https?:[^"]*)"/g)].map(([, url]) => placeOf(url)?.home ?? '');
    const links = [...text.matchAll(/"(?:url|link)":"(https?:\/\/[^/"]+)/g)].map(([, origin]) => origin);
    return mostFrequent(rest.filter((home) => home !== '')) ?? mostFrequent(links);
  }

  private leave(reason: string): void {
    this.left.set(reason, (this.left.get(reason) ?? 0) + 1);
  }

  private isHere(home: string): boolean {
    const bare = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/i, '').toLowerCase();
    return home === '' || bare(home) === bare(this.home);
  }

  private read(exchange: Exchange): void {
    const { json, file, method, status } = exchange;
    const url = urlOf(exchange);
    // A list without a name may have the name of its file: `wp-v2-posts.json`.
    if (url === '') return this.readAny(json, /([a-z]+)[^a-z]*\.\w+$/i.exec(file)?.[1] ?? '', file, 0);
    const place = placeOf(url);
    const isOfApi = place !== null && (place.route === '' || /^(?:wp|oembed|batch)\//.test(place.route) || NAMESPACES.test(place.route));
    if (place && !this.isHere(place.home)) return this.leave(`of another site (${place.home})`);
    if (!isOfApi) {
      if (json !== undefined && method !== 'OPTIONS') this.others.push(exchange);
      return;
    }
    if (json === undefined) {
      const what = /^\s*</.test(exchange.text) ? 'HTML' : exchange.text.trim() === '' ? 'empty' : 'not JSON, or truncated';
      const problem = `the response to ${method} ${url} is ${what}`;
      if (method !== 'GET' || status > 299) return;
      this.unread.push(problem);
      return this.warn(`${file}: left out: ${problem}`);
    }
    if (method === 'OPTIONS') this.answers.set(`OPTIONS ${place.route}`, json);
    if (method !== 'GET') return this.leave('to requests that are not reads');
    if (status > 299) return this.leave('with an error status');
    this.readAt(place.route, json, file);
    const { query } = place;
    if (place.route === EVENTS && [...query.keys()].every((name) => PERIOD.includes(name)))
      this.periods.push({ from: query.get('start_date') ?? '9', to: query.get('end_date') ?? '9', total: membersOf(json)?.['total'] });
  }

  private readAt(route: string, json: unknown, file: string): void {
    const [, namespace = route, base = '', ...below] = /^((?:[^/]+\/)*?v\d+)\/([^/]+)(?:\/(.*))?$/.exec(route) ?? [];
    const isBelow = below[0] !== undefined && !/^(?:\d+|me|by-slug\/[^/]+)$/.test(below[0]);
    const members = membersOf(json) ?? {};
    const list = Array.isArray(json) ? json : (membersOf(members[base]) ?? null);
    const items = list ? Object.values(list) : 'id' in members ? [json] : null;
    if (base === '' || isBelow || NOT_ITEMS.has(base) || !items) {
      if (!this.answers.has(`GET ${route}`)) this.answers.set(`GET ${route}`, json);
      return;
    }
    if (list) this.lists.add(`${namespace}/${base}`);
    for (const item of items) if (isRecord(item)) this.add(`${namespace}/${base}`, item, file);
  }

  /** Reads a response whose URL is unknown, or a file with several. */
  private readAny(value: unknown, hint: string, file: string, depth: number): void {
    if (depth > DEEPEST) return;
    if (Array.isArray(value)) return value.forEach((each) => this.readAny(each, hint, file, depth + 1));
    if (!isRecord(value)) return;
    const route = routeOfItem(value, hint);
    if (route !== null) return this.add(route, value, file);
    // PHP: a list with gaps is an object with numbers as names.
    for (const [name, inner] of Object.entries(value)) {
      const list = kinds.lists[name as keyof typeof kinds.lists] as string | undefined;
      if (list !== undefined && Array.isArray(inner) && inner.length === 0) this.lists.add(list);
      this.readAny(inner, /^\d+$/.test(name) ? hint : name, file, depth + 1);
    }
  }

  private add(route: string, given: Item, file: string): void {
    const { _embedded: embedded, ...item } = given;
    for (const [relation, items] of Object.entries(membersOf(embedded) ?? {})) this.readAny(items, EMBEDDED[relation] ?? '', file, 1);
    if (route === EVENTS) this.readNested(item, file);
    this.collection.add(route, item, file);
  }

  /** Adds the items of an event, and replaces them by what the collection knows them as. */
  private readNested(event: Item, file: string): void {
    for (const name of NESTED) {
      if (!(name in event)) continue;
      const named = name === 'venue' || name === 'organizer' ? name : 'name';
      const items = [event[name] ?? []]
        .flat()
        .map((value) => asItem(value, named))
        .filter((item) => item !== null);
      const list = kinds.lists[name];
      for (const item of items) this.collection.add(list, item, file);
      event[name] = items;
    }
    const { image } = event;
    if (typeof image === 'string') event['image'] = image === '' ? false : { url: image };
  }
}
