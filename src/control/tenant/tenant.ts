import type { Releases } from '../../wordpress/quirks.js';
import type { Zones } from '../../base/php/timezone.js';
import { mkdir, rm } from 'node:fs/promises';
import { within } from '../../base/system/deadline.js';
import { Faults } from './faults/faults.js';
import { Gate, type RunningRequest } from './gate.js';
import { Journal } from './journal/journal.js';
import { qaError, type QaRequest } from './api/route.js';
import { hasToken } from './api/security.js';
import type { FaultScenario, Snapshot } from '../../sdk/types/qa.js';
import { realTime, type Clock, type SavedClock } from '../../wordpress/clock.js';
import { readNamed } from '../../wordpress/posts/references.js';
import { Schedule } from '../../wordpress/schedule.js';
import { followUrl } from '../../transfer/load/links.js';
import { PRISTINE, loadSources, type LoadOptions, type LoadResult } from '../../transfer/load/load.js';
import { FolderRestore, mirrorFiles, placeIn, snapshotFiles, type SitePlace } from '../../transfer/load/mirror.js';
import { requirePlugins } from '../../transfer/load/registered.js';
import type { DatasetSource } from '../../transfer/source.js';
import { settleAll, withLock } from '../../database/store/locks.js';
import { NoSnapshot } from '../../database/store/copies.js';
import type { Copied } from '../../database/store/snapshots.js';
import type { Registry } from '../../wordpress/types/registry.js';
import type { Site } from '../../wordpress/site.js';
import type { Store } from '../../wordpress/store.js';
import { Stubs } from './stubs/stubs.js';
import { Webhooks } from './webhooks/webhooks.js';
import { PRIVATE } from '../../base/system/private-folder.js';

/** The state that a reset restores. */
export interface Pristine {
  /** The store with the snapshot. Sandboxes use the main tenant's until they are seeded. */
  store: Store;
  /** Folder with the snapshot of the media library's files. */
  files: string;
  /** Time at which the clock is frozen, in ms since 1970 UTC; null: it runs in real time. */
  clock: number | null;
  /** Opens the dataset again, with its dates relative to another time (ms since 1970 UTC) or by other zone data; absent if it is no longer known. */
  reopen?: ((now: number, zones?: Zones) => Promise<DatasetSource>) | undefined;
  /** Name of the dataset, for people. Absent: unknown. */
  dataset?: string | null;
  /** Real path of its file. Absent: it has none, or an earlier process loaded it. */
  file?: string | undefined;
  /** Whether changes are saved to it, not to the file that the server was started with. */
  isSaved?: boolean;
  /** The time that relative dates of the dataset refer to, ms since 1970 UTC. Absent: unknown. */
  loadedAt?: number;
}

export const startClock = (clock: Clock, at: number | null): void => (at === null ? clock.run({ real: true }) : clock.freeze(at));

const noSnapshot = (name: string): Error => qaError('no_snapshot', `Snapshot ${JSON.stringify(name)} does not exist.`, 404);

/** For how many URLs of a site the middleware is cached. */
const MAX_URLS = 8;

interface TenantLoad extends Pick<LoadOptions, 'mode' | 'forOnce' | 'keepsAccounts' | 'adminPassword' | 'create' | 'signal'> {
  /** Time at which the clock is frozen (ms since 1970 UTC), instead of the content's time. */
  clock?: number | undefined;
  /** Whether the clock stays unchanged. */
  keepsClock?: boolean;
  reopen?: Pristine['reopen'];
  /** Real path of the file that changes are saved to from now on. Default: that of the source, if the server was started with it. */
  file?: string | undefined;
  /** The time that relative dates refer to, ms since 1970 UTC. Default: the site's. */
  loadedAt?: number;
  /** Name of the dataset, for people. */
  dataset?: string | undefined;
}

/** Content that was loaded into a sandbox, for others. */
export interface LoadedContent extends Copied {
  registry: Registry;
  clock: number | null;
}

/** A site with everything that tests control: content, clock, faults and journal. */
export class Tenant {
  readonly gate = new Gate();
  readonly faults: Faults;
  readonly stubs: Stubs;
  readonly journal: Journal;
  readonly schedule: Schedule;
  readonly webhooks: Webhooks;
  /** Snapshots whose content has links with the site's URL. */
  private readonly snapshotsWithCurrentUrl = new Set<string>();
  /** The site under other URLs. */
  private readonly sites = new Map<string, Site>();
  /** The version of the plugin that a reset restores; null: as in the settings. */
  startReleases: Releases;
  /** Name of the dataset that the content comes from, for people; null: unknown. */
  dataset: string | null;
  /** The text that was saved to the dataset file last. A server that watches the file does not load it again. */
  savedText: string | null = null;
  /** The token of commands, which only the user of this server can read. */
  commandToken: string | null = null;
  /** How often snapshots were saved or deleted. */
  snapshotChanges = 0;
  /** Time of the last request (`performance.now()`). */
  lastUsed = performance.now();

  /**
   * @param name name of the sandbox; `''`: the main tenant
   * @param folder folder for the files of snapshots
   */
  constructor(
    readonly name: string,
    readonly site: Site,
    readonly folder: string,
    public pristine: Pristine,
    journalSize: number,
    /** Scenarios of faults that the server was started with. */
    readonly scenarios: Readonly<Record<string, FaultScenario>> = {},
    private readonly uploads = new FolderRestore(site.uploads),
  ) {
    this.faults = new Faults(scenarios);
    this.stubs = new Stubs(() => site.options.stubs);
    this.journal = new Journal(journalSize);
    this.schedule = new Schedule(site);
    this.webhooks = new Webhooks(this);
    this.startReleases = site.chosenReleases;
    this.dataset = pristine.dataset ?? null;
  }

  get place(): SitePlace {
    const { site } = this;
    return {
      ...placeIn(this.folder),
      get uploads() {
        return site.uploads;
      },
    };
  }

  /** The file that changes are saved to, if a request names one and a command of this server's user sent it. */
  fileNamedBy({ incoming }: QaRequest, file: string | undefined): string | undefined {
    const token = this.commandToken;
    return token !== null && hasToken(incoming, { url: '', tokens: () => [token] }) ? file : undefined;
  }

  /** The site under another URL. @param name of the sandbox, if it is at the end of the URL */
  siteAt(url: string, name = ''): Site {
    if (url === this.site.url) return this.site;
    const known = this.sites.get(url);
    if (known) return known;
    // Limited, since clients choose the URL, and each has its own cache of responses.
    for (const oldest of [...this.sites.keys()].slice(0, this.sites.size + 1 - MAX_URLS)) this.sites.delete(oldest);
    const site = this.site.at(url, url, name);
    this.sites.set(url, site);
    return site;
  }

  /** Whether a request may have to wait, to publish posts, to fail or to get another response. */
  get needsMiddleware(): boolean {
    return this.gate.isClosed || this.faults.size > 0 || this.stubs.size > 0 || this.schedule.mayBeDue;
  }

  touch(): void {
    this.lastUsed = performance.now();
  }

  /**
   * Serves a request, after exclusive work has ended. A request that does not end, because the database was lost, must block neither the
   * client nor a reset: it times out, and its result is ignored.
   * @param timeout how long it may take, in ms
   * @returns undefined on timeout
   */
  async serve<T>(guest: RunningRequest, timeout: number, work: () => Promise<T>): Promise<T | undefined> {
    const { gate, webhooks } = this;
    let isGivenUp = false;
    const serving = async (): Promise<T | undefined> => {
      const wait = gate.enter(guest);
      if (wait) await wait;
      try {
        await readNamed(this.site);
        return isGivenUp ? undefined : await work();
      } finally {
        gate.leave(guest);
        webhooks.release();
      }
    };
    return within<T | undefined>(timeout, serving(), () => {
      isGivenUp = true;
      gate.leave(guest);
      return undefined;
    });
  }

  /** Restores the dataset: content, files, clock and version of the plugin. Waits for running requests and blocks new ones. */
  async reset(): Promise<void> {
    await this.gate.exclusive(async () => {
      const { store, files, clock } = this.pristine;
      await this.restore(PRISTINE, files, store);
      await this.site.store.comeBack();
      this.dataset = this.pristine.dataset ?? null;
      startClock(this.site.clock, clock);
      this.site.chosen.guards.clear();
      this.site.chosenReleases = this.startReleases;
      await this.reload(PRISTINE);
    });
    this.webhooks.report('content.reset');
  }

  private async restore(snapshot: string, files: string, { snapshots }: Store = this.site.store): Promise<void> {
    const { store } = this.site;
    const alongside = await this.uploads.from(files);
    // Two servers that replaced the content at once would repeat their work, and bring back what had already been replaced.
    await store.workLog.alone('replace', () => store.snapshots.restore(snapshot, snapshots, { alongside }));
  }

  /** Compares the files with the dataset's, so that a reset does not have to, unless they change. */
  async compareUploads(): Promise<void> {
    await this.uploads.from(this.pristine.files);
  }

  /** @param snapshot name of the restored snapshot */
  private async reload(snapshot: string): Promise<void> {
    await this.site.store.registerStored();
    // URLs in this snapshot already match; skip the check until it is saved again.
    if (!this.snapshotsWithCurrentUrl.has(snapshot)) {
      if (await followUrl(this.site.store, this.site.url)) this.snapshotsWithCurrentUrl.delete(snapshot);
      else this.snapshotsWithCurrentUrl.add(snapshot);
    }
    await this.site.reload();
    this.stubs.restart();
  }

  /** Loads content while requests are served; only the last step blocks them. @throws DatasetError with all problems */
  async load(sources: readonly DatasetSource[], options: TenantLoad): Promise<LoadResult> {
    const { site } = this;
    for (const source of sources) requirePlugins(source, site.registry);
    const { place } = this;
    const result = await loadSources(site.store, sources, {
      ...options,
      place,
      siteUrl: site.url,
      settings: site.chosen.settings,
      now: site.clock.seconds(),
      alone: (work) =>
        this.gate.exclusive(async () => {
          if (options.mode === 'replace') this.uploads.forget();
          await work();
          if (options.mode === 'replace') {
            const clock = options.clock ?? (options.keepsClock ? null : sources[0].clock) ?? this.pristine.clock;
            const { reopen } = options;
            this.dataset = options.dataset ?? null;
            if (!options.keepsClock) startClock(site.clock, clock);
            const loadedAt = options.loadedAt ?? site.clock.now();
            if (!options.forOnce)
              this.pristine = {
                store: site.store,
                files: place.pristine,
                clock,
                reopen,
                dataset: this.dataset,
                file: options.file ?? sources[0].file,
                isSaved: options.file !== undefined,
                loadedAt,
              };
          }
          await site.reload();
          if (options.mode === 'replace') this.stubs.restart();
        }),
    });
    if (options.mode === 'replace' && !options.forOnce) await this.compareUploads();
    this.webhooks.report(options.mode === 'replace' ? 'content.seeded' : 'content.imported');
    return result;
  }

  /** The content that a reset restores, for `loadAgain` of other sandboxes; null: it is not in memory. */
  async loadedContent(): Promise<LoadedContent | null> {
    const { store, registry } = this.site;
    const copied = store.isLocal && this.pristine.store === store ? await store.snapshots.contentOf(PRISTINE) : null;
    return copied && { ...copied, registry, clock: this.pristine.clock };
  }

  /** Replaces the content, as `load` does, with content without files that another sandbox has loaded. */
  async loadAgain(loaded: LoadedContent, dataset: string): Promise<void> {
    const { site } = this;
    const { store, clock } = site;
    const { pristine: files } = this.place;
    await withLock(store, 'load', () =>
      this.gate.exclusive(async () => {
        this.uploads.forget();
        await rm(files, { recursive: true, force: true });
        await mirrorFiles(files, site.uploads);
        await mkdir(files, PRIVATE);
        await store.replaceLocal(PRISTINE, loaded);
        store.register(loaded.registry);
        this.dataset = dataset;
        this.pristine = { store, files, clock: loaded.clock, dataset };
        startClock(clock, loaded.clock);
        await site.reload();
        this.stubs.restart();
      }),
    );
    await this.compareUploads();
    this.webhooks.report('content.seeded');
  }

  /** Saves a snapshot. Replaces one of the same name. */
  saveSnapshot(name: string): Promise<void> {
    return this.gate.exclusive(async () => {
      const { store, clock, uploads } = this.site;
      const facts = {
        saved: new Date(realTime()).toISOString(),
        clock: clock.state,
        posts: await store.posts.estimatedDocumentCount(),
        dataset: this.dataset,
      };
      const files = snapshotFiles(this.folder, name);
      await this.alone(async () => {
        await mkdir(files, PRIVATE);
        await settleAll([store.snapshots.save(name, facts), mirrorFiles(uploads, files)]);
      });
      this.snapshotChanges += 1;
    });
  }

  /** Makes the content as it is the one that a reset restores. Called while no other request is served. */
  async keepAsPristine(): Promise<void> {
    const { store, uploads } = this.site;
    const { files } = this.pristine;
    await this.alone(() => settleAll([store.snapshots.save(PRISTINE), mirrorFiles(uploads, files)]));
    this.snapshotsWithCurrentUrl.delete(PRISTINE);
    // Another object, since sandboxes compare what they were made from.
    this.pristine = { ...this.pristine, store };
  }

  /** @throws RestError if the snapshot does not exist */
  async restoreSnapshot(name: string): Promise<void> {
    await this.gate.exclusive(async () => {
      const facts = await this.alone(async () => {
        const found = await this.factsOf(name);
        await this.restore(name, snapshotFiles(this.folder, name));
        return found;
      }).catch((error: unknown) => {
        throw error instanceof NoSnapshot ? noSnapshot(name) : error;
      });
      this.site.clock.restoreState(facts.clock as SavedClock);
      this.dataset = typeof facts.dataset === 'string' ? facts.dataset : null;
      await this.reload(name);
    });
    this.webhooks.report('content.restored');
  }

  /** @throws RestError if the snapshot does not exist */
  deleteSnapshot(name: string): Promise<void> {
    return this.alone(async () => {
      await this.factsOf(name);
      await this.site.store.snapshots.delete(name);
      this.snapshotChanges += 1;
      await rm(snapshotFiles(this.folder, name), { recursive: true, force: true });
    });
  }

  /** Serializes work with snapshots and their files, so that a restore finds all files. */
  private alone<T>(work: () => Promise<T>): Promise<T> {
    return withLock(this, 'snapshots', work);
  }

  async snapshots(): Promise<Snapshot[]> {
    const all = await this.site.store.snapshots.list();
    return [...all]
      .filter(([name]) => name !== PRISTINE)
      .map(([name, { saved, posts }]) => ({ name, saved: String(saved), posts: Number(posts) }));
  }

  /** The metadata of a snapshot. @throws RestError if it does not exist */
  async factsOf(name: string): Promise<Record<string, unknown>> {
    const facts = name === PRISTINE ? null : await this.site.store.snapshots.facts(name);
    if (!facts) throw noSnapshot(name);
    return facts;
  }
}
