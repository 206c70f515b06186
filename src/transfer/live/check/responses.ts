import { ACKNOWLEDGED, TEC_NAMESPACE } from '../../../plugins/the-events-calendar/tec-v1/routes.js';
import { isRecord, membersOf } from '../../../base/values/records.js';
import type { Entry, Item } from '../../recordings/collection.js';
import type { Exchange } from '../../recordings/exchange.js';
import { placeOf, Recordings, urlOf, type Place } from '../../recordings/read.js';
import type { LiveClientOptions } from '../client/client.js';
import { Normalizer, compareResponses, type Difference } from './compare.js';
import { type CheckRequest, routeUrlOf, sideOf } from './requests.js';
import { nameOf, routeCounts, type CheckFinding, type CheckReport } from './report.js';

interface ResponsesCheck {
  exchanges: readonly Exchange[];
  /** The server that has their content. */
  url: string;
  client: LiveClientOptions;
  progress: (what: string, done: number, total?: number) => void;
}

/** A request with the response to expect. */
interface Expected extends Pick<Exchange, 'method' | 'status' | 'headers' | 'json'> {
  route: string;
}

const READS = ['GET', 'OPTIONS'];

/** An item of a fixture, whose request is unknown: as the route for a single one shows it. */
function ofFixture({ route, id, item }: Entry): Expected {
  const { venue, parent, ...others } = item;
  const json = {
    ...others,
    ...(venue === undefined ? {} : { venue: Array.isArray(venue) && venue.length === 1 ? (venue[0] as unknown) : venue }),
    // TEC: only tags of an event have a parent.
    ...(parent === undefined || route.endsWith('/tags') ? {} : { parent }),
  };
  return { method: 'GET', route: asNamed(`${route}/${id}`, JSON.stringify(json)), status: 200, headers: {}, json };
}

/** The items of a response to a request that is known in part: each is asked for by its id. Empty: the request is sent as it is. */
function itemsOf({ json, isPartial = false }: Exchange, { route, query }: Place): Item[] {
  const base = route.replace(/.*\//, '');
  if (!isPartial || query.size > 0 || /^\d+$/.test(base)) return [];
  const items = [Array.isArray(json) ? json : (membersOf(json)?.[base] ?? json)].flat();
  return items.every((item): item is Item => typeof membersOf(item)?.['id'] === 'number') ? items : [];
}

/** A route in the calendar's older namespace, if the request or the item was. */
const asNamed = (route: string, text: string): string =>
  text.includes('calendar/events/v1') ? route.replace(/^tribe(?=\/events\/v1\/)/, 'calendar') : route;

/** The requests of a response; none if it cannot be asked for again. */
function requestsOf(exchange: Exchange): Expected[] {
  const place = placeOf(urlOf(exchange));
  if (!place || !READS.includes(exchange.method) || exchange.json === undefined) return [];
  const { query } = place;
  const route = asNamed(place.route, exchange.url);
  const items = itemsOf(exchange, place).map((json) => ({ ...exchange, headers: {}, json, route: `${route}/${String(json['id'])}` }));
  return items.length > 0 ? items : [{ ...exchange, route: query.size === 0 ? route : `${route}?${query.toString()}` }];
}

const leaves = (value: unknown): number =>
  isRecord(value) || Array.isArray(value) ? Object.values(value).reduce<number>((sum, each) => sum + leaves(each), 0) : 1;

/** Leaves out what a server shows besides, such as members that a fixture does not have, and the type that somebody gave a mock. More items in a list are differences. */
const isDifference = ({ at, expected }: Difference): boolean =>
  (expected !== undefined && at !== 'header content-type') || /^\/(?:\w+\/)?\d+$/.test(at);

/** Sends recorded requests to a server, and compares each value of the responses. @throws DatasetError if it cannot be reached */
export async function checkResponses({ exchanges, url, client, progress }: ResponsesCheck): Promise<CheckReport> {
  const recordings = new Recordings(exchanges, () => undefined);
  recordings.collection.number();
  const server = await sideOf(url, client);
  const { home } = recordings;
  const name = home.replace(/^https?:\/\//, '');
  const recorded = {
    ...server.live,
    home,
    aliases: [`http://${name}`, `https://${name}`],
    root: `${home}/wp-json`,
    namespace: 'tribe/events/v1',
  };
  const normalizers = { expected: new Normalizer(home === '' ? server.live : recorded), actual: new Normalizer(server.live) };
  const bare = new Set(exchanges.filter((exchange) => urlOf(exchange) === '').map(({ file }) => file));
  const asked = exchanges.map(requestsOf);
  const all = [...asked.flat(), ...recordings.collection.entries.filter(({ file }) => bare.has(file)).map(ofFixture)];
  const requests = all.map(({ method, route }) => ({ group: '', method, route, status: 200 }) as CheckRequest);
  const findings = new Map<number, CheckFinding>();
  const fields = { all: 0, missing: 0, other: 0 };
  for (const [index, expected] of all.entries()) {
    // TEC: its newer API answers only clients that know it to be experimental.
    const headers = expected.route.startsWith(`${TEC_NAMESPACE}/`) && expected.status < 400 ? ACKNOWLEDGED : {};
    const actual = await server.client.fetch(routeUrlOf(server, expected.route), { method: expected.method, headers });
    const differences = compareResponses({ ...expected, text: '', url }, actual, normalizers).filter(isDifference);
    fields.all += leaves(expected.json);
    for (const { actual: value } of differences) fields[value === undefined ? 'missing' : 'other'] += 1;
    if (differences.length > 0) findings.set(index, { request: nameOf(requests[index]), group: '', differences });
    progress('Checking', index + 1, all.length);
  }
  return {
    url: recordings.home,
    against: url,
    zones: null,
    requests: all.length,
    same: all.length - findings.size,
    skipped: exchanges.filter((exchange, index) => urlOf(exchange) !== '' && asked[index].length === 0).length,
    routes: routeCounts(requests, findings),
    findings: [...findings.values()],
    fields,
  };
}
