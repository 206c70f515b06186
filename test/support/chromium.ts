import { findBrowser } from '../../scripts/browser.mjs';

/** Path of an installed Chromium. Undefined if there is none. */
export const CHROMIUM = findBrowser();

/** Rules about colors. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Runs in a page with axe: returns its violations. Light colors are checked with all rules, dark ones only with those about colors.
 * @param exclude selectors of third-party elements
 */
export function axeIn(colorScheme: 'light' | 'dark', exclude: string[] = []): string {
  const context = exclude.length === 0 ? 'document' : JSON.stringify({ exclude });
  const runOnly = colorScheme === 'light' ? {} : { runOnly: { type: 'rule', values: OF_COLOURS } };
  const options = JSON.stringify({ resultTypes: ['violations'], ...runOnly });
  return `axe.run(${context}, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html)))`;
}
