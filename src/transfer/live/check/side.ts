import { ALL_TIME, CHECK_PAGE, LISTS, type CheckRequest, type SiteSamples } from './requests.js';
import { ACKNOWLEDGED, TEC_NAMESPACE } from '../../../plugins/the-events-calendar/tec-v1/routes.js';
import { eachLinked } from '../../../plugins/the-events-calendar/model/event.js';
import { DatasetError } from '../../source.js';
import { SiteClient, routeUrl, withQuery, type LiveClientOptions, responseProblem, type SiteResponse } from '../client/client.js';
import { findSite, type LiveSite } from '../client/find.js';
import { membersOf } from '../../../base/values/records.js';

export interface Side {
  client: SiteClient;
  live: LiveSite;
}

/** Finds a site. @throws DatasetError if it cannot be reached or has no calendar */
export async function sideOf(url: string, options: LiveClientOptions): Promise<Side> {
  const client = new SiteClient(options, url);
  return { client, live: await findSite(client, url) };
}

/** The URL of a route with its query. @param route relative to the REST root */
export function routeUrlOf({ live }: Side, route: string): string {
  const [path, query] = route.split('?');
  return withQuery(routeUrl(live.root, path), query);
}

const calendarUrl = (side: Side, route: string): string => routeUrlOf(side, `${side.live.namespace}/${route}`);

/** Sends a request to the calendar, or to another namespace. */
export const ask = (
  side: Side,
  { route, method, namespace }: Pick<CheckRequest, 'route' | 'method' | 'namespace'>,
): Promise<SiteResponse> =>
  side.client.fetch(
    namespace === undefined ? calendarUrl(side, route) : routeUrlOf(side, [namespace, route].filter((part) => part !== '').join('/')),
    {
      method,
      ...(namespace === TEC_NAMESPACE ? { headers: ACKNOWLEDGED } : {}),
    },
  );

/** Reads the lists of a site; the requests are derived from its content. */
export async function readLists(side: Side, progress: (what: string, done: number, total?: number) => void): Promise<SiteSamples> {
  const found: SiteSamples = {
    ...eachLinked(() => []),
    events: [],
    categories: [],
    tags: [],
    totals: { ...eachLinked(() => 0), events: 0, categories: 0, tags: 0 },
    eventSamples: {},
  };
  for (const list of LISTS) {
    const more = list === 'events' ? ALL_TIME : list === 'categories' || list === 'tags' ? 'hide_empty=0' : '';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const route = `${list}?${more}${more === '' ? '' : '&'}per_page=${CHECK_PAGE}&page=${page}`;
      const response = await ask(side, { route, method: 'GET' });
      if (response.status !== 200) throw new DatasetError(calendarUrl(side, route), [responseProblem(response)]);
      const body = membersOf(response.json) ?? {};
      pages = Number(body['total_pages'] ?? 0);
      found.totals[list] = Number(body['total'] ?? 0);
      (found[list] as unknown[]).push(...[body[list] ?? []].flat());
      progress(`Reading ${list}`, found[list].length, found.totals[list]);
    }
  }
  return found;
}
