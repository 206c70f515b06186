import type { Place } from './source.js';

/** Everything that is wrong with a dataset file, at once: one line per problem, each with the path of the value. */
export class DatasetError extends Error {
  /**
   * @param file name of the file, as the user gave it
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

/** How many problems are told; of a file that is wrong throughout nobody reads more. */
const MOST = 1_000;

/** `line 12: events[3].venue: …`, as far as the place is known. */
const told = (problem: string, { line, path }: Place): string =>
  [...(line === undefined ? [] : [`line ${line}`]), ...(path ? [path] : []), problem].join(': ');

/** Collects the problems of the items of sources, each with its place. */
export class Faults {
  /** Name of the source that is being read. */
  source = '';
  count = 0;
  private readonly bySource = new Map<string, string[]>();

  add(problem: string, at: Place = {}): void {
    this.count += 1;
    const source = at.file ?? this.source;
    const lines = this.bySource.get(source) ?? [];
    this.bySource.set(source, lines);
    if (this.count <= MOST) lines.push(told(problem, at));
  }

  /** @throws DatasetError when there were any */
  throwIfAny(): void {
    if (this.count === 0) return;
    const [[first, lines], ...others] = this.bySource;
    const more = this.count > MOST ? [`… and ${this.count - MOST} more`] : [];
    throw new DatasetError(first, [...lines, ...others.flatMap(([name, theirs]) => theirs.map((line) => `${name}: ${line}`)), ...more]);
  }
}

/** Collects problems so that all of them can be told together. */
export class Problems {
  readonly lines: string[] = [];
  readonly entries: { path: string; message: string }[] = [];

  add(path: string, message: string): void {
    this.entries.push({ path, message });
    this.lines.push(path === '' ? message : `${path}: ${message}`);
  }

  /** @throws DatasetError when there were any */
  throwIfAny(file: string): void {
    if (this.lines.length > 0) throw new DatasetError(file, this.lines);
  }
}
