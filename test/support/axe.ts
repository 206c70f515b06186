import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** jsdom, as far as it is used here. The package has no types. */
interface Dom {
  window: { eval: (script: string) => unknown; close: () => void };
}
const { JSDOM } = require('jsdom') as { JSDOM: new (page: string, options: object) => Dom };

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** Violations that axe finds in a page. Colors need a browser: scripts/accessibility.mjs. */
export async function violationsIn(page: string): Promise<string[]> {
  const { window } = new JSDOM(page, { runScripts: 'outside-only', pretendToBeVisual: true });
  window.eval(axe);
  const options = `{ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } }`;
  const { violations } = await (window.eval(`axe.run(${options})`) as Promise<{ violations: Violation[] }>);
  window.close();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}
