import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Clock } from '../../wp/clock.js';
import { Site } from '../../wp/site.js';
import { withLock } from '../../store/locks.js';
import { PRISTINE } from '../../content/load/load.js';
import { mirrorFiles } from '../../content/load/mirror.js';
import { refuse } from '../route.js';
import { startClock, Tenant } from '../tenant.js';
import type { Log } from '../../log.js';
import type { Store } from '../../wp/store.js';

export interface SandboxOptions {
  main: Tenant;
  /** Folder in which each sandbox has one. */
  folder: string;
  /** How many are kept prepared; undefined: some, from the first use on. */
  pool?: number;
  /** How many there may be at a time. */
  most: number;
  /** Minutes without a request after which one is dropped; 0: never. */
  idle: number;
  journalSize: number;
  /** Whether databases that are left over can only be this server's. */
  ownsDatabase: boolean;
  log: Log;
}

/** A database and a folder that hold what a reset of the main tenant goes back to. */
interface Prepared {
  store: Store;
  folder: string;
  site: Site;
  /** What it was filled from. */
  from: Tenant['pristine'];
}

interface Sandbox {
  tenant: Tenant;
  prepared: Prepared;
}

/** Prepared ones from the first use on, unless another number is asked for. */
const USUAL_POOL = 4;

const MINUTE = 60_000;
/** Databases have names of at most 63 bytes. */
const LONGEST_BASE = 38;

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?$/;

/** A name as it is compared. @throws RestError for what cannot be one */
export function sandboxName(text: string): string {
  const name = text.toLowerCase();
  if (NAME.test(name)) return name;
  throw refuse('invalid_sandbox', `${JSON.stringify(text)} is no name for a sandbox: up to 63 letters, digits, - and _ between them.`);
}

/** The isolated tenants of one server. */
export class Sandboxes {
  private readonly open = new Map<string, Promise<Sandbox>>();
  private readonly pool: Promise<Prepared>[] = [];
  private size: number;
  private tidied: Promise<void> | null = null;
  private closing = false;
  private readonly sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly options: SandboxOptions) {
    this.size = options.pool ?? 0;
    if (options.idle > 0) this.sweeper = setInterval(() => this.dropIdle(), Math.min(MINUTE, (options.idle * MINUTE) / 4)).unref();
  }

  /** Prepares as many as are to be ready. */
  fill(): void {
    while (!this.closing && this.pool.length < this.size) {
      this.keep(this.prepare());
    }
  }

  /** Puts what will be ready into the pool. */
  private keep(prepared: Promise<Prepared>): void {
    this.pool.push(prepared);
    prepared.catch((error: unknown) => {
      const at = this.pool.indexOf(prepared);
      if (at >= 0) void this.pool.splice(at, 1);
      this.options.log.error(`A sandbox could not be prepared: ${String(error)}`);
    });
  }

  private get prefix(): string {
    return `${this.options.main.site.store.db.databaseName.slice(0, LONGEST_BASE)}_sandbox_`;
  }

  /** What a server that was killed has left behind. */
  private tidy(): Promise<void> {
    return (this.tidied ??= (async () => {
      const { main, ownsDatabase, folder } = this.options;
      await rm(folder, { recursive: true, force: true });
      if (!ownsDatabase) return;
      for (const name of await main.site.store.databases(this.prefix)) await main.site.store.dropSibling(name);
    })());
  }

  /** One after another: the first is ready the sooner. */
  private prepare(): Promise<Prepared> {
    return withLock(this, 'prepare', () => this.prepareOne());
  }

  private async prepareOne(): Promise<Prepared> {
    await this.tidy();
    const { main, folder } = this.options;
    const id = randomBytes(6).toString('hex');
    const store = await main.site.store.sibling(`${this.prefix}${id}`);
    const own = path.join(folder, id);
    return this.refill({ store, folder: own, site: this.siteOf(store, own), from: main.pristine });
  }

  private siteOf(store: Store, folder: string): Site {
    const { site } = this.options.main;
    const own = new Site(store, new Clock(), site.quirks, site.url, path.join(folder, 'uploads'), site.media);
    own.geoRadius = site.geoRadius;
    own.chosenLanguage = site.chosenLanguage;
    return own;
  }

  private async refill(prepared: Prepared): Promise<Prepared> {
    const from = this.options.main.pristine;
    await Promise.all([prepared.store.snapshots.restore(PRISTINE, from.store.snapshots), mirrorFiles(from.files, prepared.site.uploads)]);
    await prepared.site.reload();
    return { ...prepared, from };
  }

  /** Whether there is one of this name. */
  has(name: string): boolean {
    return this.open.has(name);
  }

  /**
   * The sandbox of a name, made when there is none.
   * @throws RestError when there are too many
   */
  async get(name: string): Promise<Tenant> {
    const known = this.open.get(name);
    if (known) return (await known).tenant;
    if (this.open.size >= this.options.most)
      throw refuse(
        'too_many_sandboxes',
        `There are ${this.open.size} sandboxes, and no more may be: drop one, or see --max-sandboxes.`,
        429,
      );
    const made = this.make(name);
    this.open.set(name, made);
    made.catch(() => this.open.delete(name));
    return (await made).tenant;
  }

  private async make(name: string): Promise<Sandbox> {
    const { main, journalSize, pool } = this.options;
    if (pool === undefined) this.size = USUAL_POOL;
    const ready = (await this.pool.shift()?.catch(() => undefined)) ?? (await this.prepare());
    // The main tenant may have been seeded since.
    const prepared = ready.from === main.pristine ? ready : await this.refill(ready);
    const tenant = new Tenant(name, prepared.site, prepared.folder, main.pristine, journalSize);
    startClock(prepared.site.clock, main.pristine.clock);
    // The next one is not made before the one who waits has his answer.
    setTimeout(() => this.fill(), 0).unref();
    return { tenant, prepared };
  }

  /** @returns whether there was one */
  async drop(name: string): Promise<boolean> {
    const known = this.open.get(name);
    if (!known) return false;
    this.open.delete(name);
    await this.recycle(await known);
    return true;
  }

  /** What a sandbox leaves is put back into the pool, or thrown away. */
  private async recycle({ tenant, prepared }: Sandbox): Promise<void> {
    await tenant.gate.alone(async () => {
      for (const { name } of await tenant.snapshots()) await tenant.deleteSnapshot(name);
    });
    if (this.closing || this.pool.length >= this.size) return this.discard(prepared);
    this.keep(this.refill({ ...prepared, site: this.siteOf(prepared.store, prepared.folder) }));
  }

  private async discard({ store, folder }: Prepared): Promise<void> {
    await store.drop();
    await rm(folder, { recursive: true, force: true });
  }

  async list(): Promise<Tenant[]> {
    return (await Promise.all([...this.open.values()].map((each) => each.catch(() => null)))).flatMap((each) =>
      each ? [each.tenant] : [],
    );
  }

  private dropIdle(): void {
    const limit = performance.now() - this.options.idle * MINUTE;
    for (const [name, each] of this.open) {
      void each
        .then(({ tenant }) => (tenant.lastUsed < limit ? this.drop(name) : false))
        .catch((error: unknown) => this.options.log.error(`The sandbox ${name} could not be dropped: ${String(error)}`));
    }
  }

  /** @param keepNothing the database goes as a whole, so that nothing has to be dropped one by one */
  async close(keepNothing: boolean): Promise<void> {
    this.closing = true;
    clearInterval(this.sweeper);
    const all = await Promise.allSettled([...[...this.open.values()].map(async (each) => (await each).prepared), ...this.pool]);
    if (keepNothing) return;
    await Promise.all(all.flatMap((each) => (each.status === 'fulfilled' ? [this.discard(each.value)] : [])));
  }
}
