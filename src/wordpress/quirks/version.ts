export interface VersionRange {
  /** The first release of the range; absent: all older releases belong to it. */
  since?: string;
  /** The first release after the range. */
  until: string;
}

const numbers = (version: string): number[] => version.split('.').map(Number);

/** Compares two releases number by number; missing numbers are 0. @returns negative if the first one is older, 0 if they are the same */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const at = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => (left[index] ?? 0) - (right[index] ?? 0));
  return at.find((difference) => difference !== 0) ?? 0;
}

/** Whether a release belongs to a range. */
export const isInRange = (version: string, { since, until }: VersionRange): boolean =>
  (since === undefined || compareVersions(version, since) >= 0) && compareVersions(version, until) < 0;
