import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputFile, openFile } from '../../../src/transfer/formats/open.js';
import { placeIn, type SitePlace } from '../../../src/transfer/load/mirror.js';
import type { SourceItem, DatasetSource } from '../../../src/transfer/source.js';
import { loadSources, type LoadMode, type LoadResult } from '../../../src/transfer/load/load.js';
import type { Post, Term, User } from '../../../src/wordpress/model.js';
import { strays } from '../../../src/database/store/staging.js';
import { Store } from '../../../src/wordpress/store.js';
import { testDatabase } from '../../support/database.js';
import { storedPost } from '../../support/posts.js';
import { registry } from '../../support/registry.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const DEMO = path.join(here, '../../../fixtures/demo.json');
const NOW = Date.parse('2026-06-15T12:00:00Z');
export const URL_HERE = 'http://here.example';

const database = testDatabase();
export let store: Store;
let data: string;
export let place: SitePlace;

beforeAll(async () => {
  store = await Store.open(database.uri, registry, database.name);
  data = await mkdtemp(path.join(os.tmpdir(), 'understudy-load-'));
  place = placeIn(data);
});
afterAll(async () => {
  await store.close();
  await rm(data, { recursive: true });
});

export const load = (sources: DatasetSource | DatasetSource[], mode: LoadMode, more: object = {}): Promise<LoadResult> =>
  loadSources(store, [sources].flat(), { mode, place, siteUrl: URL_HERE, now: NOW / 1000, ...more });

export const openDemo = (): Promise<DatasetSource> => openFile(inputFile(DEMO), { now: NOW });

export const sourceOf = (items: SourceItem[], rest: Partial<DatasetSource> = {}): DatasetSource => ({
  name: 'made.ndjson',
  siteUrl: 'http://there.example',
  clock: null,
  keepsIds: true,
  async *items() {
    yield* items;
  },
  ...rest,
});

export const post = (_id: number, type: string, slug: string, rest: Partial<Post> = {}): SourceItem => ({
  kind: 'post',
  at: { line: _id },
  post: storedPost(_id, { type, author: 7, title: slug, slug, ...rest }),
});
export const term = (_id: number, slug: string, parent = 0): SourceItem => ({
  kind: 'term',
  term: {
    _id,
    taxonomy: 'tribe_events_cat',
    name: slug,
    slug,
    description: 'http://there.example/x',
    parent,
    termGroup: 0,
    termTaxonomyId: _id,
    count: 0,
  } as Term,
});
export const user = (_id: number, login: string, role = 'editor'): SourceItem => ({
  kind: 'user',
  user: {
    _id,
    login,
    email: `${login}@x.org`,
    displayName: login,
    nicename: login,
    url: '',
    role,
    applicationPasswords: [],
  } satisfies User,
});

/** Everything that is stored, and the names of the collections and files. */
export const everything = async (): Promise<unknown> => ({
  documents: await Promise.all(
    (['posts', 'terms', 'users', 'options', 'counters'] as const).map((name) =>
      store.db.collection(name).find({}).sort({ _id: 1 }).toArray(),
    ),
  ),
  strays: await strays(store),
  files: (await readdir(data, { recursive: true })).toSorted(),
  notes: await store.workLog.unfinished(),
});

export const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();

export const bySlug = (slug: string): Promise<Post | null> => store.posts.findOne({ slug });
