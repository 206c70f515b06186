import os from 'node:os';
import { networkAddresses } from '../../../src/base/system/network.js';
import { startTestServer } from '../../support/server.js';
import { http } from '../../support/http.js';

/* A server for a team: it listens on all addresses. */

const LIST = '/wp-json/tribe/events/v1/events?per_page=1';
const TOKEN = 'token-of-the-team';
const dataset = { events: [{ title: 'Fair', start: '+1d 10:00', duration: '2h', description: '<a href="/about/">About</a>' }] };
const common = { dataset, now: '2026-06-15T12:00:00Z' };

interface List {
  rest_url: string;
  events: { url: string }[];
}

/** The links in the list of a server, for a client that uses a host name. */
async function linksFor(url: string, host: string, headers: Record<string, string> = {}): Promise<string[]> {
  const { text } = await http('GET', `${url}${LIST}`, { host, ...headers });
  const { rest_url: rest, events } = JSON.parse(text) as List;
  return [rest, events[0].url].map((link) => new URL(link).origin);
}

const hasIpv6 = Object.values(os.networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'));

describe.each(hasIpv6 ? ['0.0.0.0', '::'] : ['0.0.0.0'])('on %s', (host) => {
  const open = startTestServer({ ...common, host, allowedHosts: ['calendar.test'], qaToken: TOKEN });
  const silent = startTestServer({ ...common, host, qa: false });
  const fixed = startTestServer({ ...common, host, url: 'https://calendar.example.org' });

  test('it names the addresses of the network', () => {
    const { port } = new URL(open().url);
    const network = networkAddresses(host).map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`);
    expect(open().addresses).toEqual([`http://localhost:${port}`, ...network]);
    expect([open().url, open().localUrl]).toEqual([`http://localhost:${port}`, `http://localhost:${port}`]);
  });

  test('it responds at all of them, with links to the one that was used', async () => {
    for (const url of open().addresses) expect([url, await linksFor(url, new URL(url).host)]).toEqual([url, [url, url]]);
  });

  test.each(['calendar.test', 'calendar.test:8080', '192.168.1.7:8080', 'team-server', '[fd00::7]:8080'])(
    'links follow %s',
    async (name) => {
      for (const server of [open, silent])
        for (const time of ['first', 'cached'])
          expect([time, await linksFor(server().url, name)]).toEqual([time, [`http://${name}`, `http://${name}`]]);
    },
  );

  test('without X-Forwarded-Host, which clients can send', async () => {
    expect(await linksFor(open().url, 'calendar.test', { 'x-forwarded-host': 'other.example' })).toEqual(
      Array(2).fill('http://calendar.test'),
    );
  });

  test('links have the URL that is set', async () => {
    expect(await linksFor(fixed().localUrl, 'calendar.test')).toEqual(Array(2).fill('https://calendar.example.org'));
  });
});

describe('on one address', () => {
  const server = startTestServer({ ...common, allowedHosts: ['calendar.test'] });

  test('links have that address, under every name', async () => {
    expect(server().addresses).toEqual([server().url]);
    expect(await linksFor(server().url, 'calendar.test')).toEqual(Array(2).fill(server().url));
  });
});
