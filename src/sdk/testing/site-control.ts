import { createClient, type Client, type Fetch } from '../client/index.js';
import {
  Control,
  type ClockControl,
  type ReleasesToSet,
  type FaultControl,
  type JournalControl,
  type SnapshotControl,
  type StubControl,
  type StubRule,
  type WebhookControl,
  type ReadResponse,
} from './control.js';
import { seedDataset, type DatasetInput } from './dataset.js';
import type { Seeded, SettingsToSet, SiteSettings } from '../types/qa.js';
import { strictCheck, type Allowance, type StrictCheck, type StrictOptions } from './cypress.js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withContent } from '../../base/text/stub-file.js';

/** Reads the file of a response, whose path is relative to the working directory. The error has the full path. */
const readResponse: ReadResponse = async (response) => {
  const file = path.resolve(response.file ?? '');
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read the file of a stub ${file} (${error.code ?? error.message})`, { cause: error });
  });
  return withContent(response, content);
};

/** A login with its application password. */
export interface Credentials {
  login: string;
  password: string;
}

export interface SiteOptions {
  /** Folder of the pictures of `dataset`. Default: `uploads` beside the file; for an object, in the working directory. */
  uploads?: string;
  /** Whether to create venues, organizers and terms that `dataset` only mentions. Default: as the server is set up, which is true. */
  create?: boolean;
  /**
   * Time (ISO 8601) at which the clock is frozen at the start of a test, and which relative dates are relative to. Default: the time of the
   * dataset.
   */
  now?: string | Date;
  /** Credentials for `admin`. Default: the administrator that the server has created. */
  admin?: Credentials;
  /** Stubs that are there when a test starts. */
  stubs?: readonly StubRule[];
  /**
   * Fails tests whose requests contain something that the service silently ignores, such as misspelled parameters. `{ allow }` lists
   * what may be ignored. Default: false.
   */
  strict?: boolean | StrictOptions;
}

/** How to reach a site and its test API. */
export interface SiteAccess {
  /** URL of the site, without trailing slash. */
  url: string;
  /** The URL that this process uses. Default: `url`. */
  localUrl?: string;
  fetch: Fetch;
  /** Token of the test API, if one is required. */
  token?: string | undefined;
  /** Login of the administrator. Default: `admin`. */
  adminLogin?: string | undefined;
  /** Application password of the administrator, if known. */
  adminPassword?: string | undefined;
}

const NO_ADMIN =
  'The application password of the administrator is unknown. Set UNDERSTUDY_ADMIN_PASSWORD to the value that the server at UNDERSTUDY_URL was started with, or pass { admin: { login, password } } to the helper.';

/** Controls a site in tests: its content, clock, faults and journal. */
export class SiteControl {
  /** URL of the site, without trailing slash, for the program under test. */
  readonly url: string;
  /** URL of the REST root, without trailing slash. */
  readonly restUrl: string;
  /** An anonymous client. */
  readonly client: Client;
  readonly clock: ClockControl;
  readonly faults: FaultControl;
  readonly stubs: StubControl;
  readonly journal: JournalControl;
  readonly snapshots: SnapshotControl;
  readonly webhooks: WebhookControl;
  protected readonly control: Control;
  private readonly strict: StrictCheck | null;
  private readonly adminPassword: string | undefined;
  private adminLogin: string;

  constructor(
    { url, localUrl = url, fetch, token, adminLogin = 'admin', adminPassword }: SiteAccess,
    private readonly site: SiteOptions,
  ) {
    this.url = url;
    this.restUrl = `${url}/wp-json`;
    this.adminLogin = adminLogin;
    this.adminPassword = adminPassword;
    this.client = createClient({ url: localUrl, fetch });
    this.control = new Control({ url: localUrl, fetch, read: readResponse, ...(token === undefined ? {} : { token }) });
    const { clock, faults, stubs, journal, snapshots, webhooks } = this.control;
    this.clock = clock;
    this.faults = faults;
    this.stubs = stubs;
    this.journal = journal;
    this.snapshots = snapshots;
    this.webhooks = webhooks;
    this.strict = strictCheck(journal, site.strict);
  }

  /** Switches to the behavior of another release of The Events Calendar, until the next reset. */
  async setVersion(releases: ReleasesToSet): Promise<void> {
    await this.control.setVersion(releases);
  }

  /** Changes settings of the site, such as `{ permalinks: 'plain' }`, until the next reset; null: as on a new site. */
  setSettings(settings: SettingsToSet): Promise<SiteSettings> {
    return this.control.setSettings(settings);
  }

  /** The credentials of the administrator, for the program under test. @throws Error if the password is unknown */
  get adminAuth(): Credentials {
    const { adminLogin: login, adminPassword: password } = this;
    const auth = this.site.admin ?? (password === undefined ? undefined : { login, password });
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

  /**
   * A bearer token of a user, for the program under test or for `client.as({ bearer })`. It is good for a week on the clock of the site,
   * which needs a plugin for it: `--plugins jwt-authentication-for-wp-rest-api`.
   * @param user login, email address or role; for a role, the first user who has it. Default: the administrator
   */
  token(user = this.adminLogin): Promise<string> {
    return this.control.bearer(user);
  }

  /** Replaces all content with another dataset, which reset restores from then on. @returns counts, and what was left out or chosen (`warnings`) */
  async seed(dataset: DatasetInput): Promise<Seeded> {
    const { now, uploads, create } = this.site;
    const seeded = await seedDataset(this.control, dataset, { now, uploads, create });
    this.adminLogin = seeded.administrator ?? this.adminLogin;
    return seeded;
  }

  /** With `strict`: allows parameters and fields to be ignored, until the next reset. A text is a name, with `*` as wildcard. */
  allow(...ignored: (string | Allowance)[]): void {
    this.strict?.allow(ignored);
  }

  /**
   * With `strict`: checks the requests since the last check or reset. The helpers do this after each test.
   * @throws IgnoredError with the requests that contained something that the service silently ignores
   */
  async check(): Promise<void> {
    await this.strict?.run();
  }

  /** Adds the stubs of the options. */
  protected async addStubs(): Promise<void> {
    await this.stubs.add(this.site.stubs ?? []);
  }

  /** Restores content, users, files and clock, removes faults, webhooks and added stubs, and clears the journal. */
  async reset(): Promise<void> {
    // Webhooks to keep get one event, the reset.
    await this.webhooks.reset();
    await Promise.all([this.control.reset(), this.faults.clear(), this.stubs.clear(), this.journal.clear()]);
    await this.addStubs();
    this.strict?.reset();
  }
}
