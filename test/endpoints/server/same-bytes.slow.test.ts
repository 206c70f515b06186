import { get as httpGet, type IncomingHttpHeaders } from 'node:http';
import { WORLD } from '../../support/api.js';
import { freePort } from '../../support/port.js';
import { startTestServer } from '../../support/server.js';

/* Two servers with the same content and clock return the same bytes, so that clients can use snapshot tests. Only nonces differ. */

const URL_OF_SITE = 'http://town.example';

/** Maximum number of linked addresses to compare. */
const MOST = 450;

const STARTS = ['/', '/wp-json/', '/events/', '/feed/', '/events/feed/', '/wp-sitemap.xml', '/events/?ical=1', '/robots.txt'];

const PORTS = { tec: [await freePort(), await freePort()], standard: [await freePort(), await freePort()] };

/** The nonce of visitors, in calendar pages. It is signed with the key of the site, which no other site has. */
const NONCE =
  /(?<=<script data-js='tribe-events-view-nonce-data' type='application\/json'>\{"tvn1":")[0-9a-f]{10}(?=","tvn2":""\}<\/script>)/;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: string;
}

const get = (port: number, path: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    httpGet({ port, host: '127.0.0.1', path }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { date: _, ...headers } = response.headers;
        resolve({ status: response.statusCode ?? 0, headers, bytes: Buffer.concat(chunks).toString('latin1') });
      });
    }).on('error', reject);
  });

/**
 * Paths of the site in a text, and its REST routes without ids. Media files are excluded, since their headers depend on the time of the
 * copy.
 */
function pathsIn(text: string): string[] {
  const links =
    text
      .replaceAll('\\/', '/')
      .replaceAll(/&(?:amp|#038);/g, '&')
      .match(/http:\/\/town\.example[^\s"'<>\\,)#{]*/g) ?? [];
  const routes = [...text.matchAll(/"(\\?\/[^"()]+)":\{"namespace"/g)].map(([, route]) => `/wp-json${route.replaceAll('\\', '')}`);
  return [...links.map((link) => link.slice(URL_OF_SITE.length)), ...routes].filter(
    (path) => path.startsWith('/') && !path.startsWith('/wp-content/'),
  );
}

describe.each(['tec', 'standard'] as const)('profile %s', (profile) => {
  const options = { dataset: WORLD, url: URL_OF_SITE, profile, now: '2026-06-15T12:00:00Z', logLevel: 'error' } as const;
  for (const port of PORTS[profile]) startTestServer({ ...options, port });

  test('every route, page and feed', async () => {
    const ports = PORTS[profile];
    const seen = new Set(STARTS);
    const differing: string[] = [];
    const nonces = ports.map(() => new Set<string>());
    for (const path of seen) {
      const [left, right] = await Promise.all(ports.map((port) => get(port, path)));
      for (const [i, answer] of [left, right].entries())
        answer.bytes = answer.bytes.replace(NONCE, (nonce) => {
          nonces[i].add(nonce);
          // The length of the page, and its digest.
          answer.headers.etag = answer.headers.etag?.replace(/(?<=^"[0-9a-f]+-)[\w+/-]{27}(?="$)/, '');
          return 'nonce';
        });
      if (JSON.stringify(left) !== JSON.stringify(right)) differing.push(path);
      if (/json|html|xml/.test(left.headers['content-type'] ?? ''))
        for (const found of pathsIn(left.bytes)) if (seen.size < MOST) seen.add(found);
    }
    expect(differing).toEqual([]);
    expect(seen.size).toBe(MOST);
    // Each server has one, on all of its pages.
    expect(nonces.map(({ size }) => size)).toEqual([1, 1]);
    expect([...nonces[0]]).not.toEqual([...nonces[1]]);
  }, 120_000);
});
