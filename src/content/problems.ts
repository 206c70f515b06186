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

/** Collects problems so that they can be reported together. */
export class Problems {
  readonly lines: string[] = [];
  readonly entries: { path: string; message: string }[] = [];
  /** Paths of files of the media folder that do not exist. */
  readonly missingFiles: string[] = [];

  add(path: string, message: string): void {
    this.entries.push({ path, message });
    this.lines.push(path === '' ? message : `${path}: ${message}`);
  }

  /** @throws DatasetError when there were any */
  throwIfAny(file: string): void {
    if (this.lines.length > 0) throw new DatasetError(file, this.lines);
  }
}
