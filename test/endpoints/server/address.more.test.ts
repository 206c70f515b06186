import { http, type HttpResponse } from '../../support/http.js';
import { signIn, WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

const API = '/wp-json/tribe/events/v1';
const TOKEN = 'token-of-the-test';

type Ask = (path: string, headers?: Record<string, string>, method?: string, body?: object) => Promise<HttpResponse>;

const asking =
  (server: () => { url: string }): Ask =>
  (path, headers = {}, method = 'GET', body) =>
    http(
      method,
      `${server().url}${path}`,
      body ? { 'content-type': 'application/json', ...headers } : headers,
      body && JSON.stringify(body),
    );

interface List {
  next_rest_url: string;
  rest_url: string;
  events: { id: number; url: string; rest_url: string; image: { url: string } | false; description: string }[];
}

const list = ({ text }: HttpResponse): List => JSON.parse(text) as List;

describe.each([true, false])('links follow the request, test API %s', (qa) => {
  const server = startTestServer({ dataset: WORLD, url: 'request', qa });
  const storedUrl = (): string => server().url;
  const ask = asking(server);
  const page = `${API}/events?per_page=2&starts_after=2020-01-01`;

  test.each(['understudy:8080', 'localhost:9999', '[::1]:8080', 'calendar.example.org'])('as seen by %s', async (host) => {
    for (const time of ['first', 'cached']) {
      const answer = await ask(page, { host });
      expect([time, list(answer).rest_url]).toEqual([time, expect.stringContaining(`http://${host}${API}/events`)]);
      expect(answer.headers.get('link')).toContain(`<http://${host}/wp-json/>`);
      const { next_rest_url, events } = list(answer);
      for (const url of [next_rest_url, ...events.flatMap((event) => [event.url, event.rest_url])])
        expect(url).toContain(`http://${host}/`);
      const next = await ask(next_rest_url.replace(`http://${host}`, ''), { host });
      expect(list(next).events[0].url).toContain(`http://${host}/`);
      const shown = await ask(events[0].url.replace(`http://${host}`, ''), { host });
      expect(shown.status).toBe(200);
      expect(shown.text).toContain(`http://${host}/`);
      expect(shown.text).not.toContain('127.0.0.1');
    }
  });

  test.each(['evil.example/path', 'a b', 'user@host', '', 'host:port'])('but not a Host that is none: %j', async (host) => {
    const { status, text } = await ask(page, { host });
    if (status === 200) expect(text).toContain('"rest_url":"http:\\/\\/127.0.0.1:');
    else expect(status).toBe(400);
  });

  test('in stored texts too, whichever address they were written under', async () => {
    const written = { title: 'Linked', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' };
    const description = '<a href="http://understudy:8080/venue/hall/">Hall</a> <a href="http://other.example/">elsewhere</a>';
    const headers = { host: 'understudy:8080', authorization: signIn('admin') };
    const { text } = await ask(`${API}/events`, headers, 'POST', { ...written, description });
    const { id } = JSON.parse(text) as { id: number };
    const seen = async (host: string): Promise<string> =>
      (JSON.parse((await ask(`${API}/events/${id}`, { host })).text) as List['events'][0]).description;
    expect(await seen('understudy:8080')).toContain('href="http://understudy:8080/venue/hall/"');
    expect(await seen('localhost:3000')).toContain('href="http://localhost:3000/venue/hall/"');
    expect(await seen('localhost:3000')).toContain('href="http://other.example/"');
  });

  test('and requests may name the site by either address', async () => {
    const headers = { host: 'understudy:8080', authorization: signIn('admin') };
    const own = ['http://understudy:8080', storedUrl()];
    const pictured = list(await ask(`${API}/events?per_page=50&starts_after=2020-01-01`, headers)).events.find(({ image }) => image);
    const picture = new URL((pictured!.image as { url: string }).url).pathname;
    const written = { title: 'Pictured', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' };
    for (const site of own) {
      const { status, text } = await ask(`${API}/events`, headers, 'POST', { ...written, image: `${site}${picture}` });
      expect([site, status, text]).toEqual([
        site,
        201,
        expect.stringContaining('"url":"http:\\/\\/understudy:8080\\/wp-content\\/uploads'),
      ]);
      const form = new URLSearchParams({ log: 'admin', pwd: 'admin', redirect_to: `${site}/wp-admin/profile.php` });
      const type = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'wordpress_test_cookie=WP%20Cookie%20check' };
      const signedIn = await http('POST', `${storedUrl()}/wp-login.php`, { host: 'understudy:8080', ...type }, String(form));
      expect([site, signedIn.headers.get('location')]).toEqual([site, 'http://understudy:8080/wp-admin/profile.php']);
    }
  });

  test('links of comments to the site are its own', async () => {
    const headers = { host: 'understudy:8080', authorization: signIn('admin') };
    const [post] = JSON.parse((await ask('/wp-json/wp/v2/posts', headers)).text) as { id: number }[];
    const content = 'See <a href="http://understudy:8080/venue/hall/">Hall</a> and http://understudy:8080/venue/';
    const { status, text } = await ask('/wp-json/wp/v2/comments', headers, 'POST', { post: post.id, content });
    const { rendered } = (JSON.parse(text) as { content: { rendered: string } }).content;
    expect([status, rendered]).toEqual([201, expect.stringContaining('href="http://understudy:8080/venue/"')]);
    expect(rendered).not.toContain('nofollow');
  });

  test('but not the headers of a proxy that is not trusted', async () => {
    const forwarded = { host: 'understudy:8080', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    expect(list(await ask(page, forwarded)).rest_url).toContain('http://understudy:8080/');
  });
});

describe('behind a proxy that is trusted', () => {
  const behind = { dataset: WORLD, url: 'request', trustProxy: true, qaToken: TOKEN, sandboxDomain: 'sb.example.org' };
  const ask = asking(startTestServer(behind));
  const token = { 'x-understudy-token': TOKEN };

  test.each<[Record<string, string>, string]>([
    [{ 'x-forwarded-host': 'calendar.example.org', 'x-forwarded-proto': 'https' }, 'https://calendar.example.org'],
    // What is further left came from the client.
    [{ 'x-forwarded-host': 'evil.example, calendar.example.org', 'x-forwarded-proto': 'gopher, https' }, 'https://calendar.example.org'],
    [
      { 'x-forwarded-host': 'calendar.example.org', 'x-forwarded-port': '8443', 'x-forwarded-proto': 'https' },
      'https://calendar.example.org:8443',
    ],
    [
      { 'x-forwarded-host': 'calendar.example.org', 'x-forwarded-port': '443', 'x-forwarded-proto': 'https' },
      'https://calendar.example.org',
    ],
    [{ 'x-forwarded-host': 'example.org', 'x-forwarded-prefix': '/calendar/' }, 'http://example.org/calendar'],
    [{ 'x-forwarded-host': 'example.org', 'x-forwarded-prefix': '/"><script>' }, 'http://example.org'],
    [{ 'x-forwarded-proto': 'javascript' }, 'http://understudy:8080'],
    [{ 'x-forwarded-proto': 'https' }, 'https://understudy:8080'],
    [{ 'x-forwarded-host': 'w1.sb.example.org', 'x-forwarded-proto': 'https' }, 'https://w1.sb.example.org'],
  ])('%j', async (headers, url) => {
    const { rest_url, events } = list(await ask(`${API}/events?per_page=1`, { host: 'understudy:8080', ...token, ...headers }));
    expect(rest_url).toContain(`${url}${API}/events`);
    expect(events[0].url).toContain(`${url}/event/`);
  });

  test('cookies are for https only where the client sees https', async () => {
    const cookie = async (protocol: string): Promise<string> =>
      (await ask('/wp-login.php', { host: 'localhost:8080', 'x-forwarded-proto': protocol })).headers.get('set-cookie') ?? '';
    expect(await cookie('https')).toContain('; Secure');
    expect(await cookie('http')).toMatch(/^wordpress_test_cookie(?!.*; Secure)/);
  });

  test('a sandbox in the path keeps the address', async () => {
    const answer = await ask(`/__sandbox/w2${API}/events?per_page=1`, {
      host: 'localhost:1',
      'x-forwarded-host': 'localhost:8080',
      ...token,
    });
    expect(list(answer).rest_url).toContain(`http://localhost:8080/__sandbox/w2${API}/events`);
  });
});

describe('the test API of a container', () => {
  const ask = asking(startTestServer({ dataset: WORLD, qaToken: TOKEN, url: 'request' }));

  test.each(['understudy:8080', 'localhost:8080', 'calendar.example.org'])('a valid token is enough at %s', async (host) => {
    expect((await ask('/__qa/health', { host })).status).toBe(401);
    expect((await ask('/__qa/health', { host, 'x-understudy-token': 'wrong-token' })).status).toBe(401);
    const answer = await ask('/__qa/', { host, authorization: `Bearer ${TOKEN}` });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ doc: `http://${host}/__qa/doc` });
    expect((await ask('/__qa/ui', { host })).status).toBe(200);
    const made = await ask(`${API}/events?per_page=1`, { host, 'x-understudy-sandbox': 'boxed', 'x-understudy-token': TOKEN });
    expect(list(made).rest_url).toContain(`http://${host}`);
  });
});

describe('host names that are allowed without a token', () => {
  const ask = asking(startTestServer({ dataset: WORLD, allowedHosts: ['understudy', '.test.example'] }));

  test.each([
    ['understudy:8080', 200],
    ['web.test.example', 200],
    ['test.example', 200],
    ['other.example', 403],
  ])('%s: %i', async (host, status) => {
    const answer = await ask('/__qa/health', { host });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.text).toContain('--allowed-host');
  });
});
