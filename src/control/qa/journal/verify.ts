import { requestOf } from '../../tenant/journal/filters.js';
import type { Entry } from '../../tenant/journal/journal.js';
import { matcher } from '../../tenant/match.js';
import type { Tenant } from '../../tenant/tenant.js';
import type { Site } from '../../../wordpress/site.js';
import type { Expectation, Verdict } from '../../../sdk/types/qa.js';

const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

/** Returns a function for the differences of a request from an expectation; empty if it meets the expectation. */
function unmetBy({ status, user, stub, ...match }: Expectation, site: Site): (entry: Entry) => Promise<string[]> {
  const matches = matcher(match);
  const differs = (what: string, wanted: unknown, was: unknown): string[] =>
    wanted === undefined || wanted === was ? [] : [`${what}: expected ${JSON.stringify(wanted)}, was ${show(was)}`];
  return async (entry) => [
    ...matches(await requestOf(entry, match.body !== undefined, site)),
    ...differs('status', status, entry.status),
    ...differs('user', user, entry.user),
    ...differs('stub', stub, entry.stub ?? undefined),
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
export async function verify({ count, atLeast, atMost, ...wanted }: Expectation, { journal, site }: Tenant): Promise<Verdict> {
  const differ = unmetBy(wanted, site);
  const compared = await Promise.all(journal.all().map(async (entry) => ({ entry, differences: await differ(entry) })));
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
