import { isDeepStrictEqual } from 'node:util';
import { matcher, type Asked } from '../match.js';
import { requestHeader, type Entry } from './journal.js';
import type { Expectation, Verdict } from '../../qa-types.js';
import type { Json } from '../../rest/route.js';

const asked = (entry: Entry): Asked => ({ method: entry.method, url: entry.url, header: (name) => requestHeader(entry, name) });

const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

/** What of a wanted value is not in what was sent. Objects may hold more than is wanted, anything else is the same or not. */
function missing(wanted: Json, given: Json | undefined, at: string): string[] {
  if (wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted)) {
    const object = given !== null && typeof given === 'object' && !Array.isArray(given) ? given : undefined;
    if (!object) return [`${at}: expected an object, was ${show(given)}`];
    return Object.entries(wanted).flatMap(([name, value]) => missing(value, object[name], `${at}.${name}`));
  }
  return isDeepStrictEqual(wanted, given) ? [] : [`${at}: expected ${show(wanted)}, was ${show(given)}`];
}

function bodyOf({ body }: Entry): Json | undefined {
  try {
    return JSON.parse(body?.toString('utf8') ?? '') as Json;
  } catch {
    return undefined;
  }
}

/** What tells a request from what is expected; nothing when it is one. */
export function differences({ status, user, body, ...match }: Expectation): (entry: Entry) => string[] {
  const matches = matcher(match);
  return (entry) => [
    ...matches(asked(entry)),
    ...(status === undefined || status === entry.status ? [] : [`status: expected ${status}, was ${entry.status}`]),
    ...(user === undefined || user === entry.user ? [] : [`user: expected ${show(user)}, was ${show(entry.user)}`]),
    ...(body === undefined ? [] : missing(body, bodyOf(entry), 'body')),
  ];
}

function bounds({ count, atLeast, atMost }: Expectation): { low: number; high: number; text: string } {
  if (count !== undefined) return { low: count, high: count, text: `exactly ${count}` };
  const low = atLeast ?? (atMost === undefined ? 1 : 0);
  const high = atMost ?? Infinity;
  const text = [...(low > 0 ? [`at least ${low}`] : []), ...(high < Infinity ? [`at most ${high}`] : [])].join(' and ');
  return { low, high, text: text || 'any number' };
}

const SHOWN = 3;

/** Whether the journal holds as many requests as are expected; when it holds too few, what comes nearest. */
export function verify({ count, atLeast, atMost, ...wanted }: Expectation, entries: readonly Entry[]): Verdict {
  const differ = differences(wanted);
  const compared = entries.map((entry) => ({ entry, differences: differ(entry) }));
  const found = compared.filter((each) => each.differences.length === 0).map(({ entry }) => entry.id);
  const { low, high, text } = bounds({ count, atLeast, atMost });
  const near = found.length >= low ? [] : compared.filter((each) => each.differences.length > 0);
  const nearest = near.sort((a, b) => a.differences.length - b.differences.length || b.entry.id - a.entry.id).slice(0, SHOWN);
  return {
    verified: found.length >= low && found.length <= high,
    expected: text,
    found: found.length,
    entries: found,
    nearMisses: nearest.map(({ entry: { id, method, url }, differences: apart }) => ({ entry: id, method, url, differences: apart })),
  };
}
