import { isRecord } from '../../../base/values/records.js';
import { parseQuery } from '../../../base/php/query-string.js';
import { parseList, RestRequest, type Json } from '../request.js';
import type { RestResponse } from '../route.js';
import type { Site } from '../../site.js';

type JsonObject = { [key: string]: Json };

function innerRequest(target: string, outer: RestRequest): RestRequest {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = { ...(mark < 0 ? {} : parseQuery(target.slice(mark + 1))), context: 'embed' };
  return new RestRequest('GET', path, {}, { json: null, form: {}, query, path: {}, defaults: {} }).partOf(outer);
}

/** The selected relations. PHP: a parameter without a value, or a true one, means all. */
function wantedRelations(param: Json | undefined): (relation: string) => boolean {
  const names = new Set(parseList(param));
  const all = names.size === 0 || (typeof param === 'string' && ['0', '1', 'true'].includes(param));
  return (relation) => all || names.has(relation);
}

/** The targets of links, each requested once. */
type Fetch = (href: string) => Promise<Json>;

async function embedInto(item: Json, wanted: (relation: string) => boolean, site: Site, fetch: Fetch): Promise<Json> {
  if (!isRecord<Json>(item) || !isRecord<Json>(item._links)) return item;
  const embedded: JsonObject = {};
  for (const [relation, links] of Object.entries(item._links)) {
    if (!Array.isArray(links) || !wanted(relation)) continue;
    const known = links.filter(isRecord<Json>);
    const targets = known.map(({ embeddable, href }) =>
      embeddable === true && typeof href === 'string' && href.startsWith(site.url)
        ? site.options.rewrite.routeIn(href.slice(site.url.length))
        : null,
    );
    if (targets.every((target) => target === null)) continue;
    // WP: a link that is not embedded keeps its place, empty.
    const found = await Promise.all(targets.map(async (target) => (target === null ? [] : fetch(target))));
    // WP: if no target was found, the relation is omitted.
    if (found.some((each) => !Array.isArray(each) || each.length > 0)) embedded[relation] = found;
  }
  return Object.keys(embedded).length > 0 ? { ...item, _embedded: embedded } : item;
}

/**
 * Adds the targets of embeddable links as `_embedded` (WP: `_embed`); in a list, to each item.
 * @param param the value of `_embed`: all relations, or the names of some
 * @param run dispatches a request within the server
 */
export async function embedLinks(
  body: Json,
  param: Json | undefined,
  run: (request: RestRequest) => Promise<RestResponse>,
  outer: RestRequest,
  site: Site,
): Promise<Json> {
  const wanted = wantedRelations(param);
  const fetched = new Map<string, Promise<Json>>();
  const fetch: Fetch = (target) => {
    const known = fetched.get(target);
    if (known) return known;
    const answer = run(innerRequest(target, outer)).then((response) => response.body);
    fetched.set(target, answer);
    return answer;
  };
  if (!Array.isArray(body)) return embedInto(body, wanted, site, fetch);
  return Promise.all(body.map((item) => embedInto(item, wanted, site, fetch)));
}
