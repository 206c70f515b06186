const words = (list: string): string[] => list.split(' ').filter(Boolean);

const SIDES = ['top', 'right', 'bottom', 'left'];
const FLOW_SIDES = ['block-start', 'block-end', 'inline-start', 'inline-end'];

/** The properties that a `style` attribute may set in WordPress 6.8, besides custom ones (`--x`). */
const PROPERTIES =
  'align-content align-items align-self aspect-ratio background background-attachment background-blend-mode background-color ' +
  'background-image background-position background-repeat background-size border border-collapse border-color border-radius ' +
  'border-spacing border-style border-width border-top-left-radius border-top-right-radius border-bottom-left-radius ' +
  'border-bottom-right-radius bottom box-shadow caption-side clear color column-count column-fill column-gap column-rule column-span ' +
  'column-width columns container-type cursor direction filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap ' +
  'float font font-family font-size font-style font-variant font-weight gap grid-auto-columns grid-auto-rows grid-column ' +
  'grid-column-end grid-column-gap grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template-columns ' +
  'grid-template-rows height justify-content justify-items justify-self left letter-spacing line-height list-style-type margin max-height ' +
  'max-width min-height min-width object-fit object-position overflow padding position right row-gap text-align text-decoration ' +
  'text-indent text-transform top vertical-align width writing-mode z-index';

const VECTOR_PROPERTIES =
  'fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity ' +
  'stroke-width color-interpolation color-interpolation-filters paint-order stop-color stop-opacity flood-color flood-opacity ' +
  'lighting-color marker marker-end marker-mid marker-start clip-path clip-rule mask mask-type cx cy r rx ry x y d alignment-baseline ' +
  'baseline-shift dominant-baseline glyph-orientation-horizontal glyph-orientation-vertical text-anchor unicode-bidi word-spacing ' +
  'font-size-adjust font-stretch color-rendering image-rendering shape-rendering text-rendering vector-effect transform transform-origin ' +
  'pointer-events visibility';

const WITH_URL = 'background background-image cursor filter list-style list-style-image';
const VECTOR_WITH_URL = 'clip-path fill mask stroke marker marker-end marker-mid marker-start';

const FUNCTIONS = ['var', 'calc', 'min', 'max', 'minmax', 'clamp', 'repeat'];
const TRANSFORMS = [
  ...['matrix3d', 'matrix', 'perspective', 'rotate3d', 'rotate[XYZ]', 'rotate', 'scale3d', 'scale[XYZ]', 'scale', 'skew[XY]', 'skew'],
  ...['translate3d', 'translate[XYZ]', 'translate'],
];
const SHAPES = ['inset', 'circle', 'ellipse', 'polygon', 'path'];

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
    ...words(PROPERTIES),
    ...[...SIDES, ...FLOW_SIDES].flatMap((side) => [`margin-${side}`, `padding-${side}`]),
    ...SIDES.flatMap((side) => ['', '-color', '-style', '-width'].map((part) => `border-${side}${part}`)),
    ...newer,
    ...(isVector ? words(VECTOR_PROPERTIES) : []),
  ]),
  withUrl: new Set([...words(WITH_URL), ...(isVector ? words(VECTOR_WITH_URL) : [])]),
  functions: callsOf(isVector ? [...FUNCTIONS, ...TRANSFORMS, ...SHAPES] : FUNCTIONS),
  gradients: isVector
    ? /(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\)/g
    : /^(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|rgba?\([^()]*\))*\)$/g,
});
