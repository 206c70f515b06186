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

/** Collects problems so that all of them can be told together. */
export class Problems {
  readonly lines: string[] = [];

  add(path: string, message: string): void {
    this.lines.push(path === '' ? message : `${path}: ${message}`);
  }

  /** @throws DatasetError when there were any */
  throwIfAny(file: string): void {
    if (this.lines.length > 0) throw new DatasetError(file, this.lines);
  }
}
