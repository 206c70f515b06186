import type { Place } from './source.js';

/** All validation errors of a dataset file: one line per problem, each with the path of the value. */
export class DatasetError extends Error {
  /**
   * @param file name of the file, as given by the user
   * @param problems lines such as `events[3].venue: there is no venue with the slug "x"`
   */
  constructor(
    readonly file: string,
    readonly problems: readonly string[],
  ) {
    super(
      `${file}: ${problems.length === 1 ? problems[0] : `${problems.length} problems\n${problems.map((line) => `  ${line}`).join('\n')}`}`,
    );
    this.name = 'DatasetError';
  }
}

/** Maximum number of problems to report. */
const MAX_PROBLEMS = 1_000;

/** `line 12: events[3].venue: …`, with the parts of the location that are known. */
const formatProblem = (problem: string, { line, path }: Place): string =>
  [...(line === undefined ? [] : [`line ${line}`]), ...(path ? [path] : []), problem].join(': ');

/** Collects the problems of sources, each with its location. */
export class SourceProblems {
  /** Name of the current source. */
  source = '';
  count = 0;
  private readonly bySource = new Map<string, string[]>();

  add(problem: string, at: Place = {}): void {
    this.count += 1;
    const source = at.file ?? this.source;
    const lines = this.bySource.get(source) ?? [];
    this.bySource.set(source, lines);
    if (this.count <= MAX_PROBLEMS) lines.push(formatProblem(problem, at));
  }

  /** @throws DatasetError when there were any */
  throwIfAny(): void {
    if (this.count === 0) return;
    const [[first, lines], ...others] = this.bySource;
    const more = this.count > MAX_PROBLEMS ? [`… and ${this.count - MAX_PROBLEMS} more`] : [];
    throw new DatasetError(first, [...lines, ...others.flatMap(([name, theirs]) => theirs.map((line) => `${name}: ${line}`)), ...more]);
  }
}

/** A problem of a file. */
export interface Problem {
  /** Path of the value: `events[3].venue`. */
  path: string;
  message: string;
  /** For an unknown field: the path that was probably meant. */
  meant?: string | undefined;
  /** For a reference that cannot be resolved: the list with the items that it could refer to. */
  list?: string | undefined;
}

/** Collects problems so that they can be reported together. */
export class Problems {
  readonly entries: Problem[] = [];
  /** Paths of files of the media folder that do not exist. */
  readonly missingFiles: string[] = [];

  add(path: string, message: string, more: Pick<Problem, 'meant' | 'list'> = {}): void {
    this.entries.push({ path, message, ...more });
  }

  /** @throws DatasetError when there were any */
  throwIfAny(file: string): void {
    const lines = this.entries.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    if (lines.length > 0) throw new DatasetError(file, lines);
  }
}
