/** The release of WordPress that all recordings were made with, except for the ones of other releases. */
export const RECORDED_WITH: string;
export const WORDPRESS_CASES: string;
export const NEWER_RELEASES: readonly [newest: string, ...older: string[]];
export function corporaOfWordPress(release: string): { cases: string; wanted?: (name: string) => boolean }[];
