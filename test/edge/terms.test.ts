import { EDGE, edgeApi } from '../support/edge.js';
import { startTestServer } from '../support/server.js';
import { readersOf } from './readers.js';
import type { CategoryList, TagList, Term } from '../../src/sdk/types/responses.js';

const tecServer = startTestServer({ dataset: EDGE });
const tec = edgeApi(tecServer);
const standard = edgeApi(startTestServer({ dataset: EDGE, profile: 'standard' }));
const { event, list, slugs, refusal } = readersOf(tec);

describe('names and slugs', () => {
  const encoded = (text: string): string => encodeURIComponent(text).toLowerCase();

  test.each<[title: string, slug: string]>([
    ['🎉 Party 👩‍👩‍👧‍👦 für 🇵🇫', `${encoded('🎉')}-party-${encoded('👩👩👧👦')}-fur-${encoded('🇵🇫')}`],
    ['مرحبا بالعالم', `${encoded('مرحبا')}-${encoded('بالعالم')}`],
    ['שלום \u200fעולם\u200e (2026)', `${encoded('שלום')}-${encoded('עולם')}-2026`],
    ['Cafe\u0301 de\u0301ja\u0300 vu', 'cafe-deja-vu'],
    ['Café déjà vu', 'cafe-deja-vu-2'],
    ['日本の祭り', encoded('日本の祭り')],
    // 22 characters of nine bytes are the maximum that fits into 200 bytes.
    ['夏祭りと花火大会と盆踊りと屋台と金魚すくいと綿菓子と太鼓と神輿の夜', encoded('夏祭りと花火大会と盆踊りと屋台と金魚すくいと')],
    ['Привет, мир', `${encoded('привет')}-${encoded('мир')}`],
    ['नमस्ते दुनिया', `${encoded('नमस्ते')}-${encoded('दुनिया')}`],
    ['Zero\u200bwidth\u00adand\u00a0fixed', 'zerowidthand-fixed'],
    ['½ ﬁne № 5', `${encoded('½')}-${encoded('ﬁ')}ne-${encoded('№')}-5`],
  ])('%s', async (title, slug) => {
    const { events } = await list('categories=writing&per_page=50');
    const shown = events.find((one) => one.slug === slug);
    expect(shown).toMatchObject({ title, url: `${tecServer().url}/event/${slug}/` });
    expect((await event(slug)).id).toBe(shown?.id);
  });

  test('a very long title is kept, its slug is truncated', async () => {
    const { events } = await list('categories=writing&per_page=50');
    const shown = events.find(({ title }) => title.startsWith('The Longest'));
    expect(shown?.title).toHaveLength(370);
    // The slug is truncated to 200 characters before the commas are removed.
    expect(shown?.slug).toBe(`${'the-longest-title-of-the-year-'.repeat(6)}the-longest-ti`);
  });

  test('a title without letters gets the id as slug', async () => {
    const { events } = await list('categories=writing&per_page=50');
    const shown = events.find(({ title }) => title === '!!!');
    expect(shown?.slug).toBe(String(shown?.id));
  });

  test('apostrophes between letters of any alphabet become typographic', async () => {
    expect((await event('igdirda-istanbul-isigi')).title).toBe('Iğdır&#8217;da İstanbul ışığı');
  });

  test.each([
    ['cafe', ['cafe-deja-vu', 'cafe-deja-vu-2']],
    ['CAFÉ', ['cafe-deja-vu', 'cafe-deja-vu-2']],
    ['祭り', [encoded('日本の祭り'), encoded('夏祭りと花火大会と盆踊りと屋台と金魚すくいと')]],
    ['ПРИВЕТ', [`${encoded('привет')}-${encoded('мир')}`]],
    ['👍🏽', [`${encoded('🎉')}-party-${encoded('👩👩👧👦')}-fur-${encoded('🇵🇫')}`]],
    ['angstrom', ['cafe-deja-vu']],
  ])('search for %s', async (text, found) => {
    expect(await slugs(`categories=writing&search=${encodeURIComponent(text)}`)).toEqual(found);
  });

  test('descriptions keep every character except smilies', async () => {
    const { events } = await list('categories=writing&per_page=50');
    expect(events[0].description).toBe('<p>Smile 🙂 and 👍🏽, then 𝔘𝔫𝔦𝔠𝔬𝔡𝔢.</p>');
    expect(events[1].description).toBe('<p>نص من اليمين إلى اليسار، مع English في الوسط.</p>');
  });
});

describe('order of lists', () => {
  const ORDER = [
    'order-first',
    'order-second',
    'order-third',
    'order-fourth',
    'order-early-in-utc',
    'same-title',
    'same-title-2',
    'same-title-3',
  ];

  test('events are sorted by local start, publication date and id, not by sticky, featured, duration or UTC', async () => {
    expect(await slugs('categories=order')).toEqual(ORDER);
    expect(await slugs('categories=order', undefined, standard)).toEqual(ORDER);
  });

  test('pages neither skip nor repeat events', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => slugs(`categories=order&per_page=3&page=${page}`)));
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2]);
    expect(pages.flat()).toEqual(ORDER);
    expect(await refusal('events?categories=order&per_page=3&page=4')).toEqual([404, 'event-archive-page-not-found']);
  });

  test('a hidden event is in no list for anyone, but can be read by id', async () => {
    const hidden = await event('order-hidden');
    expect(hidden.hide_from_listings).toBe(true);
    expect(await slugs(`include=${hidden.id}`, 'admin')).toEqual([]);
    expect(await slugs(`include=${hidden.id}`, 'admin', standard)).toEqual([]);
    expect(await slugs('search=Hidden&categories=order', 'admin')).toEqual([]);
  });

  test.each([
    ['true', ['order-fourth']],
    ['false', ORDER.filter((slug) => slug !== 'order-fourth')],
  ])('featured=%s', async (featured, found) => {
    expect(await slugs(`categories=order&featured=${featured}`)).toEqual(found);
  });

  test('sticky is a field of the event', async () => {
    const { events } = await list('categories=order');
    expect(events.filter(({ sticky }) => sticky).map(({ slug }) => slug)).toEqual(['order-second']);
  });
});

describe('terms', () => {
  const category = async (slug: string): Promise<Term> =>
    (await tec.get<CategoryList>(`categories?hide_empty=0&slug=${slug}`)).body.categories[0];

  test.each([
    ['level-1', ['deep-down', 'half-way-down']],
    ['level-3', ['deep-down', 'half-way-down']],
    ['level-4', ['deep-down']],
    ['level-5', ['deep-down']],
    ['other-level-1', ['half-way-down']],
    ['level-4,other-level-1', ['deep-down', 'half-way-down']],
    ['empty-leaf', []],
  ])('categories=%s includes events of child categories', async (categories, found) => {
    expect(await slugs(`categories=${categories}`)).toEqual(found);
  });

  test('empty terms are hidden unless a child term has events', async () => {
    const counts = async (query: string): Promise<Record<string, number | undefined>> => {
      const { body } = await tec.get<CategoryList>(`categories?per_page=50&search=level&${query}`);
      return Object.fromEntries(body.categories.map(({ slug, count }) => [slug, count]));
    };
    expect(await counts('')).toEqual({
      'level-1': 0,
      'level-2': 0,
      'level-3': 1,
      'level-4': 0,
      'level-5': 1,
      'other-level-1': 0,
      'other-level-2': 1,
    });
    const { body } = await tec.get<CategoryList>('categories?per_page=50');
    const shown = body.categories.map(({ slug }) => slug);
    expect(shown).not.toContain('empty-leaf');
    expect(shown).not.toContain('empty-one');
  });

  test('category URLs contain all ancestors', async () => {
    const [four, five] = [await category('level-4'), await category('level-5')];
    expect(five).toMatchObject({ parent: four.id, url: `${tecServer().url}/events/category/level-1/level-2/level-3/level-4/level-5/` });
    expect(five.urls.up).toBe(`${tecServer().restUrl}/tribe/events/v1/categories/${four.id}`);
    const { body } = await tec.get<CategoryList>(`categories?parent=${five.id}&hide_empty=0`);
    expect(body.categories.map(({ slug }) => slug)).toEqual(['empty-leaf']);
  });

  test('equal names under different parents; an event lists them by name', async () => {
    const { body } = await tec.get<CategoryList>(`categories?search=${encodeURIComponent('Level 2')}`);
    expect(body.categories.map(({ name }) => name)).toEqual(['Level 2', 'Level 2']);
    const shown = await event('half-way-down');
    expect(shown.categories.map(({ name, slug }) => [name, slug])).toEqual([
      ['Level 2', 'other-level-2'],
      ['Level 3', 'level-3'],
    ]);
    expect(shown.tags.map(({ name, slug }) => [name, slug])).toEqual([
      ['Free', 'free'],
      ['Rock &amp; Roll', 'rock-roll'],
      ['Twenty-six', '2026'],
    ]);
    expect((await category('other-level-1')).name).toBe('Other &amp; more');
  });

  test('tags in any script', async () => {
    const japan = encodeURIComponent('日本').toLowerCase();
    const { body } = await tec.get<TagList>(`tags?slug=${encodeURIComponent('日本')}`);
    expect(body.tags).toMatchObject([{ name: '日本', slug: japan, count: 1, url: `${tecServer().url}/tag/${japan}/` }]);
    expect((await tec.get<TagList>(`tags?slug=${japan}`)).body.total).toBe(1);
    expect(await slugs(`tags=${encodeURIComponent('日本')}`)).toEqual(['deep-down']);
    const guitar = (await tec.get<TagList>(`tags?hide_empty=0&search=${encodeURIComponent('🎸')}`)).body.tags;
    expect(guitar).toMatchObject([{ name: '🎸', slug: encodeURIComponent('🎸').toLowerCase(), count: 0 }]);
    expect((await tec.get<TagList>('tags')).body.tags.map(({ slug, count }) => [slug, count])).toEqual([
      ['free', 2],
      ['rock-roll', 1],
      ['2026', 1],
      [japan, 1],
    ]);
  });

  test('descriptions keep their inline markup', async () => {
    const { body } = await tec.get<TagList>('tags?slug=rock-roll');
    expect(body.tags[0].description).toBe('Loud <em>and</em> proud');
  });

  test('a number is read as the id of a term first', async () => {
    const { body } = await tec.get<TagList>('tags?slug=2026');
    expect(await slugs(`tags=${body.tags[0].id}`)).toEqual(['half-way-down']);
  });
});
