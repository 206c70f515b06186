import { http, HttpResponse, type HttpHandler } from 'msw';

/** The part of a handler of `createHandler` that is needed here. */
export interface SiteHandler {
  (request: Request): Promise<Response>;
  /** URL of the site, without trailing slash. */
  readonly url: string;
}

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
 * Handlers for Mock Service Worker: `setupServer(...handlers(site, { origin }))`. Requests to `origin`, and those to links in responses, go
 * to the site; other requests are up to MSW.
 */
export function handlers(site: SiteHandler, { origin = site.url }: MswOptions = {}): HttpHandler[] {
  const bases = [...new Set([origin.replace(/\/+$/, ''), site.url])];
  return bases.map((base) => http.all(`${base}/*`, ({ request }) => respond(site, movedTo(request, base, site.url))));
}
