import { isRecord } from '../../../base/values/records.js';
import { hashOf, type ParsedBlock } from './parse.js';
import { at, styled } from './styles.js';
import { skips, type BlockType, type Theme } from './types.js';
import { sanitizeTitle } from '../sanitize.js';

type Layout = Readonly<Record<string, unknown>>;

const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && value !== '0' && value !== false && value !== 0;

const DEFAULT_GAP = '0.5em';

/** The layout classes in the attributes of a block. */
const said = ({ orientation, justifyContent, flexWrap }: Layout): string[] => [
  ...(isSet(orientation) ? [`is-${sanitizeTitle(String(orientation))}`] : []),
  ...(isSet(justifyContent) ? [`is-content-justification-${sanitizeTitle(String(justifyContent))}`] : []),
  ...(flexWrap === 'nowrap' ? ['is-nowrap'] : []),
];

const SIDEWAYS = ['left', 'right', 'center'];
const UPRIGHT = ['top', 'center', 'bottom'];

/** Whether a layout has a separate style rule. WP: only then does the container get a class for it. */
function hasRule(layout: Layout, type: string, gap: unknown, spacing: unknown): boolean {
  const isOneOf = (names: readonly string[], value: unknown): boolean => typeof value === 'string' && names.includes(value);
  if (type === 'grid') return true;
  if (type === 'flex') {
    const isVertical = isSet(layout.orientation) && layout.orientation !== 'horizontal';
    return (
      isVertical ||
      layout.flexWrap === 'nowrap' ||
      (gap !== null && gap !== undefined) ||
      isOneOf([...SIDEWAYS, 'space-between'], layout.justifyContent) ||
      isOneOf([...UPRIGHT, 'stretch'], layout.verticalAlignment)
    );
  }
  const own = isRecord(gap) ? gap.top : gap;
  if (own !== null && own !== undefined) return true;
  if (type !== 'constrained') return false;
  return (
    isSet(layout.contentSize) ||
    isSet(layout.wideSize) ||
    isOneOf(['left', 'right'], layout.justifyContent) ||
    styled({ spacing }).rules.some((rule) => /^padding-(?:left|right):/.test(rule))
  );
}

/** WP: invalid sizes of gaps are ignored. */
function gapOf(spacing: unknown): unknown {
  const gap = at(spacing, 'blockGap') ?? null;
  const safe = (value: unknown): unknown => (typeof value === 'string' && /[\\(&=}]|\/\*/.test(value) ? null : value);
  return isRecord(gap) ? Object.fromEntries(Object.entries(gap).map(([side, value]) => [side, safe(value)])) : safe(gap);
}

/** PHP: an object without members is a list. */
const phpArray = (value: Layout): unknown => (Object.keys(value).length > 0 ? value : []);

/**
 * The layout classes of a block. WP: the class of a container with a style rule is derived from the values of the rule.
 * @param isOld whether the gap of the theme does not matter (WP: before 7.0)
 */
export function layoutClasses(
  { name, attributes }: Pick<ParsedBlock, 'name' | 'attributes'>,
  type: BlockType,
  theme: Theme,
  isOld: boolean,
): string[] {
  if (type.layout === undefined) return [];
  const own = isRecord(attributes.layout) ? attributes.layout : {};
  const used: Record<string, unknown> = { ...(Array.isArray(attributes.layout) || isRecord(attributes.layout) ? own : type.layout) };
  if (isSet(used.inherit) || isSet(used.contentSize)) used.type = 'constrained';
  const kind = typeof used.type === 'string' && used.type !== 'default' ? used.type : 'flow';
  const layout = `is-layout-${kind}`;
  const spacing = at(attributes, 'style.spacing') ?? null;
  const gap = gapOf(spacing);
  const isSkipped = skips(type, 'spacing.blockGap');
  const fallback = isOld ? (type.gap ?? DEFAULT_GAP) : (theme.gaps[name] ?? theme.gap);
  const values = [phpArray(used), theme.hasGaps, gap, isSkipped, fallback, isRecord(spacing) ? phpArray(spacing) : spacing];
  const [, folder, short] = /^([^/]*)\/(.*)$/.exec(name) ?? [];
  return [
    // WP: the theme adds padding to blocks with a width.
    ...(theme.hasPadding && kind === 'constrained' ? ['has-global-padding'] : []),
    ...said(own),
    layout,
    ...(hasRule(used, kind, theme.hasGaps && !isSkipped ? gap : null, spacing)
      ? [`wp-container-${name.replace('/', '-')}-is-layout-${hashOf(values)}`]
      : []),
    `wp-block-${folder === 'core' ? short : `${folder}-${short}`}-${layout}`,
  ];
}

const CHILD = ['selfStretch', 'flexSize', 'columnStart', 'columnSpan', 'rowStart', 'rowSpan'];
const PARENT = ['minimumColumnWidth', 'columnCount'];

const someOf = (value: unknown, names: readonly string[]): unknown =>
  isRecord(value) ? phpArray(Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)))) : [];

/** The class of a block with a place in the layout of the block around it. WP: only if that results in a rule. */
export function childClasses({ attributes }: Pick<ParsedBlock, 'attributes'>, parentLayout: unknown): string[] {
  const child = at(attributes, 'style.layout');
  if (!isRecord(child)) return [];
  const isPlaced = ['columnStart', 'columnSpan', 'rowStart', 'rowSpan'].some((name) => isSet(child[name]));
  const hasSize = child.selfStretch === 'fixed' || child.selfStretch === 'fixedNoShrink';
  const isSized = child.selfStretch === 'fill' || (hasSize && child.flexSize !== undefined && child.flexSize !== null);
  if (!isPlaced && !isSized) return [];
  return [`wp-container-content-${hashOf({ layout: someOf(child, CHILD), parentLayout: someOf(parentLayout, PARENT) })}`];
}
