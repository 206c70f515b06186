import { glob, valueGlob } from '../../base/text/glob.js';
import type { JournalEntry, JournalWarning } from '../types/qa.js';
import type { JournalControl } from './control.js';

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
  warnings: readonly JournalWarning[];
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
function isFor({ path, method }: Allowance, entry: Pick<JournalEntry, 'method' | 'url'>): boolean {
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

  private disallowed({ method, url, warnings = [] }: JournalEntry): IgnoredParts {
    const names = [...this.always, ...this.allowed].filter((each) => isFor(each, { method, url })).map(({ name = '*' }) => valueGlob(name));
    return { method, url, warnings: warnings.filter(({ name }) => !names.some((pattern) => pattern.test(name))) };
  }
}

const allowance = (given: string | Allowance): Allowance => (typeof given === 'string' ? { name: given } : given);

/** The check that an option `strict` asks for; null if it is off. */
export const strictCheck = (journal: JournalControl, strict: boolean | StrictOptions | undefined): StrictCheck | null =>
  strict === undefined || strict === false ? null : new StrictCheck(journal, strict === true ? {} : strict);
