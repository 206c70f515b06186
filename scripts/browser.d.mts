/** Types of browser.mjs, for the tests. */

/** The file of a Chromium: the one that `CHROMIUM` names, one of the system, or Playwright's own. */
export function findBrowser(): string | undefined;

/** A running Chromium of Playwright. Null, with a message, if none is installed. */
export function openBrowser(): Promise<import('playwright-core').Browser | null>;
