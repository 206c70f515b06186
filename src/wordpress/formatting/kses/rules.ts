import type { QuirkName } from '../../quirks.js';
import { cssRules, type CssRules } from './css.js';
import { postSet, type AllowedHtml } from './tables.js';

/** Rules of a release of WordPress for HTML, and how it writes it. */
export interface HtmlRules {
  /** The HTML allowed in descriptions and excerpts of users without unfiltered HTML. */
  readonly post: AllowedHtml;
  readonly css: CssRules;
  /** Whether attributes are written as `name="value"` in lower case, and with as few entities as possible. */
  readonly rewrites: boolean;
  /** Whether the entities in `style` are decoded before it is checked. */
  readonly decodesStyles: boolean;
  /** Whether CSS in the attributes of blocks is removed. */
  readonly dropsBlockCss: boolean;
}

/** The quirks that rules depend on. */
const NAMES = [
  'newer-elements-are-removed',
  'attributes-stay-as-written',
  'display-is-removed',
  'css-of-blocks-is-ignored',
  'commands-are-removed',
  'css-of-vector-images-is-removed',
] as const satisfies readonly QuirkName[];

function rulesOf(quirks: ReadonlySet<QuirkName>): HtmlRules {
  const isNewer = !quirks.has('newer-elements-are-removed');
  const isVector = !quirks.has('css-of-vector-images-is-removed');
  return {
    post: postSet({ elements: isNewer, commands: !quirks.has('commands-are-removed') }),
    css: cssRules([...(isNewer ? ['opacity', 'white-space'] : []), ...(quirks.has('display-is-removed') ? [] : ['display'])], isVector),
    rewrites: !quirks.has('attributes-stay-as-written'),
    decodesStyles: isVector,
    dropsBlockCss: !quirks.has('css-of-blocks-is-ignored'),
  };
}

const known = new Map<string, HtmlRules>();

/** The rules of the release of a site. */
export function htmlRules(quirks: ReadonlySet<QuirkName>): HtmlRules {
  const key = NAMES.map((name) => Number(quirks.has(name))).join('');
  const rules = known.get(key) ?? rulesOf(quirks);
  known.set(key, rules);
  return rules;
}

/** For texts of the site in its pages and feeds: the newest rules, and attributes as they are. */
export const PAGE_RULES: HtmlRules = { ...rulesOf(new Set()), rewrites: false, dropsBlockCss: false };
