import { isRecord } from '../../../base/values/records.js';
import type { Entry } from '../../recordings/collection.js';
import type { Exchange } from '../../recordings/exchange.js';
import { placeOf, Recordings, urlOf } from '../../recordings/read.js';
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
  /** Whether the request was recorded. */
  isAsked: boolean;
}

const READS = ['GET', 'OPTIONS'];

/** An item of a fixture, whose request is unknown: as the route for a single one shows it. */
function ofFixture({ route, id, item }: Entry): Expected {
  const { venue } = item;
  const json = Array.isArray(venue) && venue.length === 1 ? { ...item, venue: venue[0] as unknown } : item;
  return { method: 'GET', route: `${route}/${id}`, status: 200, headers: {}, json, isAsked: false };
}

function expectedOf(recordings: Recordings): Expected[] {
  const bare = new Set(recordings.exchanges.filter((exchange) => urlOf(exchange) === '').map(({ file }) => file));
  const asked = recordings.exchanges.flatMap((exchange): Expected[] => {
    const place = placeOf(urlOf(exchange));
    if (!place || !READS.includes(exchange.method) || exchange.json === undefined) return [];
    return [{ ...exchange, isAsked: true, route: place.query.size === 0 ? place.route : `${place.route}?${place.query.toString()}` }];
  });
  return [...asked, ...recordings.collection.entries.filter(({ file }) => bare.has(file)).map(ofFixture)];
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
  const bare = home.replace(/^https?:\/\//, '');
  const recorded = {
    ...server.live,
    home,
    aliases: [`http://${bare}`, `https://${bare}`],
    root: `${home}/wp-json`,
    namespace: 'tribe/events/v1',
  };
  const normalizers = { expected: new Normalizer(home === '' ? server.live : recorded), actual: new Normalizer(server.live) };
  const all = expectedOf(recordings);
  const requests = all.map(({ method, route }) => ({ group: '', method, route, status: 200 }) as CheckRequest);
  const findings = new Map<number, CheckFinding>();
  const fields = { all: 0, missing: 0, other: 0 };
  for (const [index, expected] of all.entries()) {
    const actual = await server.client.fetch(routeUrlOf(server, expected.route), { method: expected.method });
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
    skipped: exchanges.filter((exchange) => urlOf(exchange) !== '').length - all.filter(({ isAsked }) => isAsked).length,
    routes: routeCounts(requests, findings),
    findings: [...findings.values()],
    fields,
  };
}
