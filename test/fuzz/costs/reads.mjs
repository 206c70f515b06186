// The reads of the campaign, for a site of any content.
import { cases, listed, mainCases, pagesOf, pathOf } from './cases.mjs';
import { lists } from './lists.mjs';

/**
 * @param site its `url`, and all of its routes
 * @param most number of requests at most, besides those of lists and headers
 * @returns {Promise<{ name: string, target: string, headers?: object }[]>}
 */
export async function readsOf({ url, table }, most) {
  const routes = table.map(listed);
  const get = async (path) => (await fetch(`${url}${path}`, { redirect: 'manual' })).text();
  const kinds = ['events', 'venues', 'organizers', 'images', 'tickets', 'attendees', 'categories', 'tags'];
  const ids = Object.fromEntries(kinds.map((kind) => [kind, [1]]));
  const all = [...mainCases()];
  for await (const one of lists({ url, routes, events: 1_000 }, (route) => pathOf(route, ids))) all.push(one);
  const others = [...cases({ routes, ids, pages: await pagesOf({ url, read: get }) })];
  const step = Math.max(1, others.length / most);
  for (let at = 0; at < others.length; at += step) all.push(others[Math.floor(at)]);
  return all.map(({ name, make }) => ({ name, ...make() })).filter(({ method }) => method === 'GET');
}
