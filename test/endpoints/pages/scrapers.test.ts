import type { Event, EventJsonLd, EventList } from '../../../src/sdk/types/responses.js';
import { Browser } from '../../support/browser.js';
import { signIn, WORLD } from '../../support/api.js';
import { documentOf, type Element } from '../../support/scraper.js';
import { startTestServer } from '../../support/server.js';

/* Ways in which public scrapers read sites with The Events Calendar. What they find is compared with the API. */

const tec = startTestServer({ dataset: WORLD });
const standard = startTestServer({ dataset: WORLD, profile: 'standard' });

describe.each([
  ['tec', tec],
  ['standard', standard],
])('under profile %s', (_profile, server) => {
  const open = async (address: string): Promise<Element> => documentOf((await new Browser(server).visit(address)).text);
  const api = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${server().restUrl}/tribe/events/v1/${path}`)).json()) as Body;
  const pathOf = (url: string | null): string => (url ?? '').replace(server().url, '');

  /** The upcoming events of the API, in the order of lists. */
  const upcoming = async (): Promise<Event[]> => {
    const pages = await Promise.all(
      [1, 2].map((page) => api<EventList>(`events?per_page=50&start_date=2020-01-01&end_date=2035-01-01&page=${page}`)),
    );
    const events = pages.flatMap((page) => page.events);
    return events.filter((event) => event.hide_from_listings !== true && (event.end_date ?? '') >= '2026-06-15 08:00:00');
  };

  const jsonLdOf = (page: Element): EventJsonLd[][] => page.data<EventJsonLd[]>('application/ld+json');

  test.each([
    ['/events/', 10],
    ['/events/list/', 10],
    ['/events/list/page/2/', 10],
    ['/events/month/', 19],
    ['/events/today/', 4],
    ['/events/2026-07-01/', 1],
    // Without the protected event, which lists show.
    ['/events/category/music/', 6],
    ['/events/tag/outdoor/', 2],
  ])('by JSON-LD, as readers of structured data do: %s has a list of %i events', async (address, count) => {
    const lists = jsonLdOf(await open(address));
    expect(lists).toHaveLength(1);
    expect(lists[0]).toHaveLength(count);
    const [event] = lists[0];
    const { json_ld: single } = await api<Event>(`events/by-slug/${pathOf(event.url).split('/')[2]}`);
    // E-mail addresses are written differently each time.
    const text = (data: object | undefined): string => JSON.stringify(data).replace(/"email":"[^"]*"/, '');
    expect(text(event)).toBe(text(single));
  });

  test('by JSON-LD of events and pages without events', async () => {
    const [event] = jsonLdOf(await open('/event/festival-week/'));
    expect(event).toMatchObject([{ '@type': 'Event', name: 'Festival Week', startDate: '2026-06-12T10:00:00-04:00' }]);
    const pages = ['/', '/hello-world/', '/event/password-soiree/', '/events/2031-01/', '/event/nothing/'];
    // Pages of WordPress, though they list events here, and embeds.
    const ofWordPress = ['/tag/live/', '/author/admin/', '/?s=weekly', '/event/festival-week/embed/'];
    for (const address of [...pages, ...ofWordPress]) expect([address, jsonLdOf(await open(address))]).toEqual([address, []]);
  });

  /** Reads the pages of a list by the names of its elements, and follows the links to the next page. */
  async function readList(first: string): Promise<{ title: string; path: string; date: string | null; venue?: string; cost?: string }[]> {
    const found = [];
    for (let address: string | null = first; address;) {
      const page: Element = await open(address);
      const container = page.one('.tribe-events-calendar-list');
      for (const event of container?.all(
        'div.tribe-events-calendar-list__event-wrapper.tribe-common-g-col article.tribe-events-calendar-list__event',
      ) ?? []) {
        const part = (name: string): Element | null => event.one(`.tribe-events-calendar-list__event-${name}`);
        found.push({
          title: part('title')?.text ?? '',
          path: pathOf(part('title-link')?.attribute('href') ?? null),
          date: event.one('time.tribe-events-calendar-list__event-datetime')?.attribute('datetime') ?? null,
          venue: part('venue-title')?.text,
          cost: part('cost')?.one('.tribe-events-c-small-cta__price')?.text,
        });
      }
      const next = page.one('a.tribe-events-c-nav__next')?.attribute('href');
      address = next === null || next === undefined ? null : pathOf(next);
    }
    return found;
  }

  const plain = (html: string): string => documentOf(html).text;

  test('by the names of elements: title, link, date and venue of all events, page after page', async () => {
    const expected = (await upcoming()).map(({ title, url, start_date: date, venue }) => ({
      title: `${pathOf(url) === '/event/password-soiree/' ? 'Protected: ' : ''}${plain(title)}`,
      path: pathOf(url),
      date: date?.slice(0, 10),
      venue: Array.isArray(venue) ? undefined : plain(venue.venue),
    }));
    const found = await readList('/events/');
    expect(found.length).toBeGreaterThan(40);
    expect(found.map(({ title, path, date, venue }) => ({ title, path, date, venue }))).toEqual(expected);
  });

  test('by the names of elements: costs, and times in the words of the site', async () => {
    const found = await readList('/events/category/music/');
    expect(found.map(({ path, cost }) => [path, cost])).toEqual([
      ['/event/festival-week/', '$10 – $50'],
      ['/event/open-mic-night/', 'Free'],
      ['/event/raga-at-dawn/', '₹500'],
      ['/event/ten-dollar-show/', '$10'],
      ['/event/donation-concert/', 'Donation'],
      ['/event/password-soiree/', undefined],
      ['/event/basement-sessions/', undefined],
    ]);
    const [several, day, oneDay] = (await open('/events/')).all('time.tribe-events-calendar-list__event-datetime');
    expect([several.one('.tribe-event-date-start')?.text, several.one('.tribe-event-date-end')?.text]).toEqual([
      'June 12 @ 10:00 am',
      'June 18 @ 10:00 pm',
    ]);
    expect(day.text).toBe('June 15');
    expect([oneDay.one('span.tribe-event-date-start')?.text, oneDay.one('span.tribe-event-time')?.text]).toEqual([
      'June 15 @ 7:00 am',
      '9:00 am',
    ]);
  });

  test('by classes of WordPress: id, type, categories and tags', async () => {
    const [first] = (await open('/events/')).all('article.type-tribe_events');
    const names = first.attribute('class')?.split(' ');
    expect(names).toEqual(expect.arrayContaining(['post-35', 'tribe_events', 'tribe_events_cat-music', 'cat_music', 'tag-live']));
    const protectedOne = (await open('/events/category/music/')).one('article.post-80');
    expect(protectedOne?.attribute('class')).toContain('post-password-required');
    expect(protectedOne?.attribute('class')).not.toContain('tag-live');
  });

  test('by the names of elements of a day', async () => {
    const page = await open('/events/today/');
    const events = page.all('article.tribe-events-calendar-day__event');
    expect(events.map((event) => event.one('a.tribe-events-calendar-day__event-title-link')?.text)).toEqual([
      'Bake Sale',
      'Festival Week',
      'Early Bird Yoga',
      'Open Mic Night',
    ]);
    expect(events[3].one('.tribe-events-calendar-day__event-venue-title')?.text).toBe('O’Hara’s “Pub” & Grill');
    expect(pathOf(page.one('a.tribe-events-c-nav__next')?.attribute('href') ?? null)).toBe('/events/2026-06-16/');
  });

  test('by the names of elements of a month: links, times, and the tooltips with the dates', async () => {
    const page = await open('/events/2026-07/');
    const events = page.all('article.tribe-events-calendar-month__calendar-event');
    const read = events.map((event) => {
      const link = event.one('a.tribe-events-calendar-month__calendar-event-title-link');
      const tooltip = page.byId((link?.attribute('data-tooltip-content') ?? '').slice(1));
      return [
        event.one('.tribe-events-calendar-month__calendar-event-title')?.text,
        pathOf(link?.attribute('href') ?? null),
        event.one('.tribe-events-calendar-month__calendar-event-datetime time')?.attribute('datetime'),
        tooltip?.one('time')?.attribute('datetime'),
      ];
    });
    expect(read.length).toBeGreaterThan(20);
    expect(read[0]).toEqual(['Ten Dollar Show', '/event/ten-dollar-show/', '19:00', '2026-07-01']);
    expect(read.filter(([, , , date]) => !/^2026-0(?:7-\d\d|8-01)$/.test(date ?? ''))).toEqual([]);
    expect(page.byId('tribe-events-calendar-day-2026-07-14')?.all('a.tribe-events-calendar-month__calendar-event-title-link')).toHaveLength(
      3,
    );
    const next = page.all('a.tribe-events-c-nav__next').map((link) => pathOf(link.attribute('href')));
    expect(next).toEqual(['/events/month/2026-08/']);
    const june = await open('/events/2026-06/');
    expect(
      june.all('article.tribe-events-calendar-month__multiday-event a.tribe-events-calendar-month__multiday-event-hidden-link').length,
    ).toBeGreaterThan(2);
  });

  test('by the names of elements of an event', async () => {
    const page = await open('/event/festival-week/');
    const text = (selector: string): string | undefined => page.one(selector)?.text;
    expect(text('h1.tribe-events-single-event-title')).toBe('Festival Week');
    expect(text('.tribe-events-schedule h2 span.tribe-event-date-start')).toBe('June 12 @ 10:00 am');
    expect(text('.tribe-events-schedule')).toBe('June 12 @ 10:00 am – June 18 @ 10:00 pm $10 – $50');
    expect(page.one('abbr.tribe-events-start-datetime')?.attribute('title')).toBe('2026-06-12');
    expect(page.one('abbr.tribe-events-end-datetime')?.attribute('title')).toBe('2026-06-18');
    expect([text('.tribe-venue'), text('.tribe-locality'), text('.tribe-country-name')]).toEqual([
      'Lincoln Park',
      'Chicago',
      'United States',
    ]);
    expect(text('.tribe-events-event-cost')).toBe('$10 – $50');
    expect(text('.tribe-organizer')).toMatch(/^Music Guild/);
    expect(text('.tribe-events-event-categories')).toContain('Music');
    expect(page.one('img.wp-post-image')?.attribute('src')).toContain('river-stage');
    expect(pathOf(page.one('li.tribe-events-nav-next a')?.attribute('href') ?? null)).toBe('/event/saturday-swap/');
    const described = await open('/event/kolner-lesung/');
    expect(described.one('.tribe-events-single-event-description.tribe-events-content p')?.text).toContain('Eine Lesung');
  });

  let firstPage: Promise<Element> | undefined;
  /** The page whose scripts ask for other parts. It is the same each time. */
  const listPage = (): Promise<Element> => (firstPage ??= open('/events/'));

  /** What the scripts of the calendar send for another part of a page. */
  const part = async (query: Record<string, string>, method: 'GET' | 'POST' = 'GET'): Promise<Element> => {
    const view = (await listPage()).one('div.tribe-events-view');
    const url = view?.attribute('data-view-rest-url') ?? '';
    const sent = new URLSearchParams({ ...(await tokens()), ...query });
    const response = await (method === 'GET' ? fetch(`${url}?${sent}`) : fetch(url, { method: 'POST', body: sent }));
    expect(response.status).toBe(200);
    return documentOf(((await response.json()) as { html: string }).html);
  };

  const tokens = async (): Promise<{ tvn1: string; tvn2: string }> =>
    (await listPage()).data<{ tvn1: string; tvn2: string }>('application/json', 'tribe-events-view-nonce-data')[0];

  const linksIn = (view: Element): string[] =>
    view.all('a.tribe-events-calendar-list__event-title-link').map((link) => pathOf(link.attribute('href')));

  test('by the address of parts of pages, until there are no events', async () => {
    const found: string[] = [];
    let number = 1;
    for (; number < 20; number += 1) {
      const view = await part({ u: `/events/list/page/${number}/`, smu: 'true' });
      const links = linksIn(view);
      if (links.length === 0) break;
      found.push(...links);
    }
    expect([number, found]).toEqual([6, (await upcoming()).map(({ url }) => pathOf(url))]);
  });

  test('by the address of parts of pages: other views, dates, searches and categories', async () => {
    const month = await part({ u: `${server().url}/events/month/`, 'view_data[tribe-bar-date]': '2026-07' }, 'POST');
    expect(month.all('article.tribe-events-calendar-month__calendar-event').length).toBeGreaterThan(20);
    expect(linksIn(await part({ u: '', 'view_data[tribe-bar-search]': 'weekly' }))).toEqual([
      '/event/weekly-meetup/',
      '/event/weekly-meetup-2/',
      '/event/weekly-meetup-3/',
    ]);
    expect(linksIn(await part({ u: '/events/category/music/', view: 'list' }))[1]).toBe('/event/open-mic-night/');
    expect((await part({ u: '/', view: 'day' })).all('article.tribe-events-calendar-day__event')).toHaveLength(4);
    for (const u of ['//evil.example/', 'https://evil.example/%', '/event/festival-week/', '/nothing/', '/events/2031-01-01/'])
      expect([u, (await part({ u })).one('div.tribe-events-view') !== null]).toEqual([u, true]);
  });

  /** View, title, number of events in the JSON-LD and the first one's name. */
  const summaryOf = (view: Element): unknown[] => {
    const [data] = view.data<{ slug: string; title: string }>('application/json', 'tribe-events-view-data');
    const [events = []] = jsonLdOf(view);
    return [data.slug, data.title.replace(' – Town Calendar', ''), events.length, events.at(0)?.name];
  };

  const PLAIN = ['list', 'Events from June 15 – June 23', 10, 'Festival Week'];
  const WEEKLY = ['list', 'Events from July 9 – July 23', 3, 'Weekly Meetup'];
  const AUGUST = ['list', 'Events from August 1 – May 6, 2029', 10, 'Basement Sessions'];

  test.each<[Record<string, string>, unknown[]]>([
    [{ u: '/events/list/' }, PLAIN],
    [{ u: '/events/list' }, PLAIN],
    [{ u: '/events/list/page/2/' }, ['list', 'Events from June 24 – July 8', 10, 'Half Hour Offset']],
    [{ u: '/events/list/?eventDisplay=past' }, ['list', 'Past Events from January 18, 2025 – June 14', 4, 'Winter Gala']],
    [{ u: '/events/month/2026-07/' }, ['month', 'Events for July 2026', expect.any(Number), expect.any(String)]],
    [{ u: '/events/2026-06-20/' }, ['day', 'Events for June 20, 2026', 1, 'Craft Weekend']],
    [{ u: '/events/today/' }, ['day', 'Events for June 15, 2026', 4, 'Bake Sale']],
    [{ u: '/events/2031-01-01/' }, ['day', 'Events for January 1, 2031', 0, undefined]],
    [{ u: '/events/category/music/list/' }, ['list', 'Events from June 15 – August 1 › Music › ', 6, 'Festival Week']],
    [{ u: '/events/category/no-such-one/list/' }, ['list', 'Upcoming Events', 0, undefined]],
    [{ u: '/events/tag/outdoor/list/' }, ['list', expect.stringMatching(/^Events from /), 2, expect.any(String)]],
    [{ u: 'https://elsewhere.example/events/month/' }, ['month', 'Events for June 2026', 19, 'Festival Week']],
    [{ u: '' }, PLAIN],
    [{ u: 'no address' }, PLAIN],
    [{ u: '/event/bake-sale/' }, PLAIN],
    [{ u: '/' }, PLAIN],
    [{ u: '/events/list/', view: 'month' }, ['month', 'Events from June 15 – July 4', 19, 'Festival Week']],
    [{ u: '/events/month/', view: 'list' }, ['list', 'Events for June 2026', 10, 'Festival Week']],
    [{ u: '/events/list/', view: 'no-such-view' }, PLAIN],
    [{ u: '/events/list/?tribe-bar-search=weekly' }, WEEKLY],
    [{ u: '/events/list/', 'tribe-bar-search': 'weekly' }, WEEKLY],
    [{ u: '/events/list/', 'view_data[tribe-bar-search]': 'weekly' }, WEEKLY],
    [{ u: '/events/list/?tribe-bar-search=jazz', 'view_data[tribe-bar-search]': '' }, PLAIN],
    [{ u: '/events/list/?tribe-bar-search=zzzz' }, ['list', 'Upcoming Events', 0, undefined]],
    [{ u: '/events/list/?tribe-bar-date=2026-08-01' }, AUGUST],
    [{ u: '/events/list/', 'tribe-bar-date': '2026-08-01' }, AUGUST],
    [{ u: '/events/list/', 'view_data[tribe-bar-date]': '2026-08-01' }, AUGUST],
    [{ u: '/events/list/', smu: 'true', pu: '/events/month/', shortcode: 'abc' }, PLAIN],
  ])('what a part of a page shows: %j', async (query, expected) => {
    expect(summaryOf(await part(query))).toEqual(expected);
  });

  test('a view for tests shows the query of an address', async () => {
    const { tvn1 } = await tokens();
    const query = new URLSearchParams({ tvn1, view: 'reflector', u: '/events/category/music/list/page/2/?tribe-bar-search=a' });
    const { html } = (await (await fetch(`${server().restUrl}/tribe/views/v2/html?${query}`)).json()) as { html: string };
    expect(html).toMatch(/^\{\n {4}"tribe-bar-search": "a",\n {4}/);
    const reflected = { tribe_events_cat: 'music', post_type: 'tribe_events', eventDisplay: 'list', paged: '2', 'tribe-bar-search': 'a' };
    expect(JSON.parse(html)).toEqual(reflected);
  });

  const PARTS = '/wp-json/tribe/views/v2/html';
  const LONG = '_tec_view_rest_nonce_';
  const U = { u: '/events/list/' };
  const MISSING = '400 rest_missing_callback_param';

  type Request = [
    title: string,
    method: string,
    sent: (token: string) => Record<string, string>,
    expected: string,
    as?: 'session' | 'password',
  ];

  test.each<Request>([
    ['the nonce of the page', 'GET', (tvn1) => ({ ...U, tvn1 }), '200'],
    ['a form', 'POST', (tvn1) => ({ ...U, tvn1 }), '200'],
    ['the same value under the other name', 'GET', (tvn2) => ({ ...U, tvn2 }), '200'],
    ['no nonce', 'GET', () => U, '401 rest_forbidden'],
    ['a wrong nonce', 'GET', () => ({ ...U, tvn1: '0123456789' }), '401 rest_forbidden'],
    ['a list of nonces', 'GET', (tvn1) => ({ ...U, 'tvn1[]': tvn1 }), '400 rest_invalid_param'],
    ['no nonce, by an editor', 'GET', () => U, '403 rest_forbidden', 'password'],
    ['the nonce of a visitor, by an editor', 'GET', (tvn1) => ({ ...U, tvn1 }), '403 rest_forbidden', 'password'],
    ['the nonce of a visitor, with the cookies of an editor', 'GET', (tvn1) => ({ ...U, tvn1 }), '403 rest_forbidden', 'session'],
    ['as a nonce of WordPress', 'GET', (_wpnonce) => ({ ...U, _wpnonce }), '403 rest_cookie_invalid_nonce'],
    ['under the long names', 'GET', (token) => ({ ...U, [`${LONG}primary`]: token, [`${LONG}secondary`]: token }), '401 rest_forbidden'],
    ['no address', 'GET', () => ({}), MISSING],
    ['no address, but the nonce', 'POST', (tvn1) => ({ tvn1 }), MISSING],
    ['no address, by an editor', 'GET', () => ({}), MISSING, 'password'],
    ['OPTIONS', 'OPTIONS', () => ({}), '200'],
  ])('who may have parts of pages: %s', async (...[, method, sent, expected, as]: Request) => {
    const query = new URLSearchParams(sent((await tokens()).tvn1));
    const caller = new Browser(server);
    if (as === 'session') await caller.logIn('editor');
    const headers: Record<string, string> = as === 'password' ? { authorization: signIn('editor') } : {};
    const isForm = method === 'POST';
    const response = await caller.visit(isForm ? PARTS : `${PARTS}?${query}`, { method, headers, ...(isForm ? { body: query } : {}) });
    const { code, data } = JSON.parse(response.text) as { code?: string; data?: { params?: unknown } };
    expect(`${response.status}${code === undefined ? '' : ` ${code}`}`).toBe(expected);
    if (expected === MISSING) expect(data?.params).toEqual(['u']);
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    if (expected === '200' && method !== 'OPTIONS') expect(response.headers.get('allow')).toBe('GET, POST');
    if (as === undefined && !expected.includes('cookie')) expect(response.headers.get('cache-control')).toBeNull();
  });

  test('the namespace of parts of pages has an index for everybody', async () => {
    expect((await fetch(`${server().restUrl}/tribe/views/v2`)).status).toBe(200);
  });

  test('nonces of parts of pages: in the element that scrapers look for, for one user, for 12 to 24 hours, and the same after a reset', async () => {
    const page = async (browser = new Browser(server)): Promise<string> => (await browser.visit('/events/')).text;
    const visitor =
      /<script data-js='tribe-events-view-nonce-data' type='application\/json'>\{"tvn1":"([0-9a-f]{10})","tvn2":""\}<\/script>/;
    const [, tvn1 = ''] = visitor.exec(await page()) ?? [];
    expect(tvn1).not.toBe('');
    const editor = new Browser(server);
    await editor.logIn('editor');
    const [own] = documentOf(await page(editor)).data<{ tvn1: string; tvn2: string }>('application/json', 'tribe-events-view-nonce-data');
    expect(new Set([tvn1, own.tvn1, own.tvn2, '']).size).toBe(4);
    const status = async (token: string, headers = {}, caller = new Browser(server)): Promise<number> =>
      (await caller.visit(`${PARTS}?u=/events/&tvn1=${token}`, { headers })).status;
    expect([await status(own.tvn1), await status(own.tvn1, {}, editor)]).toEqual([401, 200]);
    const at = ['2026-06-15T12:00:00Z', '2026-06-16T00:00:00Z', '2026-06-16T00:00:01Z'];
    expect(await Promise.all(at.map((now) => status(tvn1, { 'x-understudy-now': now })))).toEqual([200, 200, 401]);
    await fetch(`${server().url}/__qa/reset`, { method: 'POST' });
    expect(visitor.exec(await page())?.[1]).toBe(tvn1);
  });

  test('by the data of a list: its address before and after', async () => {
    const read = async (address: string): Promise<string[]> => {
      const [data] = (await open(address)).data<{ prev_url: string; next_url: string }>('application/json', 'tribe-events-view-data');
      return [data.prev_url, data.next_url].map(pathOf);
    };
    expect(await read('/events/list/page/2/')).toEqual(['/events/list/', '/events/list/page/3/']);
    expect(await read('/events/2026-07/')).toEqual(['/events/month/2026-06/', '/events/month/2026-08/']);
  });
});

test('by the names of elements, in another language', async () => {
  const [several, , oneDay] = documentOf(
    (await new Browser(standard).visit('/events/', { headers: { 'accept-language': 'de' } })).text,
  ).all('time.tribe-events-calendar-list__event-datetime');
  expect([several.attribute('datetime'), several.one('.tribe-event-date-start')?.text]).toEqual(['2026-06-12', 'Fr., 12. Juni, 10:00']);
  expect([oneDay.one('.tribe-event-date-start')?.text, oneDay.one('.tribe-event-time')?.text]).toEqual([
    'Mo., 15. Juni, 07:00',
    '09:00 Uhr',
  ]);
});
