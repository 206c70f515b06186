import { readdir } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { urlMover } from '../../../../src/transfer/load/links.js';
import type { DatasetContent } from '../../../../src/transfer/source.js';
import { metaValue, metaValues, type Post } from '../../../../src/wordpress/model.js';
import { verifyAccountPassword } from '../../../../src/wordpress/users/users.js';
import { readDataset } from '../../../support/datasets.js';
import { WORLD, DEMO, NOW, read, problemsOf, bySlug } from './read.js';

describe('a recorded site', () => {
  const recorded = JSON.parse(readFileSync(WORLD, 'utf8')) as {
    terms: { id: number; count: number }[];
    users: { id: number; login: string }[];
    [list: string]: { id: number }[];
  };
  const lists = ['media', 'venues', 'organizers', 'events', 'other_posts'];
  let world: DatasetContent;
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

  test('contains its clock, URL and options', () => {
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

  test('images keep their sizes; an empty list becomes an empty map', () => {
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

  test('is also recognized by its stored columns', async () => {
    const { posts, nextIds, clock } = await read({ site: { url: 'http://x/' }, events: [post] });
    expect(posts).toMatchObject([{ _id: 4, type: 'tribe_events', slugKey: 'a' }]);
    expect(nextIds).toEqual({ posts: 5, terms: 1 });
    expect(clock).toBeNull();
  });

  test('reports all problems', async () => {
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
      'events[0].post_title: must be a string. Put it in quotes: "3"',
      'events[1].meta._EventCost: must be a list. Write ["3"]',
    ]);
  });

  test('ids, slugs and logins occur once', async () => {
    const user = { id: 1, login: 'ada', email: '', display_name: '', nicename: '', url: '', role: '' };
    const content = { oracle: {}, site: { url: 'http://x' }, events: [post, post], users: [user, { ...user, id: 2, login: 'Ada' }] };
    expect(await problemsOf(content)).toEqual([
      'events[1]: has the same id as events[0]',
      'events[1]: has the same slug as events[0]',
      'users[1]: has the same login as users[0]',
    ]);
  });

  test('files of attachments stay below the uploads folder', async () => {
    const content = { oracle: {}, site: { url: 'http://x' }, media: [{ ...post, post_type: 'attachment', file: '../../etc/passwd' }] };
    expect(await problemsOf(content)).toEqual(['media[0].file: must be a path relative to the uploads folder']);
  });
});

describe('rewritten links', () => {
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

  test('the replacement text is literal', () => {
    expect(urlMover('http://a', 'http://b/$&')('http://a/')).toBe('http://b/$&/');
  });

  test('a dataset without a site URL has no links to rewrite', () => {
    expect(urlMover('', 'http://new')('any text')).toBe('any text');
  });
});

describe('the demo calendar', () => {
  const ofType = ({ posts }: DatasetContent, type: string): Post[] => posts.filter((post) => post.type === type);

  test('contains venues, organizers and images', async () => {
    const demo = await readDataset(DEMO, NOW);
    expect(['tribe_events', 'tribe_venue', 'tribe_organizer', 'attachment'].map((type) => ofType(demo, type).length)).toEqual([
      34, 6, 6, 8,
    ]);
    expect(demo.terms.map(({ taxonomy }) => taxonomy).filter((name) => name === 'tribe_events_cat')).toHaveLength(10);
    expect(demo.terms.filter(({ count }) => count === 0)).toEqual([]);
    expect(demo.users).toEqual([]);
    expect(demo.files.map(({ image }) => image?.width)).toEqual(Array(8).fill(1600));
    expect(new Set(ofType(demo, 'tribe_events').map((post) => metaValue(post, '_EventTimezone'))).size).toBe(6);
  });

  // Every weekday, and weeks with clock changes.
  const clocks = [...Array(7).keys()].map((day) => Date.parse('2026-02-01T22:30:00Z') + day * 86_400_000);
  test.each(
    [...clocks, '2026-03-27T01:30:00Z', '2026-10-23T23:59:59Z', '2027-12-31T12:00:00Z', '2028-02-29T00:00:00Z'].map((at) => [
      new Date(at).toISOString(),
    ]),
  )('is consistent at %s', async (at) => {
    const events = ofType(await readDataset(DEMO, Date.parse(at)), 'tribe_events');
    expect(events.filter(({ occurrence }) => occurrence === undefined)).toEqual([]);
    const now = at.slice(0, 19).replace('T', ' ');
    expect(
      events.filter(({ status, hidden, occurrence }) => status === 'publish' && !hidden && occurrence!.endUtc >= now).length,
    ).toBeGreaterThanOrEqual(28);
  });
});
