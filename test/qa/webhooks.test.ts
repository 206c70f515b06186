import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { server, API, AS_ADMIN, type Answer, type Any, create, event, send } from './steering.js';

interface Received {
  headers: IncomingMessage['headers'];
  text: string;
  body: Any;
}

/** A site that revalidates its pages after changes. */
let receiver: Server;
let url: string;
let received: Received[] = [];
/** Statuses of the next responses, then 204. `null`: no response. */
let statuses: (number | null)[] = [];
/** Emits `unanswered` when a request gets no response. */
const receipts = new EventEmitter();

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((sent) => {
      received.push({ headers: request.headers, text: sent, body: JSON.parse(sent) });
      const status = statuses.shift();
      if (status === null) receipts.emit('unanswered');
      else response.writeHead(status ?? 204, status === 302 ? { location: '/elsewhere' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const AT = '/__qa/webhooks';
const add = (webhook: object = {}, at = AT): Promise<Answer> => send('POST', at, { url, ...webhook });
const flush = async (at = AT): Promise<Any> => (await send('POST', `${at}/flush`)).json;
const list = async (at = AT): Promise<Any> => (await send('GET', at)).json;
const events = (): string[] => received.map(({ body }) => body.event);

beforeEach(async () => {
  await send('DELETE', AT);
  await send('POST', '/__qa/reset');
  received = [];
  statuses = [];
});

describe('webhooks', () => {
  test('tell of posts: created, updated, trashed, restored, deleted', async () => {
    await add();
    const id = await create('Open Stage');
    const at = `/wp-json/wp/v2/tribe_events/${id}`;
    await send('POST', `${API}/events/${id}`, { ...event('Open Stage'), slug: 'stage' }, AS_ADMIN);
    await send('DELETE', `${API}/events/${id}`, undefined, AS_ADMIN);
    await send('POST', at, { status: 'publish' }, AS_ADMIN);
    await send('DELETE', `${at}?force=true`, undefined, AS_ADMIN);
    expect(await flush()).toEqual({ pending: 0, delivered: 5, failed: 0 });
    const link = (slug: string): string => `${server().url}/event/${slug}/`;
    const about = { id, type: 'tribe_events', site: server().url, time: '2026-06-15T12:00:00.000Z', delivery: expect.any(String) };
    const open = { status: 'publish', slug: 'open-stage', link: link('open-stage') };
    const stage = { status: 'publish', slug: 'stage', link: link('stage') };
    const trashed = { status: 'trash', slug: 'stage__trashed', link: `${server().url}/?post_type=tribe_events&p=${id}` };
    expect(received.map(({ body }) => body)).toEqual([
      { event: 'post.created', ...about, ...open },
      { event: 'post.updated', ...about, ...stage, previous: open },
      { event: 'post.trashed', ...about, ...trashed, previous: stage },
      { event: 'post.restored', ...about, ...stage, previous: trashed },
      { event: 'post.deleted', ...about, ...stage },
    ]);
  });

  test('tell of terms and media, and of what a request changes besides', async () => {
    await add();
    const venue = { venue: { venue: 'New Hall' }, tags: ['fresh'] };
    await send('POST', `${API}/events`, { ...event('With a venue'), ...venue }, AS_ADMIN);
    await flush();
    expect(received.map(({ body }) => [body.event, body.type]).sort()).toEqual([
      ['post.created', 'tribe_events'],
      ['post.created', 'tribe_venue'],
      ['term.created', 'post_tag'],
    ]);
    received = [];
    const { id } = (await send('POST', `${API}/tags`, { name: 'One' }, AS_ADMIN)).json;
    await send('POST', `${API}/tags/${id}`, { name: 'Two', slug: 'two' }, AS_ADMIN);
    await send('DELETE', `${API}/tags/${id}`, undefined, AS_ADMIN);
    await flush();
    expect(received.map(({ body: { event: name, slug, link, previous } }) => [name, slug, link, previous?.slug])).toEqual([
      ['term.created', 'one', `${server().url}/tag/one/`, undefined],
      ['term.updated', 'two', `${server().url}/tag/two/`, 'one'],
      ['term.deleted', 'two', `${server().url}/tag/two/`, undefined],
    ]);
  });

  test('tell of an image that is given by URL, as of one that is uploaded', async () => {
    const [{ source_url: image }] = (await send('GET', '/wp-json/wp/v2/media?media_type=image')).json;
    await add();
    await send('POST', `${API}/events`, { ...event('With an image'), image }, AS_ADMIN);
    await flush();
    expect(received.map(({ body }) => [body.event, body.type]).sort()).toEqual([
      ['post.created', 'attachment'],
      ['post.created', 'tribe_events'],
    ]);
  });

  test('tell of posts that the clock publishes', async () => {
    await add();
    const id = (await send('POST', '/wp-json/wp/v2/posts', { title: 'Later', status: 'publish', date: '2026-06-16T12:00:00' }, AS_ADMIN))
      .json.id;
    await send('PUT', '/__qa/clock', { advance: '3 days' });
    await send('GET', '/');
    await flush();
    expect(received.map(({ body: { event: name, status, previous, time } }) => [name, status, previous?.status, time])).toEqual([
      ['post.created', 'future', undefined, '2026-06-15T12:00:00.000Z'],
      ['post.updated', 'publish', 'future', '2026-06-18T12:00:00.000Z'],
    ]);
    expect(received[1].body.id).toBe(id);
  });

  test('a load, a reset and a restored snapshot are one event each', async () => {
    await send('PUT', '/__qa/snapshots/hooks');
    await add({ events: ['content.*'] });
    await create('Not listened to');
    await send('POST', '/__qa/reset');
    await send('POST', '/__qa/snapshots/hooks/restore');
    await send('POST', '/__qa/seed?pristine=false', { events: ['A', 'B'].map((title) => ({ title, start: '+1d 20:00', duration: '2h' })) });
    const ndjson = (await send('GET', '/__qa/export')).text;
    await send('POST', '/__qa/import?mode=add', ndjson);
    await flush();
    expect(events()).toEqual(['content.reset', 'content.restored', 'content.seeded', 'content.imported']);
    expect(Object.keys(received[0].body).sort()).toEqual(['delivery', 'event', 'site', 'time']);
    await send('DELETE', '/__qa/snapshots/hooks');
  });

  test('are signed, and named in headers', async () => {
    await add({ secret: 'shh-üñ' });
    await create('Signed');
    await flush();
    const [{ headers, text: sent, body }] = received;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-understudy-event': 'post.created',
      'x-understudy-delivery': body.delivery,
      'x-understudy-signature': `sha256=${createHmac('sha256', 'shh-üñ').update(sent).digest('hex')}`,
    });
    const shown = await send('GET', AT);
    expect(shown.text).not.toContain('shh');
    expect(shown.json.webhooks).toMatchObject([{ url, signed: true, events: ['*'], retries: 4, timeout: 5000, pending: 0 }]);
    await send('DELETE', AT);
    await add();
    await create('Not signed');
    await flush();
    expect(received[1].headers).not.toHaveProperty('x-understudy-signature');
  });

  test('are repeated after errors and timeouts, and keep their order', async () => {
    // The time is up as soon as an attempt has reached the receiver and gets no response.
    const timeout = 54_321;
    const late = (): AbortSignal => {
      const controller = new AbortController();
      receipts.once('unanswered', () => controller.abort(new DOMException('The time is up.', 'TimeoutError')));
      return controller.signal;
    };
    const real = AbortSignal.timeout.bind(AbortSignal);
    const timeouts = jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (ms === timeout ? late() : real(ms)));
    await add({ timeout, retries: 3 });
    statuses = [500, null, 429, 200];
    await create('First');
    await create('Second');
    expect(await flush()).toEqual({ pending: 0, delivered: 2, failed: 0 });
    timeouts.mockRestore();
    expect(received.map(({ body }) => body.slug)).toEqual(['first', 'first', 'first', 'first', 'second']);
    expect(new Set(received.slice(0, 4).map(({ text: sent }) => sent)).size).toBe(1);
    const { deliveries } = await list();
    expect(deliveries.map(({ status }: Any) => status)).toEqual(['delivered', 'delivered']);
    expect(deliveries[0].attempts.map(({ status, error }: Any) => [status, error])).toEqual([
      [500, undefined],
      [null, 'No response within 54321 ms.'],
      [429, undefined],
      [200, undefined],
    ]);
  });

  test.each([
    [404, 1],
    [302, 1],
    [500, 2],
  ])('with %i fail after %i attempts, and can be delivered again', async (status, attempts) => {
    await add({ retries: 1 });
    statuses = [status, status];
    await create('Fails');
    expect(await flush()).toEqual({ pending: 0, delivered: 0, failed: 1 });
    expect(received).toHaveLength(attempts);
    const [{ id }] = (await list()).deliveries;
    statuses = [];
    expect((await send('POST', `${AT}/deliveries/${id}/redeliver`)).json).toMatchObject({ id, status: 'pending' });
    expect(await flush()).toEqual({ pending: 0, delivered: 1, failed: 0 });
    expect(received.at(-1)?.text).toBe(received[0].text);
    expect((await list()).deliveries[0].attempts).toHaveLength(attempts + 1);
  });

  test('never delay or fail a write, and one that fails does not hold up another', async () => {
    await send('POST', AT, { url: 'http://127.0.0.1:1/refused', retries: 10 });
    // It gets no response within this time, so who would wait for it would find it failed.
    await add({ timeout: 20_000, retries: 0 });
    statuses = [null];
    const isReceived = once(receipts, 'unanswered');
    expect((await send('POST', `${API}/events`, event('Quick'), AS_ADMIN)).status).toBe(201);
    await isReceived;
    expect(events()).toEqual(['post.created']);
    const pending = { pending: 2, delivered: 0, failed: 0 };
    let attempts: Any[] = [];
    do {
      expect((await send('POST', `${AT}/flush?timeout=10`)).json).toEqual(pending);
      ({ attempts } = (await list()).deliveries[0]);
    } while (attempts.length === 0);
    expect(attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/ECONNREFUSED|bad port/) });
    // Deliveries of deleted webhooks are dropped.
    expect((await send('DELETE', AT)).json).toEqual({ deleted: 2 });
    expect(await flush()).toEqual({ pending: 0, delivered: 0, failed: 0 });
  });

  test('of a sandbox get its changes only, and those of the site not', async () => {
    const at = '/__sandbox/hooked';
    await add({}, `${at}${AT}`);
    await create('Elsewhere');
    await send('POST', `${at}${API}/tags`, { name: 'Here' }, AS_ADMIN);
    await flush(`${at}${AT}`);
    expect(received.map(({ body: { slug, site, sandbox, link } }) => [slug, site, sandbox, link])).toEqual([
      ['here', `${server().url}${at}`, 'hooked', `${server().url}${at}/tag/here/`],
    ]);
    expect((await list()).webhooks).toEqual([]);
    await send('DELETE', '/__qa/sandboxes/hooked');
  });

  test('are removed one by one', async () => {
    const { id } = (await add()).json;
    await add({ events: ['post.deleted'] });
    expect((await send('DELETE', `${AT}/${id}`)).json).toEqual({ deleted: 1 });
    expect((await send('DELETE', `${AT}/${id}`)).status).toBe(404);
    await create('Unheard');
    await flush();
    expect(received).toEqual([]);
  });

  test('to keep stay when all are removed, without what is pending', async () => {
    const { id } = (await add({ keep: true })).json;
    statuses = [null];
    const isReceived = once(receipts, 'unanswered');
    await create('Pending');
    await isReceived;
    await create('Waiting');
    expect((await send('DELETE', AT)).json).toEqual({ deleted: 0 });
    expect(await list()).toMatchObject({ webhooks: [{ id, keep: true, pending: 0 }], deliveries: [] });
    await create('Later');
    await flush();
    expect(received.map(({ body }) => body.slug)).toEqual(['pending', 'later']);
    await send('DELETE', `${AT}/${id}`);
  });

  test.each([
    [{}, 400],
    [{ url: 'ftp://example.org' }, 400],
    [{ url: '/hook' }, 400],
    [{ url: 'http://me:secret@example.org' }, 400],
    [{ url: 'http://example.org', retry: 3 }, 400],
    [{ url: 'http://example.org', timeout: 0 }, 400],
  ])('%j is rejected', async (webhook, status) => expect((await send('POST', AT, webhook)).status).toBe(status));

  test('a delivery that does not exist cannot be repeated', async () => {
    expect((await send('POST', `${AT}/deliveries/none/redeliver`)).status).toBe(404);
  });
});
