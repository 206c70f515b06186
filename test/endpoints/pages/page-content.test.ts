import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiOf } from '../../support/api.js';
import { Browser } from '../../support/browser.js';
import { elementsOf, jsonLdIn, mistakesIn, runningIn } from '../../support/page.js';
import { startTestServer } from '../../support/server.js';
import { SignInGuard } from '../../../src/wordpress/users/sign-in-guard.js';
import type { Event } from '../../../src/sdk/types/responses.js';

const here = path.dirname(fileURLToPath(import.meta.url));

const ATTACK = `"'></title></script><script>alert(1)</script><svg onload=alert(1)>{{7*7}}`;

/** Content that the API rejects, but a dataset may contain. */
const HOSTILE = {
  users: [
    { login: 'admin', role: 'administrator' },
    { login: 'guarded', role: 'subscriber', email: 'guarded@example.org', password: 'the right one' },
  ],
  categories: [{ slug: 'hostile', name: `C ${ATTACK}`, description: ATTACK }],
  venues: [{ slug: 'hostile', name: `V ${ATTACK}`, address: ATTACK, city: ATTACK, phone: ATTACK, website: 'javascript:alert(1)' }],
  organizers: [{ slug: 'hostile', name: `O ${ATTACK}`, phone: ATTACK, email: `"${ATTACK}"@x.example`, website: 'data:text/html,x' }],
  events: [
    {
      slug: 'hostile',
      title: `T ${ATTACK}`,
      start: '+1d 10:00',
      end: '11:00',
      venue: 'hostile',
      organizers: ['hostile'],
      categories: ['hostile'],
      cost: ATTACK,
      website: 'JaVaScRiPt:alert(1)',
      excerpt: ATTACK,
      description:
        `${ATTACK}<a href="java&#09;script:alert(1)">a</a><iframe src="//evil.example"></iframe>` +
        '<form action="//evil.example"></form><div onclick="z">b</div><a href="javascript:alert(1)">c</a><style>*{}</style>',
    },
  ],
};

type Dataset = Record<keyof typeof HOSTILE, object[]> & { site: object };

/** The demo dataset, with an attacker's content added. */
function hostileDataset(): string {
  const demo = JSON.parse(readFileSync(path.join(here, '../../../fixtures/demo.json'), 'utf8')) as Dataset;
  const added = Object.entries(HOSTILE).map(([kind, items]) => [kind, [...(demo[kind as keyof typeof HOSTILE] ?? []), ...items]]);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-pages-'));
  cpSync(path.join(here, '../../../fixtures/uploads'), path.join(folder, 'uploads'), { recursive: true });
  // WP: the name is stored with HTML entities.
  const site = { ...demo.site, name: 'Lindental &amp; around' };
  writeFileSync(path.join(folder, 'dataset.json'), JSON.stringify({ ...demo, ...Object.fromEntries(added), site }));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 'dataset.json');
}

const server = startTestServer({ dataset: hostileDataset(), profile: 'standard', now: '2026-06-15T12:00:00Z' });
const { get } = apiOf(server);
const visit = (address: string, headers: Record<string, string> = {}) => new Browser(server).visit(address, { headers });
const text = async (address: string, headers: Record<string, string> = {}): Promise<string> => (await visit(address, headers)).text;

/** Addresses of the menu of calendar programs, in their order. */
const menuOf = (page: string): string[] =>
  [...page.matchAll(/dropdown__list-item-link" href="([^"]*)"/g)].map(([, url]) => url.replaceAll('&amp;', '&'));

/** One page of each type. */
const KINDS = [
  '/',
  '/events/',
  '/events/list/page/2/',
  '/events/month/',
  '/events/2026-06-19/',
  '/events/?eventDisplay=past',
  '/?s=festival',
  '/event/town-festival/',
  '/event/members-preview/',
  '/venue/castle-garden/',
  '/organizer/mill-stage/',
  '/events/category/community/markets/',
  '/tag/open-air/',
  '/author/admin/',
  '/nothing/',
  '/wp-login.php',
  '/event/hostile/',
  '/venue/hostile/',
  '/event/hostile/embed/',
  '/wp-login.php?action=logout',
];

test.each(KINDS)('%s is valid, uses only the stylesheet and runs no script', async (address) => {
  const { text: page, headers } = await visit(address);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'(?!.*(?:script-src|unsafe))/);
  expect(mistakesIn(page)).toEqual([]);
  expect(runningIn(page)).toEqual([]);
  expect(elementsOf(page).filter(({ attrs }) => attrs?.some(({ name }) => name === 'style'))).toEqual([]);
});

// TEC: programs subscribe to all upcoming events, those of the category, or from the day that is looked at.
test.each([
  ['/events/', 'post_type=tribe_events&ical=1&eventDisplay=list'],
  ['/events/category/music/', 'post_type=tribe_events&tribe_events_cat=music&ical=1&eventDisplay=list'],
  ['/events/2026-06-19/', 'post_type=tribe_events&tribe-bar-date=2026-06-19&ical=1&eventDisplay=list'],
])('%s has a menu of calendar programs that subscribe to it', async (address, query) => {
  const { url } = server();
  const feed = `${url}/?${query}`;
  const webcal = feed.replace('http:', 'webcal:');
  const [google, program, office, live, file] = menuOf(await text(address));
  expect(google).toBe(`https://www.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`);
  expect(program).toBe(webcal);
  const outlook = `owa?path=/calendar/action/compose&rru=addsubscription&url=${encodeURIComponent(webcal.replace('&ical=1', ''))}&ical=1&name=`;
  expect(office).toContain(`https://outlook.office.com/${outlook}`);
  expect(live).toContain(`https://outlook.live.com/${outlook}`);
  expect(file).toBe(`${url}${address}?ical=1`);
  const calendar = await (await fetch(feed)).text();
  expect(calendar).toMatch(/BEGIN:VEVENT[^]*UID:/);
});

describe('the page of an event', () => {
  test('shows the data of the API, an image, dates with time zone, a map, terms and a calendar link', async () => {
    const page = await text('/event/town-festival/');
    const { body } = await get<Event>('events/by-slug/town-festival');
    const [[data]] = jsonLdIn(page) as { organizer?: { email?: string } }[][];
    // The organizer's email address is obfuscated differently each time.
    const { organizer, ...rest } = body.json_ld ?? {};
    expect(data).toMatchObject(rest);
    expect(Object.keys(data.organizer ?? {})).toEqual(Object.keys(organizer || {}));
    expect(page).toMatch(/<img class="wp-post-image" src="[^"]+garden-party[^"]*" alt="Flowers under a string of lights"/);
    expect(page).toContain('datetime="2026-06-19T14:00:00+02:00"');
    expect(page).toContain('Central European Summer Time');
    expect(page).toContain('https://maps.google.com/maps?f=q&amp;source=s_q&amp;hl=en&amp;geocode=&amp;q=Schlossberg+3+Lindental');
    const [google, webcal, office, live, file] = menuOf(page);
    const place = 'Castle%20Garden%2C%20Schlossberg%203%2C%20Lindental%2C%20Th%C3%BCringen%2C%2099399%2C%20Germany';
    expect(google).toMatch(
      /^https:\/\/www\.google\.com\/calendar\/event\?action=TEMPLATE&dates=20260619T140000\/20260621T220000&text=Town%20Festival&details=Three\+days%2C/,
    );
    expect(google).toContain(`&location=${place}&trp=false&ctz=Europe/Berlin&sprop=website:${server().url}`);
    expect(webcal).toBe(`${server().url.replace('http:', 'webcal:')}/event/town-festival/?ical=1`);
    expect(office).toMatch(
      /^https:\/\/outlook\.office\.com\/owa\/\?path=\/calendar\/action\/compose&rrv=addevent&startdt=2026-06-19T14:00:00&enddt=2026-06-21T22:00:00&/,
    );
    expect(office).toContain(`&location=${place}&subject=Town%20Festival&body=Three%20days%2C`);
    expect(live).toBe(office.replace('office', 'live'));
    expect(file).toBe(`${server().url}/event/town-festival/?ical=1`);
    const related = page.slice(page.indexOf('Related events'));
    expect([...related.matchAll(/<h3 [^>]*><a [^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual([
      'Lunchtime Organ',
      'Open Mic at the Mill',
      'Story Hour: The Fox and the Müller’s Daughter',
    ]);
    expect(page).toContain(
      `<link rel="alternate" type="text/calendar" title="Lindental &amp; around » iCal Feed" href="${server().url}/events/?ical=1"`,
    );
    for (const link of ['/venue/castle-garden/', '/organizer/st-annes-choir/', '/events/category/families/', '/tag/live-music/'])
      expect(page).toContain(`href="${server().url}${link}"`);
  });

  test.each([
    ['/event/lunchtime-organ/', 'maps.google', false],
    ['/event/maps-of-the-night-sky/', 'Eastern Daylight Time', true],
    ['/event/open-mic-at-the-mill/', '<span class="tribe-events-event-cost">Free</span>', true],
    ['/event/long-table-supper/', 'This event has passed.', true],
    ['/event/town-festival/', 'This event has passed.', false],
    ['/venue/castle-garden/', 'Town Festival', true],
    ['/venue/castle-garden/', 'Schlossberg 3', true],
    ['/organizer/jonas-kraemer/', 'jonas@kraemer.example.org', true],
    ['/organizer/jonas-kraemer/', 'Pottery for Beginners', true],
    ['/organizer/jonas-kraemer/', 'Town Festival', false],
    ['/events/', 'Volunteers’ Briefing', false],
    ['/events/', 'Long Table Supper', false],
    ['/events/?eventDisplay=past', 'Long Table Supper', true],
    ['/events/?tribe-bar-search=BACH', 'Mass in B Minor', true],
    ['/events/?tribe-bar-search=bach', 'Town Festival', false],
    ['/?s=bach', 'Results for “bach”', true],
    ['/events/?tribe-bar-search=first+look', 'Members', false],
    ['/events/category/music/', 'Mass in B Minor', true],
    ['/events/list/?tribe-bar-date=2026-07-19', 'Mass in B Minor', true],
    ['/events/month/?tribe-bar-date=2026-07-19', 'July 2026', true],
    ['/events/2026-06-19/', 'Poster Exhibition', true],
  ])('%s, "%s": %s', async (address, words, isThere) => {
    expect((await text(address)).includes(words)).toBe(isThere);
  });

  test('shows a protected text with the password', async () => {
    const reader = new Browser(server);
    const address = '/event/members-preview/';
    const secret = 'before the sale opens';
    const enter = (password: string) =>
      reader.send('/wp-login.php?action=postpass', { post_password: password, redirect_to: `${server().url}${address}` });
    expect((await reader.visit(address)).text).not.toContain(secret);
    expect(await enter('wrong')).toMatchObject({ status: 302, location: `${server().url}${address}` });
    expect((await reader.visit(address)).text).toContain('Incorrect password.');
    await enter('bookworm');
    expect((await reader.visit(address)).text).toContain(secret);
    expect(await text(address)).not.toContain(secret);
    const away = await reader.send('/wp-login.php?action=postpass', { post_password: 'x', redirect_to: 'https://evil.example/' });
    expect(away.location).toBe(`${server().url}/`);
  });
});

test('a missing venue and pages past the last author page return 404', async () => {
  const statuses = await Promise.all(['/venue/nope/', '/organizer/nope/', '/author/nobody/', '/author/admin/'].map((each) => visit(each)));
  expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 200]);
});

test('the month view names each event once a week and links its days', async () => {
  const page = await text('/events/2026-06/');
  const links = elementsOf(page).filter(
    ({ tagName, attrs }) =>
      tagName === 'a' &&
      attrs?.some(({ value }) => value.endsWith('/event/poster-exhibition/')) &&
      attrs.some(({ value }) => value.includes('multiday-event-hidden-link')),
  );
  expect(links).toHaveLength(3);
  expect(page).toContain(`href="${server().url}/events/2026-06-19/"`);
  expect(page).toMatch(/<td id="tribe-events-calendar-day-2026-06-15"[^>]*aria-current="date"/);
});

test.each([
  ['de', 'Bevorstehende Veranstaltungen', 'Juni 2026'],
  ['ja', '', '2026年6月'],
  ['pt-BR', '', 'junho de 2026'],
])('pages are in %s', async (language, words, month) => {
  const { text: page, headers } = await visit('/events/', { 'accept-language': language });
  expect(page).toContain(`<html lang="${language}">`);
  expect(page).toContain(words);
  expect(page).toContain(month);
  expect([headers.get('content-language'), headers.get('vary')]).toEqual([language, expect.stringContaining('Accept-Language')]);
  expect(await text(`/wp-login.php?_locale=${language}`)).toContain(`<html lang="${language}">`);
});

test('the stylesheet is immutable, under a URL that changes with its content', async () => {
  const [, href] = /<link rel="stylesheet" href="([^"]+)"/.exec(await text('/')) ?? [];
  const { status, headers, text: styles } = await visit(href);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=UTF-8']);
  expect(headers.get('cache-control')).toContain('immutable');
  expect(styles).toContain('prefers-color-scheme: dark');
  expect((await visit(href.replace(/-\w+\.css/, '-0.css'))).status).toBe(404);
});

test('input of authors and readers cannot run as script', async () => {
  const words = encodeURIComponent(ATTACK);
  const addresses = [
    '/event/hostile/',
    '/venue/hostile/',
    '/organizer/hostile/',
    '/events/category/hostile/',
    '/',
    '/events/',
    '/events/month/',
    `/?s=${words}`,
    `/events/?tribe-bar-search=${words}&tribe-bar-date=${words}&eventDisplay=${words}`,
    `/${words}/`,
    `/wp-login.php?redirect_to=${words}&log=${words}`,
    `/event/members-preview/?x=${words}`,
  ];
  for (const address of addresses) {
    const { text: page, headers, status } = await visit(address);
    expect([address, status, runningIn(page)]).toEqual([address, address.startsWith('/%') ? 404 : 200, []]);
    expect(mistakesIn(page)).toEqual([]);
    expect(page).not.toContain('<script>');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; img-src * data:; media-src *; style-src 'self'; base-uri 'none'; frame-ancestors 'self'; " +
        `form-action 'self' ${server().url}`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  const feed = await text('/events/feed/');
  const texts = [...feed.matchAll(/<!\[CDATA\[(.*?)\]\]>/gs)].map(([, each]) => each);
  expect(texts.filter((each) => each.includes('onclick') || each.includes('b</div>'))).not.toEqual([]);
  expect(texts.flatMap(runningIn)).toEqual([]);
  expect(feed).toContain('<title>T &#8220;&#8216;&gt;alert(1){{7*7}}</title>');
  const [[data]] = jsonLdIn(await text('/event/hostile/')) as { name: string }[][];
  expect(data.name).toBe((await get<Event>('events/by-slug/hostile')).body.json_ld?.name);
  expect(data.name).toContain('script');
});

test('lists show only title and date of protected content', async () => {
  const list = await text('/events/list/?tribe-bar-date=2026-07-09');
  const [, card] = list.split('/event/members-preview/');
  expect(card.slice(0, card.indexOf('</li>'))).toContain('Members’ Preview');
  expect(card.slice(0, card.indexOf('</li>'))).not.toContain('Town Library');
});

test('a page unlocked with a password is not cached', async () => {
  const reader = new Browser(server);
  await reader.send('/wp-login.php?action=postpass', { post_password: 'bookworm', redirect_to: '/event/members-preview/' });
  const { headers, text: page } = await reader.visit('/event/members-preview/');
  expect(page).toContain('before the sale opens');
  expect(headers.get('cache-control')).toContain('no-store');
});

test('files of the media library cannot run scripts', async () => {
  const { status, headers } = await visit('/wp-content/uploads/2025/09/castle-hill.webp');
  expect([status, headers.get('content-security-policy')]).toEqual([200, "script-src 'none'"]);
});

describe('guessing the password of a user', () => {
  const guess = (log: string, pwd = 'wrong'): Promise<number> =>
    new Browser(server).send('/wp-login.php', { log, pwd }).then(({ status }) => status);

  test('concurrent attempts are as slow as sequential ones, however the login is spelled', async () => {
    const spellings = ['guarded', 'Guarded', 'guarded@example.org', 'guard<b></b>ed', ' guarded', '%00guarded', 'guarded&a;', 'gúarded'];
    const statuses = await Promise.all(spellings.map((login) => guess(login)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(await guess('guarded', 'the right one')).toBe(429);
    expect(await guess('somebody else')).toBe(200);
  });
});

test('a very long login is not remembered', () => {
  const guard = new SignInGuard(5, () => 0);
  const book = 'x'.repeat(1_000_000);
  for (let i = 0; i < 6; i += 1) guard.failed(`${book}${i}`, '::1');
  expect(guard.wait(book, '::1')).toBe(2);
});

describe('metadata for search engines', () => {
  const head = async (address: string): Promise<string[]> => {
    const [page] = (await text(address)).split('<body>');
    const all = elementsOf(page).flatMap(({ tagName, attrs = [], childNodes }) => {
      const { name, rel, content, href } = Object.fromEntries(attrs.map((attr) => [attr.name, attr.value])) as Record<string, string>;
      if (tagName === 'title') return [`title ${childNodes?.[0]?.value}`];
      if (tagName === 'link' && rel === 'canonical') return [`canonical ${href.replace(server().url, '')}`];
      // WP: all pages have a `max-image-preview` directive.
      const said = content?.replace(/(?:, follow, )?max-image-preview:large$/, '');
      return tagName === 'meta' && ['robots', 'description'].includes(name) && said !== '' ? [`${name} ${said}`] : [];
    });
    return all.map((line) => line.replace(' – Lindental & around', '')).sort();
  };

  test.each([
    ['/', ['description What is on in town and around', 'title Lindental & around – What is on in town and around']],
    ['/events/', ['title Events from June 15 – June 21']],
    ['/events/list/page/2/', ['title Events from June 23 – July 1 – Page 2']],
    ['/events/?eventDisplay=past', ['title Past Events from June 9']],
    ['/events/featured/', ['title Featured Events from June 19 – July 26']],
    ['/events/2026-06/', ['robots max-image-preview:large, noindex, nofollow', 'title Events for June 2026']],
    ['/events/2026-06-19/', ['title Events for June 19, 2026']],
    ['/events/2031-06/', ['title Events for June 2031']],
    ['/events/?tribe-bar-date=2026-06-20', ['title Events from June 15 – June 28']],
    ['/events/?tribe-bar-date=2026-06-22', ['title Events from June 15 – June 30']],
    ['/events/?tribe-bar-date=2031-06-01', ['robots max-image-preview:large, noindex', 'title Upcoming Events']],
    ['/events/?tribe-bar-search=nothing-like-it', ['robots max-image-preview:large, noindex', 'title Upcoming Events']],
    ['/events/list/page/99/', ['robots max-image-preview:large, noindex', 'title Upcoming Events – Page 99']],
    ['/events/?eventDisplay=past&tribe-bar-date=2020-01-01', ['robots max-image-preview:large, noindex', 'title Past Events']],
    ['/?s=bach', ['robots noindex', 'title Search Results for “bach”']],
    ['/events/category/music/', ['description Concerts, sessions and choirs', 'title Events from June 18 – July 26 › Music › ']],
    ['/tag/live-music/', ['title Live music']],
    ['/events/tag/live-music/', ['title Events from June 18 – July 26']],
    [
      '/event/town-festival/',
      ['canonical /event/town-festival/', 'description Three days, two stages, one long table.', 'title Town Festival'],
    ],
    ['/event/members-preview/', ['canonical /event/members-preview/', 'title Lindental & around']],
    [
      '/venue/castle-garden/',
      [
        'canonical /venue/castle-garden/',
        'description Lawns and lime trees above the town, with a covered stage in case of rain.',
        'title Castle Garden',
      ],
    ],
    ['/nothing/', ['title Page not found']],
    ['/event/nothing/', ['title Upcoming Events']],
    ['/events/category/nothing/', ['title Upcoming Events']],
    ['/tag/nothing/', ['title Page not found']],
    ['/wp-login.php', ['robots noindex', 'title Log in']],
  ])('%s describes itself', async (address, expected) => {
    expect(await head(address)).toEqual(expected);
  });
});
