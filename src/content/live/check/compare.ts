import type { LiveSite } from '../client/find.js';
import type { Answer } from '../client/problems.js';

/** A place where two answers differ. */
export interface Difference {
  /** `status`, `header NAME`, or a JSON pointer into the body; '' is the whole body. */
  at: string;
  /** Undefined where there is nothing. */
  expected: unknown;
  actual: unknown;
}

/** Headers that clients go by. */
const HEADERS = ['x-tec-total', 'x-tec-totalpages', 'x-wp-total', 'x-wp-totalpages', 'allow', 'content-type'];

/** Defaults that a site makes of its clock, to the second. */
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const spellings = (url: string): string[] => [url, url.replaceAll('/', '\\/'), encodeURIComponent(url)];

const withoutPort = (url: string): string => url.replace(/^(https?:\/\/[^/:]+):\d+/, '$1');

/** Texts that name the site, and what stands for them: the longest first, so that none is cut apart by another. */
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
    [`${hostname}${pathname.replace(/\/$/, '')}?id=`, '{host}?id='],
    ...spellings(namespace).map((text): [string, string] => [text, '{namespace}']),
  ];
}

const decoded = (text: string): string => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

/** Brings the answers of one site into a form in which those of another can be compared with them. */
export class Normaliser {
  private readonly names: [string, string][];

  constructor(site: LiveSite) {
    this.names = namesOf(site);
  }

  text(text: string): string {
    return this.names.reduce((out, [name, sign]) => (out.includes(name) ? out.replaceAll(name, sign) : out), text);
  }

  /** @param key name of the value within its object */
  value(value: unknown, key = ''): unknown {
    // TEC: addresses in structured data are obfuscated by chance.
    if (typeof value === 'string')
      return key === 'default' && MOMENT.test(value) ? '{clock}' : this.text(key === 'email' ? decoded(value) : value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.value(item, name)]));
  }
}

const pointer = (at: string, key: string | number): string => `${at}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where two values differ; the order of keys does not count, that of lists does. */
export function* differences(expected: unknown, actual: unknown, at = ''): Generator<Difference> {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let i = 0; i < Math.max(expected.length, actual.length); i += 1) yield* differences(expected[i], actual[i], pointer(at, i));
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)]))
      yield* differences(expected[key], actual[key], pointer(at, key));
  } else if (expected !== actual) yield { at, expected, actual };
}

const headerOf = (answer: Answer, name: string): string | undefined =>
  answer.headers[name]?.replace(/\s*([,;])\s*/g, '$1').replace(/charset=utf-8/i, 'charset=UTF-8');

/** Where two answers to the same request differ: status, headers that clients go by, body. */
export function compareAnswers(expected: Answer, actual: Answer, ours: { expected: Normaliser; actual: Normaliser }): Difference[] {
  const found: Difference[] = [];
  if (expected.status !== actual.status) found.push({ at: 'status', expected: expected.status, actual: actual.status });
  for (const name of HEADERS) {
    const [one, other] = [headerOf(expected, name), headerOf(actual, name)];
    if (one !== other) found.push({ at: `header ${name}`, expected: one, actual: other });
  }
  const body = (answer: Answer, normaliser: Normaliser): unknown =>
    answer.json === undefined ? normaliser.text(answer.text) : normaliser.value(answer.json);
  // One of them refuses: comparing its error with content would say nothing more.
  if (expected.status < 400 !== actual.status < 400) return found;
  return [...found, ...differences(body(expected, ours.expected), body(actual, ours.actual))];
}
