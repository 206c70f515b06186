import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient, type Auth, type Client } from '../client/index.js';
import { Control, type ClockControl, type FaultControl, type JournalControl, type SnapshotControl } from './control.js';
import { workerName } from './environment.js';
import { nodeFetch } from './http.js';
import { lease as leaseServer, type Lease } from './share.js';

export interface UnderstudyOptions {
  /**
   * The dataset of the tests: an object, or the path of a JSON file. Default: the dataset of the server, which is the demo calendar unless
   * `server` sets another.
   */
  dataset?: string | object;
  /** Time (ISO 8601) at which the clock is frozen at the start of a test. Default: that of the dataset. */
  now?: string | Date;
  /** Release of The Events Calendar to behave like, such as `6.14.2`. Default: that of the server. */
  tecVersion?: string;
  /** Options of `understudy serve`, such as `['--profile', 'tec']`. Ignored if UNDERSTUDY_URL is set. */
  server?: readonly string[];
  /** Credentials for `admin`. Default: the administrator that the server has created. */
  admin?: Auth;
}

/** Reads a file. The error has the full path, since test runners differ in their working directories. */
const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read the dataset ${path.resolve(file)} (${error.code ?? error.message})`, { cause: error });
  });

const NO_ADMIN =
  'The application password of the administrator is unknown. Set UNDERSTUDY_ADMIN_PASSWORD to the value that the server at UNDERSTUDY_URL was started with, or pass { admin: { login, password } } to the helper.';

/** A sandbox of the server that all tests of a run share. */
export class Understudy {
  /** URL of the site, without trailing slash, for the program under test. */
  readonly url: string;
  /** URL of the REST root, without trailing slash. */
  readonly restUrl: string;
  /** An anonymous client. */
  readonly client: Client;
  readonly clock: ClockControl;
  readonly faults: FaultControl;
  readonly journal: JournalControl;
  readonly snapshots: SnapshotControl;
  private readonly control: Control;

  private constructor(
    /** Name of the sandbox, for the header `X-Understudy-Sandbox`. */
    readonly name: string,
    private readonly lease: Lease,
    private readonly options: UnderstudyOptions,
  ) {
    this.url = `${lease.url}/__sandbox/${name}`;
    this.restUrl = `${this.url}/wp-json`;
    this.client = createClient({ restUrl: this.restUrl, fetch: nodeFetch });
    this.control = new Control({ url: this.url, fetch: nodeFetch, ...(lease.token === undefined ? {} : { token: lease.token }) });
    const { clock, faults, journal, snapshots } = this.control;
    this.clock = clock;
    this.faults = faults;
    this.journal = journal;
    this.snapshots = snapshots;
  }

  /** Creates a sandbox with the dataset. Starts the server if necessary. */
  static async open(options: UnderstudyOptions = {}): Promise<Understudy> {
    const name = `w${workerName()}-${randomBytes(5).toString('hex')}`.toLowerCase();
    const lease = await leaseServer(name, options.server ?? []);
    const opened = new Understudy(name, lease, options);
    try {
      await new Control({ ...lease, fetch: nodeFetch }).createSandbox(name, options.tecVersion);
      // First the clock: relative dates of a dataset are relative to it.
      await opened.setClock();
      if (options.dataset !== undefined) await opened.seed(options.dataset);
    } catch (error) {
      await lease.release();
      throw error;
    }
    return opened;
  }

  /** Switches to the behavior of another release of The Events Calendar, until the next reset. */
  async setVersion(version: string): Promise<void> {
    await this.control.setVersion(version);
  }

  private async setClock(): Promise<void> {
    if (this.options.now !== undefined) await this.clock.freeze(this.options.now);
  }

  /** A client with the credentials of the administrator. @throws Error if the password is unknown */
  get admin(): Client {
    const { adminPassword } = this.lease;
    const auth = this.options.admin ?? (adminPassword === undefined ? undefined : { login: 'admin', password: adminPassword });
    if (!auth) throw new Error(NO_ADMIN);
    return this.client.as(auth);
  }

  /** A client with the credentials of a user. */
  as(login: string, password: string): Client {
    return this.client.as({ login, password });
  }

  /** Replaces all content with another dataset, which reset restores from then on. */
  async seed(dataset: string | object): Promise<void> {
    await this.control.seed(typeof dataset === 'string' ? await textOf(dataset) : dataset);
    await this.setClock();
  }

  /** Restores content, users, files and clock, removes all faults, and clears the journal. */
  async reset(): Promise<void> {
    const content = this.control.reset().then(() => this.setClock());
    await Promise.all([content, this.faults.clear(), this.journal.clear()]);
  }

  /** Deletes the sandbox and releases the server. */
  close(): Promise<void> {
    return this.lease.release();
  }
}
