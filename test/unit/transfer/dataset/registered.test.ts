import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../../../src/index.js';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { restricted } from '../../../../src/transfer/restrict.js';
import { type DatasetSource, type SourceItem, DatasetError } from '../../../../src/transfer/source.js';
import { FIXTURES, NOW, folder, itemsOf, written } from './files.js';
import { problemsOf } from './read.js';

/* Post types, taxonomies, image sizes and meta that a dataset declares, and their items and terms. */

const DATASET: Dataset = {
  site: { timezone: 'UTC' },
  types: {
    recipe: {
      name: 'Recipes',
      rest_base: 'recipes',
      supports: ['title', 'editor', 'custom-fields'],
      taxonomies: ['post_tag'],
      meta: {
        servings: { type: 'integer' },
        steps: { type: 'array', schema: { items: { type: 'string' } } },
        facts: { type: 'object' },
        vegan: { type: 'boolean' },
        sources: { single: false },
      },
    },
    manual: { name: 'Manuals', hierarchical: true },
  },
  taxonomies: { course: { name: 'Courses', hierarchical: true, types: ['recipe'] }, region: { name: 'Regions', types: ['tribe_events'] } },
  image_sizes: { card: { width: 320, height: 200, crop: true } },
  meta: { tribe_events: { doors: {} } },
  tags: [{ name: 'Quick' }],
  events: [{ title: 'Fair', start: '2026-08-01 19:30', end: '21:00', terms: { region: ['north'] }, meta: { doors: '18:30' } }],
  items: {
    recipe: [
      {
        id: 20,
        title: 'Leek soup',
        tags: ['quick'],
        terms: { course: ['soup', 51] },
        modified: '2026-06-01 10:00',
        date: '2026-05-01 10:00',
        date_gmt: '2026-05-01 12:00',
        modified_gmt: '2026-06-01 08:00',
        meta: { servings: 4, steps: ['Cut', 'Cook'], facts: { fat: 2, of: { a: [1] } }, vegan: true, sources: ['a', 'b'], other: 'text' },
      },
      { title: 'Draft', status: 'draft' },
    ],
    manual: [{ title: 'Oven' }, { title: 'Heat', parent: 'oven', content: 'Warm.' }],
  },
  terms: {
    course: [
      { id: 51, name: 'Main' },
      { name: 'Soup', parent: 'main', description: 'Hot' },
    ],
    region: [{ name: 'North' }, { name: 'South' }],
  },
  stubs: [{ match: { path: '/acme/v1/hours' }, respond: { body: { open: true } } }],
};

const open = async (content: object): Promise<DatasetSource> => {
  const file = path.join(folder, 'declared.json');
  await writeFile(file, JSON.stringify(content));
  return openFile(inputFile(file), { now: NOW });
};

const documents = (items: readonly SourceItem[]): Map<string, unknown> =>
  new Map(
    items.flatMap((item): [string, unknown][] =>
      item.kind === 'post' ? [[`post ${item.post._id}`, item.post]] : item.kind === 'term' ? [[`term ${item.term._id}`, item.term]] : [],
    ),
  );

test.each(['json', 'yaml', 'ndjson'])('%s keeps everything', async (format) => {
  const source = await open(DATASET);
  const out = await written(source, format, `declared-again.${format}`);
  expect(out.warnings).toEqual([]);
  const again = await openFile(inputFile(out.file), { now: NOW });
  expect(again.declarations).toEqual(source.declarations);
  expect(documents(await itemsOf(again))).toEqual(documents(await itemsOf(source)));
});

test('an item may have UTC dates that are not in the zone of the site', async () => {
  const read = async (item: object) => {
    const items = await itemsOf(await open({ site: { timezone: 'America/New_York' }, posts: [{ title: 'Hello', ...item }] }));
    const [post] = items.flatMap((each) => (each.kind === 'post' ? [each.post] : []));
    return [post.status, post.date, post.dateGmt, post.modified, post.modifiedGmt].join(' | ');
  };
  const noon = '2026-05-01 12:00:00';
  expect(await read({ date: noon })).toBe(`publish | ${noon} | 2026-05-01 16:00:00 | ${noon} | 2026-05-01 16:00:00`);
  expect(await read({ date: noon, date_gmt: noon })).toBe(`publish | ${noon} | ${noon} | ${noon} | ${noon}`);
  expect(await read({ date_gmt: noon })).toBe(`publish | 2026-05-01 08:00:00 | ${noon} | 2026-05-01 08:00:00 | ${noon}`);
  expect(await read({ date: noon, date_gmt: noon, modified: '2026-05-02 12:00', modified_gmt: '2026-05-02 13:00' })).toBe(
    `publish | ${noon} | ${noon} | 2026-05-02 12:00:00 | 2026-05-02 13:00:00`,
  );
  expect(await read({ status: 'draft', date: noon })).toContain('0000-00-00 00:00:00');
  expect(await read({ status: 'draft', date: noon, date_gmt: noon })).toBe(`draft | ${noon} | ${noon} | ${noon} | ${noon}`);
  expect(await problemsOf({ posts: [{ title: 'A', date_gmt: 'soon-ish' }] })).toEqual([expect.stringContaining('posts[0].date_gmt')]);
});

test('WordPress exports have items, terms and meta, and need the declarations of the site', async () => {
  const source = await open(DATASET);
  const out = await written(source, 'wxr', 'declared.xml');
  expect(out.warnings.join()).toContain('the declarations of recipe, manual, course, region are omitted');
  const declarations = source.declarations ?? {};
  const known = await itemsOf(await openFile(inputFile(out.file), { now: NOW, zone: 'UTC', declarations }));
  const postsIn = (items: readonly SourceItem[]) => items.flatMap((item) => (item.kind === 'post' ? [item.post] : []));
  const soup = postsIn(known).find(({ slug }) => slug === 'leek-soup');
  expect(soup?.meta).toEqual(postsIn(await itemsOf(source)).find(({ slug }) => slug === 'leek-soup')?.meta);
  expect(Object.keys(soup?.terms ?? {}).toSorted()).toEqual(['course', 'post_tag']);
  const notes: string[] = [];
  const unknown = await itemsOf(await openFile(inputFile(out.file), { now: NOW, zone: 'UTC', warn: (line) => void notes.push(line) }));
  expect(postsIn(unknown).map(({ type }) => type)).toEqual(['tribe_events']);
  expect(notes.join('\n')).toContain('the site has no post type recipe, manual. To import such posts');
});

test('a head of NDJSON is validated', async () => {
  const file = path.join(folder, 'declares.ndjson');
  const head = { understudy: 'dataset', version: 1, site_url: '', clock: null, keeps_ids: true };
  for (const [declares, problem] of [
    [{ types: { Recipe: { name: 'R' } } }, 'declares.types.Recipe: the name "Recipe" must have lower-case letters'],
    [{ types: { recipe: {} } }, 'declares.types.recipe.name: is missing'],
    [{ routes: { '/a/v1/b': 'GET' } }, 'declares.routes./a/v1/b: must be a list'],
  ] as const) {
    await writeFile(file, `${JSON.stringify({ ...head, declares })}\n{"end":0}\n`);
    const failed = await openFile(inputFile(file), { now: NOW }).catch((error: unknown) => error);
    expect((failed as DatasetError).problems.join()).toContain(problem);
  }
});

test('parts of a site have declarations only if they need them', async () => {
  const source = await open(DATASET);
  const kinds = async (...parts: string[]) => {
    const items = await itemsOf(restricted(source, parts));
    return items.map((item) => (item.kind === 'post' ? item.post.type : item.kind === 'term' ? item.term.taxonomy : item.kind));
  };
  expect(new Set(await kinds('items', 'terms'))).toEqual(new Set(['recipe', 'manual', 'course', 'region']));
  expect(await kinds('events')).toEqual(['tribe_events']);
  expect(restricted(source, ['events']).declarations).toEqual({});
  expect(restricted(source, ['items']).declarations).toEqual(source.declarations);
});

describe('problems', () => {
  const recipe = { name: 'Recipes' };
  test.each<[string, object, string]>([
    ['a long name', { types: { abcdefghijklmnopqrstu: recipe } }, 'has 21 characters. WordPress accepts at most 20'],
    ['a name of WordPress', { types: { page: recipe } }, 'types.page: page is already a post type of the site'],
    ['a name of the plugin', { types: { tribe_events: recipe } }, 'types.tribe_events: tribe_events is already a post type of the site'],
    ['a hidden type', { types: { revision: recipe } }, 'types.revision: revision is already a post type of the site'],
    ['a reserved name', { types: { order: recipe } }, 'types.order: order is a reserved name of WordPress'],
    ['a name that every object has', { taxonomies: { constructor: recipe } }, 'constructor is a reserved name of WordPress'],
    ['a taxonomy of WordPress', { taxonomies: { category: recipe } }, 'taxonomies.category: category is already a taxonomy of the site'],
    ['a hidden taxonomy', { taxonomies: { post_format: recipe } }, 'taxonomies.post_format: post_format is already a taxonomy of the site'],
    [
      'a path of WordPress',
      { types: { recipe: { ...recipe, rest_base: 'users' } } },
      'types.recipe.rest_base: users is already a path in wp/v2',
    ],
    ['a path of a plugin', { taxonomies: { course: { ...recipe, rest_base: 'tribe_events' } } }, 'tribe_events is already a path in wp/v2'],
    ['a field of posts', { taxonomies: { course: { ...recipe, rest_base: 'slug' } } }, 'slug is already a field or a parameter of posts'],
    [
      'a path twice',
      { types: { recipe: { ...recipe, rest_base: 'food' } }, taxonomies: { course: { ...recipe, rest_base: 'food' } } },
      'taxonomies.course.rest_base: food is already the rest_base of types.recipe',
    ],
    [
      'an unknown taxonomy',
      { types: { recipe: { ...recipe, taxonomies: ['cuorse'] } }, taxonomies: { course: recipe } },
      'types.recipe.taxonomies[0]: there is no taxonomy "cuorse". Did you mean "course"?',
    ],
    [
      'an unknown type',
      { taxonomies: { course: { ...recipe, types: ['tribe_event'] } } },
      'there is no post type "tribe_event". Did you mean "tribe_events"?',
    ],
    [
      'a misspelt feature',
      { types: { recipe: { ...recipe, supports: ['editr'] } } },
      'there is no feature "editr". Did you mean "editor"?',
    ],
    [
      'a default of another type',
      { types: { recipe: { ...recipe, meta: { a: { type: 'integer', default: 'x' } } } } },
      'types.recipe.meta.a.default: is not of the type integer',
    ],
    ['meta of an unknown type', { meta: { tribe_event: { a: {} } } }, 'meta.tribe_event: there is no post type "tribe_event"'],
    ['a size without sides', { image_sizes: { card: {} } }, 'image_sizes.card: needs a width or a height'],
    ['a size of WordPress', { image_sizes: { large: { width: 9 } } }, 'image_sizes.large: is a size of WordPress'],
    [
      'items of an unknown type',
      { types: { recipe }, items: { recipes: [{ title: 'A' }] } },
      'items.recipes: types has no "recipes". Did you mean "recipe"?',
    ],
    [
      'items of a built-in type',
      { items: { post: [{ title: 'A' }] } },
      'items.post: types has no "post". Its posts belong in another list',
    ],
    [
      'terms that the type does not have',
      { types: { recipe }, taxonomies: { course: recipe }, items: { recipe: [{ title: 'A', terms: { course: ['b'] } }] } },
      'items.recipe[0].terms.course: posts of type recipe have no taxonomy "course"',
    ],
    [
      'a misspelt term',
      {
        types: { recipe },
        taxonomies: { course: { ...recipe, types: ['recipe'] } },
        terms: { course: [{ name: 'Dessert' }] },
        items: { recipe: [{ title: 'A', terms: { course: ['desert'] } }] },
      },
      'there is no term of course with the slug "desert". Did you mean "dessert"?',
    ],
    [
      'a value of another type',
      {
        types: { recipe: { ...recipe, meta: { servings: { type: 'integer' } } } },
        items: { recipe: [{ title: 'A', meta: { servings: [1] } }] },
      },
      'items.recipe[0].meta.servings: is not of the type integer of its key',
    ],
    ['terms of an unknown taxonomy', { terms: { cuisine: [{ name: 'A' }] } }, 'terms.cuisine: taxonomies has no "cuisine"'],
    ['an item without a title', { types: { recipe }, items: { recipe: [{ slug: 'a' }] } }, 'items.recipe[0].title: is missing'],
  ])('%s', async (_what, content, problem) => {
    expect((await problemsOf(content)).join('\n')).toContain(problem);
  });

  test('are only these', async () => {
    expect(await problemsOf({ types: { recipe: { name: 'Recipes', rest_bse: 'r' } }, items: { recipe: [{ title: 'A' }] } })).toEqual([
      expect.stringContaining('types.recipe.rest_bse: unknown field. Did you mean "rest_base"?'),
    ]);
    expect(await problemsOf(DATASET)).toEqual([]);
  });
});

test('the example of the documentation is valid', async () => {
  const { readFileSync } = await import('node:fs');
  const { parse } = await import('yaml');
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(path.join(FIXTURES, '../docs/any-site.md'), 'utf8')) ?? [];
  const example = parse(text) as Dataset;
  expect(Object.keys(example.types ?? {})).toEqual(['recipe']);
  expect((await problemsOf({ ...example, tags: [{ name: 'Quick' }] })).join()).toBe('');
});

test('the published schema accepts it', async () => {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const { readFileSync } = await import('node:fs');
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(path.join(FIXTURES, 'dataset.schema.json'), 'utf8')));
  expect([validate(DATASET), validate.errors]).toEqual([true, null]);
});
