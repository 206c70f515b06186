import { randomBytes } from 'node:crypto';
import { Control } from './control.js';
import type { DatasetInput } from './dataset.js';
import { workerName } from './environment.js';
import { nodeFetch } from './http.js';
import { lease as leaseServer, type Lease } from './share.js';
import { SiteControl, type SiteOptions } from './site-control.js';
import type { FaultScenario, ScenarioRule, Webhook } from '../types/qa.js';
import { didYouMean } from '../text/suggest.js';

export interface UnderstudyOptions extends SiteOptions {
  /**
   * The dataset of the tests: an object, the path of a file of any format, or several paths. Default: the dataset of the server, which is
   * the demo calendar unless `server` sets another.
   */
  dataset?: DatasetInput;
  /** Release of The Events Calendar to behave like, such as `6.14.2`. Default: that of the server. */
  tecVersion?: string;
  /** Scenarios of faults, by name, for `faults.start(name)`. */
  scenarios?: Record<string, FaultScenario | ScenarioRule[]>;
  /** URLs to call when content changes. They stay when a test starts. */
  webhooks?: readonly (Webhook | string)[];
  /** Options of `understudy serve`, such as `['--profile', 'tec']`. Ignored if UNDERSTUDY_URL is set. */
  server?: readonly string[];
}

const OPTIONS: Record<keyof UnderstudyOptions, true> = {
  dataset: true,
  uploads: true,
  create: true,
  now: true,
  tecVersion: true,
  scenarios: true,
  stubs: true,
  webhooks: true,
  server: true,
  admin: true,
  strict: true,
};

/** @throws Error for an unknown option */
function checkOptions(options: object): void {
  const known = Object.keys(OPTIONS);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known) || '.';
  throw new Error(`Unknown option ${JSON.stringify(unknown)}${hint} The options are ${known.join(', ')}.`);
}

/** A sandbox of the server that all tests of a run share. */
export class Understudy extends SiteControl {
  /** With `--tls`: file of the certificate (PEM) that the program under test has to trust. Otherwise null. */
  readonly certificate: string | null;

  private constructor(
    /** Name of the sandbox, for the header `X-Understudy-Sandbox`. */
    readonly name: string,
    private readonly lease: Lease,
    options: UnderstudyOptions,
  ) {
    const at = (server: string): string => `${server}/__sandbox/${name}`;
    super({ ...lease, url: at(lease.url), localUrl: at(lease.localUrl ?? lease.url), fetch: nodeFetch }, options);
    this.certificate = lease.certificate ?? null;
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
      for (const [each, scenario] of Object.entries(options.scenarios ?? {})) await opened.faults.define(each, scenario);
      await opened.addStubs();
      for (const each of options.webhooks ?? [])
        await opened.webhooks.add({ ...(typeof each === 'string' ? { url: each } : each), keep: true });
    } catch (error) {
      await lease.release();
      throw error;
    }
    return opened;
  }

  /** Deletes the sandbox and releases the server. */
  close(): Promise<void> {
    return this.lease.release();
  }
}
