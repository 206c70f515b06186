import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, type Auth, type Client } from '../client/index.js';
import { Control, type ClockControl, type FaultControl, type JournalControl, type SnapshotControl } from './control.js';
import { workerName } from './environment.js';
import { nodeFetch } from './http.js';
import { lease, type Lease } from './share.js';

export interface UnderstudyOptions {
  /**
   * What a test begins with: a dataset (an object), or the path of a JSON file with one. The dataset of the server when absent: the demo
   * calendar, unless `server` names another.
   */
  dataset?: string | object;
  /** Moment (ISO 8601) at which the clock stands when a test begins; that of the dataset when absent. */
  now?: string | Date;
  /** Options of `understudy serve` for the server, such as `['--profile', 'tec']`. One that UNDERSTUDY_URL names has its own. */
  server?: readonly string[];
  /** Who `admin` is; the administrator that the server has made when absent. */
  admin?: Auth;
}

/** The whole path is told: test runners differ in where they start. */
const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The dataset ${path.resolve(file)} cannot be read (${error.code ?? error.message})`, { cause: error });
  });

const NO_ADMIN =
  'The application password of the administrator is not known: set UNDERSTUDY_ADMIN_PASSWORD to what the server at UNDERSTUDY_URL was started with, or give the helper { admin: { login, password } }';

/** A calendar of one's own: a sandbox of the server that all tests of a run share. */
export class Understudy {
  /** Address of the site, without trailing slash: what the program under test is given. */
  readonly url: string;
  /** Address of its REST root, without trailing slash. */
  readonly restUrl: string;
  /** Asks as somebody who is not signed in. */
  readonly client: Client;
  readonly clock: ClockControl;
  readonly faults: FaultControl;
  readonly journal: JournalControl;
  readonly snapshots: SnapshotControl;
  private readonly control: Control;

  private constructor(
    /** Name of the sandbox, for the header `X-Understudy-Sandbox`. */
    readonly name: string,
    private readonly held: Lease,
    private readonly options: UnderstudyOptions,
  ) {
    this.url = `${held.url}/__sandbox/${name}`;
    this.restUrl = `${this.url}/wp-json`;
    this.client = createClient({ restUrl: this.restUrl, fetch: nodeFetch });
    this.control = new Control({ url: this.url, fetch: nodeFetch, ...(held.token === undefined ? {} : { token: held.token }) });
    const { clock, faults, journal, snapshots } = this.control;
    this.clock = clock;
    this.faults = faults;
    this.journal = journal;
    this.snapshots = snapshots;
  }

  /** Gets a server, and a sandbox of it, which holds the dataset. */
  static async open(options: UnderstudyOptions = {}): Promise<Understudy> {
    const name = `w${workerName()}-${randomBytes(5).toString('hex')}`.toLowerCase();
    const held = await lease(name, options.server ?? []);
    const opened = new Understudy(name, held, options);
    try {
      await new Control({ ...held, fetch: nodeFetch }).makeSandbox(name);
      // Dates of a dataset that are relative count from the time of the site.
      await opened.setClock();
      if (options.dataset !== undefined) await opened.seed(options.dataset);
    } catch (error) {
      await held.release();
      throw error;
    }
    return opened;
  }

  private async setClock(): Promise<void> {
    if (this.options.now !== undefined) await this.clock.freeze(this.options.now);
  }

  /** Asks as the administrator. @throws Error when nobody knows the password */
  get admin(): Client {
    const { adminPassword } = this.held;
    const auth = this.options.admin ?? (adminPassword === undefined ? undefined : { login: 'admin', password: adminPassword });
    if (!auth) throw new Error(NO_ADMIN);
    return this.client.as(auth);
  }

  /** Asks as somebody. */
  as(login: string, password: string): Client {
    return this.client.as({ login, password });
  }

  /** Puts another dataset in place of everything; what a test begins with is that from then on. */
  async seed(dataset: string | object): Promise<void> {
    await this.control.seed(typeof dataset === 'string' ? await textOf(dataset) : dataset);
    await this.setClock();
  }

  /** Goes back to what a test begins with: content, users, files, clock; no faults, an empty journal. */
  async reset(): Promise<void> {
    const content = this.control.reset().then(() => this.setClock());
    await Promise.all([content, this.faults.clear(), this.journal.clear()]);
  }

  /** Throws the sandbox away, and lets go of the server. */
  close(): Promise<void> {
    return this.held.release();
  }
}
