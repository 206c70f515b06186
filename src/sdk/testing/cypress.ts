import type * as Qa from '../types/qa.js';
import type { Dataset } from '../types/dataset.js';
import type { StubRule, JournalControl } from './control.js';
import { glob, valueGlob } from '../../base/text/glob.js';

/* Loaded by the browser: imports types only. */

export type * from '../types/dataset.js';
export type * from '../types/qa.js';

/** Parameters and fields that the client may send although the service ignores them. Omitted properties match everything. */
export interface Allowance {
  /** Name of the parameter or field, with `*` as wildcard: `utm_*`, `venue.*`. */
  name?: string;
  /** Path of the request, or its route below the REST root: `*` matches within a segment, `**` across segments. */
  path?: string;
  /** One or several methods. */
  method?: string | readonly string[];
}

export interface StrictOptions {
  /** Allowed parameters and fields; a text is the name of a parameter or field. */
  allow?: readonly (string | Allowance)[];
}

/** A request with parts that the service silently ignored. */
export interface IgnoredParts {
  method: string;
  url: string;
  warnings: readonly Qa.JournalWarning[];
}

const MAX_REQUESTS = 20;

function linesOf(requests: readonly IgnoredParts[]): string[] {
  const texts = new Map<string, number>();
  for (const { method, url, warnings } of requests) {
    const text = `  ${method} ${url}\n${warnings.map(({ message }) => `    ${message}`).join('\n')}`;
    texts.set(text, (texts.get(text) ?? 0) + 1);
  }
  const lines = [...texts].map(([text, count]) => (count === 1 ? text : text.replace('\n', ` (${count} times)\n`)));
  const more = lines.length - MAX_REQUESTS;
  return more > 0 ? [...lines.slice(0, MAX_REQUESTS), `  and ${more} more`] : lines;
}

/** The client sent something that the service silently ignores. */
export class IgnoredError extends Error {
  override readonly name = 'IgnoredError';

  constructor(readonly requests: readonly IgnoredParts[]) {
    super(
      [
        'The client sent parameters or fields that the service silently ignores:',
        ...linesOf(requests),
        'Correct the requests, or allow these names: strict: { allow: [...] }.',
      ].join('\n'),
    );
  }
}

const MAX_ENTRIES = 1_000_000;

const REST = /^.*?\/wp-json(?=\/|$)/;

/** Whether an allowance is for a request. */
function isFor({ path, method }: Allowance, entry: Pick<Qa.JournalEntry, 'method' | 'url'>): boolean {
  if (method !== undefined && ![method].flat().some((name) => name.toUpperCase() === entry.method)) return false;
  if (path === undefined) return true;
  const [pathname] = entry.url.split('?', 1);
  const pattern = glob(path);
  return pattern.test(pathname) || pattern.test(pathname.replace(REST, ''));
}

/** Finds what the service ignored, apart from what is allowed. */
export class StrictCheck {
  private readonly always: readonly Allowance[];
  private allowed: readonly Allowance[] = [];
  /** The last entry of the journal that was checked. */
  private checked = 0;

  constructor(
    private readonly journal: JournalControl,
    { allow = [] }: StrictOptions,
  ) {
    this.always = allow.map(allowance);
  }

  /** Allows more, until the next reset. */
  allow(more: readonly (string | Allowance)[]): void {
    this.allowed = [...this.allowed, ...more.map(allowance)];
  }

  /** Reports each request once. @throws IgnoredError */
  async run(): Promise<void> {
    const entries = await this.journal.entries({ warned: true, since: this.checked, limit: MAX_ENTRIES });
    this.checked = entries.at(-1)?.id ?? this.checked;
    const found = entries.map((entry) => this.disallowed(entry)).filter(({ warnings }) => warnings.length > 0);
    if (found.length > 0) throw new IgnoredError(found);
  }

  /** Ends what was allowed since the last reset. */
  reset(): void {
    this.allowed = [];
  }

  private disallowed({ method, url, warnings = [] }: Qa.JournalEntry): IgnoredParts {
    const names = [...this.always, ...this.allowed].filter((each) => isFor(each, { method, url })).map(({ name = '*' }) => valueGlob(name));
    return { method, url, warnings: warnings.filter(({ name }) => !names.some((pattern) => pattern.test(name))) };
  }
}

const allowance = (given: string | Allowance): Allowance => (typeof given === 'string' ? { name: given } : given);

/** The check that an option `strict` asks for; null if it is off. */
export const strictCheck = (journal: JournalControl, strict: boolean | StrictOptions | undefined): StrictCheck | null =>
  strict === undefined || strict === false ? null : new StrictCheck(journal, strict === true ? {} : strict);

/** Values that the plugin passes to the commands. */
export interface UnderstudySite {
  /** URL of the site, without trailing slash. */
  url: string;
  /** URL of the REST root, without trailing slash. */
  restUrl: string;
  /** Credentials of the administrator, if known. */
  admin: { login: string; password: string } | null;
}

/** Collections in which `cy.understudyCreate` can create items. */
export type Collection = 'events' | 'venues' | 'organizers' | 'categories' | 'tags';

/** A created item. */
export interface Created {
  id: number;
  [field: string]: unknown;
}

/** The task of the plugin, and what each of its actions takes and returns. */
export interface Actions {
  site: () => UnderstudySite;
  reset: () => null;
  check: () => null;
  /** The title of the failed test. */
  failed: (title: string) => null;
  seed: (dataset: Dataset | string | readonly string[]) => null;
  now: (time: string | null) => Qa.ClockState;
  advance: (by: string | number) => Qa.ClockState;
  fault: (rule: Qa.FaultRule | Qa.FaultProfile) => Qa.KnownFault;
  clearFaults: () => null;
  stub: (rule: StubRule | Qa.RecordedStub) => Qa.KnownStub;
  clearStubs: () => null;
  journal: (filter: Qa.ListedEntries) => Qa.JournalEntry[];
  expect: (expectation: Qa.Expectation) => null;
  create: (collection: Collection, fields: object) => Created;
  allow: (ignored: readonly (string | Allowance)[]) => null;
}

/** Name of the task of the plugin. */
export const TASK = 'understudy';

/** The part of Cypress that the commands need. */
interface CypressObject {
  Commands: { add: (name: string, run: (...args: never[]) => unknown) => void };
}
interface Tasks {
  task: (name: string, argument: unknown, options?: object) => unknown;
}
interface Runner {
  Cypress: CypressObject;
  cy: Tasks;
  beforeEach: (work: () => void) => void;
  afterEach: (work: (this: MochaContext | undefined) => void) => void;
}

/** Context of a Cypress hook: the test that has just run. */
interface MochaContext {
  currentTest?: { title: string; state?: string };
}

export interface CommandOptions {
  /** Whether the site is reset before each test. Default: true. */
  reset?: boolean;
}

const runner = (): Runner => globalThis as unknown as Runner;

const perform = <Name extends keyof Actions>(action: Name, ...args: Parameters<Actions[Name]>): unknown =>
  runner().cy.task(TASK, { action, args }, { log: false });

const textOf = (time: string | Date | null): string | null => (time instanceof Date ? time.toISOString() : time);

/** The commands, without their prefix. */
const COMMANDS = {
  Site: () => perform('site'),
  Reset: () => perform('reset'),
  Seed: (dataset: Parameters<Actions['seed']>[0]) => perform('seed', dataset),
  Now: (time: string | Date | null) => perform('now', textOf(time)),
  Advance: (by: string | number) => perform('advance', by),
  Fault: (rule: Qa.FaultRule | Qa.FaultProfile) => perform('fault', rule),
  ClearFaults: () => perform('clearFaults'),
  Stub: (rule: StubRule | Qa.RecordedStub) => perform('stub', rule),
  ClearStubs: () => perform('clearStubs'),
  Journal: (filter: Qa.ListedEntries = {}) => perform('journal', filter),
  Expect: (expectation: Qa.Expectation) => perform('expect', expectation),
  Create: (collection: Collection, fields: object) => perform('create', collection, fields),
  Allow: (...ignored: (string | Allowance)[]) => perform('allow', ignored),
};

/**
 * Adds the commands `cy.understudy…`, and resets the site before each test. Call it in the support file. The plugin
 * `wp-understudy/cypress/plugin` has to be set up in `setupNodeEvents`.
 */
export function useUnderstudy({ reset = true }: CommandOptions = {}): void {
  const { Cypress, beforeEach, afterEach } = runner();
  for (const [name, command] of Object.entries(COMMANDS)) Cypress.Commands.add(`understudy${name}`, command);
  if (reset) beforeEach(() => void perform('reset'));
  afterEach(function (this: MochaContext | undefined) {
    const { title = '', state } = this?.currentTest ?? {};
    if (state === 'failed') perform('failed', title);
    // Does nothing unless the plugin is set to `strict`.
    perform('check');
  });
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- commands are declared in this namespace of Cypress
  namespace Cypress {
    // oxlint-disable-next-line typescript/no-explicit-any, no-unused-vars -- as Cypress declares it
    interface Chainable<Subject = any> {
      /** Yields the URLs of the site and the credentials of its administrator. */
      understudySite(): Chainable<UnderstudySite>;
      /** Restores content, users, files and clock, removes all faults and added stubs, and clears the journal. */
      understudyReset(): Chainable<null>;
      /** Replaces all content with a dataset: an object, the path of a file, or several paths. Reset restores it from then on. */
      understudySeed(dataset: Dataset | string | readonly string[]): Chainable<null>;
      /** Freezes the clock at a time (ISO 8601); null: the clock runs in real time. */
      understudyNow(time: string | Date | null): Chainable<Qa.ClockState>;
      /** Advances the clock: `2 days`, `P1DT2H`, or milliseconds. */
      understudyAdvance(by: string | number): Chainable<Qa.ClockState>;
      /** Adds a fault: a rule, or the name of a predefined one. */
      understudyFault(rule: Qa.FaultRule | Qa.FaultProfile): Chainable<Qa.KnownFault>;
      /** Removes all faults. */
      understudyClearFaults(): Chainable<null>;
      /** Adds a stub: a response for requests to any route of the site. */
      understudyStub(rule: StubRule | Qa.RecordedStub): Chainable<Qa.KnownStub>;
      /** Removes all stubs except the dataset's. */
      understudyClearStubs(): Chainable<null>;
      /** Yields the requests and responses of the test. */
      understudyJournal(filter?: Qa.ListedEntries): Chainable<Qa.JournalEntry[]>;
      /** Fails unless matching requests were made as often as expected. */
      understudyExpect(expectation: Qa.Expectation): Chainable<null>;
      /** Creates an item as the administrator, and yields it. */
      understudyCreate(collection: Collection, fields: object): Chainable<Created>;
      /** With `strict`: allows parameters and fields to be ignored, until the next reset. */
      understudyAllow(...ignored: (string | Allowance)[]): Chainable<null>;
    }
  }
}
