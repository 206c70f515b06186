import { Transport, type Fetch } from '../client/transport.js';
import type {
  ClockState,
  Expectation,
  FaultProfile,
  FaultRule,
  Health,
  Json,
  JournalEntry,
  JournalFilter,
  KnownFault,
  SandboxState,
  Seeded,
  Snapshot,
  SummedWarning,
  Verdict,
} from '../qa-types.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Ask = <T>(method: Method, path: string, body?: object | string, query?: object) => Promise<T>;

const moment = (at: string | Date): string => (typeof at === 'string' ? at : at.toISOString());

/** The time of the site. Moments are ISO 8601. */
export class ClockControl {
  constructor(private readonly ask: Ask) {}

  get(): Promise<ClockState> {
    return this.ask('GET', '/clock');
  }

  /** Moves it to a moment; whether it runs stays. */
  set(now: string | Date): Promise<ClockState> {
    return this.ask('PUT', '/clock', { now: moment(now) });
  }

  /** Stops it, at a moment or where it is. */
  freeze(now?: string | Date): Promise<ClockState> {
    return this.ask('PUT', '/clock', { frozen: true, ...(now === undefined ? {} : { now: moment(now) }) });
  }

  /** Moves it on: `2 days`, `P1DT2H`, or milliseconds; back if negative. */
  advance(by: string | number): Promise<ClockState> {
    return this.ask('PUT', '/clock', { advance: by });
  }

  /** Lets it run on from where it is. */
  run(): Promise<ClockState> {
    return this.ask('PUT', '/clock', { frozen: false });
  }

  /** Goes back to the time of the machine. */
  real(): Promise<ClockState> {
    return this.ask('PUT', '/clock', { real: true });
  }
}

/** What is to go wrong. */
export class FaultControl {
  constructor(private readonly ask: Ask) {}

  async list(): Promise<KnownFault[]> {
    return (await this.ask<{ faults: KnownFault[] }>('GET', '/faults')).faults;
  }

  /** `faults.add({ match: { path: '**' + '/events' }, times: 1, effect: { status: 503 } })` */
  add(rule: FaultRule): Promise<KnownFault> {
    return this.ask('POST', '/faults', rule);
  }

  /** A rule that is ready. */
  profile(profile: FaultProfile, rule: Pick<FaultRule, 'times' | 'skip'> = {}): Promise<KnownFault> {
    return this.ask('POST', '/faults', { profile, ...rule });
  }

  async remove(id: number): Promise<void> {
    await this.ask('DELETE', `/faults/${id}`);
  }

  async clear(): Promise<void> {
    await this.ask('DELETE', '/faults');
  }
}

/** An expectation that the journal does not meet. */
export class UnverifiedError extends Error {
  override readonly name = 'UnverifiedError';

  constructor(
    wanted: Expectation,
    readonly verdict: Verdict,
  ) {
    const near = verdict.nearMisses.map(({ method, url, differences }) => `\n  ${method} ${url}\n    ${differences.join('\n    ')}`);
    const nearest = near.length > 0 ? `\nNearest:${near.join('')}` : '';
    super(`Expected ${verdict.expected}, found ${verdict.found} of ${JSON.stringify(wanted)}${nearest}`);
  }
}

/** What was asked and answered. */
export class JournalControl {
  constructor(private readonly ask: Ask) {}

  /** The last 100, the oldest first, or as many as `limit` says. */
  async entries(filter: JournalFilter & { limit?: number } = {}): Promise<JournalEntry[]> {
    return (await this.ask<{ entries: JournalEntry[] }>('GET', '/journal', undefined, filter)).entries;
  }

  /** One request and its answer, with whole bodies. */
  entry(id: number): Promise<JournalEntry> {
    return this.ask('GET', `/journal/${id}`);
  }

  async clear(): Promise<void> {
    await this.ask('DELETE', '/journal');
  }

  /** Whether something was asked as often as expected; if not, what comes nearest. */
  verify(wanted: Expectation): Promise<Verdict> {
    return this.ask('POST', '/journal/verify', wanted);
  }

  /** @throws UnverifiedError, which tells what comes nearest, unless it was asked as often as expected */
  async expect(wanted: Expectation): Promise<void> {
    const verdict = await this.verify(wanted);
    if (!verdict.verified) throw new UnverifiedError(wanted, verdict);
  }

  /** Parameters and fields that were ignored, each with what was probably meant. */
  async lint(filter: JournalFilter = {}): Promise<SummedWarning[]> {
    return (await this.ask<{ warnings: SummedWarning[] }>('GET', '/journal/lint', undefined, filter)).warnings;
  }

  /** Entries, from the first to the last, as a scenario of the conformance tests. */
  scenario(first: number, options: { to?: number; name?: string; site?: string } = {}): Promise<Json> {
    return this.ask('GET', `/journal/${first}/case`, undefined, options);
  }
}

/** States to go back to. */
export class SnapshotControl {
  constructor(private readonly ask: Ask) {}

  async list(): Promise<Snapshot[]> {
    return (await this.ask<{ snapshots: Snapshot[] }>('GET', '/snapshots')).snapshots;
  }

  async save(name: string): Promise<void> {
    await this.ask('PUT', `/snapshots/${encodeURIComponent(name)}`);
  }

  async restore(name: string): Promise<void> {
    await this.ask('POST', `/snapshots/${encodeURIComponent(name)}/restore`);
  }

  async delete(name: string): Promise<void> {
    await this.ask('DELETE', `/snapshots/${encodeURIComponent(name)}`);
  }
}

export interface ControlOptions {
  /** Address of the server, or of a sandbox. */
  url: string;
  /** Token of the test surface, where one is needed. */
  token?: string;
  fetch?: Fetch;
}

/** The test surface of a server or a sandbox. */
export class Control {
  readonly clock: ClockControl;
  readonly faults: FaultControl;
  readonly journal: JournalControl;
  readonly snapshots: SnapshotControl;
  private readonly ask: Ask;

  constructor({ url, token, fetch }: ControlOptions) {
    const transport = new Transport({
      restUrl: `${url.replace(/\/+$/, '')}/__qa`,
      ...(token === undefined ? {} : { token }),
      ...(fetch === undefined ? {} : { fetch }),
    });
    this.ask = async <T>(method: Method, path: string, body?: object | string, query?: object): Promise<T> => {
      const answer = await transport.send<T>({ method, path, body, query });
      return answer.body;
    };
    this.clock = new ClockControl(this.ask);
    this.faults = new FaultControl(this.ask);
    this.journal = new JournalControl(this.ask);
    this.snapshots = new SnapshotControl(this.ask);
  }

  health(): Promise<Health> {
    return this.ask('GET', '/health');
  }

  /** Goes back to the dataset: content, users, files and clock. */
  async reset(): Promise<void> {
    await this.ask('POST', '/reset');
  }

  /** Puts a dataset, an object of either JSON format or the text of a file, in place of everything; a reset goes back to it from then on. */
  seed(dataset: object | string): Promise<Seeded> {
    return this.ask('POST', '/seed', dataset);
  }

  async sandboxes(): Promise<SandboxState[]> {
    return (await this.ask<{ sandboxes: SandboxState[] }>('GET', '/sandboxes')).sandboxes;
  }

  makeSandbox(name: string): Promise<SandboxState> {
    return this.ask('PUT', `/sandboxes/${encodeURIComponent(name)}`);
  }

  async dropSandbox(name: string): Promise<void> {
    await this.ask('DELETE', `/sandboxes/${encodeURIComponent(name)}`);
  }
}
