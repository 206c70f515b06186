import { http, HttpResponse, type HttpHandler } from 'msw';
import type { SiteHandler } from './browser/site.js';

export { connect, type ConnectedSite, type ConnectOptions, type SiteHandler } from './browser/site.js';

export interface MswOptions {
  /** Base URL that the program under test requests, such as `https://calendar.example.org`. Default: the URL of the site. */
  origin?: string;
}

/** The same request at the URL of the site. */
const movedTo = (request: Request, from: string, to: string): Request =>
  from === to ? request : new Request(`${to}${request.url.slice(from.length)}`, request);

async function respond(site: SiteHandler, request: Request): Promise<Response> {
  try {
    return await site(request);
  } catch (error) {
    // A fault dropped the connection.
    if (error instanceof TypeError) return HttpResponse.error();
    throw error;
  }
}

/**
 * Handlers for Mock Service Worker: `setupServer(...handlers(site, { origin }))` with a site of `createHandler`, or in a browser
 * `setupWorker(...handlers(site))` with one of `connect`. Requests to `origin`, and those to links in responses, go to the site; other
 * requests are up to MSW.
 */
export function handlers(site: SiteHandler, { origin = site.url }: MswOptions = {}): HttpHandler[] {
  const bases = [...new Set([origin.replace(/\/+$/, ''), site.url])];
  const { paths = ['/*'] } = site;
  return bases.flatMap((base) =>
    paths.map((path) => http.all(`${base}${path}`, ({ request }) => respond(site, movedTo(request, base, site.url)))),
  );
}
