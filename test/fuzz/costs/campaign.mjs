// Sends each of many requests to a site of many events, and says which cost the most.
import { cases, mainCases, pagesOf, pathOf } from './cases.mjs';
import { lists } from './lists.mjs';
import { startMeasured } from './measure.mjs';

/** What no anonymous request may exceed: processor time of server and database in ms, growth of memory in MB, the wait of others in ms. */
const BOUNDS = { cpu: 300, grown: 100, waited: 50 };

/** What `reference` takes on the machine for which the times of the bounds are meant, in ms. */
const REFERENCE = 20;

/** A request above this share of a bound is measured again, as the machine or the collection of garbage may have taken part of it. */
const SUSPECT = 0.5;
/** How often at most. The least of all measurements counts. */
const AGAIN = 3;

const DEAREST = 10;

const least = (all, name) => Math.min(...all.map((one) => one[name]));

/** A request with its own URL, since responses are cached by URL. */
const asNew = (request, n) => ({ ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}_=${n}` });

/** Some of many requests, evenly spread, so that each kind has some. @param from which, from 0 to 1 */
const spread = (all, most, from) => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, i) => all[Math.floor((i + from) * step) % all.length]);
};

const whole = (value) => value.toFixed(0);

/** A row of the table in SECURITY.md. */
export const rowOf = ({ name, status, cpu, grown, waited }) =>
  `| ${name} | ${status} | ${whole(cpu)} | ${whole(grown)} | ${whole(waited)} |`;

/**
 * @param options.events number of events of the site, and of each other kind of content
 * @param options.most number of requests at most, besides those that are always sent
 * @param options.listed number of requests for lists in other orders, searches and feeds at most, besides the largest and the last page of each
 * @param options.seed chooses them
 * @param options.only only requests whose name contains this text
 * @param options.margin by how much the bounds are raised
 * @param options.onProgress called with the number of requests so far, and of all
 * @returns {Promise<{ sent: number, statuses: Record<string, number>, dearest: object[], failures: string[] }>} the dearest first
 */
export async function costs({
  events = 10_000,
  profile,
  most = Infinity,
  listed = Infinity,
  seed = 0,
  only = '',
  margin = 1,
  onProgress = () => {},
}) {
  const site = await startMeasured({ events, profile });
  const slower = margin * Math.max(1, site.reference / REFERENCE);
  const bounds = { cpu: BOUNDS.cpu * slower, grown: BOUNDS.grown * margin, waited: BOUNDS.waited * slower };
  const above = (measured, share) => Object.entries(bounds).some(([name, bound]) => measured[name] > share * bound);
  const statuses = {};
  const found = [];
  let sent = 0;
  try {
    const read = async (path) => (await fetch(`${site.url}${path}`, { redirect: 'manual' })).text();
    const pages = await pagesOf({ url: site.url, read });
    const isWanted = ({ name }) => name.includes(only);
    const all = [];
    for await (const one of lists({ ...site, events }, (route) => pathOf(route, site.ids))) all.push(one);
    const some = spread(
      all.filter(({ isMain }) => !isMain),
      listed,
      (seed % 1000) / 1000,
    );
    const main = [...mainCases(), ...all.filter(({ isMain }) => isMain), ...some].filter(isWanted);
    const others = spread([...cases({ ...site, pages })].filter(isWanted), most, (seed % 1000) / 1000);
    for (const { name, make } of [...main, ...others]) {
      const request = make();
      const measured = [];
      while (measured.length === 0 || (measured.length <= AGAIN && above(measured.at(-1), SUSPECT)))
        measured.push(await site.measure(asNew(request, (sent += 1)), measured.length > 0));
      const { status } = measured[0];
      statuses[status] = (statuses[status] ?? 0) + 1;
      found.push({ name, status, cpu: least(measured, 'cpu'), grown: least(measured, 'grown'), waited: least(measured, 'waited') });
      onProgress(found.length, main.length + others.length);
    }
    const failed = found.filter((one) => above(one, 1) || !(one.status < 500 || one.status === 501));
    const failures = failed.map(
      (one) => `${one.name}: ${one.status}, ${whole(one.cpu)} ms, ${whole(one.grown)} MB, others wait ${whole(one.waited)} ms`,
    );
    return { sent, statuses, dearest: found.toSorted((a, b) => b.cpu - a.cpu).slice(0, DEAREST), failures };
  } finally {
    await site.close();
  }
}
