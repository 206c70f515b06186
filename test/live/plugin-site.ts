import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A site with another plugin, pages and files, as a proxy sees it. */
export interface PluginSite {
  url: string;
  /** Received requests. */
  seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  /** Replaces the response to the next request. */
  next: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  close: () => Promise<void>;
}

/** One red pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

const SECRETS = {
  nonce: 'f00dfeed42',
  password: 'hunter2-hunter2',
  token: 'tok_9a8b7c6d5e',
};

/** Texts that must not be in a cassette. */
export const LEAKS = [...Object.values(SECRETS), 'sessionvalue', 'letmein', 'anna:', 'YW5uYTp'];

const phpish = (value: unknown): string =>
  JSON.stringify(value).replaceAll('/', '\\/').replaceAll('ö', '\\u00f6').replaceAll('ß', '\\u00df');

type Page = (
  request: IncomingMessage,
  url: string,
  body: string,
) => { status?: number; headers?: Record<string, string | string[]>; body: string | Buffer };

const PAGES: Record<string, Page> = {
  '/wp-json/acme/v1/things': (request, url) => ({
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'x-wp-total': '2',
      link: `<${url}/wp-json/acme/v1/things?page=2>; rel="next"`,
      'set-cookie': ['session=sessionvalue; HttpOnly'],
      'x-wp-nonce': SECRETS.nonce,
    },
    body: phpish({
      things: [
        { id: 1, link: `${url}/things/one/`, price: 1.5, name: 'Größe' },
        { id: 2, link: `${url}/things/two/` },
      ],
      query: new URL(request.url ?? '', url).search,
      user: request.headers.authorization ?? null,
      settings: { nonce: SECRETS.nonce, api_key: SECRETS.token, password: SECRETS.password, secretary: 'Ada', root: `${url}/wp-json/` },
    }),
  }),
  '/wp-json/acme/v1/orders': (_request, url, body) => ({
    status: 201,
    headers: { 'content-type': 'application/json', location: `${url}/wp-json/acme/v1/orders/7` },
    body: JSON.stringify({ id: 7, echoed: body.length }),
  }),
  '/about/': (_request, url) => ({
    headers: { 'content-type': 'text/html; charset=UTF-8', etag: '"about-1"', 'content-security-policy': 'upgrade-insecure-requests' },
    body: `<!doctype html><title>Über uns</title><link rel="stylesheet" href="${url}/wp-content/themes/acme/style.css">
<a href="${url.replace('http:', '')}/contact/">Contact</a> <a href="https://elsewhere.example/">Elsewhere</a>
<input type="hidden" name="_wpnonce" value="${SECRETS.nonce}"><a href="${url}/?action=go&amp;_wpnonce=${SECRETS.nonce}">Go</a>
<script>var acme = {"root":"${url.replaceAll('/', '\\/')}\\/wp-json\\/","nonce":"${SECRETS.nonce}", token: '${SECRETS.token}'};</script>`,
  }),
  '/wp-content/themes/acme/style.css': () => ({ headers: { 'content-type': 'text/css' }, body: 'body { color: #123 }' }),
  '/wp-content/uploads/acme/pixel.png': () => ({ headers: { 'content-type': 'image/png' }, body: PIXEL }),
  '/old/': (_request, url) => ({ status: 301, headers: { location: `${url}/about/` }, body: '' }),
  '/away/': () => ({ status: 302, headers: { location: 'http://elsewhere.example/' }, body: '' }),
  '/wp-cron.php': () => ({ body: 'ran' }),
};

/** Starts the site. @param folder its path below the host, such as `/blog` */
export async function startPluginSite(folder = ''): Promise<PluginSite> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      const { method = '', url = '', headers } = request;
      site.seen.push({ method, url, headers, body });
      const handle = site.next;
      site.next = null;
      if (handle) return handle(request, response);
      const page = PAGES[url.slice(folder.length).split('?', 1)[0]];
      const answer = page?.(request, site.url, body) ?? {
        status: 404,
        headers: { 'content-type': 'text/html' },
        body: 'No such page here',
      };
      const isZipped = headers['accept-encoding']?.includes('gzip') ?? false;
      const sent = isZipped ? gzipSync(answer.body) : Buffer.from(answer.body);
      response.writeHead(answer.status ?? 200, { ...answer.headers, ...(isZipped ? { 'content-encoding': 'gzip' } : {}) });
      response.end(method === 'HEAD' ? undefined : sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site: PluginSite = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`,
    seen: [],
    next: null,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
  return site;
}
