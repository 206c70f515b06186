import { http, HttpResponse, type HttpHandler } from 'msw';
import type { SiteHandler } from './browser/site.js';

export { connect, type ConnectedSite, type ConnectOptions, type SiteHandler } from './browser/site.js';

export interface MswOptions {
  /** Base URL that the program under test requests, such as `https://calendar.example.org`. Default: the URL of the site. */
  origin?: string;
}

/** The option of MSW 2 in the text of a program, as a property or a method, and its name in MSW 3. */
const OLD_OPTION = /\bonUnhandledRequest\s*[:(,}]/;
const NEW_OPTION = /\bonUnhandledFrame\b/;

/** A file of a stack trace. */
const STACK_FILE = /(?:\(|at )((?:file:|\/|[A-Z]:\\)[^()]*?)(?:\?[^:]*)?:\d+:\d+\)?$/gm;

const warned = new Set<string>();

/**
 * Warns if a program that is being set up has only the option of MSW 2, which MSW 3 ignores without an error. Handlers do not see options:
 * the text of the program tells, where it can be read.
 */
function checkOptionName(handler: HttpHandler): void {
  // MSW 3 disposes of handlers.
  const fs = 'dispose' in handler ? globalThis.process?.getBuiltinModule?.('node:fs') : undefined;
  for (const [, file] of fs ? (new Error().stack ?? '').matchAll(STACK_FILE) : []) {
    if (warned.has(file) || /[/\\]node_modules[/\\]/.test(file)) continue;
    warned.add(file);
    try {
      const text = fs!.readFileSync(file.startsWith('file:') ? new URL(file) : file, 'utf8');
      if (!OLD_OPTION.test(text) || NEW_OPTION.test(text)) continue;
    } catch {
      continue;
    }
    console.warn(
      `MSW 3 ignores "onUnhandledRequest" in ${file}: requests without a handler reach the network. Name the option "onUnhandledFrame", or give both names for MSW 2 and 3.`,
    );
  }
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
  const all = bases.flatMap((base) =>
    paths.map((path) => http.all(`${base}${path}`, ({ request }) => respond(site, movedTo(request, base, site.url)))),
  );
  checkOptionName(all[0]);
  return all;
}
