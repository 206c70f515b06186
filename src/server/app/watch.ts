import { unwatchFile, watchFile } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FSWatcher } from 'chokidar';
import type { ServerOptions } from '../config/index.js';
import { describeChanges, digestContent, type ContentDigest } from '../../transfer/changes.js';
import { type DatasetSource, DatasetError } from '../../transfer/source.js';
import type { Log } from '../../base/system/log.js';
import type { Tenant } from '../../control/tenant/tenant.js';
import { Clock } from '../../wordpress/clock.js';
import type { Cleanup } from './cleanup.js';
import { datasetFolder, openDataset, shortName, chosenZones, parseNow } from './seed.js';

/** How long a file must stay the same before it is read, in ms: editors write in several steps. */
const STABLE_MS = 60;
/** How long to wait for further files, in ms. */
const QUIET_MS = 60;
/** How often to look where links lead, in ms. No event tells that a link above a file was replaced, as Kubernetes and deployments do. */
const LINKS_MS = 500;

/** Identifies the file that a path leads to, and its folder. It changes when a link on the way is replaced; null: there is none. */
async function placeOf(file: string): Promise<string | null> {
  try {
    const real = await realpath(file);
    const { dev, ino } = await stat(path.dirname(real));
    return `${real} ${dev} ${ino}`;
  } catch {
    return null;
  }
}

interface Version {
  source: DatasetSource;
  content: ContentDigest;
}

/** Reloads the dataset of a server when its files change. */
class Watcher {
  /** Base of relative dates of a dataset without a clock. It is the same for all versions, so that only edits show as differences. */
  private readonly base: number;
  private current: Promise<Version>;
  private isFileDirty = false;
  private timer: NodeJS.Timeout | undefined;
  private work: Promise<void> = Promise.resolve();
  /** The files that a dataset in TypeScript or JavaScript consists of. */
  readonly imports = new Set<string>();
  /** Receives each further one. */
  onImport: (file: string) => void = () => undefined;

  constructor(
    /** The dataset, as the user named it. */
    private readonly name: string,
    private readonly tenant: Tenant,
    private readonly options: ServerOptions,
    private readonly log: Log,
  ) {
    this.base = tenant.site.clock.now();
    this.current = this.read();
    // The file may change again meanwhile.
    this.current.catch(() => undefined);
  }

  private read(): Promise<Version> {
    return this.atBase(async () => {
      const source = await openDataset(this.name, parseNow(this.options.now), chosenZones(this.options), undefined, (imported) => {
        if (this.imports.has(imported)) return;
        this.imports.add(imported);
        this.onImport(imported);
      });
      return { source, content: await digestContent(source) };
    });
  }

  private atBase<T>(work: () => Promise<T>): Promise<T> {
    return Clock.at(this.base, work);
  }

  /** Resolves when the dataset has been read for the first time, or has failed. */
  async ready(): Promise<void> {
    await this.current.catch(() => undefined);
  }

  changed(file: string): void {
    if (file === path.resolve(this.name)) this.isFileDirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.work = this.work.then(() => this.reload());
    }, QUIET_MS);
  }

  private async reload(): Promise<void> {
    const { isFileDirty } = this;
    this.isFileDirty = false;
    try {
      if (isFileDirty && (await this.isSaved())) {
        this.current = this.read();
        await this.current;
        this.log.info(`Saved ${this.name}: its content is the one that is served`);
        return;
      }
      const before = await this.current.catch(() => null);
      const next = await this.read();
      const changes = before ? describeChanges(before.content, next.content) : 'all content';
      // A file of the folder that the dataset does not refer to.
      if (changes === '' && !isFileDirty) return;
      await this.load(next.source, before?.source.clock ?? null);
      this.current = Promise.resolve(next);
      this.log.info(`Reloaded ${this.name}: ${changes || 'no visible changes'}`);
    } catch (error) {
      this.log.error(`${error instanceof DatasetError ? error.message : String(error)}\nThe previous content is still served.`);
    }
  }

  /** Whether the file has what this server saved to it, and so what it serves. */
  private async isSaved(): Promise<boolean> {
    const { savedText } = this.tenant;
    return savedText !== null && (await readFile(path.resolve(this.name), 'utf8').catch(() => null)) === savedText;
  }

  private async load(source: DatasetSource, clock: number | null): Promise<void> {
    const { now, adminPassword, create } = this.options;
    await this.atBase(() =>
      this.tenant.load([source], {
        dataset: shortName(this.name),
        loadedAt: this.base,
        mode: 'replace',
        adminPassword,
        create,
        keepsClock: now !== undefined || source.clock === clock,
        reopen: (at, zones) => openDataset(this.name, at, zones ?? chosenZones(this.options)),
      }),
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.work;
  }
}

/**
 * Reloads the dataset file of a server, what it imports, and the files of its media library and its stubs, whenever they change. The clock is
 * not reset.
 */
export async function watchDataset(tenant: Tenant, options: ServerOptions, log: Log, cleanup: Cleanup): Promise<void> {
  if (typeof options.dataset !== 'string') return log.warn('Nothing to watch: the dataset is not a file.');
  const { dataset } = options;
  const file = path.resolve(dataset);
  const { watch } = await import('chokidar');
  const watcher = new Watcher(dataset, tenant, options, log);
  const folder = datasetFolder(file);
  const below = ['uploads', 'stubs'].map((name) => path.join(folder, name));
  const { imports } = watcher;
  const folders = new Set([folder]);
  const isWatched = (each: string): boolean => {
    const name = path.resolve(each);
    return (
      [file, ...below].includes(name) ||
      folders.has(name) ||
      imports.has(name) ||
      below.some((watched) => name.startsWith(watched + path.sep))
    );
  };
  await watcher.ready();
  for (const imported of imports) folders.add(path.dirname(imported));
  // Watches the folders, since a deleted file that is created again would go unnoticed.
  const start = (): FSWatcher => {
    const started = watch([...folders], {
      ignored: (each) => !isWatched(each),
      ignoreInitial: true,
      atomic: true,
      awaitWriteFinish: { stabilityThreshold: STABLE_MS, pollInterval: 20 },
    });
    started.on('all', (_, changed) => watcher.changed(path.resolve(changed)));
    started.on('error', (error) => log.warn(`Cannot watch ${dataset}: ${String(error)}`));
    return started;
  };
  let place = await placeOf(file);
  let files = start();
  watcher.onImport = (imported) => {
    folders.add(path.dirname(imported));
    files.add([path.dirname(imported), imported]);
  };
  const follow = async (): Promise<void> => {
    const now = await placeOf(file);
    if (now === null || now === place) return;
    place = now;
    const before = files;
    files = start();
    watcher.changed(file);
    await before.close();
  };
  watchFile(file, { interval: LINKS_MS }, () => void follow());
  cleanup.add(async () => {
    unwatchFile(file);
    await files.close();
    await watcher.close();
  });
  await new Promise<void>((resolve) => void files.once('ready', resolve));
}
