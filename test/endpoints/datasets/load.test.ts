import { jest } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SourceItem } from '../../../src/transfer/source.js';
import { PRISTINE, type LoadResult } from '../../../src/transfer/load/load.js';
import type { Term } from '../../../src/wordpress/model.js';
import { EVENT, ORGANIZER, VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { checkConsistency } from '../../../src/wordpress/check.js';
import { URL_HERE, store, place, load, openDemo, sourceOf, post, term, user, filesIn, bySlug } from './loading.js';

describe('replacing the content of the site', () => {
  let result: LoadResult;
  beforeAll(async () => {
    result = await load(await openDemo(), 'replace');
  });

  test('the site has exactly the loaded content, with all indexes, and a reset restores it', async () => {
    expect(result).toMatchObject({
      events: 34,
      venues: 6,
      organizers: 6,
      posts: 54,
      terms: 18,
      users: 1,
      files: 8,
      administrator: { login: 'admin' },
    });
    expect(await store.posts.countDocuments({})).toBe(54);
    expect((await store.db.collection('posts').indexes()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['events_by_start', 'posts_unique_slug', 'venues_by_location']),
    );
    expect(await store.sequences.next('posts')).toBe(55);
    const before = await store.posts.find({}).sort({ _id: 1 }).toArray();
    await store.posts.deleteMany({ type: EVENT });
    await store.snapshots.restore(PRISTINE);
    expect(await store.posts.find({}).sort({ _id: 1 }).toArray()).toEqual(before);
    expect(await filesIn(place.uploads)).toEqual(await filesIn(place.pristine));
    expect(await checkConsistency(store, place.uploads)).toEqual([]);
  });

  test('terms are counted, including their child terms', async () => {
    const music = await store.terms.findOne({ slug: 'music' });
    expect(music?.branchCount).toBeGreaterThan(music?.count ?? 0);
    expect(await store.posts.countDocuments({ 'terms.tribe_events_cat': music?._id, status: 'publish' })).toBe(music?.count);
  });

  test('administrators and passwords are kept when the dataset has none', async () => {
    const before = await store.users.findOne({ login: 'admin' });
    await load(sourceOf([post(1, EVENT, 'only')]), 'replace');
    expect(await store.users.find({}).toArray()).toEqual([before]);
    await load(sourceOf([user(3, 'Admin', 'administrator')]), 'replace');
    expect(await store.users.find({}).toArray()).toEqual([
      expect.objectContaining({ _id: 3, applicationPasswords: before?.applicationPasswords }),
    ]);
    expect(await store.posts.countDocuments({})).toBe(0);
    expect(await filesIn(place.uploads)).toEqual([]);
  });

  test('several files are merged into one site', async () => {
    const first = sourceOf([user(7, 'anna', 'administrator'), term(1, 'music'), post(10, VENUE, 'hall')]);
    const second = sourceOf(
      [
        user(9, 'ANNA'),
        term(5, 'music'),
        term(6, 'jazz', 5),
        post(10, EVENT, 'a', { author: 9, terms: { tribe_events_cat: [6, 5] }, meta: [{ key: '_EventVenueID', value: '11' }] }),
        post(11, VENUE, 'hall'),
      ],
      { siteUrl: '' },
    );
    await load([first, second], 'replace');
    expect((await store.posts.find({ type: VENUE }).toArray()).map(({ slug }) => slug).toSorted()).toEqual(['hall', 'hall-2']);
    const [event, hall] = [await bySlug('a'), await bySlug('hall-2')];
    expect(event).toMatchObject({ author: 7, venues: [hall?._id], slugKey: 'a' });
    const jazz = await store.terms.findOne({ slug: 'jazz' });
    expect(jazz).toMatchObject({ parent: 1, count: 1, description: 'http://there.example/x' });
    expect(event?.terms).toEqual({ tribe_events_cat: [jazz?._id, 1] });
    expect(await store.terms.findOne({ slug: 'music' })).toMatchObject({ count: 1, branchCount: 2, description: `${URL_HERE}/x` });
  });
});

describe('adding to the content of the site', () => {
  beforeEach(async () => {
    await load(
      sourceOf([
        { kind: 'options', options: { blogname: 'Here' } },
        user(7, 'anna', 'administrator'),
        term(1, 'music'),
        post(10, VENUE, 'hall', { title: 'The Hall' }),
        post(11, EVENT, 'concert', { terms: { tribe_events_cat: [1] } }),
      ]),
      'replace',
    );
  });

  test('ids already in use are changed, and references to them', async () => {
    const added = sourceOf([
      { kind: 'options', options: { blogname: 'There' } },
      user(7, 'bert'),
      user(8, 'Anna'),
      term(1, 'talks'),
      term(2, 'music'),
      post(10, EVENT, 'concert', {
        author: 7,
        parent: 11,
        content: 'See http://there.example/a',
        terms: { tribe_events_cat: [1, 2, 99] },
        meta: ['_EventVenueID:12', '_EventOrganizerID:77', '_thumbnail_id:13', '_EventURL:http://there.example/'].map((row) => {
          const [key, ...value] = row.split(':');
          return { key, value: value.join(':') };
        }),
      }),
      post(11, EVENT, 'talk', { author: 8 }),
      post(12, VENUE, 'hall'),
      post(13, 'attachment', 'pic', { status: 'inherit', file: 'a/pic.txt', mimeType: 'text/plain', image: null }),
      { kind: 'file', file: { source: '', target: 'a/pic.txt', data: Buffer.from('new') } },
    ]);
    expect(await load(added, 'add')).toMatchObject({ events: 2, posts: 4, terms: 1, users: 1, files: 1 });
    const [event, talk, hall, picture] = await Promise.all(['concert-2', 'talk', 'hall-2', 'pic'].map(bySlug));
    expect([hall?._id, picture?._id]).toEqual([12, 13]);
    const [bert, talks] = [await store.users.findOne({ login: 'bert' }), await store.terms.findOne({ slug: 'talks' })];
    expect(event).toMatchObject({
      author: bert?._id,
      parent: talk?._id,
      content: `See ${URL_HERE}/a`,
      venues: [12],
      organizers: [],
      terms: { tribe_events_cat: [talks?._id, 1] },
      meta: [
        { key: '_EventVenueID', value: '12' },
        { key: '_thumbnail_id', value: '13' },
        { key: '_EventURL', value: `${URL_HERE}/` },
      ],
    });
    expect(talk?.author).toBe(7);
    expect(await store.posts.findOne({ _id: 11 })).toMatchObject({ slug: 'concert' });
    expect(await store.terms.findOne({ slug: 'music' })).toMatchObject({ _id: 1, count: 2 });
    expect((await store.options.findOne({ _id: 'blogname' }))?.value).toBe('Here');
    const last = (await store.posts.find({}).sort({ _id: -1 }).limit(1).toArray())[0]._id;
    expect(await store.sequences.next('posts')).toBeGreaterThan(last);
    expect(await checkConsistency(store, place.uploads)).toEqual([]);
  });

  test('files whose names are in use are renamed, also in their attachments', async () => {
    const files = (content: string): SourceItem[] => [
      post(20, 'attachment', 'pic', {
        status: 'inherit',
        file: 'b/pic-scaled.jpg',
        mimeType: 'image/jpeg',
        image: {
          width: 9,
          height: 9,
          file: 'b/pic-scaled.jpg',
          original_image: 'pic.jpg',
          sizes: { medium: { file: 'pic-3x2.jpg', width: 3, height: 2, 'mime-type': 'image/jpeg' } },
        },
      }),
      ...['pic.jpg', 'pic-scaled.jpg', 'pic-3x2.jpg'].map((name): SourceItem => ({
        kind: 'file',
        file: { source: '', target: `b/${name}`, data: Buffer.from(content) },
      })),
    ];
    await load(sourceOf(files('one')), 'add');
    await load(sourceOf(files('two')), 'add');
    expect((await readdir(path.join(place.uploads, 'b'))).toSorted()).toEqual(
      ['pic-1-3x2.jpg', 'pic-1-scaled.jpg', 'pic-1.jpg', 'pic-3x2.jpg', 'pic-scaled.jpg', 'pic.jpg'].toSorted(),
    );
    expect(await bySlug('pic-2')).toMatchObject({
      file: 'b/pic-1-scaled.jpg',
      image: { file: 'b/pic-1-scaled.jpg', original_image: 'pic-1.jpg', sizes: { medium: { file: 'pic-1-3x2.jpg' } } },
    });
  });

  test('adding the same content again, and reusing venues, organizers and terms by name', async () => {
    const many = Array.from({ length: 30 }, () => sourceOf([post(1, EVENT, 'concert')], { keepsIds: false }));
    await load(many, 'add');
    expect(await store.posts.countDocuments({ slug: { $regex: '^concert(-\\d+)?$' } })).toBe(31);
    const named = sourceOf(
      [
        { ...post(1, VENUE, 'x', { title: 'THE  HÁLL'.replace('  ', ' ') }), reuse: true } as SourceItem,
        { ...post(2, ORGANIZER, 'club'), reuse: true } as SourceItem,
        // Has the name of an existing term with another slug.
        { kind: 'term', term: { ...(term(4, 'musik') as { term: Term }).term, nameKey: 'music' }, reuse: true },
        post(3, EVENT, 'named', {
          terms: { tribe_events_cat: [4] },
          meta: [
            { key: '_EventVenueID', value: '1' },
            { key: '_EventOrganizerID', value: '2' },
          ],
        }),
      ],
      { keepsIds: false },
    );
    expect(await load(named, 'add')).toMatchObject({ events: 1, venues: 0, organizers: 1, terms: 0 });
    expect(await bySlug('named')).toMatchObject({ venues: [10], organizers: [(await bySlug('club'))?._id] });
  });

  test('content whose slugs are all in use takes as many writes as new content', async () => {
    const events = Array.from({ length: 600 }, (_, index) => post(index + 1, EVENT, `lecture-${index}`));
    const draft = post(700, EVENT, 'lecture-1', { status: 'draft' });
    const pages = [post(701, 'page', 'about'), post(702, 'page', 'about', { parent: 701 })];
    const writes = jest.spyOn(store, 'writeTogether');
    const counts: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      writes.mockClear();
      await load(sourceOf([...events, draft, ...pages], { keepsIds: false }), 'add');
      counts.push(writes.mock.calls.length);
    }
    writes.mockRestore();
    expect(counts).toEqual([counts[0], counts[0], counts[0]]);
    expect(await store.posts.countDocuments({ slug: { $regex: /^lecture-\d+-2$/ } })).toBe(600);
    expect(await store.posts.countDocuments({ slug: { $regex: /^lecture-\d+-3$/ } })).toBe(600);
    const drafts = await store.posts.find({ status: 'draft', slug: { $regex: /^lecture/ } }).toArray();
    expect(drafts.map(({ slug }) => slug)).toEqual(['lecture-1', 'lecture-1', 'lecture-1']);
    const abouts = await store.posts.find({ slug: { $regex: /^about/ } }, { sort: { _id: 1 } }).toArray();
    expect(abouts.map(({ slug, parent }) => `${slug}${parent === 0 ? '' : ' of another'}`)).toEqual([
      'about',
      'about of another',
      'about-2',
      'about of another',
      'about-3',
      'about of another',
    ]);
  });
});
