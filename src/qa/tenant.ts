import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Faults } from './faults/faults.js';
import { Gate } from './gate.js';
import { Journal } from './journal/journal.js';
import { refuse } from './route.js';
import type { Snapshot } from '../qa-types.js';
import { realTime, type Clock, type ClockState } from '../wp/clock.js';
import { Schedule } from '../wp/schedule.js';
import { followUrl } from '../content/load/links.js';
import { PRISTINE, loadSources, type LoadOptions, type LoadResult } from '../content/load/load.js';
import { mirrorFiles } from '../content/load/mirror.js';
import type { DatasetSource } from '../content/source.js';
import type { Site } from '../wp/site.js';
import type { Store } from '../wp/store.js';

/** What a reset goes back to. */
export interface Pristine {
  /** The store that keeps the copy: of a sandbox, that of the main tenant until it is seeded itself. */
  store: Store;
  /** Folder with the files of the media library as they were. */
  files: string;
  /** Moment at which the clock stands then, ms since 1970 UTC; null: it runs in real time. */
  clock: number | null;
}

export const startClock = (clock: Clock, at: number | null): void => (at === null ? clock.run({ real: true }) : clock.freeze(at));

/** Folder with the files of a snapshot. */
export const snapshotFiles = (folder: string, name: string): string => path.join(folder, 'snapshots', name);

/** What a load into a tenant may be told. */
export type TenantLoad = Pick<LoadOptions, 'mode' | 'forOnce' | 'keepsAccounts' | 'adminPassword' | 'signal'>;

/** A site with everything that tests steer: what is in it, its time, what goes wrong in it and what was asked of it. */
export class Tenant {
  readonly gate = new Gate();
  readonly faults = new Faults();
  readonly journal: Journal;
  readonly schedule: Schedule;
  /** Snapshots whose links are those of the site's address. */
  private readonly atHome = new Set<string>();
  /** The site under other addresses than its own. */
  private readonly sites = new Map<string, Site>();
  /** Since when nobody has asked for anything, ms of `performance.now()`. */
  lastUsed = performance.now();

  /**
   * @param name of the sandbox; `''`: the tenant of those who ask for none
   * @param folder where the files of snapshots are kept
   */
  constructor(
    readonly name: string,
    readonly site: Site,
    readonly folder: string,
    public pristine: Pristine,
    journalSize: number,
  ) {
    this.journal = new Journal(journalSize);
    this.schedule = new Schedule(site);
  }

  /** The site under one of its addresses. */
  siteAt(url: string): Site {
    if (url === this.site.url) return this.site;
    const site = this.sites.get(url) ?? this.site.at(url);
    this.sites.set(url, site);
    return site;
  }

  touch(): void {
    this.lastUsed = performance.now();
  }

  /** Goes back to the dataset: content, files and clock. Requests under way are waited for, new ones wait. */
  reset(): Promise<void> {
    return this.gate.alone(async () => {
      const { store, files, clock } = this.pristine;
      await Promise.all([this.site.store.snapshots.restore(PRISTINE, store.snapshots), mirrorFiles(files, this.site.uploads)]);
      startClock(this.site.clock, clock);
      await this.reload(PRISTINE);
    });
  }

  /** @param snapshot that was gone back to */
  private async reload(snapshot: string): Promise<void> {
    // Links that lead here once do so as long as the snapshot is the same.
    if (!this.atHome.has(snapshot)) {
      if (await followUrl(this.site.store, this.site.url)) this.atHome.delete(snapshot);
      else this.atHome.add(snapshot);
    }
    await this.site.reload();
  }

  /** Loads content while requests are served; they wait for the last step only. @throws DatasetError with all problems */
  load(sources: readonly DatasetSource[], options: TenantLoad): Promise<LoadResult> {
    const { site } = this;
    const place = { uploads: site.uploads, pristine: snapshotFiles(this.folder, PRISTINE) };
    return loadSources(site.store, sources, {
      ...options,
      place,
      siteUrl: site.url,
      now: site.clock.seconds(),
      alone: (work) =>
        this.gate.alone(async () => {
          await work();
          if (options.mode === 'replace') {
            const clock = sources[0].clock ?? this.pristine.clock;
            if (!options.forOnce) this.pristine = { store: site.store, files: place.pristine, clock };
            startClock(site.clock, clock);
          }
          await site.reload();
        }),
    });
  }

  /** Keeps everything under a name, in place of what was kept under it. */
  saveSnapshot(name: string): Promise<void> {
    return this.gate.alone(async () => {
      const { store, clock, uploads } = this.site;
      const facts = { saved: new Date(realTime()).toISOString(), clock: clock.state, posts: await store.posts.estimatedDocumentCount() };
      const files = snapshotFiles(this.folder, name);
      await mkdir(files, { recursive: true });
      await Promise.all([store.snapshots.save(name, facts), mirrorFiles(uploads, files)]);
    });
  }

  /** @throws RestError when there is none of this name */
  async restoreSnapshot(name: string): Promise<void> {
    const facts = await this.factsOf(name);
    await this.gate.alone(async () => {
      await Promise.all([this.site.store.snapshots.restore(name), mirrorFiles(snapshotFiles(this.folder, name), this.site.uploads)]);
      this.site.clock.restoreState(facts.clock as ClockState);
      await this.reload(name);
    });
  }

  /** @throws RestError when there is none of this name */
  async deleteSnapshot(name: string): Promise<void> {
    await this.factsOf(name);
    await this.site.store.snapshots.delete(name);
    await rm(snapshotFiles(this.folder, name), { recursive: true, force: true });
  }

  async snapshots(): Promise<Snapshot[]> {
    const all = await this.site.store.snapshots.list();
    return [...all]
      .filter(([name]) => name !== PRISTINE)
      .map(([name, { saved, posts }]) => ({ name, saved: String(saved), posts: Number(posts) }));
  }

  private async factsOf(name: string): Promise<Record<string, unknown>> {
    const facts = name === PRISTINE ? undefined : (await this.site.store.snapshots.list()).get(name);
    if (!facts) throw refuse('no_snapshot', `There is no snapshot ${JSON.stringify(name)}.`, 404);
    return facts;
  }
}
