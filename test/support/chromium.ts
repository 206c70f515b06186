import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is installed that tests may use; undefined: nowhere. */
export const CHROMIUM = PLACES.find((place) => existsSync(place));

/** Rules that depend on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Runs in a page that has axe: what is wrong with it. In light colours by all rules; in dark ones, after that, by those of colours.
 * @param exclude selectors of what is not ours
 */
export function axeIn(colorScheme: 'light' | 'dark', exclude: string[] = []): string {
  const context = exclude.length === 0 ? 'document' : JSON.stringify({ exclude });
  const runOnly = colorScheme === 'light' ? {} : { runOnly: { type: 'rule', values: OF_COLOURS } };
  const options = JSON.stringify({ resultTypes: ['violations'], ...runOnly });
  return `axe.run(${context}, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html)))`;
}
