import tables from './tables.json' with { type: 'json' };
import { words } from './tables.js';

const SIDES = ['top', 'right', 'bottom', 'left'];
const FLOW_SIDES = ['block-start', 'block-end', 'inline-start', 'inline-end'];

/** The contents of a `style` attribute in WordPress 6.8, besides custom properties (`--x`), and those that came with vector images. */
const { css: CSS } = tables;

/** Rules for the contents of a `style` attribute. */
export interface CssRules {
  readonly properties: ReadonlySet<string>;
  /** The properties that may contain `url(…)`. */
  readonly withUrl: ReadonlySet<string>;
  /** The beginnings of functions that are harmless, with all that is in them. */
  readonly functions: RegExp;
  /** The gradients in a value that are harmless. */
  readonly gradients: RegExp;
}

/** The properties that may contain a gradient. */
export const CSS_WITH_GRADIENT: ReadonlySet<string> = new Set(['background', 'background-image']);

const callsOf = (names: readonly string[]): RegExp => new RegExp(`\\b(?:${names.join('|')})\\(`, 'g');

/**
 * The rules of a release.
 * @param newer properties added since 6.8
 * @param isVector whether it knows vector images, with their functions. WP: and gradients with any functions, beside other images
 */
export const cssRules = (newer: readonly string[], isVector: boolean): CssRules => ({
  properties: new Set([
    ...words(CSS.properties),
    ...[...SIDES, ...FLOW_SIDES].flatMap((side) => [`margin-${side}`, `padding-${side}`]),
    ...SIDES.flatMap((side) => ['', '-color', '-style', '-width'].map((part) => `border-${side}${part}`)),
    ...newer,
    ...(isVector ? words(CSS.vectorProperties) : []),
  ]),
  withUrl: new Set([...words(CSS.withUrl), ...(isVector ? words(CSS.vectorWithUrl) : [])]),
  functions: callsOf(isVector ? [...CSS.functions, ...CSS.transforms, ...CSS.shapes] : CSS.functions),
  gradients: isVector
    ? /(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\)/g
    : /^(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|rgba?\([^()]*\))*\)$/g,
});
