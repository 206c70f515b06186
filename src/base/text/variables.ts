import { isMisspelling } from './suggest.js';

const PREFIX = 'UNDERSTUDY_';

/** A name without the prefix, as a slug. */
const slugOf = (name: string): string => name.replace(PREFIX, '').toLowerCase().replaceAll('_', '-');

/**
 * Warnings about variables that this package does not read, and that are probably misspelled. Others may have variables with this prefix, too: Kubernetes
 * has some for a service that is named understudy.
 * @param known names of variables that are read
 */
export function misspeltVariables(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const names = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.includes(name));
  return names.flatMap((name) => {
    const meant = known.find((each) => slugOf(each) === slugOf(name)) ?? known.find((each) => isMisspelling(slugOf(name), [slugOf(each)]));
    return meant === undefined ? [] : [`The environment variable ${name} is unknown. Did you mean ${meant}?`];
  });
}
