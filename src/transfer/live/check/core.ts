import { ACKNOWLEDGED, TEC_NAMESPACE } from '../../../plugins/the-events-calendar/tec-v1/routes.js';
import { LINKED, LINKED_KINDS } from '../../../plugins/the-events-calendar/model/event.js';
import { isRecord, membersOf } from '../../../base/values/records.js';
import { get, spread, firstWord, type CheckRequest, type SiteSamples, routeUrlOf, type Side } from './requests.js';
import type { Event } from '../../../sdk/types/responses.js';
import type { KnownPosts } from './ties.js';
import { EVENT } from '../../../plugins/the-events-calendar/model/index.js';

/* The ordinary reads of everything besides the calendar: `wp/v2`, `tec/v1`, the indexes, and routes of other plugins. */

const CORE = 'wp/v2';

const PAGE = 100;

const core = (route: string): CheckRequest => get('core', route, 200, { namespace: CORE });

/** An object of a list. */
interface Listed {
  id: number;
  title?: { rendered?: string };
  name?: string;
  date?: string;
}

/** A list and what it contains. */
interface FoundList {
  /** Path in the namespace. */
  base: string;
  namespace: string;
  items: Listed[];
  pages: number;
  /** Whether it is one of posts, which embed others. */
  isPosts: boolean;
  /** Whether they are events: which ones are listed, and which are past, depends on the clock. */
  isEvents: boolean;
}

const isListed = (value: unknown): value is Listed => isRecord(value) && typeof value['id'] === 'number';

async function read(side: Side, route: string): Promise<unknown> {
  const headers = route.startsWith(TEC_NAMESPACE) ? { headers: ACKNOWLEDGED } : {};
  const { status, json } = await side.client.fetch(routeUrlOf(side, route), headers);
  return status === 200 ? json : undefined;
}

/** The parameters with which the pages of a list are read. */
const pageQuery = (namespace: string, base: string, page: number): string => {
  const dates = namespace === TEC_NAMESPACE && base === 'events' ? 'start_date=1000-01-02&' : '';
  return `${dates}per_page=${PAGE}&page=${page}`;
};

async function readList(side: Side, namespace: string, base: string): Promise<Listed[] | null> {
  const all: Listed[] = [];
  for (let page = 1; ; page += 1) {
    const json = await read(side, `${namespace}/${base}?${pageQuery(namespace, base, page)}&_fields=id,title.rendered,name,date`);
    if (!Array.isArray(json) || !json.every(isListed)) return page === 1 ? null : all;
    all.push(...json);
    if (json.length < PAGE) return all;
  }
}

/** The bases of post types and taxonomies in `wp/v2`, by name. */
async function basesOf(side: Side, what: 'types' | 'taxonomies'): Promise<Map<string, string>> {
  const json = membersOf(await read(side, `${CORE}/${what}`)) ?? {};
  return new Map(
    Object.entries(json).flatMap(([name, each]) => {
      const { rest_base: base, rest_namespace: namespace = CORE } = membersOf(each) ?? {};
      return typeof base === 'string' && namespace === CORE && !base.includes('(') ? [[name, base] as const] : [];
    }),
  );
}

/** Contents of a site besides the calendar. */
export interface CoreFound {
  types: string[];
  taxonomies: string[];
  lists: FoundList[];
  /** Bases of lists that the site rejects. */
  refused: string[];
  namespaces: string[];
  /** Paths of other plugins. */
  routes: string[];
}

const withOthers = (listed: readonly Listed[], others: readonly Pick<Event, 'id' | 'date'>[]): Listed[] => {
  const known = new Set(listed.map(({ id }) => id));
  return [...listed, ...others.flatMap(({ id, date }) => (known.has(id) ? [] : [{ id, date: date.replace(' ', 'T') }]))];
};

const EMULATED = /^(?:wp\/|calendar\/|tribe\/|tec\/|oembed\/|wp-site-health\/|wp-block-editor\/|wp-abilities\/)/;

/** Reads the lists of a site. */
export async function readCore(
  side: Side,
  { events }: Pick<SiteSamples, 'events'>,
  progress: (what: string, done: number) => void,
): Promise<CoreFound> {
  const [types, taxonomies] = [await basesOf(side, 'types'), await basesOf(side, 'taxonomies')];
  const found: CoreFound = {
    types: [...types.keys()],
    taxonomies: [...taxonomies.keys()],
    lists: [],
    refused: [],
    namespaces: [...side.live.methods.keys()].filter((name) => name !== ''),
    routes: [...side.live.methods].flatMap(([namespace, routes]) =>
      EMULATED.test(namespace)
        ? []
        : Object.keys(routes).filter(
            (path) => routes[path].includes('GET') && path !== '/' && path !== `/${namespace}` && !/[(?[\\]/.test(path),
          ),
    ),
  };
  const add = async (namespace: string, base: string, isPosts: boolean): Promise<void> => {
    const listed = await readList(side, namespace, base);
    // TEC: the list has no past events.
    const isEvents = base === (namespace === CORE ? types.get(EVENT) : 'events');
    const items = listed && namespace === CORE && isEvents ? withOthers(listed, events) : listed;
    progress('Reading lists', found.lists.length + found.refused.length);
    if (items === null) found.refused.push(base);
    else found.lists.push({ base, namespace, items, pages: Math.max(1, Math.ceil((listed?.length ?? 0) / PAGE)), isPosts, isEvents });
  };
  for (const base of types.values()) await add(CORE, base, true);
  for (const base of [...taxonomies.values(), 'users', 'comments']) await add(CORE, base, false);
  if (side.live.hasTecV1)
    for (const base of ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column)]) await add(TEC_NAMESPACE, base, false);
  return found;
}

/** The posts of the lists, for searches, which do not show their dates. */
export const knownPosts = ({ lists }: CoreFound): KnownPosts =>
  new Map(lists.flatMap(({ isPosts, base, items }) => (isPosts ? items.map(({ id, date = '' }) => [id, { date, base }] as const) : [])));

function* listRequests({ base, namespace, items, pages, isPosts, isEvents }: FoundList, most: number): Generator<CheckRequest> {
  const byClock = isEvents ? { clock: true as const } : {};
  const of = (route: string): CheckRequest => get('core', route, 200, { namespace, ...byClock });
  // TEC: only its own namespace says whether an event is past.
  const one = (route: string): CheckRequest => get('core', route, 200, { namespace, ...(namespace === CORE ? {} : byClock) });
  if (namespace === CORE) yield of(base);
  for (let page = 1; page <= pages; page += 1) yield of(`${base}?${pageQuery(namespace, base, page)}`);
  for (const { id } of spread(items, most)) yield one(`${base}/${id}`);
  if (namespace !== CORE) return;
  yield of(`${base}?context=embed&per_page=${PAGE}`);
  if (isPosts) for (let page = 1; page <= pages; page += 1) yield of(`${base}?_embed&per_page=${PAGE}&page=${page}`);
  yield { ...one(base), group: 'options', method: 'OPTIONS' };
}

/**
 * Yields the requests.
 * @param most maximum number of single items of each kind; 0: all
 */
export function* coreRequests({ types, taxonomies, lists, refused, namespaces, routes }: CoreFound, most: number): Generator<CheckRequest> {
  // The offset of a time zone depends on the date.
  yield get('core', '', 200, { namespace: '', clock: true });
  for (const name of namespaces) yield get('core', '', 200, { namespace: name });
  yield core('types');
  for (const name of types) yield core(`types/${name}`);
  yield core('taxonomies');
  for (const name of taxonomies) yield core(`taxonomies/${name}`);
  yield core('statuses');
  for (const list of lists) yield* listRequests(list, most);
  for (const base of refused) yield core(base);
  const words = lists.flatMap(({ items }) => items.slice(0, 1).map(({ title, name }) => firstWord(title?.rendered ?? name ?? '')));
  for (const word of new Set(words)) if (word !== undefined) yield core(`search?search=${encodeURIComponent(word)}&per_page=${PAGE}`);
  yield core(`search?per_page=${PAGE}`);
  yield core(`search?type=term&per_page=${PAGE}`);
  for (const path of routes) yield get('core', path.slice(1), 200, { namespace: '' });
}
