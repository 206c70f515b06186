import type { SourcePlace } from './source.js';

/** A problem and its location, as far as it is known. */
export interface LocatedProblem extends SourcePlace {
  message: string;
}

/** `line 12: events[3].venue: …`, with the parts of the location that are known. */
const formatProblem = ({ line, path, message }: LocatedProblem): string =>
  [...(line === undefined ? [] : [`line ${line}`]), ...(path ? [path] : []), message].join(': ');

/** A warning with its place as far as it is known: `calendar.ics: line 12: VEVENT "Jazz": left out: …`. */
export const warningText = (message: string, at: SourcePlace = {}): string =>
  `${at.file === undefined ? '' : `${at.file}: `}${formatProblem({ ...at, message })}`;

/** Orders the problems of a file. Those without a position come first. */
export const byPosition = (a: SourcePlace, b: SourcePlace): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** All validation errors of dataset files. */
export class DatasetError extends Error {
  /** One line per problem, such as `line 12: events[3].venue: there is no venue with the slug "x"`. Problems of further files name the file. */
  readonly problems: readonly string[];
  readonly located: readonly LocatedProblem[];

  /**
   * @param file name of the file, as given by the user
   * @param given the problems; those without a file are of the first one
   */
  constructor(
    readonly file: string,
    given: readonly (LocatedProblem | string)[],
  ) {
    const located = given.map((each) => (typeof each === 'string' ? { message: each } : each));
    const problems = located.map((each) => `${(each.file ?? file) === file ? '' : `${each.file}: `}${formatProblem(each)}`);
    super(
      `${file}: ${problems.length === 1 ? problems[0] : `${problems.length} problems\n${problems.map((line) => `  ${line}`).join('\n')}`}`,
    );
    this.name = 'DatasetError';
    this.problems = problems;
    this.located = located;
  }
}

/** Maximum number of problems to report. */
const MAX_PROBLEMS = 1_000;

/** Collects the problems of sources, each with its location. */
export class SourceProblems {
  /** Name of the current source. */
  source = '';
  count = 0;
  private readonly bySource = new Map<string, LocatedProblem[]>();

  add(message: string, at: SourcePlace = {}): void {
    this.count += 1;
    const file = at.file ?? this.source;
    const located = this.bySource.get(file) ?? [];
    this.bySource.set(file, located);
    if (this.count <= MAX_PROBLEMS) located.push({ ...at, file, message });
  }

  /** @throws DatasetError when there were any */
  throwIfAny(): void {
    if (this.count === 0) return;
    const more = this.count > MAX_PROBLEMS ? [{ message: `… and ${this.count - MAX_PROBLEMS} more` }] : [];
    const [first] = this.bySource.keys();
    const sorted = [...this.bySource.values()].map((located) => located.toSorted(byPosition));
    throw new DatasetError(first, [...sorted, more].flat());
  }
}

export interface FileProblem {
  /** Path of the value: `events[3].venue`. */
  path: string;
  line?: number;
  message: string;
  /** For an unknown field: the path that was probably meant. */
  meant?: string | undefined;
  /** For a reference that cannot be resolved: the list with the items that it could refer to. */
  list?: string | undefined;
}

/** Collects problems so that they can be reported together. */
export class Problems {
  readonly entries: FileProblem[] = [];
  /** Paths of files of the media folder that do not exist. */
  readonly missingFiles: string[] = [];
  /** Paths of files of the folder for stubs that do not exist. */
  readonly missingStubs: string[] = [];
  private readonly known = new Set<string>();

  /** Adds a problem, unless it is known: an entry can stand for several events. */
  add(path: string, message: string, more: Pick<FileProblem, 'line' | 'meant' | 'list'> = {}): void {
    const key = `${path}\n${message}`;
    if (!this.known.has(key)) this.entries.push({ path, message, ...more });
    this.known.add(key);
  }

  /** @throws DatasetError when there were any */
  throwIfAny(file: string): void {
    if (this.entries.length > 0) throw new DatasetError(file, this.entries);
  }
}
