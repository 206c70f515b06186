import ICAL from 'ical.js';
import ical from 'node-ical';
import Parser from 'rss-parser';
import { SaxesParser } from 'saxes';
import { WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

/** How programs of others subscribe to a calendar: they know an address, follow redirects, and read what they get. */

const plugin = startTestServer({ dataset: WORLD });
const standard = startTestServer({ dataset: WORLD, profile: 'standard' });

const MUSIC = [
  'Festival Week',
  'Open Mic Night',
  'Raga at Dawn',
  'Ten Dollar Show',
  'Donation Concert',
  'Password Soirée',
  'Basement Sessions',
];

describe.each([
  ['the plugin', plugin],
  ['standard', standard],
] as const)('subscribers of %s', (_, server) => {
  const at = (path: string): string => server().url + path;
  const load = async (path: string): Promise<string> => (await fetch(at(path))).text();
  const reader = new Parser();

  /** The titles in a calendar, as node-ical reads it. */
  const titles = async (path: string): Promise<string[]> =>
    Object.values(ical.sync.parseICS(await load(path))).flatMap((part) => (part.type === 'VEVENT' ? [part.summary] : []));

  const withoutMark = (title: string | undefined): string => (title ?? '').replace('Protected: ', '');

  /** The URLs in a sitemap. */
  async function locations(path: string): Promise<string[]> {
    const found: string[] = [];
    let name = '';
    const parser = new SaxesParser();
    parser.on('opentag', (tag) => (name = tag.name));
    parser.on('text', (text) => void (name === 'loc' && text.trim() !== '' && found.push(text)));
    parser.write(await load(path)).close();
    return found;
  }

  test('a calendar program: the address that the plugin offers for a category', async () => {
    expect((await titles('/events/category/music/?ical=1')).sort()).toEqual(MUSIC.toSorted());
  });

  test('a calendar program: the address that was copied from an old site, in the form of a query', async () => {
    expect((await titles('/?post_type=tribe_events&tribe_events_cat=music&ical=1&eventDisplay=list')).sort()).toEqual(MUSIC.toSorted());
  });

  test('a calendar program with its own time zones: a day of a category', async () => {
    const calendar = new ICAL.Component(ICAL.parse(await load('/events/category/music/day/2026-07-01/?ical=1')) as unknown[]);
    const events = calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
    expect(events.map(({ summary, startDate }) => [summary, startDate.toUnixTime()])).toEqual([
      ['Ten Dollar Show', Date.parse('2026-07-01T23:00:00Z') / 1000],
    ]);
  });

  test('a display in a window: what is featured', async () => {
    expect(await titles('/events/?ical=1&featured=1')).toEqual(['Festival Week', 'Featured Talk', 'Password Soirée', 'New Year Bash']);
  });

  test('an archive: past events', async () => {
    expect(await titles('/events/?ical=1&tribe_event_display=past')).toEqual([
      'Sunday Supper',
      'Saturday Swap',
      'Spring Fair',
      'Winter Gala',
    ]);
  });

  test('a feed reader: the next events, and the ones after them', async () => {
    const pages = await Promise.all([1, 2].map((page) => reader.parseURL(at(`/events/feed/${page === 1 ? '' : `?paged=${page}`}`))));
    expect(pages.map(({ items }) => items.length)).toEqual([10, 10]);
    const [{ title, link, items }] = pages;
    expect([title, link]).toEqual(['Events from June 15 – June 19 – Town Calendar', server().url]);
    expect(items[0]).toMatchObject({
      title: 'Festival Week',
      link: at('/event/festival-week/'),
      guid: at('/event/festival-week/'),
      creator: 'Ada Admin',
      categories: ['family friendly', 'Live!', 'Outdoor'],
      isoDate: '2026-06-12T14:00:00.000Z',
    });
  });

  test('a feed reader: a category in Atom', async () => {
    const { items } = await reader.parseURL(at('/events/category/music/feed/atom/'));
    expect(items.map(({ title }) => withoutMark(title)).sort()).toEqual(MUSIC.toSorted());
  });

  test('an aggregator: a tag, the newest first', async () => {
    const { title, items } = await reader.parseURL(at('/tag/live/feed/'));
    expect(title).toBe('Live! – Town Calendar');
    expect(items.slice(0, 2).map((item) => withoutMark(item.title))).toEqual(['Basement Sessions', 'Password Soirée']);
    expect(items[1].content).toBe('There is no excerpt because this is a protected post.');
  });

  test('an aggregator: posts, and the comments on each, by the links in the feed', async () => {
    const { items } = await new Parser<object, { comments: string; replies: string }>({
      customFields: { item: ['comments', ['wfw:commentRss', 'replies']] },
    }).parseURL(at('/?feed=rss2'));
    expect(items.map(({ title, comments }) => [title, comments])).toEqual([['Hello world!', at('/hello-world/#comments')]]);
    const { title, items: comments } = await reader.parseURL(items[0].replies);
    expect([title?.trim(), comments.map((each) => each.title?.trim())]).toEqual([
      'Comments on: Hello world!',
      ['By: A WordPress Commenter'],
    ]);
  });

  test('a search engine: from robots.txt by the sitemaps to each event', async () => {
    const [, index] = /^Sitemap: (.*)$/m.exec(await load('/robots.txt')) ?? [];
    const sitemaps = await locations(new URL(index).pathname);
    const events = sitemaps.find((url) => url.includes('tribe_events-1')) ?? '';
    const urls = await locations(new URL(events).pathname);
    expect(urls).toHaveLength(48);
    const statuses = await Promise.all(urls.map(async (url) => (await fetch(url, { method: 'HEAD', redirect: 'manual' })).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
