// Sends each of many requests to a site of many events, and says which cost the most.
import { cases, pagesOf } from './cases.mjs';
import { startMeasured } from './measure.mjs';

/** What no anonymous request may exceed: processor time of server and database in ms, growth of memory in MB, the wait of others in ms. */
export const BOUNDS = { cpu: 300, grown: 100, waited: 50 };

/** A request above this share of a bound is measured again, as the machine and the collection of garbage may have taken part of it. */
const SUSPECT = 0.5;
/** How often. The least of all measurements counts. */
const AGAIN = 3;

const least = (all, name) => Math.min(...all.map((one) => one[name]));

/** A request under an address of its own, since responses to an address are cached. */
const asNew = (request, n) => ({ ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}_=${n}` });

/** Part of a number of requests: evenly spread, so that each kind has some. */
export const spread = (all, most) => {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(all.length, most) }, (_, i) => all[Math.floor(i * step)]);
};

const above = (measured, share = 1) => Object.entries(BOUNDS).some(([name, most]) => measured[name] > share * most);

/**
 * @param options.events number of events of the site
 * @param options.most number of requests at most
 * @param options.only only requests whose name has this text
 * @param options.onProgress called with the number of requests so far
 * @returns {Promise<{ sent: number, dearest: object[], failures: string[] }>} the requests, with the dearest first
 */
export async function costs({ events = 10_000, profile = 'standard', most = Infinity, only = '', onProgress = () => {}, onDear = () => {} }) {
  const site = await startMeasured({ events, profile });
  let n = 0;
  try {
    const read = async (path) => (await fetch(`${site.url}${path}`, { redirect: 'manual' })).text();
    const pages = await pagesOf({ url: site.url, read });
    const all = spread([...cases({ ...site, pages })].filter(({ name }) => name.includes(only)), most);
    const found = [];
    const measure = async (request, clean) => {
      n += 1;
      return site.measure(asNew(request, n), clean);
    };
    for (const { name, make } of all) {
      const request = make();
      const measured = [await measure(request, false)];
      while (measured.length <= AGAIN && above(measured.at(-1), SUSPECT)) measured.push(await measure(request, true));
      const { status, size } = measured[0];
      const one = { name, status, size, cpu: least(measured, 'cpu'), grown: least(measured, 'grown'), waited: least(measured, 'waited') };
      found.push(one);
      if (above(one)) onDear(one);
      onProgress(found.length, all.length);
    }
    const dearest = found.toSorted((a, b) => b.cpu - a.cpu);
    return { sent: n, all: dearest, statuses: Object.groupBy(found, ({ status }) => status) };
  } finally {
    await site.close();
  }
}
