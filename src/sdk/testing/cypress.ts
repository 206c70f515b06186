import type {
  ClockState,
  Expectation,
  FaultProfile,
  FaultRule,
  JournalEntry,
  KnownFault,
  KnownStub,
  ListedEntries,
  RecordedStub,
} from '../types/qa.js';
import type { Dataset } from '../types/dataset.js';
import type { StubRule } from './control.js';
import type { Allowance } from './strict.js';

/* Loaded by the browser: imports types only. */

export type * from '../types/dataset.js';
export type * from '../types/qa.js';

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
  now: (time: string | null) => ClockState;
  advance: (by: string | number) => ClockState;
  fault: (rule: FaultRule | FaultProfile) => KnownFault;
  clearFaults: () => null;
  stub: (rule: StubRule | RecordedStub) => KnownStub;
  clearStubs: () => null;
  journal: (filter: ListedEntries) => JournalEntry[];
  expect: (expectation: Expectation) => null;
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
  Fault: (rule: FaultRule | FaultProfile) => perform('fault', rule),
  ClearFaults: () => perform('clearFaults'),
  Stub: (rule: StubRule | RecordedStub) => perform('stub', rule),
  ClearStubs: () => perform('clearStubs'),
  Journal: (filter: ListedEntries = {}) => perform('journal', filter),
  Expect: (expectation: Expectation) => perform('expect', expectation),
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
      understudyNow(time: string | Date | null): Chainable<ClockState>;
      /** Advances the clock: `2 days`, `P1DT2H`, or milliseconds. */
      understudyAdvance(by: string | number): Chainable<ClockState>;
      /** Adds a fault: a rule, or the name of a predefined one. */
      understudyFault(rule: FaultRule | FaultProfile): Chainable<KnownFault>;
      /** Removes all faults. */
      understudyClearFaults(): Chainable<null>;
      /** Adds a stub: a response for requests to any route of the site. */
      understudyStub(rule: StubRule | RecordedStub): Chainable<KnownStub>;
      /** Removes all stubs except the dataset's. */
      understudyClearStubs(): Chainable<null>;
      /** Yields the requests and responses of the test. */
      understudyJournal(filter?: ListedEntries): Chainable<JournalEntry[]>;
      /** Fails unless matching requests were made as often as expected. */
      understudyExpect(expectation: Expectation): Chainable<null>;
      /** Creates an item as the administrator, and yields it. */
      understudyCreate(collection: Collection, fields: object): Chainable<Created>;
      /** With `strict`: allows parameters and fields to be ignored, until the next reset. */
      understudyAllow(...ignored: (string | Allowance)[]): Chainable<null>;
    }
  }
}
