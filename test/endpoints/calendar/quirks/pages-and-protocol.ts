import { Validator } from '@seriousme/openapi-schema-validator';
import { type QuirkName } from '../../../../src/wordpress/quirks.js';
import type { VenueList } from '../../../../src/sdk/types/responses.js';
import { proof, newEvent, ids, lines, tried, DATES, IN_ENGLISH, described, type Proof } from './proof.js';

/** Pages, iCalendar feeds, `tec/v1` and HTTP. */
export const PAGE_PROOFS = {
  'older-zone-names-are-missing': proof({
    writes: true,
    ask: async (ask) =>
      Promise.all(
        ['Asia/Calcutta', 'Asia/Kolkata'].map((timezone) => tried(ask, 'POST', 'events', 'admin', { title: 'New', ...DATES, timezone })),
      ),
    plugin: ['400 rest_invalid_param', '201'],
    documented: ['201', '201'],
  }),
  'venues-have-no-pages': proof({
    ask: async ({ get, page }) => {
      const [{ id }] = (await get<VenueList>('venues')).body.venues;
      const answers = await Promise.all(['/venue/no-such-venue/', '/organizer/nobody/', `/?post_type=tribe_venue&p=${id}`].map(page));
      return answers.map(({ status }) => status);
    },
    plugin: [200, 200, 404],
    documented: [404, 404, 301],
  }),
  'ical-lists-stop-at-thirty': proof({
    ask: async (ask) => (await lines(ask, '/events/?ical=1', 'BEGIN:VEVENT')).length > 30,
    plugin: false,
    documented: true,
  }),
  'ical-all-day-is-timed': proof({
    writes: true,
    ask: async (ask) => {
      const { body } = await newEvent(ask, { all_day: true, timezone: 'Europe/Paris' });
      return lines(ask, `/event/${body.slug}/?ical=1`, 'DTSTART;', 'DTEND;');
    },
    plugin: ['DTSTART;TZID=Europe/Paris:20261110T000000', 'DTEND;TZID=Europe/Paris:20261110T235959'],
    documented: ['DTSTART;VALUE=DATE:20261110', 'DTEND;VALUE=DATE:20261111'],
  }),
  'ical-breaks-the-format': proof({
    ask: async (ask) => {
      const { text } = await ask.page('/event/many-words/?ical=1');
      return [
        await lines(ask, '/event/zone-utc/?ical=1', 'DTSTART;', 'DTSTART:2026'),
        text.split('\r\n').some((line) => Buffer.byteLength(line) > 75),
        text.endsWith('END:VCALENDAR\r\n'),
      ];
    },
    plugin: [['DTSTART;TZID=UTC:20260701T120000'], true, false],
    documented: [['DTSTART:20260701T120000Z'], false, true],
  }),
  'ical-of-anything-is-a-list': proof({
    ask: async (ask) => [
      (await ask.page('/event/series/?ical=0')).headers['content-type'],
      (await lines(ask, '/event/series/?ical=yes', 'UID')).length === 1,
      (await ask.page('/event/no-such-event/?ical=1')).status,
    ],
    plugin: ['text/calendar; charset=UTF-8', false, 200],
    documented: ['text/html; charset=UTF-8', true, 404],
  }),
  'ical-of-venues-is-general': proof({
    ask: async (ask) => [
      (await lines(ask, '/venue/only-a-name/?ical=1', 'UID')).length === 1,
      (await lines(ask, '/organizer/guild-12/?ical=1', 'UID')).length === 1,
    ],
    plugin: [false, false],
    documented: [true, true],
  }),
  'ical-of-nothing-is-empty': proof({
    ask: (ask) => lines(ask, '/events/9998-01/?ical=1', 'END:VCALENDAR'),
    plugin: ['text/html'],
    documented: ['END:VCALENDAR'],
  }),
  'lists-take-slugs-for-ids': proof({
    writes: true,
    ask: async (ask) => {
      const { body } = await ask.post<{ id: number; slug: string }>('tags', { name: '2099' });
      await newEvent(ask, { title: 'Turn of the century', tags: [body.id] });
      const found = await Promise.all(['/events/tag/2099/', '/events/tag/2099/?ical=1', '/events/tag/2099/feed/'].map(ask.page));
      const links = found[0].text.match(/(?<=\/events\/\?)tags=\d+(?=" \/>)/g);
      return [body.slug, ...found.map(({ text }) => text.includes('/event/turn-of-the-century/')), links?.includes(`tags=${body.id}`)];
    },
    plugin: ['2099', false, false, true, false],
    documented: ['2099', true, true, true, true],
  }),
  'rss-ignores-its-query': proof({
    ask: async ({ page }) => {
      const feeds = await Promise.all(['/events/feed/', '/events/feed/?tribe-bar-search=no-such-word'].map(page));
      return feeds.map(({ text }) => text.includes('<item>'));
    },
    plugin: [true, true],
    documented: [true, false],
  }),
  'rss-reads-starts-in-site-zone': proof({
    writes: true,
    ask: async (ask) => {
      await newEvent(ask, { categories: ['order'], timezone: 'Asia/Tokyo' });
      const { text } = await ask.page('/events/category/order/feed/');
      return /<title>New<\/title>[^]*?<pubDate>(.*)</.exec(text)?.[1];
    },
    plugin: 'Tue, 10 Nov 2026 13:30:00 +0000',
    documented: 'Tue, 10 Nov 2026 01:00:00 +0000',
  }),
  'feeds-keep-scripts': proof({
    writes: true,
    ask: async (ask) => {
      await newEvent(ask, { categories: ['order'], description: 'A <script>1</script> of an administrator' });
      return (await ask.page('/events/category/order/feed/')).text.includes('<script>');
    },
    plugin: true,
    documented: false,
  }),
  'ical-borrows-states': proof({
    writes: true,
    ask: async (ask) => {
      const [venue] = await ids(ask, 'united-states');
      await newEvent(ask, { categories: ['order'], venue });
      const places = await lines(ask, '/events/category/order/?ical=1', 'LOCATION');
      return [...new Set(places)];
    },
    plugin: ['LOCATION:CA', 'LOCATION:In the United States\\, CA\\, United States'],
    documented: ['LOCATION:In the United States\\, CA\\, United States'],
  }),
  'ical-shows-what-is-protected': proof({
    ask: async (ask) => [
      (await lines(ask, '/event/locked-event/?ical=1', 'LOCATION', 'ORGANIZER')).length,
      (await lines(ask, '/event/at-locked-places/?ical=1', 'LOCATION')).map((line) => line.includes('Hidden Way')),
    ],
    plugin: [2, [true]],
    documented: [0, [false]],
  }),
  'never-compressed': proof({
    ask: async ({ raw }) => {
      const encodings = ['gzip', 'br', 'identity'];
      const answers = await Promise.all(
        encodings.map((encoding) => raw('events?per_page=50', { headers: { 'accept-encoding': encoding } })),
      );
      return answers.map(({ headers }) => headers['content-encoding'] ?? 'none');
    },
    plugin: ['none', 'none', 'none'],
    documented: ['gzip', 'br', 'none'],
  }),
  'locale-takes-only-user': proof({
    ask: async (ask) => {
      const read = async (query: string): Promise<string | undefined> => described((await ask.raw(`?${query}`)).json);
      return [await read('_locale=de_DE'), await read('_locale=user'), await read('_locale=tlh'), await read('_locale[]=de')];
    },
    plugin: [IN_ENGLISH, IN_ENGLISH, IN_ENGLISH, IN_ENGLISH],
    documented: ['Titel der Veranstaltung.', IN_ENGLISH, IN_ENGLISH, IN_ENGLISH],
  }),
  'no-language-negotiation': proof({
    ask: async (ask) => {
      const { headers, json } = await ask.raw('', { headers: { 'accept-language': 'tlh, pt-PT;q=0.9, en;q=0.5' } });
      return [described(json), headers['content-language'], headers.vary?.includes('Accept-Language')];
    },
    plugin: [IN_ENGLISH, undefined, false],
    documented: ['Título do evento.', 'pt-BR', true],
  }),
  'doc-is-not-openapi': proof({
    ask: async ({ raw }) => {
      const doc = (await raw('doc')).json as { servers: { url: string }[]; paths: Record<string, object> };
      const { valid } = await new Validator().validate(structuredClone(doc));
      return [valid, new URL(doc.servers[0].url).port !== '', Object.keys(doc.paths['/events'])];
    },
    plugin: [false, false, ['get']],
    documented: [true, true, ['get', 'post']],
  }),
  'no-etags': proof({
    ask: async ({ raw }) => {
      const first = await raw('events/by-slug/series');
      const again = await raw('events/by-slug/series', { headers: { 'if-none-match': first.headers.etag ?? 'W/"none"' } });
      const other = await raw('events/by-slug/series', { headers: { 'if-none-match': 'W/"other"' } });
      return [first.headers.etag !== undefined, again.status, again.text === '', other.status];
    },
    plugin: [false, 200, false, 200],
    documented: [true, 304, true, 200],
  }),
} satisfies Partial<Record<QuirkName, Proof>>;
