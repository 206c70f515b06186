import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { eventTimes, readClock, readDate, readDuration, type EventTimesInput } from '../../src/content/dates.js';
import { placeFiles, withMadeImage } from '../../src/content/uploads.js';
import { urlMover } from '../../src/content/load/links.js';
import type { Dataset } from '../../src/content/dataset.js';
import { DatasetError } from '../../src/content/problems.js';
import { readPrice } from '../../src/content/prices.js';
import { metaValue, metaValues, type Post } from '../../src/wp/model.js';
import { verifyAccountPassword } from '../../src/wp/users/users.js';
import { readDataset } from '../support/datasets.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const WORLD = path.join(here, '../conformance/world.json');
const DEMO = path.join(here, '../../fixtures/demo.json');
const EMPTY = path.join(here, '../../fixtures/empty.json');

/** A Monday: 08:00 in New York, 14:00 in Berlin. */
const NOW = Date.parse('2026-06-15T12:00:00Z');
const BASE = { now: NOW / 1000, zone: 'Europe/Berlin' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-dataset-'));
});
afterAll(() => rm(folder, { recursive: true }));

const written = async (content: unknown): Promise<string> => {
  const file = path.join(folder, 'set.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
};

const read = async (content: unknown, now: number | null = NOW): Promise<Dataset> => readDataset(await written(content), now);

const problemsOf = async (content: unknown): Promise<readonly string[]> => {
  try {
    await read(content);
  } catch (error) {
    if (error instanceof DatasetError) return error.problems;
    throw error;
  }
  return [];
};

const bySlug = ({ posts }: Dataset, slug: string): Post => {
  const post = posts.find((candidate) => candidate.slug === slug);
  if (!post) throw new Error(`no post ${slug}`);
  return post;
};

describe('dates', () => {
  test.each([
    ['2026-08-01 19:30', '2026-08-01T17:30:00Z', null],
    ['2026-08-01', '2026-07-31T22:00:00Z', null],
    ['2026-08-01T19:30:00+05:30', '2026-08-01T14:00:00Z', null],
    ['2026-08-01T19:30:00Z', '2026-08-01T19:30:00Z', null],
    ['2026-08-01 19:30 America/New_York', '2026-08-01T23:30:00Z', 'America/New_York'],
    ['2026-08-01 19:30 UTC+5.5', '2026-08-01T14:00:00Z', 'UTC+5.5'],
    ['+3d 10:00 UTC', '2026-06-18T10:00:00Z', 'UTC'],
    ['-2h Asia/Tokyo', '2026-06-15T10:00:00Z', 'Asia/Tokyo'],
    ['next friday 19:30 Europe/Dublin', '2026-06-19T18:30:00Z', 'Europe/Dublin'],
    ['+3d 10:00', '2026-06-18T08:00:00Z', null],
    ['+3d 10:00 Europe/Berlin', '2026-06-18T08:00:00Z', 'Europe/Berlin'],
    ['+3d 10:00 Asia/Tokyo', '2026-06-18T01:00:00Z', 'Asia/Tokyo'],
    ['+3d 10:00:30', '2026-06-18T08:00:30Z', null],
    ['+3d', '2026-06-17T22:00:00Z', null],
    ['-2w', '2026-05-31T22:00:00Z', null],
    ['+1m 09:00', '2026-07-15T07:00:00Z', null],
    ['+1y 09:00', '2027-06-15T07:00:00Z', null],
    ['+1w +2d 18:15', '2026-06-24T16:15:00Z', null],
    ['+1w-1d 18:15', '2026-06-21T16:15:00Z', null],
    ['+0d 23:00', '2026-06-15T21:00:00Z', null],
    ['-2h', '2026-06-15T10:00:00Z', null],
    ['+1d +2h', '2026-06-16T14:00:00Z', null],
    ['next friday 19:30', '2026-06-19T17:30:00Z', null],
    ['tomorrow noon', '2026-06-16T10:00:00Z', null],
    ['+3 days 10:00', '2026-06-18T08:00:00Z', null],
    // The clock change of October lies between.
    ['+20w 10:00', '2026-11-02T09:00:00Z', null],
  ])('reads %j as %s', (text, moment, region) => {
    expect(readDate(text, BASE)).toEqual({ epoch: Date.parse(moment) / 1000, region });
  });

  test('counts days where the date is read: late evening in Tokyo is tomorrow', () => {
    const late = { now: Date.parse('2026-06-15T18:00:00Z') / 1000, zone: 'Europe/Berlin' };
    expect(readDate('+1d 10:00 Asia/Tokyo', late)?.epoch).toBe(Date.parse('2026-06-17T01:00:00Z') / 1000);
  });

  test.each(['', '  ', 'soon', '+3x 10:00', '+3d 25:00', '+3d 10:00 Mars/Base', '2026-13-01'])('refuses %j', (text) => {
    expect(readDate(text, BASE)).toBeNull();
  });

  test.each([
    ['90min', 5400],
    ['2h', 7200],
    ['1h 30min', 5400],
    ['1h30min', 5400],
    ['2 d', 172_800],
    ['1w', 604_800],
    ['', null],
    ['90', null],
    ['1.5h', null],
    ['-1h', null],
    ['2m', null],
  ])('%j lasts %j seconds', (text, seconds) => {
    expect(readDuration(text)).toBe(seconds);
  });

  test.each([
    ['2026-06-15T12:00:00Z', NOW],
    ['2026-06-15 12:00:00', NOW],
    ['2026-06-15T14:00:00+02:00', NOW],
    ['tomorrow', null],
    ['2026-06-99', null],
  ])('a clock of %j', (text, at) => {
    expect(readClock(text)).toBe(at);
  });

  const times = (input: Partial<EventTimesInput>) => eventTimes({ start: '+3d 10:00', allDay: false, ...input }, BASE);

  test.each<[Partial<EventTimesInput>, [string, string, string, string, number, string, string]]>([
    [
      { end: '12:00' },
      ['2026-06-18 10:00:00', '2026-06-18 12:00:00', '2026-06-18 08:00:00', '2026-06-18 10:00:00', 7200, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d 22:00', end: '02:00' },
      ['2026-06-18 22:00:00', '2026-06-19 02:00:00', '2026-06-18 20:00:00', '2026-06-19 00:00:00', 14_400, 'Europe/Berlin', 'CEST'],
    ],
    [
      { end: '10:00' },
      ['2026-06-18 10:00:00', '2026-06-18 10:00:00', '2026-06-18 08:00:00', '2026-06-18 08:00:00', 0, 'Europe/Berlin', 'CEST'],
    ],
    [
      { duration: '90min' },
      ['2026-06-18 10:00:00', '2026-06-18 11:30:00', '2026-06-18 08:00:00', '2026-06-18 09:30:00', 5400, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d 10:00 Asia/Tokyo', end: '11:00' },
      ['2026-06-18 10:00:00', '2026-06-18 11:00:00', '2026-06-18 01:00:00', '2026-06-18 02:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { timezone: 'Asia/Tokyo', duration: '1h' },
      ['2026-06-18 10:00:00', '2026-06-18 11:00:00', '2026-06-18 01:00:00', '2026-06-18 02:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { start: '2026-08-01T10:00:00Z', timezone: 'Asia/Tokyo', duration: '1h' },
      ['2026-08-01 19:00:00', '2026-08-01 20:00:00', '2026-08-01 10:00:00', '2026-08-01 11:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { start: '2026-08-01 10:00 Asia/Tokyo', end: '2026-08-01 04:00 Europe/Berlin' },
      ['2026-08-01 10:00:00', '2026-08-01 11:00:00', '2026-08-01 01:00:00', '2026-08-01 02:00:00', 3600, 'Asia/Tokyo', 'JST'],
    ],
    [
      { start: '+3d', allDay: true },
      ['2026-06-18 00:00:00', '2026-06-18 23:59:59', '2026-06-17 22:00:00', '2026-06-18 21:59:59', 86_399, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d', end: '+5d', allDay: true },
      ['2026-06-18 00:00:00', '2026-06-20 23:59:59', '2026-06-17 22:00:00', '2026-06-20 21:59:59', 259_199, 'Europe/Berlin', 'CEST'],
    ],
    [
      { start: '+3d', duration: '2d', allDay: true },
      ['2026-06-18 00:00:00', '2026-06-19 23:59:59', '2026-06-17 22:00:00', '2026-06-19 21:59:59', 172_799, 'Europe/Berlin', 'CEST'],
    ],
  ])('an event with %j', (input, [start, end, startUtc, endUtc, duration, timezone, abbr]) => {
    expect(times(input)).toEqual({ start, end, startUtc, endUtc, duration, timezone, abbr });
  });

  test.each<[Partial<EventTimesInput>, string, RegExp]>([
    [{ start: 'soon', end: '12:00' }, 'start', /"soon" is not a date/],
    [{ end: 'later' }, 'end', /"later" is not a date/],
    [{ end: '25:00' }, 'end', /"25:00" is not a date/],
    [{ end: '+2d 10:00' }, 'end', /ends before it starts/],
    [{ duration: 'long' }, 'duration', /"long" is not a length of time/],
    [{ end: '12:00', duration: '1h' }, 'duration', /not both/],
    [{}, 'end', /needs an end or a duration/],
  ])('refuses an event with %j', (input, field, message) => {
    expect(times(input)).toEqual({ field, message: expect.stringMatching(message) as string });
  });
});

test.each<[unknown, Parameters<typeof readPrice>[1], ReturnType<typeof readPrice>]>([
  [undefined, undefined, { values: [] }],
  ['', undefined, { values: [] }],
  [0, undefined, { values: ['0'] }],
  [12, undefined, { values: ['12'] }],
  ['Free', undefined, { values: ['Free'] }],
  ['€12', undefined, { values: ['€12'], symbol: '€', position: 'prefix' }],
  ['12,50 €', undefined, { values: ['12,50 €'], symbol: '€', position: 'postfix' }],
  [['$5', '$10'], undefined, { values: ['$5', '$10'], symbol: '$', position: 'prefix' }],
  [['Free', '£5'], undefined, { values: ['Free', '£5'], symbol: '£', position: 'prefix' }],
  [100, { symbol: 'kr', position: 'postfix' }, { values: ['100'], symbol: 'kr', position: 'postfix' }],
  ['$10', { code: 'CAD' }, { values: ['$10'], symbol: '$', position: 'prefix', code: 'CAD' }],
])('a cost of %j with %j', (cost, currency, price) => {
  expect(readPrice(cost, currency)).toEqual(price);
});

describe('moved links', () => {
  const move = urlMover('http://old.example', 'https://new.example:8080/site');

  test.each([
    ['http://old.example', 'https://new.example:8080/site'],
    ['<a href="http://old.example/a?b=1">', '<a href="https://new.example:8080/site/a?b=1">'],
    ['At http://old.example. Twice: http://old.example/', 'At https://new.example:8080/site. Twice: https://new.example:8080/site/'],
    ['{"u":"http:\\/\\/old.example\\/x"}', '{"u":"https:\\/\\/new.example:8080\\/site\\/x"}'],
    ['?to=http%3A%2F%2Fold.example%2Fx', '?to=https%3A%2F%2Fnew.example%3A8080%2Fsite%2Fx'],
    ['http://old.example.org/', 'http://old.example.org/'],
    ['http://old.examples/', 'http://old.examples/'],
    ['http://old.example-two/', 'http://old.example-two/'],
    ['http://old.example:81/', 'http://old.example:81/'],
    ['http%3A%2F%2Fold.example%3A81', 'http%3A%2F%2Fold.example%3A81'],
    ['http://oldXexample/', 'http://oldXexample/'],
    ['https://old.example/', 'https://old.example/'],
  ])('%s', (text, moved) => {
    expect(move(text)).toBe(moved);
  });

  test('replacement text is taken literally', () => {
    expect(urlMover('http://a', 'http://b/$&')('http://a/')).toBe('http://b/$&/');
  });

  test('a dataset without a site of its own has no links to move', () => {
    expect(urlMover('', 'http://new')('any text')).toBe('any text');
  });
});

describe('a recorded site', () => {
  const recorded = JSON.parse(readFileSync(WORLD, 'utf8')) as {
    terms: { id: number; count: number }[];
    users: { id: number; login: string }[];
    [list: string]: { id: number }[];
  };
  const lists = ['media', 'venues', 'organizers', 'events', 'other_posts'];
  let world: Dataset;
  beforeAll(async () => {
    world = await readDataset(WORLD, null);
  });

  test('keeps every id', () => {
    expect(world.posts.map(({ _id }) => _id)).toEqual(lists.flatMap((list) => recorded[list].map(({ id }) => id)));
    expect(world.terms.map(({ _id }) => _id)).toEqual(recorded.terms.map(({ id }) => id));
    expect(world.users.map(({ _id, login }) => ({ id: _id, login }))).toEqual(recorded.users.map(({ id, login }) => ({ id, login })));
    expect(world.nextIds).toEqual({ posts: 500_001, terms: 700_001 });
  });

  test('counts of terms are those of the recorded site', () => {
    expect(world.terms.map(({ _id, count }) => ({ id: _id, count }))).toEqual(recorded.terms.map(({ id, count }) => ({ id, count })));
  });

  test('brings its clock, address and options', () => {
    expect(world.clock).toBe(NOW);
    expect(world.siteUrl).toBe('http://127.0.0.1:8100');
    expect(world.options).toMatchObject({ blogname: 'Town Calendar', timezone_string: 'America/New_York', posts_per_page: '10' });
    // WP: false means that the option is not set.
    expect(world.options).not.toHaveProperty('WPLANG');
    expect(world.options['tribe_events_calendar_options']).toMatchObject({
      defaultCurrencyCode: 'USD',
      tribe_events_timezone_mode: 'event',
    });
  });

  test('posts are derived, meta keeps its order', () => {
    const festival = bySlug(world, 'festival-week');
    expect(metaValues(festival, '_EventOrganizerID')).toEqual(['22', '23', '24']);
    expect(festival).toMatchObject({
      organizers: [22, 23, 24],
      venues: [15],
      featured: true,
      hidden: false,
      terms: { tribe_events_cat: [2, 3, 6], post_tag: [12, 13, 14] },
      occurrence: {
        start: '2026-06-12 10:00:00',
        end: '2026-06-18 22:00:00',
        startUtc: '2026-06-12 14:00:00',
        endUtc: '2026-06-19 02:00:00',
      },
    });
    expect(bySlug(world, 'hidden-from-lists').hidden).toBe(true);
    expect(bySlug(world, 'sticky-event').menuOrder).toBe(-1);
  });

  test('pictures keep their sizes; a list without entries is a map without entries', () => {
    expect(bySlug(world, 'panorama')).toMatchObject({
      file: '2026/06/panorama-scaled.jpg',
      mimeType: 'image/jpeg',
      image: { width: 2560, height: 1280, sizes: { medium: { file: 'panorama-300x150.jpg', filesize: 2527 } } },
    });
    expect(bySlug(world, 'dot').image?.sizes).toEqual({});
    expect(bySlug(world, 'programme')).toMatchObject({ file: 'programme.txt', image: null });
  });

  test('the files are those of the uploads folder', async () => {
    const uploads = path.join(path.dirname(WORLD), 'uploads');
    const entries = await readdir(uploads, { recursive: true, withFileTypes: true });
    const present = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(uploads, path.join(entry.parentPath, entry.name)));
    expect(world.files.map(({ target }) => target).toSorted()).toEqual(present.toSorted());
    expect(world.files.every(({ source, target, image }) => source === path.join(uploads, target) && !image)).toBe(true);
  });

  test('passwords are kept as hashes only', async () => {
    const editor = world.users.find(({ login }) => login === 'editor')!;
    expect(JSON.stringify(world.users)).not.toContain('AppPassword');
    expect(await verifyAccountPassword(editor.passwordHash!, 'editor')).toBe(true);
    expect(editor.applicationPasswords).toHaveLength(1);
  });

  const post = {
    id: 4,
    post_type: 'tribe_events',
    post_status: 'publish',
    post_author: 1,
    post_title: 'A',
    post_content: '',
    post_excerpt: '',
    post_name: 'a',
    post_password: '',
    post_parent: 0,
    menu_order: 0,
    post_date: '2026-01-01 00:00:00',
    post_date_gmt: '2026-01-01 00:00:00',
    post_modified: '2026-01-01 00:00:00',
    post_modified_gmt: '2026-01-01 00:00:00',
    meta: {},
    terms: {},
  };

  test('is recognised by its stored columns, too', async () => {
    const { posts, nextIds, clock } = await read({ site: { url: 'http://x/' }, events: [post] });
    expect(posts).toMatchObject([{ _id: 4, type: 'tribe_events', slugKey: 'a' }]);
    expect(nextIds).toEqual({ posts: 5, terms: 1 });
    expect(clock).toBeNull();
  });

  test('tells all that is wrong', async () => {
    const content = {
      oracle: {},
      clock: { utc: 'noon' },
      site: {},
      terms: [{ id: 1, taxonomy: 'post_tag', name: 'A', slug: 'a', description: '', term_group: 0, term_taxonomy_id: 1 }],
      events: [
        { ...post, post_title: 3 },
        { ...post, meta: { _EventCost: '3' } },
      ],
    };
    expect(await problemsOf(content)).toEqual([
      'clock.utc: is not a date',
      'site.url: is missing',
      'terms[0].parent: is missing',
      'events[0].post_title: must be a text',
      'events[1].meta._EventCost: must be a list',
    ]);
  });

  test('ids, slugs and logins occur once', async () => {
    const user = { id: 1, login: 'ada', email: '', display_name: '', nicename: '', url: '', role: '' };
    const content = { oracle: {}, site: { url: 'http://x' }, events: [post, post], users: [user, { ...user, id: 2, login: 'Ada' }] };
    expect(await problemsOf(content)).toEqual([
      'events[1]: has the id of events[0]',
      'events[1]: has the slug of events[0]',
      'users[1]: has the login of users[0]',
    ]);
  });

  test('files of attachments stay below the uploads folder', async () => {
    const content = { oracle: {}, site: { url: 'http://x' }, media: [{ ...post, post_type: 'attachment', file: '../../etc/passwd' }] };
    expect(await problemsOf(content)).toEqual(['media[0].file: must be a path below the uploads folder']);
  });
});

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

  test('the site becomes options', async () => {
    const site = {
      name: 'Town',
      timezone: 'Europe/Berlin',
      posts_per_page: 5,
      currency: { symbol: '€', code: 'EUR', position: 'postfix' },
    };
    expect((await read({ site })).options).toEqual({
      blogname: 'Town',
      timezone_string: 'Europe/Berlin',
      posts_per_page: 5,
      tribe_events_calendar_options: { defaultCurrencySymbol: '€', defaultCurrencyCode: 'EUR', reverseCurrencyPosition: true },
    });
    expect((await read({ site: { timezone: 'UTC+5.5' } })).options).toMatchObject({ timezone_string: '', gmt_offset: 5.5 });
  });

  test('ids are kept, and what has none gets the lowest that are free', async () => {
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

  test('slugs come from the names, one after the other; given ones go first', async () => {
    const titles = ['Käse & Brot', 'Talk', 'Talk', '!!!'];
    const { posts } = await read({ events: [...titles.map((title) => ({ ...event, title })), { ...event, slug: 'Talk' }] });
    expect(posts.map(({ slug }) => slug)).toEqual(['kase-brot', 'talk-2', 'talk-3', '4', 'talk']);
  });

  test('references are slugs or names', async () => {
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

  test('fields of events are stored as the calendar stores them', async () => {
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

  test('relative dates follow the given moment, else the clock of the dataset', async () => {
    const content = { clock: '2030-01-01T00:00:00Z', events: [event] };
    const own = await read(content, null);
    expect(own.clock).toBe(Date.parse('2030-01-01T00:00:00Z'));
    expect(own.posts[0].occurrence?.start).toBe('2030-01-04 10:00:00');
    expect((await read(content, NOW)).posts[0].occurrence?.start).toBe('2026-06-18 10:00:00');
  });

  describe('media', () => {
    beforeAll(async () => {
      await mkdir(path.join(folder, 'uploads'), { recursive: true });
      const picture = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#369' } });
      await picture(3000, 1500).jpeg().toFile(path.join(folder, 'uploads/wide.jpg'));
      await picture(400, 300).png().toFile(path.join(folder, 'uploads/small.PNG'));
      await picture(300, 225).png().toFile(path.join(folder, 'uploads/small-300x225.png'));
      await writeFile(path.join(folder, 'uploads/plan.txt'), 'text');
      await writeFile(path.join(folder, 'uploads/broken.jpg'), 'text');
      await picture(2, 2).png().toFile(path.join(folder, 'uploads/really-png.jpg.png'));
      await rename(path.join(folder, 'uploads/really-png.jpg.png'), path.join(folder, 'uploads/really-png.jpg'));
    });

    test('pictures get the versions that WordPress makes; versions that are there are taken', async () => {
      const set = await read({
        media: [{ file: 'wide.jpg', title: 'Wide', alt: 'A colour' }, { file: 'small.PNG' }, { file: 'plan.txt' }],
      });
      expect(set.posts).toMatchObject([
        {
          slug: 'wide',
          status: 'inherit',
          file: 'wide.jpg',
          mimeType: 'image/jpeg',
          meta: [{ key: '_wp_attachment_image_alt', value: 'A colour' }],
        },
        { slug: 'small', file: 'small.PNG', mimeType: 'image/png' },
        { slug: 'plan', file: 'plan.txt', mimeType: 'text/plain', image: null },
      ]);
      const uploads = path.join(folder, 'stored');
      const made = await placeFiles(set.files, uploads);
      expect((await readdir(uploads)).toSorted()).toEqual([
        'plan.txt',
        'small-150x150.png',
        'small-300x225.png',
        'small.PNG',
        'wide-1024x512.jpg',
        'wide-150x150.jpg',
        'wide-1536x768.jpg',
        'wide-2048x1024.jpg',
        'wide-300x150.jpg',
        'wide-768x384.jpg',
        'wide-scaled.jpg',
        'wide.jpg',
      ]);
      expect(set.posts.map((post) => withMadeImage(post, made))).toMatchObject([
        { file: 'wide-scaled.jpg', image: { width: 2560, height: 1280, file: 'wide-scaled.jpg', original_image: 'wide.jpg' } },
        { file: 'small.PNG', image: { width: 400, sizes: { medium: { file: 'small-300x225.png', width: 300, height: 225 } } } },
        { file: 'plan.txt', image: null },
      ]);
      expect(await readFile(path.join(uploads, 'small-300x225.png'))).toEqual(
        await readFile(path.join(folder, 'uploads/small-300x225.png')),
      );
    });

    test('tells which files are wrong', async () => {
      const files = ['missing.jpg', 'broken.jpg', 'tool.exe', 'plan.txt', './plan.txt', 'really-png.jpg'];
      expect(await problemsOf({ media: files.map((file) => ({ file })) })).toEqual([
        expect.stringMatching(/^media\[0\]\.file: there is no file .*missing\.jpg$/),
        expect.stringMatching(/^media\[1\]\.file: .*broken\.jpg cannot be used: this is no image/),
        expect.stringMatching(/^media\[2\]\.file: is not of a kind that can be uploaded/),
        'media[4].file: "./plan.txt" is the file of media[3]',
        expect.stringMatching(/^media\[5\]\.file: .*really-png\.jpg is image\/png and not what its name says/),
      ]);
      const outside = ['/etc/passwd.txt', '../x.txt', 'a/../../x.txt', 'C:\\x.txt'];
      expect(await problemsOf({ media: outside.map((file) => ({ file })) })).toEqual(
        outside.map((_, i) => `media[${i}].file: must be a path below the uploads folder`),
      );
    });
  });

  test('tells everything that is wrong with references and dates at once', async () => {
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
        'users[1].login: "ada" is the login of users[0]',
        'categories[0].parent: "b" leads back to the item itself',
        'categories[1].parent: "a" leads back to the item itself',
        'categories[2].slug: "a" is the slug of categories[0]',
        'categories[2].parent: there is no category with the slug "z"',
        'tags[0].name: "<b></b>" has no text',
        'venues[0].image: there is no image with the slug "none"',
        'venues[0].author: there is no user with the login "bob"',
        'events[0].id: 5 is the id of venues[0]',
        'events[1].venue: there is no venue with the slug "x"',
        'events[1].organizers[0]: there is no organizer with the slug "y"',
        'events[1].categories[1]: there is no category with the slug "q"',
        'events[1].tags[0]: there is no tag with the slug "t"',
        'events[1].parent: there is no event with the slug "p"',
        'events[1].image: there is no image with the slug "i"',
        'events[2].start: "soon" is not a date, such as "2026-08-01 19:30" or "+3d 19:30 Europe/Berlin"',
        'events[2].date: "never" is not a date, such as "2026-08-01 19:30" or "+3d 19:30 Europe/Berlin"',
      ].toSorted(),
    );
  });

  test('tells everything that is wrong with the structure at once', async () => {
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
        'has no field called colour',
        'clock: is not a date such as "2026-06-15T12:00:00Z"',
        'site.timezone: is not a time zone, such as "Europe/Berlin" or "UTC+5.5"',
        'site.currency.position: must be one of prefix, postfix',
        'users[0].role: must be one of administrator, editor, author, contributor, subscriber',
        'users[0].application_password: needs letters or digits',
        'users[1].login: is missing',
        'users[1].role: is missing',
        'tags: must be a list',
        'venues[0].name: must not be empty',
        'venues[1]: must be an object',
        'venues[2]: must not be null; leave it out instead',
        'events[0]: has no field called titel',
        'events[0].cost: must be a text',
        'events[0].organizers: must be a list',
        'events[0].featured: must be true or false',
        'events[0].id: must be at least 1',
        'events[1].title: is missing',
        'events[1].start: must be a text',
        'events[1].cost[0]: must not be negative',
        'events[1].cost[1]: must be a text',
        'events[1].meta.a: must be a text',
        'events[1].venue: must not be null; leave it out instead',
      ].toSorted(),
    );
  });

  test.each([
    ['{"site":', /is not JSON/],
    ['[]', /must be an object/],
    ['null', /must not be null/],
  ])('refuses %s', async (text, message) => {
    expect(await problemsOf(text)).toEqual([expect.stringMatching(message)]);
  });

  test('a file that is not there', async () => {
    await expect(readDataset(path.join(folder, 'nowhere.json'), NOW)).rejects.toThrow(/nowhere\.json: there is no such file/);
  });

  test('the message names the file and every problem', async () => {
    const file = await written({ a: 1, venues: [{}] });
    await expect(readDataset(file, NOW)).rejects.toThrow(`${file}: 2 problems\n`);
  });
});

describe('the demo calendar', () => {
  const ofType = ({ posts }: Dataset, type: string): Post[] => posts.filter((post) => post.type === type);

  test('holds a town: places, people, pictures', async () => {
    const demo = await readDataset(DEMO, NOW);
    expect(['tribe_events', 'tribe_venue', 'tribe_organizer', 'attachment'].map((type) => ofType(demo, type).length)).toEqual([
      32, 6, 6, 8,
    ]);
    expect(demo.terms.map(({ taxonomy }) => taxonomy).filter((name) => name === 'tribe_events_cat')).toHaveLength(10);
    expect(demo.terms.filter(({ count }) => count === 0)).toEqual([]);
    expect(demo.users).toEqual([]);
    expect(demo.files.map(({ image }) => image?.width)).toEqual(Array(8).fill(1600));
    expect(new Set(ofType(demo, 'tribe_events').map((post) => metaValue(post, '_EventTimezone'))).size).toBe(4);
  });

  // Every weekday, and weeks in which clocks change.
  const clocks = [...Array(7).keys()].map((day) => Date.parse('2026-02-01T22:30:00Z') + day * 86_400_000);
  test.each(
    [...clocks, '2026-03-27T01:30:00Z', '2026-10-23T23:59:59Z', '2027-12-31T12:00:00Z', '2028-02-29T00:00:00Z'].map((at) => [
      new Date(at).toISOString(),
    ]),
  )('is in order at %s', async (at) => {
    const events = ofType(await readDataset(DEMO, Date.parse(at)), 'tribe_events');
    expect(events.filter(({ occurrence }) => occurrence === undefined)).toEqual([]);
    const now = at.slice(0, 19).replace('T', ' ');
    expect(
      events.filter(({ status, hidden, occurrence }) => status === 'publish' && !hidden && occurrence!.endUtc >= now).length,
    ).toBeGreaterThanOrEqual(28);
  });
});
