import path from 'node:path';

/** The name under which a helper of Vitest tells the files of its datasets: the runner sees `meta` of each test file. */
const META = 'understudyDatasets';

/** The part of Vitest that is needed here. */
export interface TestRunner {
  config: {
    /** Since Vitest 3.2. A result other than a list leaves the file to the other rules. */
    watchTriggerPatterns?: { pattern: RegExp; testsToRun: (file: string, match: RegExpExecArray) => unknown }[] | undefined;
  };
  state: { getFiles: () => readonly { filepath: string; meta: object }[] };
}

/** Whether a file is one of several files and folders, or in one. @param paths absolute */
export const isAmong = (file: string, paths: readonly string[]): boolean => {
  const name = path.resolve(file);
  return paths.some((each) => name === each || name.startsWith(each + path.sep));
};

/** Adds the files of a dataset to what the runner knows about a test file. */
export function tellDatasets(meta: object, paths: readonly string[]): void {
  const known = (meta as Record<string, readonly string[] | undefined>)[META] ?? [];
  Object.assign(meta, { [META]: [...known, ...paths] });
}

/** Makes `vitest --watch` run tests again when a dataset of their helpers changes. */
export function rerunWithDatasets({ config, state }: TestRunner): void {
  const testsToRun = (changed: string): string[] | undefined => {
    const using = state.getFiles().filter(({ meta }) => isAmong(changed, (meta as Record<string, string[] | undefined>)[META] ?? []));
    return using.length === 0 ? undefined : using.map(({ filepath }) => filepath);
  };
  config.watchTriggerPatterns = [...(config.watchTriggerPatterns ?? []), { pattern: /./, testsToRun }];
}
