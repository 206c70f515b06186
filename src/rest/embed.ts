import { RestRequest } from './request.js';
import type { RestResponse } from './response.js';
import type { Json } from './route.js';
import type { Site } from '../wp/site.js';

type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject => value !== null && typeof value === 'object' && !Array.isArray(value);

const innerRequest = (path: string, outer: RestRequest): RestRequest => {
  const request = new RestRequest('GET', path, {}, { json: null, form: {}, query: { context: 'embed' }, path: {}, defaults: {} });
  request.user = outer.user;
  return request;
};

/**
 * Adds what embeddable links point at, as `_embedded` (WP: `_embed`).
 * @param run dispatches a request within the server
 */
export async function embedLinks(
  body: Json,
  run: (request: RestRequest) => Promise<RestResponse>,
  outer: RestRequest,
  site: Site,
): Promise<Json> {
  if (!isObject(body) || !isObject(body._links)) return body;
  const root = site.restUrl('');
  const embedded: JsonObject = {};
  for (const [relation, links] of Object.entries(body._links)) {
    if (!Array.isArray(links)) continue;
    const targets = links
      .filter(isObject)
      .flatMap(({ embeddable, href }) => (embeddable === true && typeof href === 'string' && href.startsWith(root) ? [href] : []));
    if (targets.length === 0) continue;
    const answers = await Promise.all(targets.map((href) => run(innerRequest(href.slice(root.length), outer))));
    embedded[relation] = answers.map((answer) => answer.body);
  }
  return Object.keys(embedded).length > 0 ? { ...body, _embedded: embedded } : body;
}
