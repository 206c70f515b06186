import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Current time of the odd calendar. */
export const ODD_NOW = '2026-10-20T10:00:00Z';

/** The day with the most events. */
export const BUSY_DAY = '2026-10-24';
const BUSY = 54;

const pad = (number: number): string => String(number).padStart(2, '0');

const crowd = Array.from({ length: BUSY }, (_, index) => ({
  title: `Stand ${index + 1}`,
  start: `${BUSY_DAY} ${pad(8 + Math.floor(index / 6))}:${pad((index % 6) * 10)}`,
  duration: '30min',
  venue: 'town-hall',
  categories: [index % 2 === 0 ? 'market' : 'flea'],
  cost: String(index + 1),
}));

const LONG_TITLE = `${'Incomprehensibilities '.repeat(9)}Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle`;

/**
 * A calendar of events that are hard to show: long, many, in right-to-left scripts, at clock changes, and with missing or protected data.
 */
const ODD = {
  site: { name: 'Odd calendar', timezone: 'Europe/Berlin', currency: { symbol: '€', code: 'EUR', position: 'prefix' } },
  categories: [
    { slug: 'market', name: 'Market' },
    { slug: 'flea', name: 'Flea & Co', parent: 'market' },
    { slug: 'concert', name: 'Concert' },
    { slug: 'nobody', name: 'Without events' },
  ],
  venues: [
    { slug: 'town-hall', name: 'Town Hall', address: 'Markt 1', city: 'Weimar', zip: '99423', country: 'Germany', show_map_link: true },
    { slug: 'tower', name: 'Tower', lat: 50.97, lng: 11.32, show_map_link: true },
  ],
  events: [
    ...crowd,
    { title: LONG_TITLE, slug: 'long-title', start: '2026-10-21 18:00', duration: '2h', venue: 'tower', categories: ['concert'] },
    { title: 'معرض الكتاب العربي', slug: 'arabic', start: '2026-10-22 18:00', duration: '3d', cost: ['12.5', '20'] },
    { title: 'יריד הספרים', slug: 'hebrew', start: '2026-10-22 10:00', duration: '2h', cost: '1234' },
    { title: 'Two months long', slug: 'two-months', start: '2026-09-15', end: '2026-11-20', all_day: true, cost: ['0', '20'] },
    { title: 'Clocks go back', slug: 'clocks', start: '2026-10-25', end: '2026-10-25', all_day: true, cost: 'Donation' },
    { title: 'Weekend of the change', slug: 'weekend', start: '2026-10-24', end: '2026-10-25', all_day: true },
    { title: 'Nowhere in particular', slug: 'nowhere', start: '2026-10-20 09:00', duration: '1h', cost: 'Free' },
    {
      title: 'For members',
      slug: 'members',
      start: '2026-10-20 20:00',
      duration: '1h',
      password: 'open',
      description: 'Secret',
      cost: '99',
    },
    { title: 'Not yet', slug: 'draft', start: '2026-10-20 21:00', duration: '1h', status: 'draft' },
    { title: 'Called off', slug: 'called-off', start: '2026-10-19 21:00', duration: '1h', meta: { _tribe_events_status: 'canceled' } },
    { title: 'Elsewhere', slug: 'elsewhere', start: '2026-10-23 19:00', duration: '90min', timezone: 'Asia/Tokyo', featured: true },
  ],
};

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `東京の催し物その${index + 1}、とても長い名前の付いた夜の音楽会`,
    start: `2026-10-${pad(1 + (index % 31))} ${pad(9 + (index % 12))}:00`,
    duration: index % 9 === 0 ? '3d' : '1h',
    cost: '1500',
  }));

/** A calendar in Tokyo with a very large number of events in one month. */
const TOKYO = {
  site: { name: '東京', timezone: 'Asia/Tokyo', currency: { symbol: '￥', code: 'JPY' } },
  events: many(620),
};

/** Writes the odd calendars to files, for the tests of one file. */
export function oddCalendars(): { odd: string; tokyo: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-odd-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, dataset: object): string => {
    const file = path.join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(dataset));
    return file;
  };
  return { odd: write('odd', ODD), tokyo: write('tokyo', TOKYO) };
}
