/** The release of The Events Calendar whose behavior is the default. */
export const LATEST_VERSION = '6.17.2';

/** The oldest release whose behavior is known. */
export const OLDEST_VERSION = '6.6.4.2';

/** The releases between {@link OLDEST_VERSION} and {@link LATEST_VERSION} that were recorded, newest first. */
export const RECORDED_VERSIONS = [
  LATEST_VERSION,
  '6.17.1',
  '6.17.0',
  '6.16.5.1',
  '6.16.3',
  '6.16.0',
  '6.15.20',
  '6.15.15',
  '6.15.0.1',
  '6.14.2',
  '6.13.2.1',
  '6.11.2.1',
  '6.10.3',
  '6.9.1',
  '6.8.3',
  OLDEST_VERSION,
] as const;

/** A range of releases. */
export interface VersionRange {
  /** The first release of the range; absent: all older releases belong to it. */
  since?: string;
  /** The first release after the range. */
  until: string;
}

/** The releases from one on until another; null: until the newest. */
export interface VersionSpan {
  since: string;
  until: string | null;
}

const numbers = (version: string): number[] => version.split('.').map(Number);

/** Compares two releases number by number; missing numbers are 0. @returns negative if the first one is older, 0 if they are the same */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const at = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => (left[index] ?? 0) - (right[index] ?? 0));
  return at.find((difference) => difference !== 0) ?? 0;
}

/** Whether a text is a release between {@link OLDEST_VERSION} and {@link LATEST_VERSION}. */
export const isKnownVersion = (text: string): boolean =>
  /^\d{1,4}(\.\d{1,4}){1,3}$/.test(text) && compareVersions(text, OLDEST_VERSION) >= 0 && compareVersions(text, LATEST_VERSION) <= 0;

/** Whether a release belongs to a range. */
export const isInRange = (version: string, { since, until }: VersionRange): boolean =>
  (since === undefined || compareVersions(version, since) >= 0) && compareVersions(version, until) < 0;

/** The spans of releases with the same behaviour, oldest first. @param ranges the ranges in which something differs */
export function spansOf(ranges: readonly VersionRange[]): VersionSpan[] {
  const limits = new Set([OLDEST_VERSION, ...ranges.flatMap(({ since, until }) => (since === undefined ? [until] : [since, until]))]);
  const sorted = [...limits].toSorted(compareVersions);
  return sorted.map((since, index) => ({ since, until: sorted[index + 1] ?? null }));
}

/** What to say of a release that is not known. */
export const unknownVersion = (text: unknown): string =>
  `unknown version ${JSON.stringify(text)} of The Events Calendar. Use a release from ${OLDEST_VERSION} to ${LATEST_VERSION}, such as 6.14.2`;
