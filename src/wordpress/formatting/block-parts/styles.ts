import { isRecord } from '../../../base/values/records.js';
import { floatToJson, isNumeric, toStr } from '../../../base/php/cast.js';
import { type Attributes, skips, type BlockType, type Theme } from './types.js';
import definitions from './styles.json' with { type: 'json' };

/** A style that the attributes of a block may have. WP: the metadata of its style engine. */
interface Definition {
  /** Where it is in `style`. */
  readonly path: string;
  readonly property?: string;
  /** Properties of a value with parts, such as `padding-$`. */
  readonly each?: string;
  /** Properties of a side with color, style and width. */
  readonly sides?: string;
  /** The kind of its presets, the attribute that names one, and the class for it. */
  readonly preset?: string;
  readonly attribute?: string;
  readonly slug?: string;
  readonly classes?: readonly string[];
}

const DEFINITIONS: readonly Definition[] = definitions;

/** A member of members, such as `color.text`; undefined if there is none. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined), value);

/** PHP: `empty` is true of what says nothing; the style engine accepts `0`. */
const isValid = (value: unknown): value is string | number =>
  value === '0' || (typeof value === 'string' ? value !== '' : typeof value === 'number');

const kebab = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/([a-z])(\d)|(\d)([a-z])/gi, '$1$3-$2$4')
    .replace(/[\s_]+/g, '-')
    .toLowerCase();

/** The value of a style: `var:preset|spacing|20` is a custom property. */
export const cssValue = (value: string): string =>
  value.replace(/^var:preset\|([^|]+)\|(.+)$/, (_, kind: string, slug: string) => `var(--wp--preset--${kind}--${kebab(slug)})`);

/** CSS and classes for some styles. */
export interface Styled {
  readonly classes: readonly string[];
  /** Each as `property:value`. */
  readonly rules: readonly string[];
}

const presetOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? /^var:preset\|[^|]+\|(.+)$/.exec(value)?.[1] : undefined;

type SideStyle = 'color' | 'style' | 'width';
const BORDER_SIDES = ['top', 'right', 'bottom', 'left'];

/** A style whose borders on sides are in an order. WP: each of those who ask for CSS has its own. */
export function sidesIn(style: unknown, order: readonly SideStyle[]): Readonly<Record<string, unknown>> {
  const border = at(style, 'border');
  if (!isRecord(style) || !isRecord(border)) return isRecord(style) ? style : {};
  const sorted = Object.entries(border).map(([side, value]) => {
    const isSide = isRecord(value) && BORDER_SIDES.includes(side);
    return [side, isSide ? Object.fromEntries(order.map((name) => [name, value[name]])) : value];
  });
  return { ...style, border: Object.fromEntries(sorted) };
}

/** WP: the width and radius of a border may be numbers, which are pixels. */
function withPixels(style: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const border = isRecord(style.border) ? style.border : {};
  const lengths = ['width', 'radius'].filter((name) => isNumeric(border[name])).map((name) => [name, `${toStr(border[name])}px`]);
  return lengths.length === 0 ? style : { ...style, border: { ...border, ...Object.fromEntries(lengths) } };
}

function rulesOf({ property, each, sides, preset }: Definition, value: unknown): string[] {
  const rule = (name: string, part: unknown): string[] => (isValid(part) ? [`${name}:${cssValue(String(part))}`] : []);
  if (!isRecord(value))
    return property === undefined || (preset !== undefined && preset !== 'shadow' && presetOf(value)) ? [] : rule(property, value);
  if (property === 'background-image')
    return rule(property, typeof value.url === 'string' && value.url !== '' ? `url('${value.url}')` : '');
  if (sides !== undefined) return Object.entries(value).flatMap(([part, own]) => rule(sides.replace('$', part), own === '0' ? '' : own));
  return each === undefined ? [] : Object.entries(value).flatMap(([part, size]) => rule(each.replace('$', kebab(part)), size));
}

/**
 * CSS and classes of styles. Behavior of wp_style_engine_get_styles.
 * @param style as in the attribute `style`
 * @param wants which of them, by their path; default: all
 */
export function styled(style: unknown, attributes: Attributes = {}, wants: (path: string) => boolean = () => true): Styled {
  const classes: string[] = [];
  const rules: string[] = [];
  for (const definition of DEFINITIONS) {
    if (!wants(definition.path)) continue;
    const named = definition.attribute === undefined ? undefined : attributes[definition.attribute];
    const own = at(style, definition.path);
    const slug = typeof named === 'string' && named !== '' ? named : definition.slug === undefined ? undefined : presetOf(own);
    if (slug === undefined && !isValid(own) && !isRecord(own)) continue;
    classes.push(...(definition.classes ?? []), ...(slug === undefined ? [] : [(definition.slug ?? '').replace('$', kebab(slug))]));
    if (slug === undefined) rules.push(...rulesOf(definition, own));
  }
  return { classes: [...new Set(classes)], rules };
}

const GROUPS = ['color', 'typography', 'border', 'spacing', 'dimensions', 'shadow'];

/** CSS and classes that a block gives its element by what it supports, one for each group (WP: in this order). */
export function supportStyles(attributes: Attributes, type: BlockType, theme: Theme): Styled[] {
  const all = withPixels(sidesIn(attributes.style, ['width', 'color', 'style']));
  const size = at(all, 'typography.fontSize');
  const typography = isRecord(all.typography) ? all.typography : {};
  const style = typeof size === 'string' ? { ...all, typography: { ...typography, fontSize: fluidSize(size, theme) } } : all;
  const align = at(style, 'typography.textAlign');
  return GROUPS.map((group) => {
    const found = styled(style, attributes, (path) => path.split('.', 1)[0] === group && !skips(type, path));
    const isAligned = group === 'typography' && typeof align === 'string' && align !== '';
    return isAligned ? { ...found, classes: [...found.classes, `has-text-align-${align}`] } : found;
  });
}

const round = (value: number, digits = 3): number => Math.round((value + Number.EPSILON) * 10 ** digits) / 10 ** digits;

/** A length in `px`, `em` or `rem`; null for any other. @param unit to convert it to */
function sizeOf(text: string, unit?: string) {
  const [, number, own = ''] = /^(\d*\.?\d+)(rem|px|em)$/.exec(/^[\d.]+$/.test(text) ? `${text}px` : text) ?? [];
  if (number === undefined) return null;
  const value = Number(number);
  if (unit === undefined || unit === own) return { value: round(value), unit: own };
  if (unit === 'px') return { value: round(value * ROOT), unit };
  return { value: round(own === 'px' ? value / ROOT : value), unit };
}

const ROOT = 16;
const NARROWEST = '320px';
/** Smaller texts keep their size. */
const SMALLEST = '14px';

/**
 * A font size as a theme with fluid sizes has it: between a smaller one on small screens and itself. Behavior of
 * wp_get_typography_font_size_value.
 */
export function fluidSize(text: string, { isFluid, wideSize }: Theme): string {
  const size = isFluid ? sizeOf(text) : null;
  const limit = size && sizeOf(SMALLEST, size.unit);
  if (!size || !limit || size.value <= limit.value) return text;
  const pixels = size.unit === 'px' ? size.value : size.value * ROOT;
  const factor = Math.min(Math.max(1 - 0.075 * Math.log2(pixels), 0.25), 0.75);
  const smaller = round(size.value * factor);
  const least = smaller <= limit.value ? limit : { value: smaller, unit: size.unit };
  const [widest, narrowest] = [sizeOf(wideSize, size.unit), sizeOf(NARROWEST, size.unit)];
  if (!widest || !narrowest) return text;
  const slope = round((100 * (size.value - least.value)) / (widest.value - narrowest.value)) || 1;
  const offset = `${floatToJson(round(narrowest.value / 100))}${size.unit}`;
  const rem = sizeOf(`${least.value}${least.unit}`, 'rem')?.value ?? 0;
  const [min, target] = [
    `${floatToJson(least.value)}${least.unit}`,
    `${floatToJson(rem)}rem + ((1vw - ${offset}) * ${floatToJson(slope)})`,
  ];
  return `clamp(${min}, ${target}, ${floatToJson(size.value)}${size.unit})`;
}
