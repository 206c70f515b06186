import { isDeepStrictEqual } from 'node:util';
import { matcher, type MatchedRequest } from '../../tenant/match.js';
import { requestHeader, type Entry } from '../../tenant/journal/journal.js';
import type { Expectation, Verdict } from '../../types/qa.js';
import type { Json } from '../../rest/route.js';
import { parseJson } from '../../values/json.js';

const matched = (entry: Entry): MatchedRequest => ({ method: entry.method, url: entry.url, header: (name) => requestHeader(entry, name) });

const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

/** The differences from an expected value. Objects may have further members; other values must be equal. */
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
    return parseJson(body?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

/** Returns a function for the differences of a request from an expectation; empty if it meets the expectation. */
export function differences({ status, user, body, ...match }: Expectation): (entry: Entry) => string[] {
  const matches = matcher(match);
  return (entry) => [
    ...matches(matched(entry)),
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

const MAX_NEAR_MISSES = 3;

/** Whether the journal has the expected number of matching requests; if too few, with the nearest misses. */
export function verify({ count, atLeast, atMost, ...wanted }: Expectation, entries: readonly Entry[]): Verdict {
  const differ = differences(wanted);
  const compared = entries.map((entry) => ({ entry, differences: differ(entry) }));
  const found = compared.filter((each) => each.differences.length === 0).map(({ entry }) => entry.id);
  const { low, high, text } = bounds({ count, atLeast, atMost });
  const near = found.length >= low ? [] : compared.filter((each) => each.differences.length > 0);
  const nearest = near.sort((a, b) => a.differences.length - b.differences.length || b.entry.id - a.entry.id).slice(0, MAX_NEAR_MISSES);
  return {
    verified: found.length >= low && found.length <= high,
    expected: text,
    found: found.length,
    entries: found,
    nearMisses: nearest.map(({ entry: { id, method, url }, differences: apart }) => ({ entry: id, method, url, differences: apart })),
  };
}
