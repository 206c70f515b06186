import type { Dataset } from '../../../src/sdk/types/dataset.js';
import { Browser } from '../../support/browser.js';
import { documentOf, type Element } from '../../support/scraper.js';
import { startTestServer } from '../../support/server.js';

/* Elements of pages in situations that no recording has. */

const event = (slug: string, start: string, end: string, more: object = {}) => ({ slug, title: slug, start, end, ...more });

const SITE: Dataset = {
  users: [{ id: 1, login: 'anna', role: 'administrator' }],
  events: [
    event('early-run', '2026-07-08 06:00', '2026-07-08 07:00'),
    event('long-fair', '2026-06-20 10:00', '2026-07-01 18:00', { cost: '12' }),
    event('hidden', '2026-07-05 10:00', '2026-07-05 11:00', { hidden: true }),
    event('same-start', '2026-07-05 10:00', '2026-07-05 12:00'),
    event('camp', '2026-07-08 09:00', '2026-07-10 12:00'),
    event('whole-days', '2026-07-22', '2026-07-24', { all_day: true }),
    event('whole-day', '2026-07-30', '2026-07-30', { all_day: true }),
    event('talk', '2026-07-12 10:00', '2026-07-12 11:00'),
  ],
};

const server = startTestServer({ now: '2026-06-15T12:00:00Z', dataset: SITE });
const open = async (address: string, at = server): Promise<Element> => documentOf((await new Browser(at).visit(address)).text);

test('an event that lists leave out has neighbors, and is none', async () => {
  const around = async (slug: string): Promise<(string | undefined)[]> => {
    const page = await open(`/event/${slug}/`);
    return ['previous', 'next'].map((rel) => page.one(`li.tribe-events-nav-${rel}`)?.text);
  };
  expect(await around('hidden')).toEqual(['« long-fair', 'same-start »']);
  expect(await around('same-start')).toEqual(['« long-fair', 'early-run »']);
  expect(await around('long-fair')).toEqual(['', 'same-start »']);
});

test('a month has the tooltip of an event that began before its weeks on their first day', async () => {
  const page = await open('/events/2026-07/');
  const bars = page.all('a.tribe-events-calendar-month__multiday-event-hidden-link');
  const tooltips = bars.map((bar) => {
    const id = bar.attribute('data-tooltip-content')?.slice(1);
    return [bar.text, id === undefined ? null : page.byId(id)?.one('.tribe-event-date-start')?.text];
  });
  expect(tooltips).toEqual([
    ['long-fair', 'June 20 @ 10:00 am'],
    ['camp', 'July 8 @ 9:00 am'],
    ['whole-days', 'July 22'],
    ['whole-day', 'July 30'],
  ]);
});

test('the agenda of a month has the bars of a day before its other events, and says the days of whole-day events', async () => {
  const page = await open('/events/2026-07/');
  const part = (name: string): string[] =>
    page.all(`.tribe-events-calendar-month-mobile-events__mobile-event-${name}`).map(({ text }) => text);
  const rows = part('title-link').map((title, index) => `${title}: ${part('datetime')[index]}`);
  const fair = 'long-fair: June 20 @ 10:00 am – July 1 @ 6:00 pm';
  const camp = 'camp: July 8 @ 9:00 am – July 10 @ 12:00 pm';
  const days = 'whole-days: July 22 – July 24';
  expect(rows).toEqual([
    ...[fair, fair, fair, fair, 'same-start: July 5 @ 10:00 am – 12:00 pm'],
    ...[camp, 'early-run: July 8 @ 6:00 am – 7:00 am', camp, camp],
    ...['talk: July 12 @ 10:00 am – 11:00 am', days, days, days, 'whole-day: All day'],
  ]);
  const spans = page.all('.tribe-events-calendar-month-mobile-events__mobile-event .tribe-event-date-start');
  expect(spans).toHaveLength(rows.length - 4);
});

describe('a site in German', () => {
  const german = { now: '2026-06-15T12:00:00Z', dataset: { ...SITE, site: { settings: { language: 'de_DE' } } } } as const;
  const plugin = startTestServer(german);
  const standard = startTestServer({ ...german, profile: 'standard' });

  test.each([
    ['the formats of its settings', plugin, ['Juni 20 @ 10:00 am', 'Juli 1 @ 6:00 pm', '$12']],
    ['those of its readers under standard', standard, ['Sa., 20. Juni, 10:00', 'Mi., 1. Juli, 18:00', '12 $']],
  ])('has %s', async (_name, at, expected) => {
    const seen = async (address: string): Promise<(string | undefined)[]> => {
      const page = await open(address, at);
      return ['.tribe-event-date-start', '.tribe-event-date-end', '.tribe-events-c-small-cta__price, .tribe-events-cost'].flatMap(
        (selector) => selector.split(', ').flatMap((each) => page.one(each)?.text ?? []),
      );
    };
    expect(await seen('/events/')).toEqual(expected);
    expect(await seen('/event/long-fair/')).toEqual(expected);
  });
});
