import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { Clock } from '../../../src/wordpress/clock.js';
import { attachImage } from '../../../src/plugins/the-events-calendar/model/sideload.js';
import { ATTACHMENT, type ImageMetadata, type Post } from '../../../src/wordpress/model.js';
import { withDerivedColumns, findPost } from '../../../src/wordpress/posts/posts.js';
import { quirksOf } from '../../../src/plugins/quirks.js';
import { Site } from '../../../src/wordpress/site.js';
import { Store } from '../../../src/wordpress/store.js';
import { clearStore, testDatabase } from '../../support/database.js';
import { registry } from '../../support/registry.js';

const conformance = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../conformance');
const recorded = path.join(conformance, 'uploads');
export const { media } = JSON.parse(readFileSync(path.join(conformance, 'world.json'), 'utf8')) as {
  media: { id: number; file: string; post_mime_type: string; post_name: string; attachment_metadata: ImageMetadata | null }[];
};
export const URL_BASE = 'http://town.example:8100';
export const UPLOADS = `${URL_BASE}/wp-content/uploads`;
export const EDITOR = 7;

export const post = (fields: Partial<Post> & { _id: number }): Post => ({
  type: ATTACHMENT,
  status: 'inherit',
  author: 1,
  title: '',
  content: '',
  excerpt: '',
  slug: `a-${fields._id}`,
  password: '',
  parent: 0,
  menuOrder: 0,
  date: '2026-05-02 10:00:00',
  dateGmt: '2026-05-02 14:00:00',
  modified: '2026-05-02 10:00:00',
  modifiedGmt: '2026-05-02 14:00:00',
  meta: [],
  terms: {},
  ...fields,
});

const database = testDatabase();
export let store: Store;
export let site: Site;
export let folder: string;
export let uploads: string;

beforeAll(async () => {
  store = await Store.open(database.uri, registry, database.name);
});
afterAll(() => store.close());

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-media-'));
  uploads = path.join(folder, 'uploads');
  cpSync(recorded, uploads, { recursive: true });
  await clearStore(store);
  await store.insert('options', [{ _id: 'timezone_string', value: 'America/New_York' }]);
  await store.insert(
    'posts',
    media.map((row) =>
      withDerivedColumns(
        post({ _id: row.id, slug: row.post_name, file: row.file, mimeType: row.post_mime_type, image: row.attachment_metadata }),
        registry,
      ),
    ),
  );
  await store.sequences.reserve('posts', 100);
  // In New York, it is still June.
  site = new Site(store, new Clock(Date.parse('2026-07-01T02:00:00Z')), quirksOf('tec'), URL_BASE, uploads);
  await site.reload();
});
afterEach(() => rmSync(folder, { recursive: true }));

export const files = (): string[] =>
  readdirSync(uploads, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(uploads, path.join(entry.parentPath, entry.name)))
    .sort();

export const attached = async (url: string, to = site): Promise<Post> => {
  const found = await findPost(store, await attachImage(to, url, EDITOR));
  if (!found) throw new Error('there is no attachment');
  return found;
};

export const read = (file: string): Buffer => readFileSync(path.join(uploads, file));

export const randomOf = (file: string): string => /-([A-Za-z0-9]{6})(?:-scaled|-rotated)?\.\w+$/.exec(file)?.[1] ?? 'nothing random';

/** Files of an attachment, including the upload, below the uploads folder. */
export const filesOf = ({ file = '', image }: Post): string[] => {
  const names = [
    path.basename(file),
    ...Object.values(image?.sizes ?? {}).map((size) => size.file),
    ...(image?.original_image ? [image.original_image] : []),
  ];
  return [...new Set(names)].map((name) => path.join(path.dirname(file), name)).sort();
};

/** Compares the metadata of each file with the file itself. */
export const expectTrueMetadata = async ({ file = '', image, mimeType }: Post): Promise<void> => {
  const month = path.dirname(file);
  const said = [{ ...image!, file: path.basename(file) }, ...Object.values(image!.sizes)];
  for (const version of said) {
    const bytes = read(path.join(month, version.file));
    const found = await sharp(bytes).metadata();
    expect([version.width, version.height, version.filesize]).toEqual([found.width, found.height, bytes.length]);
    expect(found.orientation ?? 1).toBe(1);
    expect(`image/${found.format === 'heif' ? 'avif' : found.format}`).toBe(mimeType);
  }
};
