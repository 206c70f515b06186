import { Ajv } from 'ajv';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ACKNOWLEDGEMENT } from '../../../src/plugins/the-events-calendar/tec-v1/routes.js';
import {
  wholeDays,
  scheduleDetails,
  shortScheduleDetails,
  type DateStyle,
} from '../../../src/plugins/the-events-calendar/tec-v1/schedule.js';
import { startWorld, type Answer, type Login } from '../../support/api.js';

type Json = Record<string, unknown>;

const api = startWorld();

interface Options {
  as?: Login;
  body?: object;
  headers?: Record<string, string>;
}

/** A request to the namespace, with the acknowledgement header. */
const ask = <T = Json>(method: string, route: string, { headers, ...rest }: Options = {}): Promise<Answer<T>> =>
  api.call<T>(method, `/tec/v1/${route}`, { ...rest, headers: { 'x-tec-eea': ACKNOWLEDGEMENT, ...headers } });

const idsOf = (body: unknown): unknown => (Array.isArray(body) ? (body as { id: number }[]).map(({ id }) => id) : body);

/** The error message for a rejected parameter. */
const refusal = ({ body }: Answer<Json>, name: string): unknown => (body.data as { params?: Json } | undefined)?.params?.[name];

describe('the acknowledgement header', () => {
  const sentence = `  ${ACKNOWLEDGEMENT.toUpperCase()} `;
  test.each<[string, Options, string, number, string | undefined]>([
    ['in capitals, with blanks around it', { headers: { 'x-tec-eea': sentence } }, 'events/35', 200, undefined],
    ['empty', { headers: { 'x-tec-eea': '' } }, 'events/35', 400, 'Experimental endpoint requires acknowledgement header.'],
    ['cut', { headers: { 'x-tec-eea': ACKNOWLEDGEMENT.slice(0, -1) } }, 'venues', 400, 'requires appropriate acknowledgement'],
    ['missing where the right is missing too', { headers: { 'x-tec-eea': '' } }, 'events/75', 401, 'not allowed'],
    ['missing where a parameter is wrong', { headers: { 'x-tec-eea': '' } }, 'events?page=0', 400, 'Invalid parameter(s): page'],
    ['missing for the document', { headers: { 'x-tec-eea': '' } }, 'docs', 200, undefined],
    ['missing for OPTIONS', { headers: { 'x-tec-eea': '' } }, 'events', 200, undefined],
  ])('%s', async (what, options, route, status, message) => {
    const answer = await ask(what.endsWith('OPTIONS') ? 'OPTIONS' : 'GET', route, options);
    expect(answer.status).toBe(status);
    if (message) expect(answer.body.message).toContain(message);
  });

  test('a cached response to an acknowledged request is not used for one without the header', async () => {
    expect((await ask('GET', 'venues/12')).status).toBe(200);
    expect((await api.call('GET', '/tec/v1/venues/12')).status).toBe(400);
  });
});

describe('lists', () => {
  // WP: a text that is not UTF-8 is sanitized to nothing, so that nothing is searched for.
  test.each(['events', 'venues', 'organizers'])('a search for broken UTF-8 finds all %s', async (list) => {
    const totalOf = async (query: string): Promise<string | null> =>
      (await ask('GET', `${list}?per_page=1${query}`)).headers.get('x-wp-total');
    const all = await totalOf('');
    expect([Number(all) > 0, await totalOf('&search=%E9'), await totalOf('&search=river%E9')]).toEqual([true, all, all]);
    expect(await totalOf('&search=%C3%A9')).not.toBe(all);
  });

  const POSITIVE = 'must be a positive integer.';
  const PLAIN = 'Invalid parameter.';

  test.each<[string, string]>([
    ['events?per_page=0', POSITIVE],
    ['events?per_page=x', POSITIVE],
    ['events?page=-1', POSITIVE],
    ['events?page[]=1', POSITIVE],
    ['venues?page=0', POSITIVE],
    ['events?start_date=nope', 'must be a date-time.'],
    ['events?ends_after=', 'must be a date-time.'],
    ['events?starts_before[]=2026-01-01', 'must be a date-time.'],
    ['events?categories=x', PLAIN],
    ['events?tags[]=x', POSITIVE],
    ['events?tags=11,', POSITIVE],
    ['events?categories=0,2', POSITIVE],
    ['events?per_page=99999999999999999999', POSITIVE],
    ['events?search[]=x', PLAIN],
    ['events?venue=22', PLAIN],
    ['events?organizer=10', PLAIN],
    ['events?organizer=22,999', PLAIN],
    ['events?status=publish,any', PLAIN],
    ['events?status=publish,%20draft', PLAIN],
    ['events?status=', PLAIN],
    ['venues?status=trash', PLAIN],
    ['events?orderby=id', PLAIN],
    ['events?order=desc', PLAIN],
  ])('%s is rejected', async (route, message) => {
    const answer = await ask('GET', route);
    expect(answer.status).toBe(400);
    expect(refusal(answer, /\?(\w+)/.exec(route)?.[1] ?? '')).toMatch(new RegExp(`${message}$`));
  });

  test('the details of a rejection name the argument, and members of lists `example`', async () => {
    const { body } = await ask('GET', 'events?per_page=0&start_date=nope&tags=x,y&search[]=x');
    const detail = (code: string, name: string, wanted: string, details: string): Json => ({
      code: `tec_rest_invalid_${code}_argument`,
      message: `Argument \`{${name}}\` must be ${wanted}.`,
      data: { status: 400, argument: name, details },
    });
    const positive = (name: string): Json =>
      detail('positive_integer', name, 'a positive integer', `The argument \`{${name}}\` is not a positive integer.`);
    expect((body.data as Json).details).toEqual({
      per_page: positive('per_page'),
      start_date: detail('date_time', 'start_date', 'a date-time', 'We cannot parse the argument `{start_date}` as a date-time.'),
      tags: positive('example'),
    });
  });

  test.each<[string, Login | undefined, number, unknown]>([
    ['events?per_page=200&order=DESC&status=publish', 'admin', 52, undefined],
    ['events?categories=2,3&tags[]=14&ticketed=true&per_page=1', undefined, 52, [31]],
    ['events?venue=10,11&per_page=2', undefined, 12, [39, 42]],
    ['events?venue[]=10&organizer=22', undefined, 2, [47, 50]],
    ['events?venue=20', undefined, 0, []],
    ['events?featured=off', undefined, 4, [35, 67, 80, 50]],
    ['events?featured[]=no', undefined, 4, [35, 67, 80, 50]],
    ['events?featured=0', undefined, 48, undefined],
    ['events?ends_before=12', undefined, 0, []],
    ['events?start_date=2026171', undefined, 52, undefined],
    ['events?ends_before=0', undefined, 4, [31, 32, 33, 34]],
    ['events?starts_before=0', undefined, 7, undefined],
    ['events?start_date=0&featured=no', undefined, 3, undefined],
    ['events?start_date=253402300800', undefined, 0, []],
    ['events?start_date=99999999999999', undefined, 0, []],
    ['events?end_date=10000-01-01&ends_before=2026-W25-3', undefined, 8, undefined],
    ['events?page=9223372036854775808', undefined, 52, undefined],
    ['events?id=31&per_page=1', undefined, 52, [31]],
    ['venues?id=0', undefined, 9, undefined],
    ['venues?status=draft,private,pending&has_events=off', 'admin', 2, undefined],
    ['events?search=%3Cb%3E', undefined, 52, undefined],
    ['events?post_parent=82&order=DESC', undefined, 2, [84, 83]],
    ['events?orderby=menu_order&per_page=2', undefined, 52, [50, 66]],
    ['events?orderby=modified&order=DESC&per_page=2', undefined, 52, [90, 89]],
    ['events?starts_after=2026-07-14T10:00:00&ends_before=2026-07-16', undefined, 1, [71]],
    ['events?starts_after=2026-07-14T14:00:00Z&ends_before=2026-07-16', undefined, 1, [71]],
    ['events?start_date=2026-07-14T10:00:00&end_date=2026-07-14T11:00:00', undefined, 3, [68, 69, 70]],
    ['events?search=soir', undefined, 0, []],
    ['events?search=soir', 'subscriber', 1, [80]],
    ['events?status=private,future', 'subscriber', 52, undefined],
    ['events?status=draft,pending,private', 'author', 5, [76, 77]],
    ['events?status=draft', 'contributor', 3, [74]],
    ['events?status[]=private&status[]=future', 'editor', 2, [78, 79]],
    ['venues?status=private', 'author', 1, []],
    ['venues?search=KOLN', undefined, 1, [11]],
    ['venues?search=', undefined, 9, undefined],
    ['venues?search=0', undefined, 9, undefined],
    ['venues?search=to', 'author', 3, undefined],
    ['venues?has_events=', undefined, 8, undefined],
    ['organizers?event=38', undefined, 0, []],
    ['organizers?event=10', undefined, 7, undefined],
    ['organizers?event=99999&only_with_upcoming=1', undefined, 7, undefined],
    ['organizers?event=32&has_events=false', undefined, 2, [27, 22]],
  ])('%s as %s', async (route, as, total, ids) => {
    const answer = await ask('GET', route, { ...(as && { as }) });
    expect(answer.headers.get('x-wp-total')).toBe(String(total));
    if (ids) expect(idsOf(answer.body)).toEqual(ids);
  });

  test('pagination links repeat the parsed parameters, the next page first', async () => {
    const { headers } = await ask('GET', 'events?venue=10,11&per_page=5&page=2&featured_only=%ff');
    const link = (page: number): string => `tec/v1/events?venue%5B0%5D=10&venue%5B1%5D=11&per_page=5&page=${page}&featured_only=`;
    expect(headers.get('link')).toMatch(/rel="next", <.*rel="prev"$/);
    for (const page of [1, 3]) expect(headers.get('link')).toContain(link(page));
  });

  test('their links do not encode the query', async () => {
    const { headers } = await ask('GET', 'events?ends_after=%2B1%20month&ticketed=abc&featured=0&include=1%26x&per_page=5');
    expect(headers.get('link')).toContain('tec/v1/events?ends_after=+1+month&ticketed=1&include=1&x&per_page=5&page=2>; rel="next"');
  });

  test.each<[string, Login | undefined, number, string | null]>([
    ['events?id=10', undefined, 401, null],
    ['events?id=75', undefined, 401, null],
    ['organizers?id=999999', 'admin', 403, 'POST'],
    ['venues?status=any&id=31', 'admin', 400, 'POST'],
  ])('the right to read the item of an `id` among the parameters: %s as %s', async (route, as, status, allow) => {
    const answer = await ask('GET', route, { ...(as && { as }) });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
  });

  test('a page beyond the last', async () => {
    expect((await ask('GET', 'events?search=xyzzy')).body).toEqual([]);
    const { status, body } = await ask('GET', 'venues?search=xyzzy&page=2');
    expect([status, body]).toEqual([404, { code: 'tec_rest_organizers_page_not_found', message: 'The requested page was not found.' }]);
  });
});

describe('one item', () => {
  const UNREADABLE = { error: 'The entity could not be read.' };

  test.each<[string, Login | undefined, number]>([
    ['events/0', undefined, 404],
    ['venues/0', 'admin', 404],
    ['events/85', 'editor', 404],
    ['venues/20', 'admin', 404],
    ['events/85', undefined, 401],
    ['events/85', 'contributor', 403],
    ['events/74', 'contributor', 200],
    ['events/78', 'author', 403],
    ['venues/21', 'editor', 200],
    ['venues/22', 'admin', 403],
    ['organizers/99999999999999999999', 'admin', 403],
  ])('%s as %s: %i', async (route, as, status) => {
    const answer = await ask('GET', route, { ...(as && { as }) });
    expect(answer.status).toBe(status);
    if (status === 404) expect(answer.body).toEqual(UNREADABLE);
  });

  test.each<[string, Login | undefined, number, string | null]>([
    ['events/17', 'author', 403, 'PUT, PATCH, DELETE'],
    ['venues/35', 'admin', 403, 'PUT, PATCH, DELETE'],
    ['events/17', undefined, 401, null],
    ['events/0', undefined, 404, 'GET'],
    ['events/0', 'author', 404, 'GET, PUT, PATCH, DELETE'],
    ['organizers/25?id=abc', 'contributor', 403, null],
    ['organizers/25?id=26', 'admin', 200, 'GET, PUT, PATCH, DELETE'],
  ])('%s as %s: %i, allowed are %s', async (route, as, status, methods) => {
    const answer = await ask('GET', route, { ...(as && { as }) });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, methods]);
  });

  test('for editing, everybody gets raw texts of what no password protects', async () => {
    const { body } = await ask('GET', 'organizers/22?context=edit');
    expect(body).toMatchObject({ password: '', title: { raw: 'Music Guild' }, content: { block_version: 0 } });
    const locked = async (as: Login): Promise<Json> => (await ask('GET', 'organizers/29?context=edit', { as })).body;
    expect(await locked('contributor')).toMatchObject({
      password: 'Password protected',
      title: { raw: 'Secret Society' },
      content: { raw: 'Password protected', protected: null },
      excerpt: { raw: 'Password protected' },
    });
    const shown = { raw: expect.any(String), rendered: expect.not.stringContaining('Password'), protected: true };
    for (const as of ['editor', 'admin'] as const) expect(await locked(as)).toMatchObject({ content: shown, excerpt: shown });
    const event = (await ask('GET', 'events/35?context=edit')).body;
    expect(event).toMatchObject({ generated_slug: 'festival-week', organizers: [{ title: { raw: 'Music Guild' }, password: '' }, {}, {}] });
    // The fields of `wp/v2` have no such context.
    const nonsense = (await ask('GET', 'events/35?context=nonsense')).body;
    expect(nonsense).toMatchObject({ start_date: '2026-06-12 10:00:00', organizers: [{ phone: '555-0101' }, {}, {}] });
    for (const name of ['id', 'title', 'class_list']) expect(nonsense).not.toHaveProperty(name);
    expect(Object.keys((await ask('GET', 'venues/10?context=embed')).body)).not.toContain('content');
  });

  test.each<[number, Json]>([
    [40, { duration: 259199, multiday: 3, all_day: true, cost: '$8', is_past: false }],
    [89, { duration: 86399, multiday: false, start_date_utc: '2026-08-14 22:00:00' }],
    [90, { duration: '10800', multiday: 2 }],
    [71, { duration: 0, multiday: false }],
    [45, { timezone: 'UTC+5.5', duration: '3600' }],
    [50, { sticky: true, featured: true, multiday: 2, organizer_names: ['Music Guild', 'Smith &#038; Sons &#8220;Events&#8221;'] }],
    [31, { is_past: true, is_now: false }],
    [37, { is_past: false, is_now: false }],
  ])('event %i', async (id, members) => {
    expect((await ask('GET', `events/${id}`)).body).toMatchObject(members);
  });

  test('an event shows its dates in its own time zone and in that of the site', async () => {
    const { dates } = (await ask<{ dates: Json }>('GET', 'events/45')).body;
    expect(dates).toMatchObject({
      start: { date: '2026-06-24 10:00:00.000000', timezone_type: 3, timezone: 'Asia/Kolkata' },
      end_utc: { date: '2026-06-24 05:30:00.000000', timezone: 'UTC' },
      end_site: { date: '2026-06-24 01:30:00.000000', timezone: 'America/New_York' },
      end_display: { date: '2026-06-24 11:00:00.000000', timezone: 'Asia/Kolkata' },
    });
  });

  test('protected content is hidden from administrators and shown with the password', async () => {
    const read = async (route: string): Promise<Json> => (await ask('GET', route, { as: 'admin' })).body;
    expect(await read('events/80?password=wrong')).toMatchObject({
      cost: 'Password protected',
      featured_media: 0,
      venues: [],
      sticky: null,
    });
    const open = await read('events/80?password=soiree');
    expect(open).toMatchObject({ cost: '$99', schedule_details: '', short_schedule_details: '', content: { protected: true } });
    expect(idsOf(open.organizers)).toEqual([29, 22]);
    // The event's password also unlocks its venue.
    expect(open.venues).toMatchObject([{ id: 19, address: '1 Hidden Way' }]);
    expect(open.class_list).toEqual(expect.arrayContaining(['post-password-protected', 'has-post-thumbnail']));
    expect(await read('venues/19?password=cellar')).toMatchObject({ address: '1 Hidden Way', country: 'France' });
  });

  test('dates come whole', async () => {
    const { body } = await ask<{ dates: Json }>('GET', 'events/88?_fields=dates.start');
    expect(Object.keys(body.dates)).toHaveLength(8);
  });

  test('OPTIONS point into the document', async () => {
    const schemas = await Promise.all(['venues', 'venues/10'].map(async (route) => (await ask('OPTIONS', route)).body.schema));
    const ref = { $ref: expect.stringMatching(/tec\/v1\/docs#\/components\/schemas\/Venue$/) as string };
    expect(schemas).toMatchObject([
      { title: 'venues', type: 'array', items: ref },
      { title: 'venue', type: 'object', ...ref },
    ]);
  });

  test('_fields and _envelope apply to an event', async () => {
    const { body } = await ask('GET', 'venues/11?_fields=id,title.rendered,directions_link&_envelope&_embed');
    const map = 'https://maps.google.com/maps?f=q&#038;source=s_q&#038;hl=en&#038;geocode=&#038;q=';
    const directions_link = `${map}Domstra%C3%9Fe+5+K%C3%B6ln+Nordrhein-Westfalen+50668+Germany`;
    expect(body).toMatchObject({ status: 200, body: { id: 11, title: { rendered: 'Kulturhaus Köln' }, directions_link } });
  });

  test('POST to an event returns rest_no_route', async () => {
    expect((await ask('POST', 'events/35', { as: 'admin', body: {} })).body.code).toBe('rest_no_route');
  });
});

describe('writing', () => {
  /** Runs a write on the original content, for items that other tests change too. */
  const alone = async (write: () => Promise<void>): Promise<void> => {
    await api.reset();
    await write();
  };

  const DATES = { start_date: '2026-10-02 10:00:00', end_date: '2026-10-02 12:00:00' };
  const FAILED = { error: 'Failed to create entity.' };

  test.each<[string, object, Json]>([
    ['a zone', { ...DATES, timezone: 'Europe/Berlin' }, { start_date_utc: '2026-10-02 08:00:00', duration: '7200' }],
    ['a length', { start_date: DATES.start_date, duration: 90 }, { end_date: '2026-10-02 10:01:30', duration: '90' }],
    ['times in UTC', { start_date_utc: DATES.start_date, end_date_utc: DATES.end_date }, { start_date: '2026-10-02 06:00:00' }],
    ['whole days', { ...DATES, all_day: true }, { end_date: '2026-10-02 23:59:59', duration: '7200' }],
    [
      'what there is of links',
      { ...DATES, venues: [10, 22, 999], organizers: '23,22' },
      { organizer_names: ['Ana Müller', 'Music Guild'] },
    ],
    ['what there is of terms', { ...DATES, tags: [11, 999], tribe_events_cat: [2] }, { tags: [11], tribe_events_cat: [2] }],
    ['a cost, without its currency', { ...DATES, cost: '€10' }, { cost: '$10' }],
    ['nothing to pay', { ...DATES, cost: '0' }, { cost: 'Free' }],
    ['a length beside an end', { ...DATES, duration: 90 }, { end_date: DATES.end_date, duration: '7200' }],
    ['an offset for a zone', { ...DATES, timezone: 'UTC+5:30' }, { timezone: 'Asia/Kolkata', start_date_utc: '2026-10-02 04:30:00' }],
    ['two venues', { ...DATES, venues: '10,11' }, { venues: [{ id: 10 }] }],
    ['words for flags', { ...DATES, featured: 'false', all_day: '', sticky: 'off' }, { featured: true, all_day: false, sticky: true }],
    [
      'markup',
      { ...DATES, title: 'A <b>B</b>\\n < 3', content: '<p>x</p>\n<p>y</p>' },
      { content: { rendered: '<p>x y</p>\n', protected: false } },
    ],
    ['an unknown template', { ...DATES, template: 'x' }, { template: '' }],
    ['an unknown author', { ...DATES, author: 99 }, { author: 99 }],
    [
      'flags and an image',
      { ...DATES, sticky: true, featured: true, featured_media: 4 },
      { sticky: true, featured: true, featured_media: 0 },
    ],
    [
      'a date to come',
      { ...DATES, date: '2027-05-01T10:00:00Z' },
      { status: 'future', date: '2027-05-01T10:00:00', date_gmt: '2027-05-01T10:00:00' },
    ],
    ['an author and a slug', { ...DATES, author: 3, slug: 'My Own' }, { author: 3, slug: 'my-own' }],
  ])('an event with %s', async (_, body, members) => {
    const { status, headers, body: made } = await ask('POST', 'events', { as: 'admin', body: { title: 'New', ...body } });
    expect([status, headers.get('location')]).toEqual([201, null]);
    expect(made).toMatchObject({ status: 'publish', ...members });
    const { body: stored } = await api.call('GET', `/wp/v2/tribe_events/${String(made.id)}`, { as: 'admin' });
    expect(stored).toMatchObject({ meta: { _EventShowMap: true, _EventShowMapLink: true } });
    expect((await ask('GET', `events/${String(made.id)}`, { as: 'admin' })).body).toEqual(made);
  });

  test.each<[string, object, unknown]>([
    ['a day without a time', { ...DATES, start_date: '2026-10-02' }, 'start_date'],
    ['a T between day and time', { ...DATES, end_date: '2026-10-02T12:00:00' }, 'end_date'],
    ['an hour that does not exist', { ...DATES, start_date: '2026-10-02 25:00:00' }, 'start_date'],
    ['one number for a list', { ...DATES, venues: 10 }, 'venues'],
    ['texts in a list', { ...DATES, tags: ['free'] }, 'tags'],
    ['a number for a text', { ...DATES, cost: 5 }, 'cost'],
    ['an unknown zone', { ...DATES, timezone: 'Mars' }, 'timezone'],
    ['a status that is not for everybody', { ...DATES, status: 'trash' }, 'status'],
    ['no image', { ...DATES, featured_media: 0 }, 'featured_media'],
    ['a length of half a second', { ...DATES, duration: 0.5 }, 'duration'],
    ['the epoch', { ...DATES, date: '1970-01-01 00:00:00' }, 'date'],
    ['nothing as its title', { ...DATES, title: null }, FAILED],
    ['a start only', { start_date: DATES.start_date }, FAILED],
    ['an end before its start', { ...DATES, end_date: '2026-10-01 10:00:00' }, FAILED],
    ['a length beyond all dates', { start_date: DATES.start_date, duration: 1e15 }, FAILED],
  ])('an event with %s is rejected', async (_, body, refused) => {
    const answer = await ask('POST', 'events', { as: 'admin', body: { title: 'New', ...body } });
    if (typeof refused !== 'string') expect([answer.status, answer.body]).toEqual([500, refused]);
    else expect([answer.status, typeof refusal(answer, refused)]).toEqual([400, 'string']);
  });

  test.each<[string, object, Json | number]>([
    ['events/36', { timezone: 'Europe/Berlin' }, { start_date: '2026-06-15 07:00:00', start_date_utc: '2026-06-15 05:00:00' }],
    ['events/36', { start_date: '2026-06-15 06:00:00' }, { end_date: '2026-06-15 09:00:00', duration: '7200' }],
    ['events/36', { start_date: '2026-06-15 10:00:00' }, { start_date: '2026-06-15 07:00:00', end_date: '2026-06-15 09:00:00' }],
    ['events/36', { end_date: '2026-06-15 06:00:00' }, { start_date: '2026-06-15 07:00:00', end_date: '2026-06-15 09:00:00' }],
    ['events/36', { start_date: '2026-06-15 10:00:00', end_date: '2026-06-14 10:00:00' }, { start_date: '2026-06-15 07:00:00' }],
    ['events/36', { duration: 60 }, { end_date: '2026-06-15 09:00:00', duration: '60' }],
    ['events/36', { start_date: '2026-06-15 10:00:00', duration: 60 }, { end_date: '2026-06-15 10:01:00', duration: '60' }],
    ['events/36', { date: '2026-07-01 10:00:00' }, { status: 'future', date_gmt: '2026-07-01T10:00:00', date: '2026-07-01T10:00:00' }],
    ['events/36', { slug: '0', featured_media: 4 }, { slug: 'early-bird-yoga', featured_media: 0 }],
    ['events/50', { featured: true }, { sticky: false, featured: true }],
    ['events/35', { organizers: [999] }, { organizer_names: ['Music Guild', 'Ana Müller', 'Plain Organizer'] }],
    ['events/35', { organizers: [] }, { organizer_names: [] }],
    ['events/43', { cost: '10' }, { cost: '₹10' }],
    ['events/36', { title: '' }, 500],
    ['events/35', { venues: [], cost: '' }, { venues: [{ id: 15 }], cost: '' }],
    ['events/40', { start_date: '2026-06-21 10:00:00' }, { start_date: '2026-06-21 00:00:00', multiday: 2, all_day: true }],
    ['events/38', { all_day: false }, { end_date: '2026-06-15 23:59:59', duration: 86399, all_day: false }],
    ['events/75', { content: 'A draft no more' }, { status: 'publish', slug: 'draft-plan' }],
    ['events/75', { status: 'draft' }, { status: 'draft' }],
    ['events/75', { date: '2027-07-01 10:00:00' }, { status: 'publish', date: '2026-06-15T08:00:00' }],
    ['events/85', {}, 500],
    ['events/10', {}, 404],
    ['venues/14', { country: 'Ireland', province: 'Ulster' }, { state_province: 'MA', province: 'Ulster', city: 'Boston' }],
    ['venues/14', { address: `A & B's` }, { address: 'A &amp; B&#039;s', state_province: 'MA' }],
    ['organizers/22', { website: '' }, 400],
    ['organizers/22', { email: '' }, 400],
    ['organizers/22', { email: 'x' }, 400],
  ])('changing %s with %j', async (route, body, expected) => {
    const change = async (): Promise<void> => {
      const answer = await ask('PATCH', route, { as: 'editor', body });
      if (typeof expected === 'number') expect(answer.status).toBe(expected);
      else expect(answer).toMatchObject({ status: 200, body: expected });
    };
    await (typeof expected === 'number' ? change() : alone(change));
  });

  test('a change of an event switches its map on', async () => {
    await alone(async () => {
      const map = async (): Promise<unknown> => (await api.get<Json>('events/43')).body.show_map;
      expect(await map()).toBe(false);
      await ask('PUT', 'events/43', { as: 'admin', body: { excerpt: 'x' } });
      expect(await map()).toBe(true);
    });
  });

  test.each([
    ['BST', 2],
    ['+02:00', 1],
    ['Europe/Vienna', 3],
    ['UTC', 3],
  ])('dates in the zone %s say which kind of zone that is', async (timezone, kind) => {
    await alone(async () => {
      const body = { title: 'E', start_date: '2026-07-18 19:00:00', end_date: '2026-07-18 20:00:00', timezone };
      const { dates } = (await ask<{ dates: Record<string, Json> }>('POST', 'events', { as: 'admin', body })).body;
      expect([dates.start.timezone_type, dates.end.timezone_type, dates.start_utc.timezone_type]).toEqual([kind, kind, 3]);
    });
  });

  test('an end in UTC alone cannot be stored; whole days without dates are today', async () => {
    await alone(async () => {
      const { status, body } = await ask('PUT', 'events/43', { as: 'admin', body: { end_date_utc: '2026-12-01 10:00:00' } });
      expect([status, body]).toEqual([500, { error: 'Failed to update entity.' }]);
      // One before the start is ignored like other dates in the wrong order.
      const early = await ask('PATCH', 'events/50', { as: 'admin', body: { end_date_utc: '2026-06-24 20:59:00' } });
      expect([early.status, early.body.end_date]).toEqual([200, '2028-01-01 02:00:00']);
      const made = await ask('POST', 'events', { as: 'admin', body: { title: 'E', all_day: true } });
      expect([made.status, made.body.start_date, made.body.end_date]).toEqual([201, '2026-06-15 00:00:00', '2026-06-15 23:59:59']);
    });
  });

  test('whatever is changed, the abbreviation of the zone becomes that of today', async () => {
    await alone(async () => {
      const abbreviation = async (): Promise<unknown> => (await api.get<Json>('events/31')).body.timezone_abbr;
      expect(await abbreviation()).toBe('EST');
      await ask('PUT', 'events/31', { as: 'admin', body: { excerpt: 'x' } });
      expect(await abbreviation()).toBe('EDT');
    });
  });

  test('a contributor can publish a venue, but cannot edit it afterwards', async () => {
    const { status, body } = await ask('POST', 'venues', { as: 'contributor', body: { title: 'Mine', content: '<script>x</script>y' } });
    expect([status, body.status, body.content]).toEqual([201, 'publish', { rendered: '<p>y</p>\n', protected: false }]);
    expect((await ask('PUT', `venues/${String(body.id)}`, { as: 'contributor', body: { title: 'Yours' } })).status).toBe(403);
    const override = { as: 'editor', body: { title: 'Ours' }, headers: { 'x-http-method-override': 'PUT' } } as const;
    expect((await ask('POST', `venues/${String(body.id)}`, override)).body.title).toEqual({ rendered: 'Ours' });
  });

  test.each(['events/10', 'venues/35', 'organizers/1'])('updating %s, which is of another type', async (route) => {
    const { status, body } = await ask('PUT', route, { as: 'admin', body: { title: 'Other' } });
    expect([status, body]).toEqual([404, { error: 'The entity could not be updated.' }]);
  });

  test.each<[string, Login | undefined, number, unknown]>([
    ['venues/10', 'author', 403, undefined],
    ['venues/10', 'editor', 200, []],
    ['venues/20', 'editor', 410, { error: 'The entity has already been trashed.' }],
    ['venues/20?force=1', 'editor', 200, []],
    ['events/0', 'admin', 404, undefined],
    ['events/10', 'admin', 404, { error: 'The entity could not be deleted.' }],
    ['events/74', 'contributor', 200, []],
  ])('deleting %s as %s', async (route, as, status, body) => {
    const answer = await ask('DELETE', route, { ...(as && { as }) });
    expect(answer.status).toBe(status);
    if (body) expect(answer.body).toEqual(body);
  });
});

test('the OpenAPI document is valid', async () => {
  const { body } = await api.call<Json>('GET', '/tec/v1/docs');
  expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true });
});

describe('the OpenAPI document says what the server responds', () => {
  interface Operations {
    [method: string]: { responses: Record<string, { content: { 'application/json': { schema: object } } }> };
  }
  const validators = new Ajv({ strict: false });
  let paths: Record<string, Operations>;

  beforeAll(async () => {
    const { body } = await api.call<Json>('GET', '/tec/v1/docs');
    validators.addSchema({ ...body, $id: 'doc' });
    paths = body.paths as typeof paths;
  });

  test.each<[method: string, route: string, path: string, as: Login | null, status: number, ...body: object[]]>([
    ['GET', 'events', '/events', null, 200],
    ['GET', 'events?per_page=50&status=publish', '/events', 'admin', 200],
    ['GET', 'events/35', '/events/{id}', null, 200],
    ['GET', 'venues', '/venues', null, 200],
    ['GET', 'organizers', '/organizers', null, 200],
    ['GET', 'events?page=0', '/events', null, 400],
    ['GET', 'venues?page=999', '/venues', null, 404],
    ['GET', 'events/75', '/events/{id}', null, 401],
    ['GET', 'events/75', '/events/{id}', 'subscriber', 403],
    ['GET', 'events/999999', '/events/{id}', null, 401],
    ['GET', 'events/10', '/events/{id}', 'admin', 403],
    ['GET', 'events/0', '/events/{id}', null, 404],
    ['POST', 'events', '/events', null, 401, { title: 'New' }],
    ['POST', 'events', '/events', 'admin', 400, { title: 'New', start_date: 'never' }],
    ['PUT', 'events/35', '/events/{id}', 'subscriber', 403, { title: 'New' }],
    ['DELETE', 'events/35', '/events/{id}', null, 401],
    ['DELETE', 'events/999999', '/events/{id}', 'admin', 403],
    ['DELETE', 'events/10', '/events/{id}', 'admin', 404],
  ])('%s %s', async (method, route, path, as, status, ...[sent]) => {
    const answer = await ask<unknown>(method, route, { ...(as && { as }), ...(sent && { body: sent }) });
    expect(answer.status).toBe(status);
    expect(Object.keys(paths[path][method.toLowerCase()].responses)).toContain(String(status));
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', 'application/json', 'schema'];
    const at = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const isValid = validators.getSchema(`doc#/${at}`)!;
    expect({ valid: isValid(answer.body), errors: isValid.errors }).toEqual({ valid: true, errors: null });
  });
});

describe('start and end of an event', () => {
  const style: DateStyle = {
    withYear: 'j M Y',
    withoutYear: 'j M',
    time: 'H:i',
    dateTimeSeparator: ', ',
    rangeSeparator: ' to ',
    cutoff: '05:00',
    locale: '',
    year: 2026,
  };
  test.each<[start: string, end: string, allDay: boolean, days: number | false, long: string, short: string]>([
    ['2026-03-01 20:00:00', '2026-03-02 04:00:00', false, false, '1 Mar, 20:00 to 04:00', '20:00 to 04:00'],
    ['2026-03-01 20:00:00', '2026-03-02 05:00:00', false, 2, '1 Mar, 20:00 to 2 Mar, 05:00', '1 Mar, 20:00 to 2 Mar, 05:00'],
    ['2026-03-01 20:00:00', '2026-03-01 20:00:30', false, false, '1 Mar, 20:00', '20:00'],
    ['2026-03-01 05:00:00', '2026-03-02 04:59:59', true, false, '1 Mar', 'All day'],
    ['2026-03-01 05:00:00', '2026-03-03 04:59:59', true, 2, '1 Mar to 2 Mar', '1 Mar to 2 Mar'],
    [
      '2026-12-31 20:00:00',
      '2027-01-01 06:00:00',
      false,
      2,
      '31 Dec 2026, 20:00 to 1 Jan 2027, 06:00',
      '31 Dec 2026, 20:00 to 1 Jan 2027, 06:00',
    ],
    ['2025-03-01 20:00:00', '2025-03-01 21:00:00', false, false, '1 Mar 2025, 20:00 to 21:00', '20:00 to 21:00'],
  ])('%s to %s', (start, end, allDay, days, long, short) => {
    const plain = (html: string): string => html.replace(/<[^>]*>/g, '');
    const span = { start, end, allDay };
    expect([wholeDays(span, style.cutoff), plain(scheduleDetails(span, style)), plain(shortScheduleDetails(span, style))]).toEqual([
      days,
      long,
      short,
    ]);
  });
});

test('the document describes properties, with examples, and groups its operations', async () => {
  interface Document {
    paths: Record<string, Record<string, { tags?: string[] }>>;
    components: { schemas: Record<string, { properties?: Record<string, object>; allOf?: { properties?: Record<string, object> }[] }> };
  }
  const { body } = await api.call<Document>('GET', '/tec/v1/docs');
  const { TEC_Post_Entity: post, Event: event, Venue: venue } = body.components.schemas;
  expect(body.paths['/events']['get'].tags).toEqual(['Events']);
  expect(post.properties).toMatchObject({
    id: { type: 'integer', description: expect.any(String) as string, example: expect.any(Number) as number },
    modified: { format: 'date-time', description: expect.any(String) as string, example: expect.any(String) as string },
    status: { description: expect.any(String) as string },
  });
  expect(event.allOf?.[1].properties?.['start_date']).toMatchObject({
    description: expect.any(String) as string,
    example: '2026-06-21 18:00:00',
  });
  expect(venue.allOf?.[1].properties?.['city']).toMatchObject({ description: expect.any(String) as string, example: 'Galway' });
});
