import { Transport, type Fetch } from '../client/transport.js';
import type { WithFile } from '../../base/text/stub-file.js';
import type * as Qa from '../types/qa.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Send = <T>(method: Method, path: string, body?: object | string, query?: object) => Promise<T>;

const isoTime = (at: string | Date): string => (typeof at === 'string' ? at : at.toISOString());

// Type guards of arrays do not hold for readonly ones.
const isList = <T extends object>(given: T | readonly T[]): given is readonly T[] => Array.isArray(given);

const atTime = (now: string | Date | undefined): { now?: string } => (now === undefined ? {} : { now: isoTime(now) });

/** Controls the clock of the site. Strings are ISO 8601. */
export class ClockControl {
  constructor(private readonly send: Send) {}

  get(): Promise<Qa.ClockState> {
    return this.send('GET', '/clock');
  }

  /** Sets the time. A frozen clock stays frozen. */
  set(now: string | Date): Promise<Qa.ClockState> {
    return this.send('PUT', '/clock', { now: isoTime(now) });
  }

  /** Freezes the clock, at the given or the current time. */
  freeze(now?: string | Date): Promise<Qa.ClockState> {
    return this.send('PUT', '/clock', { frozen: true, ...atTime(now) });
  }

  /** Advances the clock: `2 days`, `P1DT2H`, or milliseconds; back if negative. */
  advance(by: string | number): Promise<Qa.ClockState> {
    return this.send('PUT', '/clock', { advance: by });
  }

  /** Unfreezes the clock. */
  run(): Promise<Qa.ClockState> {
    return this.send('PUT', '/clock', { frozen: false });
  }

  /** Resets the clock to real time. */
  real(): Promise<Qa.ClockState> {
    return this.send('PUT', '/clock', { real: true });
  }
}

/** Controls the faults. */
export class FaultControl {
  constructor(private readonly send: Send) {}

  async list(): Promise<Qa.KnownFault[]> {
    return (await this.send<{ faults: Qa.KnownFault[] }>('GET', '/faults')).faults;
  }

  /** `faults.add({ match: { path: '**' + '/events' }, times: 1, effect: { status: 503 } })` */
  add(rule: Qa.FaultRule): Promise<Qa.KnownFault> {
    return this.send('POST', '/faults', rule);
  }

  /** Adds a predefined rule. */
  profile(profile: Qa.FaultProfile, rule: Qa.FaultSchedule = {}): Promise<Qa.KnownFault> {
    return this.send('POST', '/faults', { profile, ...rule });
  }

  /** The scenarios: built-in ones, the server's, and the ones defined here. */
  async scenarios(): Promise<Qa.KnownScenario[]> {
    return (await this.send<{ scenarios: Qa.KnownScenario[] }>('GET', '/faults/scenarios')).scenarios;
  }

  /** Defines a scenario: faults that start and stop together. It stays defined when faults are cleared. */
  define(name: string, scenario: Qa.FaultScenario | Qa.ScenarioRule[]): Promise<Qa.KnownScenario> {
    return this.send('PUT', `/faults/scenarios/${encodeURIComponent(name)}`, Array.isArray(scenario) ? { faults: scenario } : scenario);
  }

  /**
   * Starts a scenario from its beginning: `faults.start('flaky', { match: { path: '**' + '/events' } })`.
   * @param options further conditions for its rules, and a seed for another sequence of random events
   */
  async start(name: string, options: { match?: Qa.Match; seed?: number } = {}): Promise<Qa.KnownFault[]> {
    return (await this.send<{ faults: Qa.KnownFault[] }>('POST', `/faults/scenarios/${encodeURIComponent(name)}/start`, options)).faults;
  }

  /** Stops a scenario. */
  async stop(name: string): Promise<void> {
    await this.send('POST', `/faults/scenarios/${encodeURIComponent(name)}/stop`);
  }

  async remove(id: number): Promise<void> {
    await this.send('DELETE', `/faults/${id}`);
  }

  async clear(): Promise<void> {
    await this.send('DELETE', '/faults');
  }
}

/** A stub that may respond with a file, whose path is relative to the working directory. */
export interface StubRule extends Omit<Qa.Stub, 'respond'> {
  respond: WithFile;
}

/** Reads the file of a response. Browsers cannot. */
export type ReadResponse = (response: WithFile) => Promise<Qa.StubResponse>;

const noFiles: ReadResponse = () => Promise.reject(new Error('A browser cannot read "respond.file". Pass its content as "body".'));

/** Controls the stubs: responses for requests to any route of the site. */
export class StubControl {
  constructor(
    private readonly send: Send,
    private readonly read: ReadResponse = noFiles,
  ) {}

  /** In the order in which they are tried. */
  async list(): Promise<Qa.KnownStub[]> {
    return (await this.send<{ stubs: Qa.KnownStub[] }>('GET', '/stubs')).stubs;
  }

  /**
   * `stubs.add({ match: { path: '/wp-json/acme/v1/seats' }, respond: { body: { left: 3 } } })`, or `stubs.add({ from: 12 })` for the response
   * of an entry of the journal. Of several stubs that match, the one that was added last responds.
   */
  add(rule: StubRule | Qa.RecordedStub): Promise<Qa.KnownStub>;
  add(rules: readonly (StubRule | Qa.RecordedStub)[]): Promise<Qa.KnownStub[]>;
  async add(given: StubRule | Qa.RecordedStub | readonly (StubRule | Qa.RecordedStub)[]): Promise<Qa.KnownStub | Qa.KnownStub[]> {
    if (!isList(given)) return this.send('POST', '/stubs', await this.withContent(given));
    const added: Qa.KnownStub[] = [];
    // One after another: their order decides which of them responds.
    for (const rule of given) added.push(await this.add(rule));
    return added;
  }

  private async withContent(rule: StubRule | Qa.RecordedStub): Promise<object> {
    const { respond } = rule as Partial<StubRule>;
    return respond?.file === undefined ? rule : { ...rule, respond: await this.read(respond) };
  }

  /** Removes a stub. One of the dataset comes back with the next reset. */
  async remove(id: number): Promise<void> {
    await this.send('DELETE', `/stubs/${id}`);
  }

  /** Removes all stubs except the dataset's. */
  async clear(): Promise<void> {
    await this.send('DELETE', '/stubs');
  }
}

/** The journal does not meet an expectation. */
export class UnverifiedError extends Error {
  override readonly name = 'UnverifiedError';

  constructor(
    wanted: Qa.Expectation,
    readonly verdict: Qa.Verdict,
  ) {
    const near = verdict.nearMisses.map(({ method, url, differences }) => `\n  ${method} ${url}\n    ${differences.join('\n    ')}`);
    const nearest = near.length > 0 ? `\nNearest:${near.join('')}` : '';
    super(`Expected ${verdict.expected} of ${JSON.stringify(wanted)}, found ${verdict.found}${nearest}`);
  }
}

/** A filter for a query: members of a body are sent as JSON. */
const sentFilter = (filter: Qa.JournalFilter): object => {
  const { body } = filter;
  return body === undefined || typeof body === 'string' ? filter : { ...filter, body: JSON.stringify(body) };
};

/** Reads the journal: requests and responses. */
export class JournalControl {
  constructor(private readonly send: Send) {}

  /** The latest entries, oldest first. */
  async entries(filter: Qa.ListedEntries = {}): Promise<Qa.JournalEntry[]> {
    return (await this.page(filter)).entries;
  }

  /** The same, with the requests that wait for a response. */
  page(filter: Qa.ListedEntries = {}): Promise<Qa.JournalPage> {
    return this.send('GET', '/journal', undefined, sentFilter(filter));
  }

  /** An entry with complete bodies. */
  entry(id: number): Promise<Qa.JournalEntry> {
    return this.send('GET', `/journal/${id}`);
  }

  async clear(): Promise<void> {
    await this.send('DELETE', '/journal');
  }

  /** The requests as an HTTP Archive (HAR 1.2). Write it to a file with the extension `.har`. Default limit: all. */
  har(filter: Qa.JournalFilter & { limit?: number } = {}): Promise<Qa.HttpArchive> {
    return this.send('GET', '/journal.har', undefined, sentFilter(filter));
  }

  /**
   * A curl command that repeats a request. Secrets in it are shell variables, such as `$PASSWORD`.
   * @throws Error if the journal no longer has the body of the request
   */
  async curl(id: number): Promise<string> {
    const { curl } = await this.send<Qa.JournalEntry>('GET', `/journal/${id}`, undefined, { curl: true });
    if (typeof curl !== 'string')
      throw new Error(`The journal does not have the body of entry ${id}: it is too large, too old or confidential.`);
    return curl;
  }

  /** Checks whether matching requests were made as often as expected. If not, returns the nearest misses. */
  verify(wanted: Qa.Expectation): Promise<Qa.Verdict> {
    return this.send('POST', '/journal/verify', wanted);
  }

  /** Like `verify`. @throws UnverifiedError with the nearest misses if the expectation is not met */
  async expect(wanted: Qa.Expectation): Promise<void> {
    const verdict = await this.verify(wanted);
    if (!verdict.verified) throw new UnverifiedError(wanted, verdict);
  }

  /** Parameters and fields that were ignored, with suggestions. */
  async lint(filter: Qa.JournalFilter = {}): Promise<Qa.SummedWarning[]> {
    return (await this.send<{ warnings: Qa.SummedWarning[] }>('GET', '/journal/lint', undefined, sentFilter(filter))).warnings;
  }

  /** An entry, or all entries up to `to`, as a conformance test case. */
  scenario(first: number, options: { to?: number; name?: string; site?: string } = {}): Promise<Qa.Json> {
    return this.send('GET', `/journal/${first}/case`, undefined, options);
  }
}

/** Controls the snapshots. */
export class SnapshotControl {
  constructor(private readonly send: Send) {}

  async list(): Promise<Qa.Snapshot[]> {
    return (await this.send<{ snapshots: Qa.Snapshot[] }>('GET', '/snapshots')).snapshots;
  }

  async save(name: string): Promise<void> {
    await this.send('PUT', `/snapshots/${encodeURIComponent(name)}`);
  }

  async restore(name: string): Promise<void> {
    await this.send('POST', `/snapshots/${encodeURIComponent(name)}/restore`);
  }

  async delete(name: string): Promise<void> {
    await this.send('DELETE', `/snapshots/${encodeURIComponent(name)}`);
  }
}

/** Controls the webhooks: URLs that are called when content changes. */
export class WebhookControl {
  private isUsed = false;

  constructor(private readonly send: Send) {}

  async list(): Promise<Qa.KnownWebhook[]> {
    return (await this.send<{ webhooks: Qa.KnownWebhook[] }>('GET', '/webhooks')).webhooks;
  }

  /** `webhooks.add({ url: 'http://localhost:3000/api/revalidate', secret: 'shh' })` */
  add(webhook: Qa.Webhook | string): Promise<Qa.KnownWebhook> {
    this.isUsed = true;
    return this.send('POST', '/webhooks', typeof webhook === 'string' ? { url: webhook } : webhook);
  }

  /** Removes a webhook. Its pending deliveries are not sent. */
  async remove(id: number): Promise<void> {
    await this.send('DELETE', `/webhooks/${id}`);
  }

  /** Removes all webhooks except those with `keep`, and all deliveries. Pending deliveries are not sent. */
  async clear(): Promise<void> {
    await this.send('DELETE', '/webhooks');
  }

  /** The same, if there can be any. */
  async reset(): Promise<void> {
    if (this.isUsed) await this.clear();
  }

  /** The latest deliveries, oldest first. */
  async deliveries(): Promise<Qa.WebhookDelivery[]> {
    return (await this.send<{ deliveries: Qa.WebhookDelivery[] }>('GET', '/webhooks')).deliveries;
  }

  /** Sends a delivery again, with the same body. */
  redeliver(id: string): Promise<Qa.WebhookDelivery> {
    return this.send('POST', `/webhooks/deliveries/${encodeURIComponent(id)}/redeliver`);
  }

  /** Waits until all events are delivered or have failed. @param timeout how long to wait, in ms; default: 30 seconds */
  flush(timeout?: number): Promise<Qa.WebhookCounts> {
    return this.send('POST', '/webhooks/flush', timeout === undefined ? {} : { timeout });
  }
}

export interface ControlOptions {
  /** URL of the server, or of a sandbox. */
  url: string;
  /** Token of the test API, if one is required. */
  token?: string;
  fetch?: Fetch;
  /** Timeout of a request in ms. */
  timeout?: number;
  /** Reads the files that stubs respond with. */
  read?: ReadResponse;
}

export interface NewSandbox {
  /** Time of the clock, which relative dates of the dataset refer to. */
  now?: string | Date | undefined;
  /** Release of The Events Calendar to behave like. Default: the server's. */
  version?: string | undefined;
  /** Release of WordPress to behave like. Default: the server's. */
  wordpress?: string | undefined;
  /** Release of the time zone data, such as `2025b`. Default: the server's. */
  zones?: string | undefined;
}

/** A release of The Events Calendar, such as `6.14.2`, or releases of it (`version`) and of WordPress. */
export type ReleasesToSet = string | { version?: string | undefined; wordpress?: string | undefined };

/** A client for the test API of a server or a sandbox. */
export class Control {
  readonly clock: ClockControl;
  readonly faults: FaultControl;
  readonly stubs: StubControl;
  readonly journal: JournalControl;
  readonly snapshots: SnapshotControl;
  readonly webhooks: WebhookControl;
  private readonly send: Send;

  constructor({ url, token, fetch, timeout, read }: ControlOptions) {
    const transport = new Transport({
      restUrl: `${url.replace(/\/+$/, '')}/__qa`,
      ...(token === undefined ? {} : { token }),
      ...(fetch === undefined ? {} : { fetch }),
      ...(timeout === undefined ? {} : { timeout }),
    });
    this.send = async <T>(method: Method, path: string, body?: object | string, query?: object): Promise<T> => {
      const response = await transport.send<T>({ method, path, body, query });
      return response.body;
    };
    this.clock = new ClockControl(this.send);
    this.faults = new FaultControl(this.send);
    this.stubs = new StubControl(this.send, read);
    this.journal = new JournalControl(this.send);
    this.snapshots = new SnapshotControl(this.send);
    this.webhooks = new WebhookControl(this.send);
  }

  health(): Promise<Qa.Health> {
    return this.send('GET', '/health');
  }

  /** Restores the dataset: content, users, files and clock. */
  async reset(): Promise<void> {
    await this.send('POST', '/reset');
  }

  /** Replaces all content with a dataset: an object, or the text of a file of any format. Reset restores it from then on. */
  seed(dataset: object | string): Promise<Qa.Seeded> {
    return this.send('POST', '/seed', dataset);
  }

  /** The same with files. @param now time of the clock @param create whether to create venues, organizers and terms that are referenced but not defined */
  seedFiles(dataset: Qa.SentDataset, now?: string | Date, create?: boolean): Promise<Qa.Seeded> {
    return this.send('POST', '/seed/files', { ...dataset, ...atTime(now), ...(create === undefined ? {} : { create }) });
  }

  async sandboxes(): Promise<Qa.SandboxState[]> {
    return (await this.send<{ sandboxes: Qa.SandboxState[] }>('GET', '/sandboxes')).sandboxes;
  }

  createSandbox(name: string, { now, version, wordpress, zones }: NewSandbox = {}): Promise<Qa.SandboxState> {
    return this.send('PUT', `/sandboxes/${encodeURIComponent(name)}`, { ...atTime(now), version, wordpress, zones });
  }

  /** The releases of The Events Calendar and WordPress that the site emulates. */
  version(): Promise<Qa.SiteReleases> {
    return this.send('GET', '/version');
  }

  /** Emulates another release of The Events Calendar, or other releases, until the next reset. */
  setVersion(releases: ReleasesToSet): Promise<Qa.SiteReleases> {
    return this.send('PUT', '/version', typeof releases === 'string' ? { version: releases } : releases);
  }

  /** A bearer token of a user, by login, email address or role. */
  async bearer(user: string): Promise<string> {
    return (await this.send<{ token: string }>('GET', '/token', undefined, { user })).token;
  }

  /** The settings of the site, such as `permalinks`. */
  settings(): Promise<Qa.SiteSettings> {
    return this.send('GET', '/settings');
  }

  /** Changes settings until the next reset; null: as on a new site. The others stay. */
  setSettings(settings: Qa.SettingsToSet): Promise<Qa.SiteSettings> {
    return this.send('PUT', '/settings', settings);
  }

  /** Copies the site of a failed test to a sandbox that stays for an hour. @param project of which the last ten are kept */
  keep(title: string, project: string): Promise<Qa.SandboxState> {
    return this.send('POST', '/keep', { title, project });
  }

  async dropSandbox(name: string): Promise<void> {
    await this.send('DELETE', `/sandboxes/${encodeURIComponent(name)}`);
  }
}
