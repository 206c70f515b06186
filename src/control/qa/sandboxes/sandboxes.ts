import { zonesOf } from '../../../base/php/zone-data.js';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Clock } from '../../../wordpress/clock.js';
import { deriveAgain } from '../../../wordpress/check.js';
import { Site } from '../../../wordpress/site.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { registryOf } from '../../../plugins/register.js';
import { withLock } from '../../../database/store/locks.js';
import { PRISTINE } from '../../../transfer/load/load.js';
import { FolderCopy, FolderRestore, mirrorFiles, placeIn } from '../../../transfer/load/mirror.js';
import { PreparedSeeds } from '../prepared.js';
import { copyTenant, FailedTestSandboxes, keptName } from './kept.js';
import type { RestError } from '../../../wordpress/rest/route.js';
import { qaError } from '../../tenant/api/route.js';
import { startClock, Tenant, type Pristine } from '../../tenant/tenant.js';
import type { Log } from '../../../base/system/log.js';
import type { Store } from '../../../wordpress/store.js';

interface SandboxOptions {
  main: Tenant;
  /** Parent folder of the sandboxes' folders. */
  folder: string;
  /** Number of prepared sandboxes; undefined: a default number, prepared on first use. */
  pool?: number;
  max: number;
  /** Minutes without a request after which a sandbox is dropped; 0: never. */
  idle: number;
  journalSize: number;
  /** Whether leftover databases can only belong to this server. */
  ownsDatabase: boolean;
  log: Log;
}

/** A database and a folder with the pristine state of the main tenant. */
interface Prepared {
  store: Store;
  folder: string;
  site: Site;
  uploads: FolderRestore;
  /** The pristine state that it is a copy of. */
  from: Pristine;
}

interface Sandbox {
  tenant: Tenant;
  prepared: Prepared;
}

/** Default number of prepared sandboxes, from the first use on. */
const DEFAULT_POOL = 4;

/**
 * How many more deleted sandboxes are kept for new ones. If tests create and delete one after another, no database is created or dropped; the
 * embedded database deletes the files of a dropped one, fifty, only when it starts next.
 */
const MAX_SPARE = 16;

/** How many sites at times or with zones of sandboxes stay loaded that no sandbox has. */
const MAX_LOADED = 4;

const MINUTE = 60_000;
/** Maximum length of the main database's name in the names of sandbox databases, which are limited to 63 bytes. */
const MAX_BASE = 38;

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

/** Normalizes the name of a sandbox. @throws RestError if it is invalid */
export function sandboxName(text: string): string {
  const name = text.toLowerCase();
  if (NAME.test(name)) return name;
  throw qaError(
    'invalid_sandbox',
    `Invalid sandbox name ${JSON.stringify(text)}. Use up to 63 letters and digits, with - and _ between them.`,
  );
}

export const noSandbox = (name: string): RestError =>
  qaError('no_sandbox', `Sandbox ${name} does not exist. Create it with PUT /__qa/sandboxes/${name}.`, 404);

/** Settings of a new sandbox that differ from the main site. */
interface NewSandbox {
  /** The time of its frozen clock, which relative dates of the dataset are relative to (ms since 1970 UTC). */
  now?: number | undefined;
  /** Release of its time zone data. */
  zones?: string | undefined;
  /** Names of its plugins. */
  plugins?: readonly string[] | undefined;
}

/** The sandboxes of a server: isolated tenants. */
export class Sandboxes {
  private readonly open = new Map<string, Promise<Sandbox>>();
  readonly seeds = new PreparedSeeds();
  private readonly kept = new FailedTestSandboxes();
  private readonly pool: Promise<Prepared>[] = [];
  /** The dataset of the main tenant `loadedFrom`, loaded at other times, and the ones before it. The latest are the last. */
  private readonly loadedAt = new Map<string, Promise<Sandbox>>();
  private loadedFrom: Pristine | undefined;
  /** How often it has been replaced. */
  private replaced = 0;
  private files: { pristine: Pristine; copy: FolderCopy } | null = null;
  private size: number;
  private leftoversRemoved: Promise<void> | null = null;
  private closing = false;
  private readonly sweeper: NodeJS.Timeout;

  constructor(private readonly options: SandboxOptions) {
    this.size = options.pool ?? 0;
    this.sweeper = setInterval(() => this.dropIdle(), Math.min(MINUTE, (options.idle || Infinity) * (MINUTE / 4))).unref();
  }

  /** Prepares sandboxes until the pool is full. */
  replenish(): void {
    while (!this.closing && this.pool.length < this.size) {
      this.pooled(this.prepare());
    }
  }

  /** Adds a sandbox that is being prepared to the pool. */
  private pooled(prepared: Promise<Prepared>): void {
    this.pool.push(prepared);
    prepared.catch((error: unknown) => {
      const at = this.pool.indexOf(prepared);
      if (at >= 0) void this.pool.splice(at, 1);
      this.options.log.error(`Cannot prepare a sandbox: ${String(error)}`);
    });
  }

  private get prefix(): string {
    return `${this.options.main.site.store.db.databaseName.slice(0, MAX_BASE)}_sandbox_`;
  }

  /** Removes the leftovers of a server that was killed. */
  private removeLeftovers(): Promise<void> {
    return (this.leftoversRemoved ??= (async () => {
      const { main, ownsDatabase, folder } = this.options;
      await rm(folder, { recursive: true, force: true });
      if (!ownsDatabase) return;
      for (const name of await main.site.store.databases(this.prefix)) await main.site.store.dropSibling(name);
    })());
  }

  /** Prepares sandboxes one after another, so that the first one is ready sooner. @param registry default: the main tenant's */
  private prepare(registry?: Registry, from?: Pristine): Promise<Prepared> {
    return withLock(this, 'prepare', () => this.prepareOne(registry, from));
  }

  private async prepareOne(registry?: Registry, from = this.options.main.pristine): Promise<Prepared> {
    await this.removeLeftovers();
    const { main, folder } = this.options;
    const id = randomBytes(6).toString('hex');
    const store = await main.site.store.copyOf(PRISTINE, from.store.snapshots, `${this.prefix}${id}`, registry);
    const own = path.join(folder, id);
    const uploads = new FolderRestore(placeIn(own).uploads);
    const prepared = { store, folder: own, site: this.siteOf(store, uploads), uploads, from };
    if (from !== main.pristine) return this.restore(prepared, from);
    uploads.await(await this.filesOf(from));
    await store.snapshots.restore(PRISTINE, from.store.snapshots);
    await prepared.site.reload();
    return prepared;
  }

  /** A copy of the files of the main tenant's pristine state, which may be replaced while sandboxes are made of it. */
  private async filesOf(pristine: Pristine): Promise<FolderCopy> {
    if (this.files?.pristine !== pristine) {
      await this.files?.copy.end();
      const copy = await FolderCopy.make(pristine.files, path.join(this.options.folder, `files-${randomBytes(6).toString('hex')}`));
      this.files = { pristine, copy };
    }
    return this.files.copy;
  }

  private siteOf(store: Store, uploads: FolderRestore): Site {
    const { site } = this.options.main;
    const own = new Site(store, new Clock(), site.quirks, site.url, uploads, {
      ...site.chosen,
      guards: site.chosen.guards.fresh(),
    });
    own.chosenReleases = this.options.main.startReleases;
    return own;
  }

  /** @param from the state to restore */
  private async restore(prepared: Prepared, from = this.options.main.pristine): Promise<Prepared> {
    await Promise.all([prepared.store.snapshots.restore(PRISTINE, from.store.snapshots), prepared.uploads.restore(from.files)]);
    await prepared.site.reload();
    return { ...prepared, from };
  }

  /**
   * The state of a sandbox whose clock starts at `now`, with other zone data: the dataset with its dates relative to that time, and UTC times
   * of these zones. It is loaded once; sandboxes with the same time and zones restore it.
   */
  private async pristineFor({ now, zones }: NewSandbox): Promise<Pristine> {
    const { main } = this.options;
    const { pristine } = main;
    const hasSameZones = zones === undefined || zonesOf(zones).identity === main.site.zones.identity;
    const isSame = (now ?? pristine.clock) === pristine.clock && hasSameZones;
    if (isSame || !pristine.reopen) return pristine;
    if (this.loadedFrom !== pristine) this.replaced += 1;
    this.loadedFrom = pristine;
    const key = `${this.replaced} ${now ?? ''} ${zones ?? ''}`;
    const loaded = this.loadedAt.get(key) ?? this.loadAt(now ?? pristine.clock ?? main.site.clock.now(), zones, pristine.reopen);
    this.loadedAt.delete(key);
    this.loadedAt.set(key, loaded);
    loaded.catch(() => this.loadedAt.delete(key));
    return (await loaded).tenant.pristine;
  }

  /** Discards the sites of times that were not needed lately, unless a sandbox restores them at a reset. */
  private async dropLoaded(): Promise<void> {
    if (this.loadedAt.size <= MAX_LOADED) return;
    const [sandboxes, loads] = [new Set(this.open.values()), [...this.loadedAt]];
    const opened = await Promise.allSettled(sandboxes);
    const loaded = await Promise.allSettled(loads.map(([, each]) => each));
    // One that is being made may need any of them.
    if ([...this.open.values()].some((each) => !sandboxes.has(each))) return;
    const used = new Set(opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value.tenant.pristine.store] : [])));
    const unused = loads.slice(0, -MAX_LOADED).flatMap(([key], i) => {
      const each = loaded[i];
      return each.status === 'fulfilled' && !used.has(each.value.prepared.store) && this.loadedAt.delete(key) ? [each.value.prepared] : [];
    });
    await Promise.all(unused.map((each) => this.discard(each)));
  }

  private async loadAt(now: number, zones: string | undefined, reopen: NonNullable<Pristine['reopen']>): Promise<Sandbox> {
    const prepared = await this.prepare();
    if (zones !== undefined) prepared.site.chosenZones = zones;
    const tenant = new Tenant('', prepared.site, prepared.folder, prepared.from, 0);
    tenant.site.clock.freeze(now);
    await tenant.load([await reopen(now, zones === undefined ? undefined : zonesOf(zones))], {
      mode: 'replace',
      clock: now,
      dataset: prepared.from.dataset ?? undefined,
    });
    return { tenant, prepared };
  }

  /** Derives the content of a prepared sandbox again, for its own registry. @returns the state that a reset restores */
  private async rederived({ store, site, folder, from }: Prepared): Promise<Pristine> {
    const { pristine: files } = placeIn(folder);
    await deriveAgain(store);
    await Promise.all([store.snapshots.save(PRISTINE), mirrorFiles(site.uploads, files)]);
    return { ...from, store, files };
  }

  /** Whether a sandbox exists. */
  has(name: string): boolean {
    return this.open.has(name);
  }

  /**
   * Returns a sandbox, and creates it if it does not exist.
   * @param how what a new sandbox has otherwise than the main site
   * @throws RestError if there are too many, DatasetError if the dataset is invalid at that time, Error for an unknown plugin
   */
  async get(name: string, how: NewSandbox = {}): Promise<Tenant> {
    const known = this.open.get(name);
    if (known) return (await known).tenant;
    this.makeRoom();
    return this.add(name, this.create(name, how));
  }

  /** @throws RestError if there are too many, even without the oldest of failed tests */
  private makeRoom(): void {
    if (this.open.size < this.options.max) return;
    const { oldest } = this.kept;
    if (oldest === undefined)
      throw qaError(
        'too_many_sandboxes',
        `There are ${this.open.size} sandboxes, which is the limit. Delete one, or raise --max-sandboxes.`,
        429,
      );
    this.dropLater(oldest);
  }

  private async add(name: string, created: Promise<Sandbox>): Promise<Tenant> {
    this.open.set(name, created);
    created.catch(() => {
      this.open.delete(name);
      this.kept.forget(name);
    });
    const { tenant } = await created;
    void this.dropLoaded().catch((error: unknown) => this.options.log.error(`Cannot drop the site of a sandbox: ${String(error)}`));
    return tenant;
  }

  /**
   * Keeps the site of a failed test: a copy of a tenant as a sandbox. A project has at most ten; they stay for an hour without a request.
   * @param title of the test
   * @param project whose tests these are
   * @throws RestError if there are too many sandboxes
   */
  async keep(source: Tenant, title: string, project: string): Promise<Tenant> {
    for (const each of this.kept.surplusOf(project)) this.dropLater(each);
    this.makeRoom();
    const name = keptName(title);
    this.kept.add(name, project);
    return this.add(name, this.createCopy(source, name));
  }

  private async createCopy(source: Tenant, name: string): Promise<Sandbox> {
    const { main, journalSize } = this.options;
    const { base } = source.site.registry;
    const prepared = await this.takePrepared(base);
    const { pristine: files } = placeIn(prepared.folder);
    const pristine: Pristine = { store: prepared.store, files, clock: source.site.clock.now(), dataset: source.dataset };
    const tenant = new Tenant(name, prepared.site, prepared.folder, pristine, journalSize, main.scenarios);
    await copyTenant(source, tenant);
    setTimeout(() => this.replenish(), 0).unref();
    return { tenant, prepared };
  }

  /** @param from the state that it will be in */
  private async takePrepared(registry: Registry, from = this.options.main.pristine): Promise<Prepared> {
    const { main } = this.options;
    const isPooled = registry === main.site.registry.base && from === main.pristine;
    return (isPooled ? await this.pool.shift()?.catch(() => undefined) : undefined) ?? (await this.prepare(registry, from));
  }

  private dropLater(name: string): void {
    void this.drop(name).catch((error: unknown) => this.options.log.error(`Cannot drop sandbox ${name}: ${String(error)}`));
  }

  private async create(name: string, { now, zones, plugins }: NewSandbox): Promise<Sandbox> {
    const { main, journalSize, pool } = this.options;
    if (pool === undefined) this.size = DEFAULT_POOL;
    // Declarations are registered with the content.
    const registry = plugins ? await registryOf(plugins) : main.site.registry.base;
    const isAlike = registry === main.site.registry.base;
    const from = now === undefined && zones === undefined ? main.pristine : await this.pristineFor({ now, zones });
    const ready = await this.takePrepared(registry, from);
    // The main tenant may have been seeded in the meantime.
    const prepared = ready.from === from ? ready : await this.restore(ready, from);
    const state = isAlike ? from : await this.rederived(prepared);
    if (zones !== undefined) prepared.site.chosenZones = zones;
    const pristine = { ...state, clock: now ?? main.pristine.clock };
    const tenant = new Tenant(name, prepared.site, prepared.folder, pristine, journalSize, main.scenarios, prepared.uploads);
    startClock(prepared.site.clock, pristine.clock);
    // Prepare the next one only after the response.
    setTimeout(() => this.replenish(), 0).unref();
    return { tenant, prepared };
  }

  /** @returns whether the sandbox existed */
  async drop(name: string): Promise<boolean> {
    const known = this.open.get(name);
    if (!known) return false;
    this.open.delete(name);
    this.kept.forget(name);
    await this.recycle(await known);
    await this.dropLoaded();
    return true;
  }

  /** Returns the resources of a sandbox to the pool, or deletes them. */
  private async recycle({ tenant, prepared }: Sandbox): Promise<void> {
    tenant.webhooks.drop();
    await tenant.gate.exclusive(async () => {
      // Requests that wait would get the content of the next sandbox.
      tenant.gate.ended = noSandbox(tenant.name);
      for (const { name } of await tenant.snapshots()) await tenant.deleteSnapshot(name);
    });
    // The next sandbox accepts no session of this one.
    prepared.store.key.forget();
    const isAlike = prepared.store.registry.base === this.options.main.site.registry.base;
    // In memory, another is made in less time than all of the content is compared in.
    const isMade = prepared.store.isLocal && (tenant.pristine.store === prepared.store || prepared.from !== this.options.main.pristine);
    if (this.closing || isMade || !isAlike || this.pool.length >= this.size + MAX_SPARE) return this.discard(prepared);
    this.pooled(this.restore({ ...prepared, site: this.siteOf(prepared.store, prepared.uploads) }));
  }

  private async discard({ store, folder, uploads }: Prepared): Promise<void> {
    uploads.forget();
    await store.drop();
    await rm(folder, { recursive: true, force: true });
  }

  async list(): Promise<Tenant[]> {
    return (await Promise.all([...this.open.values()].map((each) => each.catch(() => null)))).flatMap((each) =>
      each ? [each.tenant] : [],
    );
  }

  private dropIdle(): void {
    const now = performance.now();
    const { idle } = this.options;
    for (const [name, each] of this.open) {
      const limit = this.kept.idleMs(name, idle === 0 ? Infinity : idle * MINUTE);
      void each.then(({ tenant }) => tenant.lastUsed < now - limit && this.dropLater(name)).catch(() => undefined);
    }
  }

  /** @param skipCleanup whether the whole database will be deleted, so that sandboxes need not be dropped one by one */
  async close(skipCleanup: boolean): Promise<void> {
    this.closing = true;
    clearInterval(this.sweeper);
    for (const { webhooks } of await this.list()) webhooks.drop();
    const all = await Promise.allSettled([...[...this.open.values()].map(async (each) => (await each).prepared), ...this.pool]);
    if (skipCleanup) return;
    const loaded = await Promise.allSettled(this.loadedAt.values());
    await Promise.all(loaded.flatMap((each) => (each.status === 'fulfilled' ? [this.discard(each.value.prepared)] : [])));
    await Promise.all(all.flatMap((each) => (each.status === 'fulfilled' ? [this.discard(each.value)] : [])));
    await this.files?.copy.end();
    await this.options.main.site.store.dropMoved();
  }
}
