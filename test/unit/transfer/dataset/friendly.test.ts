import path from 'node:path';
import { metaValue, metaValues } from '../../../../src/wordpress/model.js';
import { verifyAccountPassword } from '../../../../src/wordpress/users/users.js';
import { readDataset } from '../../../support/datasets.js';
import { EMPTY, NOW, folder, written, read, problemsOf, bySlug } from './read.js';

describe('the friendly format', () => {
  const event = { title: 'Talk', start: '+3d 10:00', end: '11:00' };

  test('an empty file is an empty calendar', async () => {
    expect(await readDataset(EMPTY, NOW)).toMatchObject({
      posts: [],
      terms: [],
      users: [],
      nextIds: { posts: 1, terms: 1 },
      clock: null,
      siteUrl: '',
      files: [],
    });
  });

  test.each<[string, object]>([
    ['beside an event', { events: [event, { title: 'Fair', start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 12:00:00' }] }],
    ['beside settings', { site: { timezone: 'Europe/Berlin' }, events: [{ title: 'Fair', start_date: '2026-07-01 10:00:00' }] }],
    ['beside a clock', { clock: '2026-06-15T12:00:00Z', events: [{ title: 'Fair', start_date: '2026-07-01 10:00:00' }] }],
    ['beside stubs', { stubs: [], events: [{ title: 'Fair', start_date: '2026-07-01 10:00:00' }] }],
    ['in a series', { events: [{ title: 'Fair', start_date: '2026-07-01 10:00:00', repeat: 'weekly × 3' }] }],
    ['with a duration', { events: [{ title: 'Fair', start_date: '2026-07-01 10:00:00', duration: '1h' }] }],
  ])('names of the REST API %s are mistakes', async (_where, dataset) => {
    expect(await problemsOf(dataset)).toMatchObject(
      expect.arrayContaining([expect.stringMatching(/^events\[\d\]\.start_date: unknown field\. Did you mean "start"\?$/)]),
    );
  });

  test('site fields become options', async () => {
    const site = {
      name: 'Town',
      timezone: 'Europe/Berlin',
      posts_per_page: 5,
      currency: { symbol: '€', code: 'EUR', position: 'postfix' },
    };
    expect((await read({ site })).options).toEqual({
      blogname: 'Town',
      timezone_string: 'Europe/Berlin',
      posts_per_page: '5',
      tribe_events_calendar_options: { defaultCurrencySymbol: '€', defaultCurrencyCode: 'EUR', reverseCurrencyPosition: true },
    });
    expect((await read({ site: { timezone: 'UTC+5.5' } })).options).toMatchObject({ timezone_string: '', gmt_offset: '5.5' });
  });

  test('ids are kept; items without an id get the lowest free one', async () => {
    const { posts, terms, nextIds } = await read({
      categories: [{ name: 'A' }, { name: 'B', id: 1 }],
      tags: [{ name: 'C' }],
      venues: [{ name: 'Hall', id: 2 }],
      events: [event, { ...event, id: 7 }, event],
    });
    expect(posts.map(({ _id }) => _id)).toEqual([2, 1, 7, 3]);
    expect(terms.map(({ _id }) => _id)).toEqual([2, 1, 3]);
    expect(nextIds).toEqual({ posts: 8, terms: 4 });
  });

  test('slugs are derived from names in order, after explicit slugs', async () => {
    const titles = ['Käse & Brot', 'Talk', 'Talk', '!!!'];
    const { posts } = await read({ events: [...titles.map((title) => ({ ...event, title })), { ...event, slug: 'Talk' }] });
    expect(posts.map(({ slug }) => slug)).toEqual(['kase-brot', 'talk-2', 'talk-3', '4', 'talk']);
  });

  test('references can be slugs or names', async () => {
    const set = await read({
      categories: [{ name: 'Rock & Roll', parent: 'music' }, { name: 'Music' }],
      tags: [{ slug: 'free', name: 'Free entry' }],
      venues: [{ name: 'Kulturhaus Mühle' }],
      organizers: [{ slug: 'guild', name: 'Music Guild' }, { name: 'Ana' }],
      events: [{ ...event, venue: 'Kulturhaus Mühle', organizers: ['ana', 'guild'], categories: ['rock-roll', 'Music'], tags: ['free'] }],
    });
    const [venue, guild, ana, talk] = set.posts;
    expect(talk).toMatchObject({
      venues: [venue._id],
      organizers: [ana._id, guild._id],
      terms: { tribe_events_cat: [1, 2], post_tag: [3] },
    });
    expect(set.terms).toMatchObject([
      { name: 'Rock &amp; Roll', slug: 'rock-roll', parent: 2, count: 1 },
      { name: 'Music', parent: 0, count: 1 },
      { name: 'Free entry', slug: 'free', count: 1 },
    ]);
  });

  test('event fields are stored as the calendar stores them', async () => {
    const set = await read({
      site: { timezone: 'Europe/Berlin' },
      events: [
        { ...event, slug: 'parent' },
        {
          ...event,
          slug: 'full',
          all_day: true,
          end: '+4d',
          cost: ['€8', '€12'],
          website: 'https://x.example',
          featured: true,
          sticky: true,
          hidden: true,
          password: 'secret',
          show_map: false,
          excerpt: 'Short',
          description: 'Long',
          parent: 'parent',
          date: '-2d 09:00',
          meta: { _one: 'a', _two: ['b', 'c'] },
        },
      ],
    });
    const full = bySlug(set, 'full');
    expect(full).toMatchObject({
      parent: bySlug(set, 'parent')._id,
      menuOrder: -1,
      password: 'secret',
      content: 'Long',
      excerpt: 'Short',
      featured: true,
      hidden: true,
      date: '2026-06-13 09:00:00',
      dateGmt: '2026-06-13 07:00:00',
      modifiedGmt: '2026-06-13 07:00:00',
      occurrence: {
        start: '2026-06-18 00:00:00',
        end: '2026-06-19 23:59:59',
        startUtc: '2026-06-17 22:00:00',
        endUtc: '2026-06-19 21:59:59',
      },
    });
    const rows = [
      '_EventAllDay',
      '_EventCost',
      '_EventCurrencySymbol',
      '_EventURL',
      '_EventShowMap',
      '_EventShowMapLink',
      '_EventTimezone',
      '_one',
      '_two',
    ];
    expect(rows.map((key) => metaValues(full, key))).toEqual([
      ['yes'],
      ['€8', '€12'],
      ['€'],
      ['https://x.example'],
      [''],
      ['1'],
      ['Europe/Berlin'],
      ['a'],
      ['b', 'c'],
    ]);
  });

  test.each([
    [{ status: 'draft' }, { status: 'draft', slug: '', dateGmt: '0000-00-00 00:00:00' }],
    [
      { status: 'draft', slug: 'kept' },
      { status: 'draft', slug: 'kept' },
    ],
    [{ status: 'private' }, { status: 'private', slug: 'talk', dateGmt: '2026-06-15 12:00:00' }],
    [{ status: 'trash' }, { status: 'trash', slug: 'talk__trashed' }],
    [{ date: '+2d 09:00' }, { status: 'future', date: '2026-06-17 09:00:00', modified: '2026-06-15 12:00:00' }],
    [{}, { status: 'publish', date: '2026-06-15 12:00:00' }],
  ])('an event with %j', async (fields, expected) => {
    const [post] = (await read({ events: [{ ...event, ...fields }] })).posts;
    expect(post).toMatchObject(expected);
    expect(metaValue(post, '_wp_desired_post_slug')).toBe(expected.status === 'trash' ? 'talk' : undefined);
  });

  test.each([
    [{ state: 'NY', country: 'United States' }, 'NY'],
    [{ state: 'NY' }, 'NY'],
    [{ state: 'NY', country: 'Canada' }, ''],
    [{ state: 'A', province: 'B', country: 'Canada' }, 'B'],
    [{ stateprovince: 'C', state: 'A', province: 'B' }, 'C'],
    [{}, ''],
  ])('a venue in %j', async (fields, stateProvince) => {
    const [venue] = (await read({ venues: [{ name: 'Hall', ...fields }] })).posts;
    expect(metaValue(venue, '_VenueStateProvince')).toBe(stateProvince);
  });

  test('users and authors', async () => {
    const users = [
      { login: 'Edith', role: 'editor', password: 'pass word', application_password: 'abcd efgh' },
      { login: 'ada', role: 'administrator', name: 'Ada', email: 'ada@x.example' },
    ];
    const set = await read({ users, events: [event, { ...event, author: 'edith' }] });
    expect(set.users).toMatchObject([
      { _id: 1, login: 'Edith', email: 'edith@example.org', displayName: 'Edith', nicename: 'edith', role: 'editor' },
      { _id: 2, login: 'ada', email: 'ada@x.example', displayName: 'Ada', applicationPasswords: [] },
    ]);
    expect(await verifyAccountPassword(set.users[0].passwordHash!, 'pass word')).toBe(true);
    expect(set.posts.map(({ author }) => author)).toEqual([2, 1]);
    expect((await read({ events: [event] })).posts[0].author).toBe(1);
  });

  test('relative dates use the given time, or else the clock of the dataset', async () => {
    const content = { clock: '2030-01-01T00:00:00Z', events: [event] };
    const own = await read(content, null);
    expect(own.clock).toBe(Date.parse('2030-01-01T00:00:00Z'));
    expect(own.posts[0].occurrence?.start).toBe('2030-01-04 10:00:00');
    expect((await read(content, NOW)).posts[0].occurrence?.start).toBe('2026-06-18 10:00:00');
  });

  test('reports all problems with references and dates together', async () => {
    const content = {
      users: [
        { login: 'ada', role: 'editor' },
        { login: 'Ada', role: 'editor' },
      ],
      categories: [
        { slug: 'a', name: 'A', parent: 'b' },
        { slug: 'b', name: 'B', parent: 'a' },
        { slug: 'a', name: 'C', parent: 'z' },
      ],
      tags: [{ name: '<b></b>' }],
      venues: [{ name: 'Hall', id: 5, image: 'none', author: 'bob' }],
      events: [
        { ...event, id: 5 },
        { ...event, venue: 'x', organizers: ['y'], categories: ['a', 'q'], tags: ['t'], parent: 'p', image: 'i' },
        { ...event, start: 'soon', date: 'never' },
      ],
    };
    expect((await problemsOf(content)).toSorted()).toEqual(
      [
        'users[1].login: "ada" is already the login of users[0]',
        'categories[0].parent: "b" is a descendant of this item',
        'categories[1].parent: "a" is a descendant of this item',
        'categories[2].slug: "a" is already the slug of categories[0]',
        'categories[2].parent: there is no category with the slug "z"',
        'tags[0].name: "<b></b>" is empty without its markup',
        'venues[0].image: there is no image with the slug "none". List it in media: { "slug": "none", "file": "poster.png" }',
        'venues[0].author: there is no user with the login "bob"',
        'events[0].id: 5 is already the id of venues[0]',
        'events[1].venue: there is no venue with the slug "x"',
        'events[1].organizers[0]: there is no organizer with the slug "y"',
        'events[1].categories[1]: there is no category with the slug "q"',
        'events[1].tags[0]: there is no tag with the slug "t"',
        'events[1].parent: there is no event with the slug "p"',
        'events[1].image: there is no image with the slug "i". List it in media: { "slug": "i", "file": "poster.png" }',
        'events[2].start: invalid date "soon". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin',
        'events[2].date: invalid date "never". Use a date such as 2026-08-01 19:30 or +3d 19:30 Europe/Berlin',
      ].toSorted(),
    );
  });

  test.each<[object, string]>([
    [{ site: { timezone: 'Europe/Wien' } }, 'site.timezone: unknown time zone "Europe/Wien". Did you mean "Europe/Vienna"?'],
    [{ site: { timezone: 'Berlin' } }, 'site.timezone: unknown time zone "Berlin". Did you mean "Europe/Berlin"?'],
    [{ site: { timezone: 'München' } }, 'site.timezone: unknown time zone "München". Did you mean "Europe/Berlin"?'],
    [{ events: [{ ...event, end_date: '+4d' }] }, 'events[0].end_date: unknown field. Did you mean "end"?'],
    [{ users: [{ login: 'a', role: 'author', avatar: 'a.png' }] }, 'users[0].avatar: must be the SHA-256 or MD5 of an email address'],
    [{ now: '2026-06-15', events: [] }, 'now: unknown field. Did you mean "clock"?'],
    [{ events: [{ ...event, repeat: { every: 'week', count: 8 } }] }, 'events[0].repeat.count: unknown field. Did you mean "times"?'],
    [
      { events: [{ ...event, status: 'cancelled' }] },
      'events[0].status: must be one of publish, draft, pending, private, future, trash, not "cancelled". For an event, write "meta": { "_tribe_events_status": "canceled" }',
    ],
    [
      { events: [{ ...event, image: 'concert.jpg' }] },
      'events[0].image: there is no image with the slug "concert.jpg". List it in media: { "slug": "concert", "file": "concert.jpg" }',
    ],
    [{ events: [{ ...event, endDate: '+4d' }] }, 'events[0].endDate: unknown field. Did you mean "end"?'],
    [{ events: [{ title: 'A', duration: '1h', startDate: '+4d' }] }, 'events[0].startDate: unknown field. Did you mean "start"?'],
    [{ events: [{ ...event, location: 'Hall' }] }, 'events[0].location: unknown field. Did you mean "venue"?'],
    [{ events: [{ name: 'A', start: '+4d', duration: '1h' }] }, 'events[0].name: unknown field. Did you mean "title"?'],
    [{ venues: [{ title: 'Hall' }] }, 'venues[0].title: unknown field. Did you mean "name"?'],
    [{ venues: [{ name: 'Hall', latitude: 1 }] }, 'venues[0].latitude: unknown field. Did you mean "lat"?'],
    [{ events: [{ ...event, recurrence: 'weekly' }] }, 'events[0].recurrence: unknown field. Did you mean "repeat"?'],
    [{ events: [{ ...event, status: 'published' }] }, 'not "published". Did you mean "publish"?'],
  ])('says of %j what was meant, once', async (content, expected) => {
    const problems = await problemsOf(content);
    expect(problems).toEqual([expect.stringContaining(expected) as string]);
  });

  test('for the file name of an image, its slug is suggested', async () => {
    const content = { media: [{ file: 'fair.jpg' }], events: [{ ...event, image: 'fair.jpg' }] };
    expect(await problemsOf(content)).toContain('events[0].image: there is no image with the slug "fair.jpg". Did you mean "fair"?');
  });

  test('reports all structural problems together', async () => {
    const content = {
      clock: 'tomorrow',
      colour: 1,
      site: { timezone: 'Mars/Base', currency: { position: 'left' } },
      users: [{ login: 'ada', role: 'queen', application_password: '---' }, {}],
      tags: { name: 'A' },
      venues: [{ name: ' ' }, 'Hall', null],
      events: [
        { ...event, titel: 'x', cost: { a: 1 }, organizers: 'guild', featured: 'yes', id: 0 },
        { start: 5, cost: [-1, {}], meta: { a: 1 }, venue: null },
      ],
    };
    expect((await problemsOf(content)).toSorted()).toEqual(
      [
        'colour: unknown field',
        'clock: is not a date such as "2026-06-15T12:00:00Z"',
        'site.timezone: unknown time zone "Mars/Base". Write one such as "Europe/Berlin" or "UTC+5.5"',
        'site.currency.position: must be one of prefix, postfix, not "left"',
        'users[0].role: must be one of administrator, editor, author, contributor, subscriber, none, not "queen"',
        'users[0].application_password: must contain letters or digits',
        'users[1].login: is missing',
        'users[1].role: is missing',
        'tags: must be a list, such as [{ "name": "free" }]',
        'venues[0].name: must not be empty',
        'venues[1]: must be an object',
        'venues[2]: must not be null. Leave it out instead',
        'events[0].titel: unknown field. Did you mean "title"?',
        'events[0].cost: must be a string',
        'events[0].organizers: must be a list. Write ["guild"]',
        'events[0].featured: must be true or false, not "yes"',
        'events[0].id: must be at least 1',
        'events[1].title: is missing',
        'events[1].start: must be a string. Put it in quotes: "5"',
        'events[1].cost[0]: must not be negative',
        'events[1].cost[1]: must be a string',
        'events[1].meta.a: must be a string. Put it in quotes: "1"',
        'events[1].venue: must not be null. Leave it out instead',
      ].toSorted(),
    );
  });

  test.each([
    ['{"site":', /invalid JSON/],
    ['[]', /has no events, venues, organizers, terms, posts, pages or users/],
    ['null', /the file is empty/],
    [' \n', /the file is empty/],
  ])('rejects %s', async (text, message) => {
    expect(await problemsOf(text)).toEqual([expect.stringMatching(message)]);
  });

  test('a missing file', async () => {
    await expect(readDataset(path.join(folder, 'nowhere.json'), NOW)).rejects.toThrow(/nowhere\.json: file not found/);
  });

  test('the message names the file and every problem', async () => {
    const file = await written({ a: 1, venues: [{}] });
    await expect(readDataset(file, NOW)).rejects.toThrow(`${file}: 2 problems\n`);
  });
});
