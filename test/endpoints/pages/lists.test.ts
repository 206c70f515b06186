import { gzipSync } from 'node:zlib';
import { Browser } from '../../support/browser.js';
import { BUSY_DAY, ODD_NOW, oddCalendars } from '../../support/odd-calendar.js';
import { elementsOf, mistakesIn } from '../../support/page.js';
import { startTestServer } from '../../support/server.js';

const files = oddCalendars();
const server = startTestServer({ dataset: files.odd, profile: 'standard', now: ODD_NOW });
const tokyo = startTestServer({ dataset: files.tokyo, profile: 'standard', now: ODD_NOW });

const visit = (address: string, language = 'en', from = server) =>
  new Browser(from).visit(address, { headers: { 'accept-language': language } });
const read = async (...args: Parameters<typeof visit>): Promise<string> => (await visit(...args)).text;

/** The texts of the elements with a class, trimmed. */
const texts = (page: string, tag: string, name: string): string[] =>
  [...page.matchAll(new RegExp(`<${tag}[^>]* ?class="[^"]*\\b${name}\\b[^"]*"[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, inner]) =>
    inner
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

/** What people see of a page: without its data for programs. */
const withoutData = (page: string): string => page.replace(/<script.*?<\/script>/gs, '');

const ENTRIES = /<article class="tribe-events-calendar-(?:list|day)__event .*?<\/article>/gs;

/** The entry of an event in a list. */
const entry = (page: string, slug: string): string =>
  [...page.matchAll(ENTRIES)].map(([text]) => text).find((text) => text.includes(`/event/${slug}/`)) ?? '';

const plain = (text: string): string => text.replace(/[\u2009\u202f\u00a0]/g, ' ');

describe('prices', () => {
  test.each([
    ['en', 'arabic', '€12.5 – €20'],
    ['de', 'arabic', '12,50–20,00 €'],
    ['fr', 'arabic', '12,50–20,00 €'],
    ['pt-BR', 'arabic', '€ 12,50 – 20,00'],
    ['en', 'hebrew', '€1234'],
    ['de', 'hebrew', '1.234 €'],
    ['fr', 'hebrew', '1 234 €'],
    ['en', 'two-months', 'Free – €20'],
    ['de', 'two-months', 'Kostenlos – 20 €'],
    ['es', 'nowhere', 'Gratis'],
    ['de', 'clocks', 'Donation'],
  ])('in %s, that of "%s" is %s', async (language, slug, price) => {
    const page = plain(await read(`/event/${slug}/`, language));
    expect(page.replace(/ ?([–]) ?/g, '$1')).toContain(`<span class="tribe-events-event-cost">${price.replace(/ ?([–]) ?/g, '$1')}</span>`);
  });

  test('a protected event shows none', async () => {
    const shown = entry(await read('/events/2026-10-20/'), 'members');
    // The links contain a port, which may contain the price.
    expect(shown.replaceAll(/href="[^"]*"/g, '')).not.toContain('99');
    expect(shown).toContain('Protected: For members');
  });
});

describe('the filters of a list', () => {
  test('are a search box, a menu of categories with events, and a date, without script', async () => {
    const page = await read('/events/');
    const fields = elementsOf(page).flatMap(({ tagName = '', attrs = [] }) =>
      ['input', 'select', 'option', 'form'].includes(tagName)
        ? [
            [tagName, ...attrs.filter(({ name }) => ['name', 'value', 'action', 'method'].includes(name)).map(({ value }) => value)].join(
              ' ',
            ),
          ]
        : [],
    );
    expect(fields).toEqual([
      `form ${server().url}/events/ get`,
      'input tribe-bar-search ',
      'select tribe_events_cat',
      'option ',
      'option concert',
      'option market',
      'option flea',
      'input tribe-bar-date ',
    ]);
    expect(page).toContain('>\u00a0\u00a0Flea &amp; Co</option>');
    expect(page).not.toContain('Clear filters');
  });

  test.each([
    ['/events/?tribe-bar-search=&tribe_events_cat=&tribe-bar-date=', null],
    ['/events/?tribe_events_cat=flea', '27 events'],
    ['/events/?tribe_events_cat=market', '54 events'],
    ['/events/?tribe_events_cat=flea&tribe-bar-search=12', '1 event'],
    ['/events/?tribe-bar-search=stand+12', '1 event'],
    ['/events/?tribe_events_cat=market&tribe-bar-date=2026-10-25', '0 events'],
    ['/events/?tribe-bar-date=2026-11-01', '1 event'],
    ['/events/?eventDisplay=month&tribe_events_cat=concert&tribe-bar-date=2026-10-01', '1 event'],
  ])('%s has %s', async (address, count) => {
    const page = await read(address);
    expect(mistakesIn(page)).toEqual([]);
    expect(texts(page, 'p', 'quiet').find((text) => /^\d+ events?$/.test(text)) ?? null).toBe(count);
    expect(page.includes('Clear filters')).toBe(count !== null);
  });

  test('stay in the form, and an unknown category is no page', async () => {
    const page = await read('/events/?tribe_events_cat=flea&tribe-bar-date=2026-10-24&tribe-bar-search=stand');
    expect(page).toMatch(/<option value="flea" selected>/);
    expect(page).toMatch(/name="tribe-bar-date" value="2026-10-24"/);
    expect(page).toMatch(/name="tribe-bar-search" value="stand"/);
    expect(page).toContain(`<a class="quiet" href="${server().url}/events/">Clear filters</a>`);
    expect((await visit('/events/?tribe_events_cat=nope')).status).toBe(404);
  });

  test('of past events and of a day keep to these', async () => {
    expect(await read('/events/?eventDisplay=past')).toContain('<input type="hidden" name="eventDisplay" value="past" />');
    expect(await read('/events/2026-10-24/')).toContain('<input type="hidden" name="eventDisplay" value="day" />');
  });
});

describe('what a page says once', () => {
  test.each(['/events/', '/events/month/', '/events/today/'])('%s has one link to each view', async (address) => {
    const names = [...(await read(address)).matchAll(/<a [^>]*>([^<]+)<\/a ?>/g)].map(([, text]) => text);
    expect(['List', 'Month', 'Today'].map((view) => names.filter((name) => name === view).length)).toEqual([1, 1, 1]);
  });

  test('the page of a venue has its name above its events and not on each', async () => {
    const page = await read('/venue/town-hall/');
    expect(page.match(ENTRIES)).toHaveLength(10);
    expect(withoutData(page.slice(page.indexOf('<main'))).split('Town Hall')).toHaveLength(2);
    expect(await read('/events/category/market/')).toMatch(/Town Hall/);
  });

  test('maps are at https addresses', async () => {
    const maps = await Promise.all(['/venue/town-hall/', '/venue/tower/', '/event/long-title/'].map((address) => read(address)));
    expect(maps.map((page) => /<a class="tribe-events-gmap" href="(\S*google\S*)"/.exec(page)?.[1])).toEqual([
      'https://maps.google.com/maps?f=q&amp;source=s_q&amp;hl=en&amp;geocode=&amp;q=Markt+1+Weimar+99423+Germany',
      'https://maps.google.com/maps?f=q&amp;source=s_q&amp;hl=en&amp;geocode=&amp;q=50.97%2C11.32',
      'https://maps.google.com/maps?f=q&amp;source=s_q&amp;hl=en&amp;geocode=&amp;q=50.97%2C11.32',
    ]);
  });
});

test('what is over is marked, except where everything is', async () => {
  const [today, past] = await Promise.all(['/events/2026-10-20/', '/events/?eventDisplay=past'].map((address) => read(address)));
  expect([entry(today, 'nowhere'), entry(today, 'members')].map((each) => each.includes('Past'))).toEqual([true, false]);
  expect([entry(past, 'nowhere') !== '', entry(past, 'nowhere').includes('Past')]).toEqual([true, false]);
  expect(entry(past, 'called-off')).toContain('Cancelled');
});

describe('a day with more than fifty events', () => {
  test('has a line for each, on two pages', async () => {
    const [first, second] = await Promise.all([`/events/${BUSY_DAY}/`, `/events/${BUSY_DAY}/?paged=2`].map((address) => read(address)));
    expect([first, second].map((page) => page.match(ENTRIES)?.length)).toEqual([50, 7]);
    expect(first).toContain(`<a href="${server().url}/events/${BUSY_DAY}/?paged=2" rel="next">Next page</a>`);
    expect(second).toContain(`href="${server().url}/events/${BUSY_DAY}/" rel="prev"`);
    expect(first).toContain('<div class="cards dense">');
  });

  test('is counted in the month, where "more" leads to it', async () => {
    const page = await read('/events/2026-10/');
    const more = `href="${server().url}/events/${BUSY_DAY}/">47 more<span class="hidden">, Saturday, October 24, 2026</span></a`;
    expect(page.replace(/ +>/g, '>')).toContain(more);
    // The long exhibition has a bar in each week.
    expect([...page.matchAll(/ lane-\d[^>]*>\s*<article[^>]*>\s*<a [^>]*href="[^"]*\/two-months\/"/g)]).toHaveLength(5);
  });

  test.each([`/events/${BUSY_DAY}/`, '/events/2026-10/', '/events/', '/event/long-title/'])(
    '%s is no larger than others',
    async (address) => {
      expect(Buffer.byteLength(await read(address))).toBeLessThan(150_000);
    },
  );
});

test('a month with more than six hundred events has all of its days, in 27 kB when it is compressed', async () => {
  const page = await read('/events/2026-10/', 'ja', tokyo);
  const last = page.slice(page.lastIndexOf('datetime="2026-10-31"'));
  expect(texts(last, 'p', 'more')[0]).toMatch(/^ほか \d+ 件/);
  expect(gzipSync(page).length).toBeLessThan(27_000);
});

describe('weeks', () => {
  const firstDay = async (language: string): Promise<string | undefined> =>
    /<thead[^>]*>.*?title="(\w+)"/s.exec(await read('/events/month/', language))?.[1];

  test.each([
    ['en', 'Sunday'],
    ['de', 'Montag'],
    ['pt-BR', 'domingo'],
    ['fr', 'lundi'],
  ])('begin in %s on %s', async (language, day) => {
    expect(await firstDay(language)).toBe(day);
  });

  test('begin as the site says where it does', async () => {
    const { site } = server();
    await site.store.options.updateOne({ _id: 'start_of_week' }, { $set: { value: '6' } }, { upsert: true });
    await site.reload();
    expect(await firstDay('de')).toBe('Samstag');
    await site.store.options.deleteOne({ _id: 'start_of_week' });
    await site.reload();
  });
});

test('drafts are on no page, protected events without their text', async () => {
  const pages = await Promise.all(['/events/2026-10-20/', '/events/2026-10/', '/events/'].map((address) => read(address)));
  expect(pages.map((page) => [page.includes('Not yet'), page.includes('For members'), page.includes('Secret')])).toEqual(
    pages.map(() => [false, true, false]),
  );
});

test('an all-day event on the day the clocks change has one day', async () => {
  const page = await read('/events/2026-10/');
  const bar = (slug: string): string | undefined =>
    new RegExp(`<div class="[^"]*event-wrapper ([^"]*)">\\s*<article[^>]*>\\s*<a [^>]*href="[^"]*/${slug}/"`).exec(page)?.[1];
  // Weeks start on Sunday, so the weekend spans two.
  expect([bar('clocks'), bar('weekend')]).toEqual([expect.stringMatching(/days-1 begins ends/), expect.stringMatching(/days-1 begins$/)]);
});

describe('the page of a day', () => {
  const events = [
    { title: 'Exhibition', start: '2026-10-18 10:00', end: '2026-10-22 18:00' },
    { title: 'Talk', start: '2026-10-20 09:00', duration: '1h' },
    { title: 'Dance', start: '2026-10-20 20:00', duration: '2h' },
    { title: 'Market', start: '2026-10-20', all_day: true },
  ];
  const own = startTestServer({ dataset: { events }, profile: 'standard', now: ODD_NOW });

  test('begins with whole days, then events that began before, as TEC does', async () => {
    const page = withoutData(await read('/events/2026-10-20/', 'en', own));
    expect(page.match(ENTRIES)?.map((text) => /\/event\/([a-z]+)\//.exec(text)?.[1])).toEqual([
      ...['market', 'exhibition', 'talk', 'dance'],
    ]);
  });
});
