import { randomBytes } from 'node:crypto';
import { createClient, type Client } from '../client/index.js';
import { Control, type ClockControl, type FaultControl, type JournalControl, type SnapshotControl } from './control.js';
import { seedDataset, type DatasetInput } from './dataset.js';
import { workerName } from './environment.js';
import { nodeFetch } from './http.js';
import { lease as leaseServer, type Lease } from './share.js';
import { didYouMean } from '../suggest.js';

export interface UnderstudyOptions {
  /**
   * The dataset of the tests: an object, the path of a file of any format, or several paths. Default: the dataset of the server, which is
   * the demo calendar unless `server` sets another.
   */
  dataset?: DatasetInput;
  /** Folder of the pictures of `dataset`. Default: `uploads` beside the file; for an object, in the working directory. */
  uploads?: string;
  /**
   * Time (ISO 8601) at which the clock is frozen at the start of a test, and which relative dates are relative to. Default: that of the
   * dataset.
   */
  now?: string | Date;
  /** Release of The Events Calendar to behave like, such as `6.14.2`. Default: that of the server. */
  tecVersion?: string;
  /** Options of `understudy serve`, such as `['--profile', 'tec']`. Ignored if UNDERSTUDY_URL is set. */
  server?: readonly string[];
  /** Credentials for `admin`. Default: the administrator that the server has created. */
  admin?: Credentials;
}

/** A login with its application password. */
export interface Credentials {
  login: string;
  password: string;
}

const OPTIONS: Record<keyof UnderstudyOptions, true> = {
  dataset: true,
  uploads: true,
  now: true,
  tecVersion: true,
  server: true,
  admin: true,
};

/** @throws Error for an unknown option */
function checkOptions(options: object): void {
  const known = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known) || '.';
  throw new Error(`Unknown option ${JSON.stringify(unknown)}${hint} The options are ${known.join(', ')}.`);
}

const NO_ADMIN =
  'The application password of the administrator is unknown. Set UNDERSTUDY_ADMIN_PASSWORD to the value that the server at UNDERSTUDY_URL was started with, or pass { admin: { login, password } } to the helper.';

/** A sandbox of the server that all tests of a run share. */
export class Understudy {
  /** URL of the site, without trailing slash, for the program under test. */
  readonly url: string;
  /** URL of the REST root, without trailing slash. */
  readonly restUrl: string;
  /** With `--tls`: file of the certificate (PEM) that the program under test has to trust. Otherwise null. */
  readonly certificate: string | null;
  /** An anonymous client. */
  readonly client: Client;
  readonly clock: ClockControl;
  readonly faults: FaultControl;
  readonly journal: JournalControl;
  readonly snapshots: SnapshotControl;
  private readonly control: Control;
  private adminLogin: string;

  private constructor(
    /** Name of the sandbox, for the header `X-Understudy-Sandbox`. */
    readonly name: string,
    private readonly lease: Lease,
    private readonly options: UnderstudyOptions,
  ) {
    this.url = `${lease.url}/__sandbox/${name}`;
    this.restUrl = `${this.url}/wp-json`;
    this.certificate = lease.certificate ?? null;
    this.adminLogin = lease.adminLogin ?? 'admin';
    const localUrl = `${lease.localUrl ?? lease.url}/__sandbox/${name}`;
    this.client = createClient({ url: localUrl, fetch: nodeFetch });
    this.control = new Control({ url: localUrl, fetch: nodeFetch, ...(lease.token === undefined ? {} : { token: lease.token }) });
    const { clock, faults, journal, snapshots } = this.control;
    this.clock = clock;
    this.faults = faults;
    this.journal = journal;
    this.snapshots = snapshots;
  }

  /** Creates a sandbox with the dataset. Starts the server if necessary. */
  static async open(options: UnderstudyOptions = {}): Promise<Understudy> {
    checkOptions(options);
    const name = `w${workerName()}-${randomBytes(5).toString('hex')}`.toLowerCase();
    const lease = await leaseServer(name, options.server ?? []);
    const opened = new Understudy(name, lease, options);
    try {
      const { dataset, now, tecVersion } = options;
      const server = new Control({ ...lease, url: lease.localUrl ?? lease.url, fetch: nodeFetch });
      await server.createSandbox(name, { now: dataset === undefined ? now : undefined, version: tecVersion });
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

  /** The credentials of the administrator, for the program under test. @throws Error if the password is unknown */
  get adminAuth(): Credentials {
    const { adminPassword } = this.lease;
    const auth = this.options.admin ?? (adminPassword === undefined ? undefined : { login: this.adminLogin, password: adminPassword });
    if (!auth) throw new Error(NO_ADMIN);
    return auth;
  }

  /** A client with the credentials of the administrator. @throws Error if the password is unknown */
  get admin(): Client {
    return this.client.as(this.adminAuth);
  }

  /** A client with the credentials of a user. */
  as(login: string, password: string): Client {
    return this.client.as({ login, password });
  }

  /** Replaces all content with another dataset, which reset restores from then on. */
  async seed(dataset: DatasetInput): Promise<void> {
    const { now, uploads } = this.options;
    const { administrator } = await seedDataset(this.control, dataset, { now, uploads });
    this.adminLogin = administrator ?? this.adminLogin;
  }

  /** Restores content, users, files and clock, removes all faults, and clears the journal. */
  async reset(): Promise<void> {
    await Promise.all([this.control.reset(), this.faults.clear(), this.journal.clear()]);
  }

  /** Deletes the sandbox and releases the server. */
  close(): Promise<void> {
    return this.lease.release();
  }
}
