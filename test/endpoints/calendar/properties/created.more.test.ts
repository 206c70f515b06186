import * as fc from 'fast-check';
import { renderContent, renderExcerpt, renderTitle } from '../../../../src/wordpress/formatting/content.js';
import { NEWEST_RULES } from '../../../support/rules.js';
import { savePostContent, savePostExcerpt, savePostTitle } from '../../../../src/wordpress/formatting/sanitize.js';
import { userId } from '../../../support/people.js';
import { runs, LIMIT, server, call, created, WRITERS, ZONES, type Json } from './properties.js';

/** Text with everything that sanitizing and rendering affect, except shortcodes and embeds. */
const prose = fc
  .array(
    fc.constantFrom(
      'market',
      'Ünïcödé',
      '日本',
      '"quoted"',
      "it's",
      '&',
      '&amp;',
      '5 < 6',
      '<b>bold</b>',
      '<script>x</script>',
      '<a href="https://a.example/?a=1&b=2" onclick="x">link</a>',
      '\\',
      '\\\\',
      '--',
      '...',
      '2x4',
      '\n',
      '\n\n',
      '😀',
      'Wordpress',
      "'99",
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((words) => words.join(' '));

/** Converts local time to UTC with the platform's time zone data. Not for hours that a clock change skips or repeats. */
function utcOf(local: string, zone: string): string {
  const text = (epoch: number, timeZone: string): string => new Date(epoch).toLocaleString('sv-SE', { timeZone });
  const asUtc = Date.parse(`${local.replace(' ', 'T')}Z`);
  const guesses = Array.from({ length: 28 }, (_, i) => asUtc + (i - 14) * 3_600_000);
  return text(guesses.find((epoch) => text(epoch, zone) === local) ?? Number.NaN, 'UTC');
}

const moment = fc
  .tuple(
    fc.integer({ min: 0, max: 700 }),
    fc.integer({ min: 4, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 400 }),
  )
  .map(([day, hour, minute, length]) => {
    const start = Date.UTC(2026, 5, 20 + day, hour, minute);
    const end = new Date(start + length * 3_600_000);
    if (end.getUTCHours() < 4) end.setUTCHours(4);
    const text = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');
    return { start_date: text(new Date(start)), end_date: text(end) };
  });

const without = (item: Json, field: string): Json => Object.fromEntries(Object.entries(item).filter(([name]) => name !== field));

/** An item as a list shows it: without `json_ld`, at any depth. */
const asListed = (event: Json): Json => ({
  ...without(event, 'json_ld'),
  venue: Array.isArray(event.venue) ? event.venue : without(event.venue as Json, 'json_ld'),
  organizer: (event.organizer as Json[]).map((item) => without(item, 'json_ld')),
});

const flags = { all_day: fc.boolean(), show_map: fc.boolean(), show_map_link: fc.boolean(), sticky: fc.boolean(), featured: fc.boolean() };

test(
  'a created event reads as sent, after sanitizing',
  async () => {
    await server().reset();
    const [venue, other] = [await created('editor', 'venues', { venue: 'Hall' }), await created('editor', 'venues', { venue: 'Yard' })];
    const organizers = [
      await created('editor', 'organizers', { organizer: 'A' }),
      await created('editor', 'organizers', { organizer: 'B' }),
    ];
    const ids = (items: unknown): unknown => (items as Json[]).map(({ id }) => id);
    const event = fc.record({
      login: fc.constantFrom(...WRITERS),
      title: prose.map((text) => `T ${text}`),
      description: prose,
      excerpt: prose,
      when: moment,
      timezone: fc.constantFrom(...ZONES.filter((zone) => zone.includes('/'))),
      status: fc.constantFrom('publish', 'private', 'draft', 'pending'),
      venue: fc.constantFrom(venue.id, other.id),
      organizer: fc.constantFrom(ids(organizers), ids([organizers[1], organizers[0]]), ids([organizers[1]])),
      categories: fc.uniqueArray(fc.constantFrom('Jazz', 'Folk', 'Choir'), { maxLength: 3 }),
      ...flags,
    });
    await fc.assert(
      fc.asyncProperty(event, async ({ login, when, ...fields }) => {
        const made = await created(login, 'events', { ...fields, ...when });
        const id = made.id as number;
        const cleaning = { unfilteredHtml: ['administrator', 'editor'].includes(login), rules: NEWEST_RULES };
        const day = (text: string): string => text.slice(0, 10);
        const [start, end] = fields.all_day
          ? [`${day(when.start_date)} 00:00:00`, `${day(when.end_date)} 23:59:59`]
          : [when.start_date, when.end_date];
        expect(made).toMatchObject({
          author: String(userId(login)),
          title: renderTitle(savePostTitle(fields.title, cleaning)),
          description: renderContent(savePostContent(fields.description, cleaning), { siteUrl: server().url, postId: id }),
          excerpt: renderExcerpt(savePostExcerpt(fields.excerpt, cleaning), { siteUrl: server().url }),
          start_date: start,
          end_date: end,
          utc_start_date: fields.all_day ? made.utc_start_date : utcOf(start, fields.timezone),
          utc_end_date: utcOf(end, fields.timezone),
          timezone: fields.timezone,
          status: login === 'contributor' && fields.status === 'publish' ? 'pending' : fields.status,
          ...Object.fromEntries(Object.keys(flags).map((name) => [name, fields[name as keyof typeof flags]])),
        });
        expect([(made.venue as Json).id, ids(made.organizer), (made.categories as Json[]).map(({ name }) => name)]).toEqual([
          fields.venue,
          fields.organizer,
          fields.categories.toSorted(),
        ]);
        const single = await call(login, 'GET', `events/${id}`);
        expect(asListed(single.body)).toEqual(made);
        if (made.slug !== '') expect((await call(login, 'GET', `events/by-slug/${String(made.slug)}`)).body).toEqual(single.body);
        const list = await call(login, 'GET', `events?per_page=50&include=${id}&status=${String(made.status)}`);
        expect(start <= '2028-06-15' ? (list.body.events as Json[]) : [made]).toEqual([made]);
      }),
      runs(40),
    );
  },
  LIMIT,
);
