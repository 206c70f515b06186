import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import fc from 'fast-check';
import { BSON, Binary, Decimal128, Double, Int32, Long, ObjectId, type Document } from 'mongodb';
import { pack } from 'tar-stream';
import { recoverWork } from '../../../src/transfer/load/commit.js';
import { readBackup } from '../../../src/transfer/backup/read.js';
import { restoreBackup } from '../../../src/transfer/backup/restore.js';
import { writeBackup, siteAtRest, takeSite } from '../../../src/transfer/backup/write.js';
import { SiteCopy, type StoredPart } from '../../../src/database/store/site-copy.js';
import { FORMAT } from '../../../src/database/store/format.js';
import { backUp, clear, contentOf, leftoversOf, restoreTo, testSite, write, type TestSite } from './sites.js';
import { EFFORT } from '../../support/effort.js';

const from = testSite();
const to = testSite();

beforeEach(() => Promise.all([clear(from), clear(to)]));
afterEach(async () => {
  expect(await Promise.all([from, to].map(leftoversOf))).toEqual([[], []]);
});

/** Values whose BSON types a driver does not preserve by default. */
const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.boolean(),
  fc.constant(null),
  fc.integer().map((n) => new Int32(n)),
  fc.double().map((n) => new Double(n)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((n) => Long.fromBigInt(n)),
  fc.date({ noInvalidDate: true }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => new Binary(bytes)),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc.integer().map((n) => Decimal128.fromString(String(n))),
);
const key = fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !/[.$\0]/.test(name) && name !== '_id' && name !== '__proto__');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));
const documents = fc.array(fc.dictionary(key, value, { maxKeys: 5 }), { maxLength: 12 });
/** Fields that the unique indexes require. */
const OWN: Record<string, (id: number) => Document> = {
  posts: (id) => ({ type: 'post', slug: `p-${id}` }),
  terms: (id) => ({ taxonomy: 'post_tag', slug: `t-${id}` }),
  users: (id) => ({ login: `u-${id}` }),
  options: () => ({}),
};
const folderName = fc.constantFrom<string>('2026/01', '2026/02', 'Ünïcode ↔ 日本', 'a b/c');
const files = fc.array(fc.tuple(folderName, fc.nat(20), fc.uint8Array({ maxLength: 3000 })), { maxLength: 5 });
const anySite = fc.record({
  posts: documents,
  terms: documents,
  users: documents,
  options: documents,
  files,
  snapshots: fc.uniqueArray(fc.constantFrom<string>('pristine', 'before', 'x_1-y'), { maxLength: 2 }),
});

async function fill(
  { store, place }: TestSite,
  { files: wanted, snapshots, ...collections }: typeof anySite extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  for (const [name, all] of Object.entries(collections)) {
    const made = all.map((document, i) => ({ ...document, ...OWN[name](i), _id: (name === 'options' ? `o ${i}` : i + 1) as never }));
    if (made.length > 0) await store.db.collection(name).insertMany(made);
  }
  await store.db.collection('counters').insertOne({ _id: 'posts' as never, value: 12 });
  for (const [folder, n, bytes] of wanted) await write(path.join(place.uploads, folder, `${n}.jpg`), Buffer.from(bytes));
  for (const name of snapshots) {
    await store.snapshots.save(name, { saved: 'then', posts: 1 });
    await write(path.join(place.snapshot(name), 'one.txt'), name);
  }
}

test(
  'a restored site has the bytes of every document and file, whatever was there before',
  async () => {
    await fc.assert(
      fc.asyncProperty(anySite, anySite, async (site, other) => {
        await Promise.all([clear(from), clear(to)]);
        await Promise.all([fill(from, site), fill(to, other)]);
        const { file } = await backUp(from);
        await restoreTo(to, file);
        expect(await contentOf(to)).toEqual(await contentOf(from));
      }),
      { numRuns: 3 * EFFORT },
    );
  },
  60_000 * EFFORT,
);

const SMALL: Parameters<typeof fill>[1] = {
  posts: [{ title: 'Jazz' }, { title: 'Rock' }],
  terms: [{ name: 'Music' }],
  users: [{ email: 'a@example.org' }],
  options: [{ value: 1 }],
  files: [['2026/01', 1, Buffer.from('one')]],
  snapshots: ['pristine'],
};
const OTHER: Parameters<typeof fill>[1] = {
  ...SMALL,
  posts: [{ title: 'Old' }],
  files: [['2026/09', 3, Buffer.from('three')]],
  snapshots: ['mine'],
};

test('the manifest counts what people count, and lists each member with its digest', async () => {
  await fill(from, SMALL);
  const { file, manifest } = await backUp(from);
  expect(manifest).toMatchObject({
    backup: 1,
    format: FORMAT,
    snapshots: ['pristine'],
    counts: { events: 0, others: 2, terms: 1, users: 1, files: 1 },
  });
  expect(manifest.members.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'understudy-backup.json',
      'documents/content/posts/00000.bson',
      'files/uploads/2026/01/1.jpg',
      'files/snapshots/pristine/one.txt',
    ]),
  );
  expect(await readBackup(file)).toEqual(manifest);
});

test('documents that fill several members', async () => {
  await fill(from, SMALL);
  const text = 'x'.repeat(1_100_000);
  await from.store.db
    .collection('posts')
    .insertMany([10, 11, 12, 13, 14].map((_id) => ({ _id: _id as never, type: 'post', slug: `s-${_id}`, text })));
  const { file, manifest } = await backUp(from);
  expect(manifest.members.filter(({ name }) => name.startsWith('documents/content/posts/'))).toHaveLength(2);
  await restoreTo(to, file);
  expect(await contentOf(to)).toEqual(await contentOf(from));
});

test('what was restored counts as unchecked, since another version may have written it', async () => {
  await Promise.all([fill(from, SMALL), fill(to, OTHER)]);
  to.store.isConsistent = true;
  await restoreTo(to, (await backUp(from)).file);
  expect(to.store.isConsistent).toBe(false);
});

test('indexes are there after a restore', async () => {
  await fill(from, SMALL);
  await restoreTo(to, (await backUp(from)).file);
  const names = async ({ store }: TestSite): Promise<string[]> =>
    (await store.db.collection('posts').indexes()).map(({ name }) => name ?? '').sort();
  expect(await names(to)).toEqual(await names(from));
});

test('a file that is cut off at any length is rejected, and changes nothing', async () => {
  await Promise.all([fill(from, SMALL), fill(to, OTHER)]);
  const before = await contentOf(to);
  const { file } = await backUp(from);
  const bytes = await readFile(file);
  for (let length = 0; length < bytes.length; length += Math.ceil(bytes.length / (40 * EFFORT))) {
    await writeFile(file, bytes.subarray(0, length));
    await expect(restoreTo(to, file)).rejects.toThrow(/site\.tar\.gz (is damaged|cannot be used)/);
  }
  expect(await contentOf(to)).toEqual(before);
});

test('a file with a changed byte anywhere is rejected, unless its content is the same', async () => {
  await fill(from, SMALL);
  const { file, manifest } = await backUp(from);
  const bytes = await readFile(file);
  let rejected = 0;
  let tried = 0;
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / (60 * EFFORT))) {
    const changed = Buffer.from(bytes);
    changed[at] ^= 1 << (at % 8);
    await writeFile(file, changed);
    tried += 1;
    const outcome = await readBackup(file).catch((error: Error) => error);
    if (outcome instanceof Error) {
      expect(outcome.message).toMatch(/site\.tar\.gz (is damaged|cannot be used)/);
      rejected += 1;
    } else expect(outcome).toEqual(manifest);
  }
  // Some bytes of the gzip header have no meaning.
  expect(rejected).toBeGreaterThan(tried - 5);
}, 30_000);

/** Writes an archive with valid checksums. */
async function archive(file: string, members: [name: string, content: string | Buffer][]): Promise<void> {
  const tar = pack();
  for (const [name, content] of members) tar.entry({ name }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
  await writeFile(file, gzipSync(Buffer.concat(chunks)));
}

const header = (given: object = {}): string =>
  JSON.stringify({ backup: 1, format: FORMAT, version: '9.9.9', created: '2026-01-01T00:00:00Z', url: '', ...given });

test.each<[string, [string, string | Buffer][], RegExp]>([
  [
    'a newer layout',
    [['understudy-backup.json', header({ backup: 2 })]],
    /written by Understudy 9\.9\.9, in a newer layout\. Install wp-understudy@9\.9\.9/,
  ],
  [
    'documents of a newer format',
    [['understudy-backup.json', header({ format: FORMAT + 1 })]],
    /The backup has format \d, written by Understudy 9\.9\.9[^]*Install wp-understudy@9\.9\.9/,
  ],
  ['another tar archive', [['README.md', '# Hello']], /not a backup of Understudy/],
  ['no manifest', [['understudy-backup.json', header()]], /incomplete/],
  [
    'a path that leads out of the folder',
    [
      ['understudy-backup.json', header()],
      ['files/uploads/../../evil.txt', 'x'],
    ],
    /unknown member files\/uploads\/\.\.\/\.\.\/evil\.txt/,
  ],
  [
    'an unknown member',
    [
      ['understudy-backup.json', header()],
      ['notes.txt', 'x'],
    ],
    /unknown member notes\.txt/,
  ],
  [
    'documents that are none',
    [
      ['understudy-backup.json', header()],
      ['documents/content/posts/00000.bson', 'hello, world'],
    ],
    /is not a list of documents/,
  ],
  [
    'a member that the manifest does not list',
    [
      ['understudy-backup.json', header()],
      ['documents/content/posts/00000.bson', Buffer.from(BSON.serialize({ _id: 1 }))],
      ['manifest.json', JSON.stringify({ ...(JSON.parse(header()) as object), snapshots: [], counts: {}, documents: [], members: [] })],
    ],
    /does not match the manifest/,
  ],
  [
    'a member that comes twice',
    [
      ['understudy-backup.json', header()],
      ['files/uploads/a.txt', 'x'],
      ['files/uploads/a.txt', 'y'],
    ],
    /there is files\/uploads\/a\.txt twice/,
  ],
])('%s is rejected', async (_, members, message) => {
  const file = path.join(from.folder, 'made.tar.gz');
  await archive(file, members);
  await expect(readBackup(file)).rejects.toThrow(message);
});

test.each(['understudy-backup.json', 'manifest.json'])('a folder with a size in the place of %s is rejected', async (name) => {
  const file = path.join(from.folder, 'made.tar.gz');
  const tar = pack();
  if (name === 'manifest.json') tar.entry({ name: 'understudy-backup.json' }, header());
  tar.entry({ name, type: 'directory', size: 1 });
  tar.finalize();
  await pipeline(tar as AsyncIterable<Buffer>, createGzip(), createWriteStream(file));
  await expect(readBackup(file)).rejects.toThrow(`${name} is neither a file nor a link`);
});

test('documents that would not fit into the memory are rejected before they are read', async () => {
  const file = path.join(from.folder, 'made.tar.gz');
  const tar = pack();
  tar.entry({ name: 'understudy-backup.json' }, header());
  tar.entry({ name: 'documents/content/posts/00000.bson', size: 2 ** 32 });
  // The blocks of the first member, and the header of the second.
  let bytes = Buffer.alloc(0);
  for await (const chunk of tar as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= 3 * 512) break;
  }
  await writeFile(file, gzipSync(bytes));
  await expect(readBackup(file)).rejects.toThrow('documents/content/posts/00000.bson is too large');
});

test('a file that is no archive is rejected, and a missing one named', async () => {
  const file = path.join(from.folder, 'text.tar.gz');
  await writeFile(file, 'hello');
  await expect(readBackup(file)).rejects.toThrow('text.tar.gz is damaged, or not a backup of Understudy');
  await writeFile(file, gzipSync('hello'.repeat(1000)));
  await expect(readBackup(file)).rejects.toThrow('text.tar.gz is damaged, or not a backup of Understudy');
  await expect(readBackup(path.join(from.folder, 'none.tar.gz'))).rejects.toThrow('ENOENT');
  expect(gunzipSync(await readFile(file)).length).toBe(5000);
});

test('a backup that changes between verification and restore changes nothing', async () => {
  await Promise.all([fill(from, SMALL), fill(to, OTHER)]);
  const before = await contentOf(to);
  const { file, manifest } = await backUp(from);
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, bytes.length / 2));
  await expect(restoreBackup(to.store, to.place, file, manifest)).rejects.toThrow('is damaged');
  expect(await contentOf(to)).toEqual(before);
});

test.each<[string, Buffer, number]>([
  ['two documents with one id', Buffer.concat([{ _id: 1 }, { _id: 1 }].map((each) => BSON.serialize(each))), 2],
  ['documents that are none', Buffer.from([9, 0, 0, 0, 0x7f, 0x61, 0, 0, 0]), 1],
])('a restore of %s is rejected, and changes nothing', async (_, content, count) => {
  await fill(to, OTHER);
  const before = await contentOf(to);
  const members: [string, Buffer][] = [
    ['understudy-backup.json', Buffer.from(header())],
    ['documents/content/posts/00000.bson', content],
  ];
  const listed = members.map(([name, bytes]) => ({ name, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }));
  const rest = { snapshots: [], counts: {}, documents: [{ snapshot: '', part: 'posts', count }], members: listed };
  const file = path.join(from.folder, 'made.tar.gz');
  await archive(file, [...members, ['manifest.json', JSON.stringify({ ...(JSON.parse(header()) as object), ...rest })]]);
  const manifest = await readBackup(file);
  await expect(restoreBackup(to.store, to.place, file, manifest)).rejects.toThrow(`${file} cannot be used: posts: `);
  expect(await contentOf(to)).toEqual(before);
});

test('a member without documents adds none', async () => {
  await new SiteCopy(to.store, 'none').insert({ snapshot: '', part: 'posts' }, []);
});

test('an interrupted restore leaves the old site', async () => {
  await Promise.all([fill(from, SMALL), fill(to, OTHER)]);
  const before = await contentOf(to);
  const { file, manifest } = await backUp(from);
  const controller = new AbortController();
  const onProgress = (): void => controller.abort();
  await expect(restoreBackup(to.store, to.place, file, manifest, { signal: controller.signal, onProgress })).rejects.toThrow(/abort/i);
  expect(await contentOf(to)).toEqual(before);
});

test(
  'a crash at any step of a restore leads to the old site or to the new one',
  async () => {
    await fill(from, SMALL);
    const { file, manifest } = await backUp(from);
    const made = await contentOf(from);
    // Fails a different database command each time.
    const db = to.store.db as unknown as { collection: (name: string) => object };
    const genuine = db.collection.bind(to.store.db);
    const outcomes = { old: 0, new: 0 };
    for (let last = Math.floor(Math.random() * 7); ; last += EFFORT > 1 ? 1 : 7) {
      await clear(to);
      await fill(to, OTHER);
      const before = await contentOf(to);
      let steps = 0;
      db.collection = (name) => {
        if (steps++ >= last) throw new Error('killed');
        return genuine(name);
      };
      const outcome = await restoreBackup(to.store, to.place, file, manifest).then(
        () => 'done',
        (error: Error) => error.message,
      );
      db.collection = genuine;
      if (outcome === 'done') break;
      expect(outcome).toBe('killed');
      await recoverWork(to.store, to.place);
      const found = await contentOf(to);
      // A failure shows the step.
      expect([before, made].map((content) => [last, content])).toContainEqual([last, found]);
      outcomes[JSON.stringify(found) === JSON.stringify(made) ? 'new' : 'old'] += 1;
      expect(await leftoversOf(to)).toEqual([]);
    }
    expect(outcomes.old).toBeGreaterThan(0);
    expect(outcomes.new).toBeGreaterThan(0);
  },
  60_000 * EFFORT,
);

test('a copy for a backup that a crash leaves behind is deleted', async () => {
  await fill(from, SMALL);
  const before = await contentOf(from);
  await takeSite(from.store, from.place, (work) => work());
  expect(await leftoversOf(from)).not.toEqual([]);
  expect(await recoverWork(from.store, from.place)).toEqual(['Discarded an incomplete copy of the site.']);
  expect(await contentOf(from)).toEqual(before);
});

test('a reader that goes away ends a backup with an error that its caller gets, and nobody else', async () => {
  await fill(from, SMALL);
  const text = randomBytes(3_600_000).toString('base64');
  await from.store.db
    .collection('posts')
    .insertMany([10, 11, 12].map((_id) => ({ _id: _id as never, type: 'post', slug: `s-${_id}`, text })));
  const out = new PassThrough();
  const writing = writeBackup(await siteAtRest(from.store, from.place), out);
  // Until the next member waits for the stream to drain.
  while (!out.writableNeedDrain) await sleep(20);
  await sleep(50);
  out.destroy();
  await expect(writing).rejects.toThrow('Premature close');
  // An unhandled error would end the process now.
  await sleep(20);
});

test('what is written after the copy was taken is not in the backup', async () => {
  await fill(from, SMALL);
  const before = await contentOf(from);
  const taken = await takeSite(from.store, from.place, (work) => work());
  await from.store.db.collection('posts').insertOne({ _id: 99 as never, type: 'post', slug: 'late' });
  await from.store.snapshots.save('late', {});
  await write(path.join(from.place.uploads, 'late.jpg'), 'late');
  const file = path.join(from.folder, 'taken.tar.gz');
  await writeBackup(taken, createWriteStream(file));
  await taken.release();
  await restoreTo(to, file);
  expect(await contentOf(to)).toEqual(before);
});

describe('a database that other processes write to', () => {
  const shared = testSite(true);
  beforeEach(() => clear(shared));

  /**
   * Copies the site while another process writes after the posts were copied.
   * @param times number of those writes
   * @returns number of copies, or the error
   */
  async function takeWhileWritten(times: number): Promise<unknown> {
    await fill(shared, SMALL);
    const copies = SiteCopy.prototype as unknown as { copy: (parts: readonly StoredPart[]) => Promise<void> };
    const { copy } = copies;
    let copied = 0;
    copies.copy = async function (parts) {
      await copy.call(this, parts);
      if (!parts.some(({ collection }) => collection === 'posts')) return;
      copied += 1;
      if (copied <= times) await shared.store.posts.updateMany({}, { $inc: { version: 1 } });
    };
    try {
      const taken = await takeSite(shared.store, shared.place, (work) => work());
      await taken.release();
      return copied;
    } catch (error) {
      return (error as Error).message;
    } finally {
      copies.copy = copy;
    }
  }

  test('is copied until nothing changes meanwhile', async () => {
    expect(await takeWhileWritten(2)).toBe(3);
    expect(await leftoversOf(shared)).toEqual([]);
  });

  test('is restored with writes that survive the loss of one server', async () => {
    await fill(from, SMALL);
    const { file } = await backUp(from);
    const { db } = shared.store;
    const command = jest.spyOn(db, 'command');
    try {
      await restoreTo(shared, file);
      const inserts = command.mock.calls.map(([document]) => document).filter(({ insert }) => insert !== undefined);
      const { w, journal: j } = db.writeConcern ?? {};
      expect(inserts.length).toBeGreaterThan(0);
      for (const { writeConcern } of inserts) expect(writeConcern).toEqual({ w, j });
    } finally {
      command.mockRestore();
    }
    expect(await contentOf(shared)).toEqual(await contentOf(from));
  });

  test('is not copied if it changes all the time', async () => {
    expect(await takeWhileWritten(Infinity)).toMatch(/Other servers write to the database all the time/);
    expect(await leftoversOf(shared)).toEqual([]);
  });
});
