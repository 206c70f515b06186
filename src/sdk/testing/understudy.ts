import { randomBytes } from 'node:crypto';
import { Control } from './control.js';
import type { DatasetInput } from './dataset.js';
import { givenServer, isFurtherWorker, workerName } from './environment.js';
import { keepSite, MAX_KEPT, type KeptSite } from './failed.js';
import { lease as leaseServer, type Lease } from './share.js';
import { SiteControl, type SiteOptions } from './site-control.js';
import { CountedRequests, StrayCheck, type StrayMode } from './stray.js';
import type { ServerOptions } from '../types/server-options.js';
import { didYouMean } from '../../base/text/suggest.js';
import type { FaultScenario, ScenarioRule, Webhook } from '../types/qa.js';

/** Options of the server that the tests start, by their names in code, except for those that the helpers set or have themselves. */
type FurtherOptions = Omit<
  Partial<ServerOptions>,
  | keyof SiteOptions
  | ('dataset' | 'url' | 'sandbox' | 'tecVersion' | 'wordpress' | 'zones' | 'scenarios' | 'webhooks')
  | ('config' | 'host' | 'port' | 'data' | 'ephemeral' | 'qa' | 'watch' | 'mongodbUri')
>;

/** Their names. A test compares them with the table of options. */
export const FURTHER_OPTIONS: readonly (keyof FurtherOptions)[] = [
  ...([
    'trustProxy',
    'trustProxyHops',
    'tls',
    'tlsCert',
    'tlsKey',
    'proxy',
    'proxyMode',
    'cassette',
    'proxyPaths',
    'proxyAllowWrites',
  ] as const),
  ...(['proxyLogin', 'proxyPassword', 'proxyTimeout', 'namespaces', 'plugins', 'profile', 'quirks', 'geoRadius', 'geoUnit'] as const),
  ...(['language', 'qaToken', 'allowedHosts', 'journal', 'scenario', 'webhookSecret', 'sandboxes', 'maxSandboxes', 'sandboxIdle'] as const),
  ...(['sandboxDomain', 'headers', 'logLevel', 'logFormat', 'requestIds', 'requestTimeout', 'signInAttempts', 'onDatabaseLoss'] as const),
  ...([
    'metrics',
    'embedded',
    'cacheMemory',
    'engineMemory',
    'cacheDir',
    'userCacheDir',
    'mongod',
    'allowPrivateUrls',
    'maxImageSize',
  ] as const),
  ...(['imageTimeout', 'adminPassword', 'settings'] as const),
];

export interface UnderstudyOptions extends SiteOptions, FurtherOptions {
  /**
   * The dataset of the tests: an object, the path of a file of any format, or several paths. Default: the dataset of the server, which is
   * the demo calendar unless `server` sets another.
   */
  dataset?: DatasetInput;
  /** URL of a running server, for programs that are built with a fixed URL. Default: UNDERSTUDY_URL, else a server that the tests start. */
  url?: string;
  /** Token of the test API of that server. Default: UNDERSTUDY_QA_TOKEN. */
  token?: string;
  /** False: the tests use the main site of the running server, without a sandbox. They must run in one worker. Default: true. */
  sandbox?: boolean;
  /**
   * With `url`: what to do after a test whose requests reached the main site while its sandbox got none, because the program under test
   * does not pass the sandbox on. Default: `fail`.
   */
  stray?: StrayMode;
  /** Whether failed tests report their requests, the clock and the faults, and their site is kept. Default: true. */
  evidence?: boolean;
  /** Release of The Events Calendar to behave like, such as `6.14.2`. Default: the server's. */
  tecVersion?: string;
  /** Release of WordPress to behave like, such as `6.8`. Default: the server's. */
  wordpress?: string;
  /** Release of the time zone data, such as `2025b`. Needs a sandbox. Default: the server's. */
  zones?: string;
  /** Scenarios of faults, by name, for `faults.start(name)`. */
  scenarios?: Record<string, FaultScenario | ScenarioRule[]>;
  /** URLs to call when content changes. They stay when a test starts. */
  webhooks?: readonly (Webhook | string)[];
  /** Options of `understudy serve`, such as `['--profile', 'tec']`. Ignored if UNDERSTUDY_URL is set. */
  server?: readonly string[];
}

/** The options of the helpers. */
const OPTIONS: Record<Exclude<keyof UnderstudyOptions, keyof FurtherOptions>, true> = {
  dataset: true,
  uploads: true,
  create: true,
  now: true,
  url: true,
  token: true,
  sandbox: true,
  stray: true,
  evidence: true,
  tecVersion: true,
  wordpress: true,
  zones: true,
  scenarios: true,
  stubs: true,
  webhooks: true,
  server: true,
  admin: true,
  strict: true,
};

/** @throws Error for an unknown option */
function checkNames(options: object): void {
  const known = [...Object.keys(OPTIONS), ...FURTHER_OPTIONS];
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known) || `. The options are ${known.join(', ')}`;
  throw new Error(`Unknown option ${JSON.stringify(unknown)}${hint}`);
}

/** The options that are the server's. */
const furtherOf = (options: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => !Object.hasOwn(OPTIONS, name) && value !== undefined));

function serverArguments(options: UnderstudyOptions): string[] {
  const further = furtherOf(options);
  return [...(options.server ?? []), ...(Object.keys(further).length === 0 ? [] : ['--options', JSON.stringify(further)])];
}

function problemOf(options: UnderstudyOptions): string | undefined {
  const { url, token, server, sandbox, dataset, now } = options;
  const [further] = Object.keys(furtherOf(options));
  if (url !== undefined && !/^https?:\/\/[^/]/.test(url)) return `"url" must start with http:// or https://: ${JSON.stringify(url)}`;
  if (url !== undefined && server !== undefined) return '"server" has options of a server that the tests start. With "url" there is none.';
  if (url !== undefined && further !== undefined)
    return `${JSON.stringify(further)} is an option of a server that the tests start. With "url" there is none.`;
  const isGiven = givenServer({ url }) !== undefined;
  if (token !== undefined && !isGiven) return '"token" goes with "url".';
  if (sandbox !== false) return undefined;
  if (!isGiven) return '"sandbox: false" goes with "url": tests that start their server share it, so they need sandboxes.';
  if (now !== undefined && dataset === undefined)
    return 'With "sandbox: false", "now" goes with a "dataset". Start the server with --now, or set the clock in the tests.';
  if (isFurtherWorker())
    return '"sandbox: false" needs a single worker, because all tests share one site: jest --runInBand, vitest --maxWorkers=1, playwright test --workers=1, node --test --test-concurrency=1.';
  return undefined;
}

/** @throws Error for an unknown option, and for those that exclude each other */
function checkOptions(options: UnderstudyOptions): void {
  checkNames(options);
  const problem = problemOf(options);
  if (problem !== undefined) throw new Error(problem);
}

/** A sandbox of the server that all tests of a run share, or with `sandbox: false` the main site of a running server. */
export class Understudy extends SiteControl {
  /** With `--tls`: file of the certificate (PEM) that the program under test has to trust. Otherwise null. */
  readonly certificate: string | null;
  private readonly server: Control;
  private readonly stray: StrayCheck | null;
  private readonly requests: CountedRequests;
  /** Ids of the webhooks of the options. */
  private readonly added: number[] = [];
  private resets = 0;
  private kept = 0;

  private constructor(
    /** Name of the sandbox; empty with `sandbox: false`. */
    readonly name: string,
    private readonly lease: Lease,
    private readonly options: UnderstudyOptions,
  ) {
    const at = (server: string): string => (name === '' ? server : `${server}/__sandbox/${name}`);
    const { url, localUrl = url, certificate = null } = lease;
    const requests = new CountedRequests();
    const { fetch } = requests;
    super({ ...lease, url: at(url), localUrl: at(localUrl), fetch }, options);
    this.requests = requests;
    this.certificate = certificate;
    this.server = new Control({ ...lease, url: localUrl, fetch });
    const { stray = 'fail' } = options;
    const mayStray = options.url !== undefined && name !== '' && stray !== 'ignore';
    this.stray = mayStray ? new StrayCheck({ url, journal: this.server.journal }, { requests, journal: this.journal }, stray) : null;
  }

  /** Creates a sandbox with the dataset. Starts the server if necessary. */
  static async open(options: UnderstudyOptions = {}): Promise<Understudy> {
    checkOptions(options);
    const name = options.sandbox === false ? '' : `w${workerName()}-${randomBytes(5).toString('hex')}`.toLowerCase();
    const lease = await leaseServer(name, serverArguments(options), options);
    const opened = new Understudy(name, lease, options);
    try {
      await opened.prepare();
    } catch (error) {
      await lease.release();
      throw error;
    }
    return opened;
  }

  /** Headers that select the sandbox, for requests to a program that copies them to its own requests. They differ after each reset. */
  get headers(): Record<string, string> {
    return this.name === '' ? {} : { 'X-Understudy-Sandbox': this.selector };
  }

  /** Cookies that do the same, by name. */
  get cookies(): Record<string, string> {
    return this.name === '' ? {} : { understudy_sandbox: this.selector };
  }

  /** The sandbox, with a number that keeps the tests apart in a cache of the program. */
  private get selector(): string {
    return `${this.name}.${this.resets}`;
  }

  private async prepare(): Promise<void> {
    const { dataset, now, tecVersion: version, wordpress, zones, scenarios = {}, webhooks = [] } = this.options;
    const start = dataset === undefined ? now : undefined;
    if (this.name !== '') await this.server.createSandbox(this.name, { now: start, version, wordpress, zones });
    if (dataset !== undefined) await this.seed(dataset);
    // The main site may have content of others. A sandbox is new.
    if (this.name === '') await this.reset();
    else await this.addStubs();
    for (const [each, scenario] of Object.entries(scenarios)) await this.faults.define(each, scenario);
    for (const each of webhooks) {
      const { id } = await this.webhooks.add({ ...(typeof each === 'string' ? { url: each } : each), keep: true });
      this.added.push(id);
    }
    await this.stray?.start();
  }

  /**
   * Checks the requests since the last check or reset: with `strict`, for what the service silently ignores; with `url`, whether they
   * reached the sandbox. The helpers do this after each test.
   * @throws IgnoredError, StrayError
   */
  override async check(): Promise<void> {
    await this.stray?.run();
    await super.check();
  }

  /** With `url`: whether the program under test has sent requests to the sandbox since the last reset. */
  async isReached(): Promise<boolean> {
    return (await this.stray?.isReached()) ?? true;
  }

  /** The URL in the sandbox for a request of the program to the URL of the server. Counts as one that the program does not pass on. */
  urlFor(path: string): string {
    this.requests.route();
    return this.url + path;
  }

  /** Keeps a copy of the site of a failed test, as it is. The helpers do this. @param title of the test */
  keep(title: string): Promise<KeptSite> {
    this.kept += 1;
    if (this.kept > MAX_KEPT) return Promise.resolve({ problem: `${MAX_KEPT} sites of this test file are` });
    const { url, localUrl = url, token, endsWithTests } = this.lease;
    return keepSite(title, { site: this.control, server: this.server, url, localUrl, token, endsWithTests });
  }

  /** @throws StrayError if a request arrived after the check, such as one of a page that the test did not read to its end */
  override async reset(): Promise<void> {
    await this.stray?.run();
    await super.reset();
    this.resets += 1;
    const { tecVersion: version, wordpress } = this.options;
    // A sandbox starts with its own releases, the main site with the ones that the server was started with.
    if (this.name === '' && (version ?? wordpress) !== undefined) await this.setVersion({ version, wordpress });
    await this.stray?.start();
  }

  /** Deletes the sandbox and releases the server. The main site is reset. @throws StrayError as `reset` does */
  async close(): Promise<void> {
    const late = this.stray?.run();
    await late?.catch(() => undefined);
    if (this.name === '') {
      for (const id of this.added.splice(0)) await this.webhooks.remove(id);
      await super.reset();
      await this.stubs.clear();
    }
    await this.lease.release();
    await late;
  }
}
