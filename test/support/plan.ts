import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareArgs } from '../../src/wordpress/rest/args.js';
import { RestRequest, type Params } from '../../src/wordpress/rest/request.js';
import { parseQuery } from '../../src/base/php/query-string.js';
import type { Args, CallContext } from '../../src/wordpress/rest/route.js';
import type { Site } from '../../src/wordpress/site.js';

/** The dataset of the recordings. Its clock is 2026-06-15 12:00:00 UTC, and its site is in New York. */
export const WORLD = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/world.json');

export interface PlanOptions {
  /** Login of the user. Anonymous if absent. */
  as?: string;
  /** A JSON body. */
  json?: Params;
}

/**
 * Processes a list request up to its handler: parses the parameters, fills in defaults, and validates and sanitizes them.
 * @param query a query string
 * @throws RestError if a parameter is rejected
 */
export async function listContext(site: Site, args: Args, query: string, { as, json }: PlanOptions = {}): Promise<CallContext> {
  const sources = { json: json ?? null, form: {}, query: parseQuery(query) as Params, path: {}, defaults: {} };
  const request = new RestRequest('GET', '/', {}, sources);
  request.namespace = 'tribe/events/v1';
  if (as !== undefined) request.user = await site.store.users.findOne({ login: as });
  const context: CallContext = { site, request };
  const refusal = await prepareArgs(args, context);
  if (refusal) throw refusal;
  return context;
}
