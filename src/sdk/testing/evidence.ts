import type { ClockState, JournalEntry, KnownFault, KnownStub, WaitingRequest } from '../types/qa.js';
import { keptLine, type KeptSite } from './failed.js';
import type { Understudy } from './understudy.js';

/** Record of a failed test: its requests and the state of the site. */
export interface Evidence {
  url: string;
  clock: ClockState;
  /** The faults that were on. */
  faults: KnownFault[];
  /** The stubs, apart from stubs of the dataset that no request matched. */
  stubs: KnownStub[];
  /** The requests, oldest first. */
  journal: JournalEntry[];
  /** The requests without a response yet, which is why a test may have timed out. */
  waiting: WaitingRequest[];
  /** Whether any of them is from the program under test, as far as is known. */
  isReached: boolean;
  /** Where its site is kept. */
  kept: KeptSite;
}

/** Maximum number of requests: in the file, and in the text. */
const MAX_KEPT = 200;
const MAX_SHOWN = 15;

/** Collects what is known of a failed test that has just ended, and keeps its site. @param title of the test */
export async function evidenceOf(understudy: Understudy, title: string): Promise<Evidence> {
  const { url, clock, faults, stubs, journal } = understudy;
  const [time, active, known, { entries, waiting }, isReached] = await Promise.all([
    clock.get(),
    faults.list(),
    stubs.list(),
    journal.page({ limit: MAX_KEPT }),
    understudy.isReached(),
  ]);
  const used = known.filter(({ dataset, hits }) => !dataset || hits > 0);
  const kept = await understudy.keep(title);
  return { url, clock: time, faults: active, stubs: used, journal: entries, waiting, isReached: isReached || waiting.length > 0, kept };
}

function faultLine({ id, profile, scenario, seen, hits, ...rule }: KnownFault): string {
  const name = profile ?? JSON.stringify(rule);
  const of = scenario === undefined ? '' : ` of the scenario ${scenario}`;
  return `    fault ${id} ${name}${of}: affected ${hits} of ${seen} requests`;
}

const stubLine = ({ id, match, seen, hits }: KnownStub): string =>
  `    stub ${id} ${JSON.stringify(match ?? {})}: responded to ${hits} of ${seen} requests`;

function requestLines({ method, url, status, ms, user, fault, stub, warnings = [] }: JournalEntry): string[] {
  const facts = [
    status === 0 ? 'dropped' : String(status),
    `${Math.round(ms)} ms`,
    ...(user === null ? [] : [`as ${user}`]),
    ...(fault === undefined ? [] : [`fault ${fault}`]),
    ...(stub === undefined ? [] : [`stub ${stub}`]),
  ];
  return [`    ${method} ${url} -> ${facts.join(', ')}`, ...warnings.map(({ message }) => `      ${message}`)];
}

const waitingLine = ({ method, url, ms, fault }: WaitingRequest): string =>
  `    ${method} ${url} -> no response yet, ${Math.round(ms)} ms${fault === undefined ? '' : `, fault ${fault}`}`;

function requestsTitle(all: number, shown: number, waiting: number): string {
  if (all + waiting === 0) return '  no requests';
  return all > shown ? `  requests, the last ${shown}:` : '  requests:';
}

const UNREACHED =
  '  The program under test sent nothing here: it does not pass the sandbox on, uses another URL, or shows what is in a cache or a build.';

export function inShort({ url, clock, faults, stubs, journal, waiting, isReached, kept }: Evidence): string {
  const shown = journal.slice(-MAX_SHOWN);
  return [
    `Understudy at ${url}`,
    // First, since Playwright cuts long attachments on the terminal.
    `  ${keptLine(kept)}`,
    `  clock: ${clock.now}${clock.frozen ? ', frozen' : ''}`,
    ...(faults.length === 0 ? ['  no faults'] : ['  faults:', ...faults.map(faultLine)]),
    ...(stubs.length === 0 ? [] : ['  stubs:', ...stubs.map(stubLine)]),
    requestsTitle(journal.length, shown.length, waiting.length),
    ...shown.flatMap(requestLines),
    ...waiting.slice(-MAX_SHOWN).map(waitingLine),
    ...(isReached ? [] : [UNREACHED]),
  ].join('\n');
}

/** The text for a failed test. It never fails itself: that would hide why the test failed. */
export const shortEvidence = (understudy: Understudy, title: string): Promise<string> =>
  evidenceOf(understudy, title).then(
    inShort,
    (error: unknown) => `Understudy at ${understudy.url}: the journal cannot be read (${String(error)})`,
  );
