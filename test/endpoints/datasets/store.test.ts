import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { moveLinks } from '../../../src/transfer/load/links.js';
import { foldForSearch } from '../../../src/wordpress/formatting/accents.js';
import { findBySlug } from '../../../src/wordpress/posts/posts.js';
import { Store } from '../../../src/wordpress/store.js';
import { signIn } from '../../../src/wordpress/users/users.js';
import { testDatabase } from '../../support/database.js';
import { loadFile, readDataset } from '../../support/datasets.js';
import { registry } from '../../support/registry.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const WORLD = path.join(here, '../../conformance/world.json');
const DEMO = path.join(here, '../../../fixtures/demo.json');
const OLD = 'http://127.0.0.1:8100';
const NEW = 'https://calendar.test/town';

const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
};

/** All stored content as text, to search it for an old address. One option, which records the content's origin, is left out. */
const everything = async ({ posts, terms, users, options }: Store): Promise<string> =>
  JSON.stringify([
    await Promise.all([posts, terms, users].map((collection) => collection.find({} as never).toArray())),
    await options.find({ _id: { $ne: 'understudy_source' } }).toArray(),
  ]);

const opened = (): { store: Store; uploads: string } => {
  const database = testDatabase();
  const context = {} as { store: Store; uploads: string };
  beforeAll(async () => {
    context.store = await Store.open(database.uri, registry, database.name);
    context.uploads = await mkdtemp(path.join(os.tmpdir(), 'understudy-uploads-'));
  });
  afterAll(async () => {
    await context.store.close();
    await rm(context.uploads, { recursive: true });
  });
  return context;
};

describe('a recorded site, loaded', () => {
  const context = opened();
  beforeAll(() => loadFile(WORLD, context.store, context.uploads, NEW));

  test('contains all posts, terms and users', async () => {
    const { store } = context;
    expect(await store.posts.countDocuments({})).toBe(89);
    expect(await store.terms.countDocuments({})).toBe(19);
    expect(await store.users.countDocuments({})).toBe(5);
    expect(await store.posts.findOne({ _id: 35 })).toMatchObject({
      title: 'Festival Week',
      organizers: [22, 23, 24],
      slugKey: 'festival-week',
    });
    expect(await store.isEmpty()).toBe(false);
  });

  test('terms are counted as on the recorded site, including child terms', async () => {
    const recorded = (JSON.parse(readFileSync(WORLD, 'utf8')) as { terms: { id: number; count: number }[] }).terms;
    const stored = await context.store.terms.find({}).sort({ _id: 1 }).toArray();
    expect(stored.map(({ _id, count }) => ({ id: _id, count }))).toEqual(recorded.map(({ id, count }) => ({ id, count })));
    // Music has 6 events, Rock 2 and Indie Rock 2.
    expect(stored.find(({ slug }) => slug === 'music')).toMatchObject({ count: 6, branchCount: 10 });
  });

  test('new ids continue those of the recorded site', async () => {
    expect(await context.store.sequences.next('posts')).toBe(500_001);
    expect(await context.store.sequences.next('terms')).toBe(700_001);
  });

  test('links use the URL of this site', async () => {
    const { store } = context;
    const text = await everything(store);
    expect(text).not.toContain('127.0.0.1:8100');
    expect((await store.posts.findOne({ slug: 'sample-page' }))?.content).toContain(`<a href="${NEW}/wp-admin/">`);
    expect((await store.users.findOne({ login: 'admin' }))?.url).toBe(NEW);
    expect(await store.options.findOne({ _id: 'home' })).toEqual({ _id: 'home', value: NEW });
  });

  test('users sign in with the passwords of the file', async () => {
    expect(await signIn(context.store, 'editor', 'editorAppPassword0000000')).toMatchObject({ user: { _id: 2, role: 'editor' } });
    expect(await signIn(context.store, 'editor', 'adminAppPassword00000000')).toEqual({ refused: 'incorrect_password' });
  });

  test('files are copied', async () => {
    const source = path.join(path.dirname(WORLD), 'uploads');
    expect(await listFiles(context.uploads)).toEqual(await listFiles(source));
    expect(await readFile(path.join(context.uploads, 'programme.txt'))).toEqual(await readFile(path.join(source, 'programme.txt')));
  });

  test('links are rewritten when the URL of the site changes, and can be searched', async () => {
    const { store } = context;
    const event = {
      content: `See ${NEW}/events/ and ${NEW}-museum/`,
      meta: [{ key: 'note', value: `{"u":"${NEW.replaceAll('/', '\\/')}\\/x"}` }],
    };
    await store.posts.updateOne({ _id: 35 }, { $set: event });
    await store.terms.updateOne({ slug: 'music' }, { $set: { description: `<a href="${NEW}/m">M</a>` } });
    const before = store.state.generationOf();
    await moveLinks(store, NEW, OLD);
    expect(store.state.generationOf()).not.toBe(before);
    expect(await everything(store)).not.toMatch(/calendar\.test\/town(?!-museum)/);
    const moved = await store.posts.findOne({ _id: 35 });
    expect(moved).toMatchObject({
      content: `See ${OLD}/events/ and ${NEW}-museum/`,
      meta: [{ key: 'note', value: '{"u":"http:\\/\\/127.0.0.1:8100\\/x"}' }],
    });
    expect(moved?.search).toContain(foldForSearch(moved!.content));
    expect((await store.terms.findOne({ slug: 'music' }))?.description).toBe(`<a href="${OLD}/m">M</a>`);
    expect((await store.users.findOne({ login: 'admin' }))?.url).toBe(OLD);
    expect((await store.options.findOne({ _id: 'home' }))?.value).toBe(OLD);
  });
});

describe('an interrupted load', () => {
  const context = opened();

  test('is repeated from the start', async () => {
    const { store, uploads } = context;
    const [post] = (await readDataset(WORLD, null)).posts;
    await store.insert('posts', [post]);
    await loadFile(WORLD, store, uploads, OLD);
    expect(await store.posts.countDocuments({})).toBe(89);
  });
});

describe('more links than fit into one batch', () => {
  const context = opened();

  test('are all rewritten', async () => {
    const { store } = context;
    const [template] = (await readDataset(WORLD, null)).posts;
    const posts = Array.from({ length: 1203 }, (_, i) => ({
      ...template,
      _id: i + 1,
      slug: `p-${i}`,
      slugKey: `p-${i}`,
      content: `${OLD}/${i}`,
    }));
    await store.insert('posts', posts);
    await moveLinks(store, OLD, NEW);
    expect(await store.posts.countDocuments({ content: { $regex: '^https://calendar\\.test/town/\\d+$' } })).toBe(1203);
  });
});

describe('the demo calendar, loaded', () => {
  const context = opened();
  beforeAll(async () => {
    await loadFile(DEMO, context.store, context.uploads, NEW, Date.parse('2026-06-15T12:00:00Z'));
  });

  test('image sizes are generated with the dimensions and file sizes of the attachment', async () => {
    const { store, uploads } = context;
    const attachments = await store.posts.find({ type: 'attachment' }).toArray();
    expect(attachments).toHaveLength(8);
    for (const { file, image } of attachments) {
      const full = { file: path.basename(file!), width: image!.width, height: image!.height, filesize: image!.filesize };
      for (const version of [full, ...Object.values(image!.sizes)]) {
        const target = path.join(uploads, path.dirname(file!), version.file);
        const { width, height } = await sharp(target).metadata();
        expect({ ...version, width, height, filesize: (await stat(target)).size }).toEqual(version);
      }
    }
    expect(await listFiles(uploads)).toHaveLength(8 * 6);
  });

  test('events refer to their venues, organizers and terms', async () => {
    const { store } = context;
    const festival = await findBySlug({ store, quirks: new Set() }, 'tribe_events', 'town-festival');
    const garden = await findBySlug({ store, quirks: new Set() }, 'tribe_venue', 'castle-garden');
    expect(festival).toMatchObject({ venues: [garden!._id], featured: true, menuOrder: -1, status: 'publish' });
    expect(festival?.organizers).toHaveLength(3);
    const music = await store.terms.findOne({ slug: 'music' });
    expect(festival?.terms['tribe_events_cat']).toContain(music?._id);
    expect(music!.branchCount).toBeGreaterThan(music!.count);
    expect(await store.sequences.next('posts')).toBe(55);
  });
});
