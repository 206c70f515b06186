import { isRecord } from '../../../base/values/records.js';
import type { LiveSite } from '../client/find.js';
import { inSameOrder, type ListOrder } from './ties.js';
import type { SiteResponse } from '../client/client.js';

/** A difference between two responses. */
export interface Difference {
  /** `status`, `header NAME`, or a JSON pointer into the body; '' for the whole body. */
  at: string;
  /** Undefined if there is no value. */
  expected: unknown;
  actual: unknown;
  /** Whether the sites have different time zone data: an event is an hour earlier or later in UTC. */
  zoneData?: true;
  /** Whether the ids of items differ that may be on another page. */
  moved?: true;
}

/** The headers to compare: those that clients use. */
const HEADERS = 'x-tec-total x-tec-totalpages x-wp-total x-wp-totalpages x-et-total x-et-total-pages allow content-type'.split(' ');

/** Default values that a site derives from its clock, to the second. */
const DATE_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const slashes = (text: string): string => text.replaceAll('/', '\\/');

/** Plain, in JSON, in a text with JSON in it, and in a query. */
const spellings = (url: string): string[] => [
  url,
  slashes(url),
  JSON.stringify(slashes(url)).slice(1, -1).replaceAll('/', '\\/'),
  encodeURIComponent(url),
];

const withoutPort = (url: string): string => url.replace(/^(https?:\/\/[^/:]+):\d+/, '$1');

/** Texts that identify the site, with their placeholders; longest first, so that none replaces a part of another. */
function namesOf({ home, aliases, root, namespace }: LiveSite): [string, string][] {
  const rootless = root.replace(/\/+$/, '');
  const { hostname, pathname } = new URL(home);
  const addresses: [string, string][] = [
    ...[rootless, withoutPort(rootless)].map((url): [string, string] => [url, '{rest}']),
    ...[home, ...aliases, withoutPort(home)].map((url): [string, string] => [url, '{site}']),
  ];
  const all = addresses.flatMap(([url, sign]) => spellings(url).map((text): [string, string] => [text, sign]));
  return [
    ...all.sort(([a], [b]) => b.length - a.length),
    ...['id', 'type'].map((name): [string, string] => [`${hostname}${pathname.replace(/\/$/, '')}?${name}=`, `{host}?${name}=`]),
    ...spellings(namespace).map((text): [string, string] => [text, '{namespace}']),
  ];
}

const decoded = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

/** Replaces the URLs and names of a site in its responses, so that they can be compared with another site's. */
export class Normalizer {
  private readonly names: [string, string][];

  constructor(site: LiveSite) {
    this.names = namesOf(site);
  }

  text(text: string): string {
    return this.names.reduce((out, [name, sign]) => (out.includes(name) ? out.replaceAll(name, sign) : out), text);
  }

  /** @param key key of the value in its object */
  value(value: unknown, key = ''): unknown {
    // TEC: email addresses in structured data are obfuscated randomly.
    if (typeof value === 'string')
      return key === 'default' && DATE_TIME.test(value) ? '{clock}' : this.text(key === 'email' ? decoded(value) : value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.value(item, name)]));
  }
}

const pointer = (at: string, key: string | number): string => `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Yields the differences between two values. The order of keys is ignored, the order of arrays is not. */
function* valueDifferences(expected: unknown, actual: unknown, at = ''): Generator<Difference> {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let i = 0; i < Math.max(expected.length, actual.length); i += 1) yield* valueDifferences(expected[i], actual[i], pointer(at, i));
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      yield* valueDifferences(expected[key], actual[key], pointer(at, key));
  } else if (expected !== actual) yield { at, expected, actual };
}

const HOUR = 3_600_000;

const isHourApart = (one: number, other: number): boolean => Math.abs(one - other) === HOUR;

/** A time in UTC, or a local time with its offset. */
const UTC_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.0+)?$/;
const WITH_OFFSET = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[+-]\d\d:\d\d$/;

/** Members of an event that follow from its UTC time. */
const DERIVED = /\/(?:utc_(?:start|end)_date(?:_details\/\w+)?|timezone_abbr)$/;
const UTC_KEY = /\/(?:utc_(?:start|end)_date|dates\/(?:start|end)_utc\/date)$/;

/** Whether the same event is an hour earlier or later in UTC. */
function isZoneData({ at, expected, actual }: Difference): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string') return false;
  const [wall, other] = [expected, actual].map((text) => WITH_OFFSET.exec(text)?.[1]);
  if (wall !== undefined && wall === other) return isHourApart(Date.parse(expected), Date.parse(actual));
  const [one, two] = [expected, actual].map((text) => Date.parse(text.replace(UTC_TIME, '$1T$2Z')));
  return UTC_KEY.test(at) && isHourApart(one, two);
}

/** Marks the differences that come from time zone data. */
function withCauses(differences: readonly Difference[]): Difference[] {
  const events = new Set(differences.filter(isZoneData).map(({ at }) => at.replace(UTC_KEY, '')));
  const isDerived = ({ at }: Difference): boolean => DERIVED.test(at) && events.has(at.replace(DERIVED, ''));
  return differences.map((each) => (isZoneData(each) || isDerived(each) ? { ...each, zoneData: true } : each));
}

const headerOf = (response: SiteResponse, name: string): string | undefined =>
  response.headers[name]?.replace(/\s*([,;])\s*/g, '$1').replace(/charset=utf-8/i, 'charset=UTF-8');

/** Members of indexes, schemas and documents that describe the API. */
const DESCRIBES = ['routes', 'endpoints', 'paths'];

/** Whether a difference is about the wording of a description of the API, which each author words differently. */
function isWording({ at, expected, actual }: Difference, body: unknown): boolean {
  if (typeof expected !== 'string' || typeof actual !== 'string' || !isRecord(body)) return false;
  return /.\/(?:description|summary)$/.test(at) && DESCRIBES.some((name) => Object.hasOwn(body, name));
}

/**
 * Compares the responses to a request: status, headers and body.
 * @param order what a list is sorted by, if that is known
 * @param words whether the wording of descriptions of the API is compared
 */
export function compareResponses(
  expected: SiteResponse,
  actual: SiteResponse,
  normalizers: { expected: Normalizer; actual: Normalizer },
  order: ListOrder | null = null,
  words = true,
): Difference[] {
  const found: Difference[] = [];
  if (expected.status !== actual.status) found.push({ at: 'status', expected: expected.status, actual: actual.status });
  for (const name of HEADERS) {
    const [one, other] = [headerOf(expected, name), headerOf(actual, name)];
    if (one !== other) found.push({ at: `header ${name}`, expected: one, actual: other });
  }
  const body = (response: SiteResponse, normalizer: Normalizer): unknown =>
    response.json === undefined ? normalizer.text(response.text) : normalizer.value(response.json);
  // If only one of them is an error, comparing the bodies adds nothing.
  if (expected.status < 400 !== actual.status < 400) return found;
  const bodies = { expected: body(expected, normalizers.expected), actual: body(actual, normalizers.actual) };
  const pages = Number(expected.headers['x-wp-totalpages'] ?? expected.headers['x-tec-totalpages'] ?? 1);
  const { moved, ...shown } = order ? inSameOrder(bodies.expected, bodies.actual, order, pages) : { ...bodies, moved: [] };
  return withCauses([
    ...found,
    ...moved.map((each): Difference => ({ ...each, moved: true })),
    ...[...valueDifferences(shown.expected, shown.actual)].filter((each) => words || !isWording(each, shown.expected)),
  ]);
}
