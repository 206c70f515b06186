import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack as packTar, type Pack } from 'tar-stream';
import { packageVersion } from '../../base/system/package-version.js';
import { FORMAT } from '../../database/store/format.js';
import { rawDocumentsOf, type StoredPart, partsOf, SiteCopy } from '../../database/store/site-copy.js';
import { LINKED, LINKED_KINDS } from '../../plugins/the-events-calendar/model/event.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { realTime } from '../../wordpress/clock.js';
import type { Store } from '../../wordpress/store.js';
import { siteFiles, mirrorFiles, stagedFolder, type SitePlace } from '../load/mirror.js';
import { storedHome } from '../load/options.js';
import { documentsName, fileName, HEADER, LAYOUT, MANIFEST, STATE, type Header, type Manifest, type Member } from './format.js';
import { asError } from '../../base/values/errors.js';
import type { Lease } from '../../database/store/work-log.js';
import { discardLoad } from '../load/commit.js';

/** The content of a backup, which must not change meanwhile. */
export interface BackupSource {
  store: Store;
  parts: readonly StoredPart[];
  snapshots: readonly string[];
  /** The folder of the files of the media library (`''`) or of a snapshot. */
  filesOf: (snapshot: string) => string;
  /** State that tests control besides the content, as JSON. */
  state?: string | undefined;
}

interface BackupOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((what: string, done: number, total?: number) => void) | undefined;
}

/** Size of a member with documents, in bytes: they are held in memory. */
const CHUNK = 4 * 1024 * 1024;

/** Images do not compress, and a higher level hardly reduces documents. */
const LEVEL = 4;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const asJson = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Waits until a member was added whole. */
const ended = (add: (done: (error?: Error | null) => void) => ReturnType<Pack['entry']>): Promise<void> =>
  new Promise((resolve, reject) => {
    // The callback gets errors. Without a listener, they would also end the process.
    add((error) => (error ? reject(error) : resolve())).on('error', () => undefined);
  });

/** Adds members to an archive, and keeps their digests. */
class Archive {
  readonly members: Member[] = [];
  private readonly mtime: Date;
  /** The first name of each file that was added, and its digest: hard links of the same file are stored once. */
  private readonly known = new Map<string, Member>();

  constructor(
    private readonly pack: Pack,
    { created }: Header,
  ) {
    this.mtime = new Date(created);
  }

  async addBytes(name: string, bytes: Buffer): Promise<void> {
    await ended((done) => this.pack.entry({ name, mtime: this.mtime }, bytes, done));
    this.members.push({ name, size: bytes.length, sha256: sha256(bytes) });
  }

  async addFile(name: string, file: string): Promise<void> {
    const { dev, ino, size, nlink } = await stat(file);
    const identity = `${dev} ${ino}`;
    const known = this.known.get(identity);
    if (known) return this.addLink(name, known);
    const hash = createHash('sha256');
    await new Promise<void>((resolve, reject) => {
      const entry = this.pack.entry({ name, size, mtime: this.mtime }, (error) => (error ? reject(error) : resolve()));
      const source = createReadStream(file).on('data', (chunk) => hash.update(chunk));
      pipeline(source, entry).catch(reject);
    });
    const member = { name, size, sha256: hash.digest('hex') };
    this.members.push(member);
    if (nlink > 1) this.known.set(identity, member);
  }

  private async addLink(name: string, to: Member): Promise<void> {
    await ended((done) => this.pack.entry({ name, type: 'link', linkname: to.name, mtime: this.mtime }, done));
    this.members.push({ ...to, name });
  }
}

/** The paths of all files in a folder and its subfolders, with `/`. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return files.map((file) => file.split(path.sep).join('/')).sort();
}

async function addDocuments(
  archive: Archive,
  { store, parts }: BackupSource,
  { signal, onProgress }: BackupOptions,
): Promise<Manifest['documents']> {
  const total = await Promise.all(parts.map(({ collection }) => store.db.collection(collection).estimatedDocumentCount()));
  const all = total.reduce((sum, n) => sum + n, 0);
  const counted: Manifest['documents'] = [];
  let done = 0;
  for (const { collection, snapshot, part } of parts) {
    let [count, index, size] = [0, 0, 0];
    let chunk: Buffer[] = [];
    const flush = async (): Promise<void> => {
      signal?.throwIfAborted();
      if (chunk.length > 0) await archive.addBytes(documentsName({ snapshot, part }, index), Buffer.concat(chunk));
      [chunk, size, index] = [[], 0, index + 1];
    };
    for await (const raw of rawDocumentsOf(store, collection)) {
      chunk.push(raw);
      size += raw.length;
      count += 1;
      done += 1;
      if (size >= CHUNK) await flush();
      if (done % 500 === 0) onProgress?.('Documents', done, all);
    }
    await flush();
    counted.push({ snapshot, part, count });
  }
  return counted;
}

async function addFiles(archive: Archive, { snapshots, filesOf }: BackupSource, { signal, onProgress }: BackupOptions): Promise<number> {
  let uploads = 0;
  let done = 0;
  for (const snapshot of ['', ...snapshots]) {
    const files = await listFiles(filesOf(snapshot));
    if (snapshot === '') uploads = files.length;
    for (const file of files) {
      signal?.throwIfAborted();
      await archive.addFile(fileName(`${siteFiles(snapshot)}/${file}`), path.join(filesOf(snapshot), file));
      done += 1;
      onProgress?.('Files', done);
    }
  }
  return uploads;
}

/** The counts for people: events, venues, organizers, other posts, terms, users. */
async function countsOf(store: Store, parts: readonly StoredPart[]): Promise<Record<string, number>> {
  const collectionOf = (part: string): string => parts.find((each) => each.snapshot === '' && each.part === part)?.collection ?? part;
  const count = (part: string, filter: object): Promise<number> => store.db.collection(collectionOf(part)).countDocuments(filter);
  const types = [EVENT, ...LINKED_KINDS.map((kind) => LINKED[kind].type)];
  const linked = await Promise.all(
    LINKED_KINDS.map(async (kind) => [LINKED[kind].column, await count('posts', { type: LINKED[kind].type })]),
  );
  return {
    events: await count('posts', { type: EVENT }),
    ...(Object.fromEntries(linked) as Record<string, number>),
    others: await count('posts', { type: { $nin: types } }),
    terms: await count('terms', {}),
    users: await count('users', {}),
  };
}

async function addAll(pack: Pack, source: BackupSource, options: BackupOptions): Promise<Manifest> {
  const header: Header = {
    backup: LAYOUT,
    format: FORMAT,
    version: packageVersion(),
    created: new Date(realTime()).toISOString(),
    url: (await storedHome(source.store)) ?? '',
  };
  const archive = new Archive(pack, header);
  await archive.addBytes(HEADER, asJson(header));
  if (source.state !== undefined) await archive.addBytes(STATE, Buffer.from(source.state));
  const counts = await countsOf(source.store, source.parts);
  const documents = await addDocuments(archive, source, options);
  const files = await addFiles(archive, source, options);
  const { members } = archive;
  const manifest = { ...header, snapshots: [...source.snapshots], counts: { ...counts, files }, documents, members: [...members] };
  await archive.addBytes(MANIFEST, asJson(manifest));
  pack.finalize();
  return manifest;
}

/**
 * Writes a backup to a stream, and ends the stream.
 * @returns what it contains
 * @throws the error of the stream, or an AbortError
 */
export async function writeBackup(source: BackupSource, out: Writable, options: BackupOptions = {}): Promise<Manifest> {
  const pack = packTar();
  const written = pipeline(pack, createGzip({ level: LEVEL }), out, options.signal ? { signal: options.signal } : {});
  const adding = addAll(pack, source, options).catch((error: unknown) => {
    pack.destroy(asError(error));
    throw error;
  });
  // The first failure has the reason.
  const [manifest] = await Promise.all([adding, written]);
  return manifest;
}

/** The folder of the files of a snapshot. @param snapshot `''`: the media library */
const folderIn = (place: SitePlace, snapshot: string): string => (snapshot === '' ? place.uploads : place.snapshot(snapshot));

const namesOf = async ({ snapshots }: Store): Promise<string[]> => [...(await snapshots.list()).keys()];

/** A site that nobody writes to, read in place. */
export async function siteAtRest(store: Store, place: SitePlace): Promise<BackupSource> {
  return {
    store,
    parts: await partsOf(store),
    snapshots: await namesOf(store),
    filesOf: (snapshot) => folderIn(place, snapshot),
  };
}

/** A consistent copy of a site. */
interface TakenSite extends BackupSource {
  /** Deletes the copy. */
  release: () => Promise<void>;
}

/**
 * Copies a site, so that writes can go on while the copy is read. After a crash, recovery deletes the copy.
 * @param alone runs work while nobody writes through this process
 * @throws SiteBusy if other processes write to the database all the time
 */
export async function takeSite(store: Store, place: SitePlace, alone: (work: () => Promise<void>) => Promise<void>): Promise<TakenSite> {
  const note: Lease & { staging: string } = await store.workLog.begin({ staging: randomUUID(), isCopy: true });
  const copy = new SiteCopy(store, note.staging);
  const folder = stagedFolder(place, note.staging);
  const release = (): Promise<void> => discardLoad(store, note, place);
  const filesOf = (snapshot: string): string => path.join(folder, siteFiles(snapshot));
  try {
    let source: BackupSource | undefined;
    await store.workLog.alone('replace', () =>
      alone(async () => {
        const parts = await copy.take();
        const snapshots = [...new Set(parts.map(({ snapshot }) => snapshot))].filter((name) => name !== '');
        for (const name of ['', ...snapshots]) await mirrorFiles(folderIn(place, name), filesOf(name));
        source = { store, parts, snapshots, filesOf };
      }),
    );
    if (!source) throw new Error('The site was not copied.');
    return { ...source, release };
  } catch (error) {
    await release();
    throw error;
  }
}
