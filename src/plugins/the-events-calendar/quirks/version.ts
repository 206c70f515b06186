import { compareVersions, type VersionRange } from '../../../wordpress/quirks/version.js';

/** The name of the plugin. */
export const CALENDAR = 'the-events-calendar';

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

/** The releases from one on until another; null: until the newest. */
export interface VersionSpan {
  since: string;
  until: string | null;
}

/** Whether a text is a release between {@link OLDEST_VERSION} and {@link LATEST_VERSION}. */
export const isKnownVersion = (text: string): boolean =>
  /^\d{1,4}(\.\d{1,4}){1,3}$/.test(text) && compareVersions(text, OLDEST_VERSION) >= 0 && compareVersions(text, LATEST_VERSION) <= 0;

/** The spans of releases with the same behavior, oldest first. @param ranges the ranges in which something differs */
export function spansOf(ranges: readonly VersionRange[]): VersionSpan[] {
  const limits = new Set([OLDEST_VERSION, ...ranges.flatMap(({ since, until }) => (since === undefined ? [until] : [since, until]))]);
  const sorted = [...limits].toSorted(compareVersions);
  return sorted.map((since, index) => ({ since, until: sorted[index + 1] ?? null }));
}
