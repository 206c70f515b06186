import { isRecord, lookup } from '../../../base/values/records.js';
import { createHash } from 'node:crypto';
import { phpJson } from '../../../base/php/json.js';
import type { QuirkName } from '../../quirks.js';

/** The layout of a block that arranges others, as its attributes have it. */
interface Layout {
  type?: unknown;
  orientation?: unknown;
  justifyContent?: unknown;
  verticalAlignment?: unknown;
  flexWrap?: unknown;
  contentSize?: unknown;
  wideSize?: unknown;
  inherit?: unknown;
}

interface Attributes {
  layout?: unknown;
  style?: { spacing?: { blockGap?: unknown } };
}

/** The default layouts of blocks. WP: `supports.layout.default`. */
const DEFAULTS: Readonly<Record<string, Layout>> = lookup({
  'core/group': {},
  'core/column': {},
  'core/quote': {},
  'core/details': {},
  'core/cover': {},
  'core/columns': { type: 'flex', flexWrap: 'nowrap' },
  'core/buttons': { type: 'flex' },
});

/** WP: the gaps of blocks that name none: in the theme (Twenty Twenty-Five), and of blocks by themselves. */
const THEME_GAPS: Readonly<Record<string, string>> = lookup({ 'core/columns': 'var(--wp--preset--spacing--50)', 'core/buttons': '16px' });
const THEME_GAP = '1.2rem';
const BLOCK_GAPS: Readonly<Record<string, string>> = lookup({ 'core/columns': '2em' });
const BLOCK_GAP = '0.5em';

const usualGap = (name: string, quirks: ReadonlySet<QuirkName>): string =>
  quirks.has('gaps-of-the-theme-are-ignored') ? (BLOCK_GAPS[name] ?? BLOCK_GAP) : (THEME_GAPS[name] ?? THEME_GAP);

function read(json: string): Attributes {
  try {
    const attributes: unknown = JSON.parse(json);
    return attributes !== null && typeof attributes === 'object' ? attributes : {};
  } catch {
    return {};
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== false && value !== 0;

/** The layout classes in the attributes of a block. */
const said = ({ orientation, justifyContent, flexWrap }: Layout): string[] => [
  ...(typeof orientation === 'string' && orientation !== '' ? [`is-${orientation}`] : []),
  ...(typeof justifyContent === 'string' && justifyContent !== '' ? [`is-content-justification-${justifyContent}`] : []),
  ...(flexWrap === 'nowrap' ? ['is-nowrap'] : []),
];

const HORIZONTAL = ['left', 'right', 'center', 'space-between'];
const VERTICAL = ['top', 'center', 'bottom'];

/** Whether a layout has a separate style rule. WP: only then does the container get a class for it. */
function hasRule(layout: Layout, type: string, gap: unknown): boolean {
  if (isSet(gap)) return true;
  if (type === 'constrained')
    return isSet(layout.contentSize) || isSet(layout.wideSize) || ['left', 'right'].includes(String(layout.justifyContent));
  if (type !== 'flex') return type === 'grid';
  const isAligned = (names: readonly string[], value: unknown): boolean => typeof value === 'string' && names.includes(value);
  return (
    layout.orientation === 'vertical' ||
    layout.flexWrap === 'nowrap' ||
    isAligned(HORIZONTAL, layout.justifyContent) ||
    isAligned([...VERTICAL, 'space-between', 'stretch'], layout.verticalAlignment)
  );
}

/** WP: the gap of a block; invalid sizes are ignored. */
function gapOf({ style }: Attributes): unknown {
  const gap = isRecord(style?.spacing) ? (style.spacing.blockGap ?? null) : null;
  const isUnsafe = (value: unknown): boolean => typeof value === 'string' && /[\\(&=}]|\/\*/.test(value);
  if (isRecord(gap)) return Object.fromEntries(Object.entries(gap).map(([side, value]) => [side, isUnsafe(value) ? null : value]));
  return isUnsafe(gap) ? null : gap;
}

/**
 * The layout classes of a block; none for blocks without a layout. WP: the class of a container with a style rule is derived from the
 * values of the rule: the first digits of their MD5.
 * @param name such as `core/columns`
 * @param json its attributes
 */
export function layoutClasses(name: string, json: string, quirks: ReadonlySet<QuirkName>): string[] {
  const preset = DEFAULTS[name];
  if (preset === undefined) return [];
  const attributes = read(json);
  const own: Layout = isRecord(attributes.layout) ? attributes.layout : {};
  const used: Layout = isRecord(attributes.layout) ? { ...own } : preset;
  if (isSet(used.inherit) || isSet(used.contentSize)) used.type = 'constrained';
  const type = typeof used.type === 'string' && used.type !== 'default' ? used.type : 'flow';
  const layout = `is-layout-${type}`;
  const gap = gapOf(attributes);
  const spacing = isRecord(attributes.style?.spacing) ? attributes.style.spacing : null;
  const values = [Object.keys(used).length > 0 ? used : [], true, gap, false, usualGap(name, quirks), spacing];
  const digest = createHash('md5').update(phpJson(values)).digest('hex').slice(0, 8);
  return [
    // WP: the theme adds padding to blocks with a width.
    ...(type === 'constrained' ? ['has-global-padding'] : []),
    ...said(own),
    layout,
    ...(hasRule(used, type, gap) ? [`wp-container-${name.replace('/', '-')}-is-layout-${digest}`] : []),
    `wp-block-${name.slice('core/'.length)}-${layout}`,
  ];
}
