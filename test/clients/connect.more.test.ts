import { setupServer } from 'msw/node';
import { connect, handlers, type ConnectedSite } from '../../src/sdk/testing/msw.js';
import { startTestServer } from '../support/server.js';

/** `connect` in Node.js. `examples/vite` runs it in a browser. */

const TOKEN = 'behind-the-dev-server';
const server = startTestServer({ url: 'request', trustProxy: true, qaToken: TOKEN });

const SITE = 'https://mill.example.org/calendar';
const EVENTS = '/wp-json/tribe/events/v1/events';
const EVENT = { start: '+1d 20:00', duration: '1h' };

interface List {
  events: { title: string }[];
  rest_url: string;
}

const list = async (site: string): Promise<List> => (await fetch(`${site}${EVENTS}`)).json() as Promise<List>;
const titles = async (site: string): Promise<string[]> => (await list(site)).events.map(({ title }) => title);

describe('with MSW', () => {
  let site: ConnectedSite;
  const msw = setupServer();
  beforeAll(async () => {
    site = connect({ server: server().url, url: SITE, sandbox: true, token: TOKEN });
    msw.use(...handlers(site));
    msw.listen({ onUnhandledRequest: 'bypass' });
    await site.seed({ events: [{ ...EVENT, title: 'One' }] });
  });
  beforeEach(() => site.reset());
  afterAll(async () => {
    await site.close();
    msw.close();
  });

  test('requests go to a sandbox of the server, and links have the URL of the site', async () => {
    expect(await list(SITE)).toMatchObject({ events: [{ title: 'One' }], rest_url: expect.stringContaining(`${SITE}${EVENTS}/`) });
    expect(await titles(server().url)).not.toContain('One');
  });

  test('a body arrives', async () => {
    const body = JSON.stringify({ name: 'Music' });
    const sent = await fetch(`${SITE}/wp-json/tribe/events/v1/tags`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(sent.status).toBe(401);
    const entries = await site.journal.entries();
    expect(entries).toMatchObject([{ method: 'POST', request: { body: { name: 'Music' } } }]);
  });

  test('clock and faults are those of the sandbox, and reset ends them', async () => {
    await site.clock.advance('3 days');
    await site.faults.add({ match: { path: '**/tags' }, effect: { drop: 'before' } });
    expect(await titles(SITE)).toEqual([]);
    await expect(fetch(`${SITE}/wp-json/tribe/events/v1/tags`)).rejects.toThrow(TypeError);
    expect((await fetch(`${server().url}/wp-json/tribe/events/v1/tags`)).status).toBe(200);
    await site.reset();
    expect(await titles(SITE)).toEqual(['One']);
  });

  test('a sandbox has a name of its own, or the given one; closing deletes it', async () => {
    const [given, main] = ['story-1', false].map((sandbox) => connect({ server: server().url, url: SITE, sandbox, token: TOKEN }));
    expect(site.sandbox).toMatch(/^tab-[\da-f-]{13}$/);
    expect([given.sandbox, main.sandbox]).toEqual(['story-1', null]);
    const names = async (): Promise<string[]> => {
      const { sandboxes } = (await (
        await fetch(`${server().url}/__qa/sandboxes`, { headers: { 'X-Understudy-Token': TOKEN } })
      ).json()) as { sandboxes: { name: string }[] };
      return sandboxes.map(({ name }) => name);
    };
    await given.clock.advance('1 day');
    expect(await names()).toContain('story-1');
    await Promise.all([given.close(), main.close()]);
    expect(await names()).not.toContain('story-1');
  });

  test('at the origin of the page, handlers have the paths of the calendar alone', () => {
    const own = connect({ server: server().url });
    expect(handlers(own).map(({ info }) => info.header.replace(server().url, ''))).toEqual([
      expect.stringMatching(/\/wp-json$/),
      expect.stringMatching(/\/wp-json\/\*$/),
      expect.stringMatching(/\/wp-content\/uploads\/\*$/),
    ]);
  });

  test('outside of pages, the server has to be named', () => {
    expect(() => connect()).toThrow('server: URL');
  });
});
