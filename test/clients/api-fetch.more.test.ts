import imported, { type ApiFetch } from '@wordpress/api-fetch';
import { WORLD, type Refusal } from '../support/api.js';
import { Browser } from '../support/browser.js';
import { startTestServer } from '../support/server.js';
import { ascending, picture, type CalendarEvent, type Deleted, type EventList, type WpPost, type WpTerm } from './support.js';

/** `@wordpress/api-fetch`, as pages of WordPress use it: signed in by cookies and a nonce, and configured as in WordPress. */

// The package's types describe a CommonJS module, but Node.js loads an ES module.
const apiFetch = imported as unknown as ApiFetch;

const originalFetch = globalThis.fetch;
afterAll(() => {
  globalThis.fetch = originalFetch;
});

/** REST root. Like the nonce, it is set once a server has started. */
let root = '';
const nonce = apiFetch.createNonceMiddleware('');
let calls: { method: string; url: string }[] = [];

apiFetch.use((options, next) => apiFetch.createRootURLMiddleware(root)(options, next));
apiFetch.use(nonce);
apiFetch.use(apiFetch.mediaUploadMiddleware);
apiFetch.nonceMiddleware = nonce;

/** Fetches like a page of the site: with the browser's cookies for that address. */
const fetchWith =
  (browser: Browser): typeof fetch =>
  (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    calls.push({ method: init.method ?? 'GET', url: url.href });
    const cookies = [...browser.jar].filter(([, { path }]) => url.pathname.startsWith(path));
    const cookie = cookies.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
    return originalFetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), cookie } });
  };

const refusal = (request: Promise<unknown>): Promise<Refusal> =>
  request.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as Refusal,
  );

describe('api-fetch', () => {
  const server = startTestServer({ dataset: WORLD, profile: 'standard' });
  const browser = new Browser(server);

  beforeAll(async () => {
    await browser.logIn('admin');
    globalThis.fetch = fetchWith(browser);
    root = `${server().restUrl}/`;
    nonce.nonce = await browser.nonce();
    apiFetch.nonceEndpoint = `${server().url}/wp-admin/admin-ajax.php?action=rest-nonce`;
  });
  beforeEach(() => {
    calls = [];
  });

  test('signs in and fetches a new nonce when the old one has expired', async () => {
    expect(await apiFetch({ path: '/wp/v2/users/me?context=edit' })).toMatchObject({ username: 'admin', roles: ['administrator'] });
    const first = nonce.nonce;
    const now = server().site.clock.now();
    server().setClock(now + 30 * 3_600_000);
    expect(await apiFetch({ path: '/wp/v2/users/me' })).toMatchObject({ slug: 'admin' });
    server().setClock(now);
    expect(calls.map(({ url }) => new URL(url).pathname)).toEqual([
      ...Array<string>(2).fill('/wp-json/wp/v2/users/me'),
      '/wp-admin/admin-ajax.php',
      '/wp-json/wp/v2/users/me',
    ]);
    expect(nonce.nonce).not.toBe(first);
    nonce.nonce = first;
  });

  test('joins all pages of a list', async () => {
    const tags = Array.from({ length: 101 }, (_, index) =>
      apiFetch<WpTerm>({ path: '/wp/v2/tags', method: 'POST', data: { name: `Tag ${index}` } }),
    );
    const made = ascending(await Promise.all(tags));
    calls = [];
    const all = await apiFetch<WpTerm[]>({ path: '/wp/v2/tags?per_page=-1&context=view' });
    expect(calls.length).toBe(2);
    expect(ascending(all)).toEqual([...new Set(ascending(all))]);
    expect(ascending(all)).toEqual(expect.arrayContaining(made));
  });

  test('creates, reads, updates and deletes an event of the calendar', async () => {
    const event = { title: 'By api-fetch', start_date: '2026-07-01 18:00', end_date: '2026-07-01 20:00', venue: '12', unknown: { a: 1 } };
    const made = await apiFetch<CalendarEvent>({ namespace: 'tribe/events/v1', endpoint: '/events', method: 'POST', data: event });
    const path = `/tribe/events/v1/events/${made.id}`;
    expect(made).toMatchObject({ slug: 'by-api-fetch', venue: { id: 12 } });
    expect(await apiFetch({ path, method: 'PUT', data: { ...event, title: 'Put' } })).toMatchObject({ title: 'Put' });
    expect(await apiFetch({ path, method: 'PATCH', data: { title: 'Patched' } })).toMatchObject({ title: 'Patched' });
    const listed = await apiFetch<EventList>({ path: '/tribe/events/v1/events?search=Patched' });
    expect(listed.events.map(({ id }) => id)).toEqual([made.id]);
    expect(await apiFetch({ path, method: 'DELETE' })).toMatchObject({ id: made.id });
    expect((await refusal(apiFetch({ path, method: 'DELETE' }))).data?.status).toBe(410);
    // Methods other than GET and POST are sent as POST with an override header.
    expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET', 'POST', 'POST']);
    expect(calls.every(({ url }) => url.includes('_locale=user'))).toBe(true);
  });

  test('uploads, describes and deletes an image', async () => {
    const png = await picture();
    const body = new FormData();
    body.append('file', new File([new Uint8Array(png)], 'stage.png', { type: 'image/png' }));
    body.append('title', 'The stage');
    const media = await apiFetch<WpPost>({ path: '/wp/v2/media', method: 'POST', body });
    expect(media).toMatchObject({ title: { raw: 'The stage' }, media_details: { width: 320, sizes: { thumbnail: { width: 150 } } } });
    const shown = await originalFetch(media.source_url);
    expect([shown.status, Buffer.from(await shown.arrayBuffer()).equals(png)]).toEqual([200, true]);
    const path = `/wp/v2/media/${media.id}`;
    expect(await apiFetch({ path, method: 'PUT', data: { alt_text: 'A stage' } })).toMatchObject({ alt_text: 'A stage' });
    expect(await apiFetch<Deleted<WpPost>>({ path: `${path}?force=true`, method: 'DELETE' })).toMatchObject({ deleted: true });
    const script = new FormData();
    script.append('file', new File(['<?php'], 'x.php'));
    expect((await refusal(apiFetch({ path: '/wp/v2/media', method: 'POST', body: script }))).code).toBe('rest_upload_unknown_error');
  });

  test('edits and trashes posts in wp/v2', async () => {
    const draft = await apiFetch<WpPost>({
      path: '/wp/v2/tribe_events',
      method: 'POST',
      data: { title: 'A draft', status: 'draft', meta: {} },
    });
    const path = `/wp/v2/tribe_events/${draft.id}`;
    const data = { id: draft.id, title: 'Better', content: '<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->' };
    expect(await apiFetch({ path, method: 'PUT', data })).toMatchObject({ title: { raw: 'Better' }, content: { block_version: 1 } });
    expect(await apiFetch({ path, method: 'DELETE' })).toMatchObject({ status: 'trash' });
    expect(await apiFetch({ path: `${path}?force=true`, method: 'DELETE' })).toMatchObject({ deleted: true, previous: { id: draft.id } });
  });

  test('throws on error responses and on responses that are not JSON', async () => {
    expect(await refusal(apiFetch({ path: '/wp/v2/tribe_events/999999' }))).toMatchObject({
      code: 'rest_post_invalid_id',
      data: { status: 404 },
    });
    expect(await refusal(apiFetch({ path: '/tribe/events/v1/events', method: 'POST', data: { title: 'No dates' } }))).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['start_date', 'end_date'] },
    });
    expect(await refusal(apiFetch({ url: `${server().url}/nothing-here/` }))).toMatchObject({ code: 'invalid_json' });
    const response = await apiFetch<unknown, false>({ path: '/wp/v2/media?per_page=2', parse: false });
    expect([response.headers.get('x-wp-total'), response.headers.get('x-wp-totalpages')]).toEqual(['6', '3']);
  });

  test('uses preloaded responses once', async () => {
    const path = '/wp/v2/types?context=view';
    const preloaded = await originalFetch(`${server().restUrl}${path}`);
    const body: unknown = await preloaded.json();
    const middleware = apiFetch.createPreloadingMiddleware({ [path]: { body, headers: Object.fromEntries(preloaded.headers) } });
    apiFetch.use(middleware);
    const [first, second] = [await apiFetch({ path }), await apiFetch({ path })];
    apiFetch.unregister(middleware);
    expect([first, calls.length]).toEqual([body, 1]);
    expect(Object.keys(second as object)).toEqual(Object.keys(body as object));
  });

  test('works with plain permalinks', async () => {
    const pretty = root;
    root = `${server().url}/index.php?rest_route=/`;
    expect(await apiFetch({ path: '/wp/v2/tribe_venue/12?context=edit' })).toMatchObject({
      id: 12,
      title: { raw: expect.any(String) as string },
    });
    expect(await apiFetch({ path: '/tribe/events/v1/tags?per_page=2', method: 'GET' })).toMatchObject({ tags: [{}, {}] });
    root = pretty;
  });
});
