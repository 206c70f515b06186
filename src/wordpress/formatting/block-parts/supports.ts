import { phpTrim } from '../strip-tags.js';
import directives from './directives.json' with { type: 'json' };
import { sanitizeKey, sanitizeTitle } from '../sanitize.js';
import type { Frame } from './frame.js';
import { type ParsedBlock, hashOf } from './parse.js';
import { type Attributes, skips, type BlockType, type Theme } from './types.js';
import { isRecord } from '../../../base/values/records.js';
import { at, fluidSize, styled } from './styles.js';
import tables from './tables.json' with { type: 'json' };
import { classed, edited, NO_HTML, TagEditor, type Html } from './tags.js';

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
function layoutClasses(
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
function childClasses({ attributes }: Pick<ParsedBlock, 'attributes'>, parentLayout: unknown): string[] {
  const child = at(attributes, 'style.layout');
  if (!isRecord(child)) return [];
  const isPlaced = ['columnStart', 'columnSpan', 'rowStart', 'rowSpan'].some((name) => isSet(child[name]));
  const hasSize = child.selfStretch === 'fixed' || child.selfStretch === 'fixedNoShrink';
  const isSized = child.selfStretch === 'fill' || (hasSize && child.flexSize !== undefined && child.flexSize !== null);
  if (!isPlaced && !isSized) return [];
  return [`wp-container-content-${hashOf({ layout: someOf(child, CHILD), parentLayout: someOf(parentLayout, PARENT) })}`];
}

/** The colors of elements for which a block gets a class, by what it may skip (WP). */
const ELEMENT_COLORS: Readonly<Record<string, readonly string[]>> = tables.elementColors;

/** Whether the elements of a block have styles. WP: any, and before 7.1 colors. */
const hasElementStyles = (elements: unknown, type: BlockType, isOld: boolean): boolean =>
  Object.entries(ELEMENT_COLORS).some(([skipped, paths]) => {
    const wanted = isOld ? paths : paths.map((path) => path.split('.', 1)[0] ?? '');
    return !skips(type, skipped) && wanted.some((path) => (at(elements, path) ?? null) !== null);
  });

/** The design of an attribute `className`: the first variation that the theme has a design for. */
const variationOf = (classes: string, known: readonly string[] = []): string | undefined =>
  Array.from(classes.matchAll(/(?<!\w)is-style-(?!default)(\S+)(?!\w)/g), ([, name]) => name ?? '').find((name) => known.includes(name));

/** The attributes of a block with the classes that it gets when it is shown: of elements, and of its style variation. */
export function withClassNames(
  block: ParsedBlock,
  attributes: Attributes,
  type: BlockType | undefined,
  { theme, references, isOld }: FrameFacts,
): Attributes {
  const own = typeof attributes.className === 'string' ? attributes.className : '';
  const elements = at(attributes, 'style.elements');
  const colored = isRecord(elements) && hasElementStyles(elements, type ?? {}, isOld);
  const forElements = colored ? [isOld ? `wp-elements-${block.hash()}` : references.counters.nextOf('wp-elements-')] : [];
  const variation = variationOf(own, theme.variations[block.name]);
  const forVariation = variation === undefined ? [] : [references.counters.next(`is-style-${variation}--`)];
  const added = [...forElements, ...forVariation];
  return added.length === 0 ? attributes : { ...attributes, className: [...(own === '' ? [] : [own]), ...added].join(' ') };
}

type FrameFacts = Pick<Frame, 'theme' | 'references' | 'isOld'>;

/** The class of the element around the blocks in a block: the last one before them. WP: since 7.1, of those that are open. */
function innerClass({ parts }: ParsedBlock, isOld: boolean): string {
  const first = parts[0];
  if (typeof first !== 'string' || parts.length < 2) return '';
  const tags = new TagEditor(first);
  const open: string[] = [];
  const close = (from: number, to?: number): void => {
    if (!isOld) open.length -= Math.min(open.length, first.slice(from, to).split('</').length - 1);
  };
  let end = 0;
  while (tags.next()) {
    close(end, tags.start);
    if (isOld || !VOID.has(tags.name)) open.push(tags.textOf('class'));
    end = tags.end;
  }
  close(end);
  return open.findLast((name) => name !== '') ?? '';
}

/** Elements without an end. */
const VOID = new Set(['br', 'col', 'embed', 'hr', 'img', 'input', 'source', 'track', 'wbr']);

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** WP: a theme with fluid sizes changes the first size that is the one of the attributes. Texts that fit have no size. */
function withFluidSize(html: Html, { attributes, theme, isOld }: Frame): Html {
  if (!isOld && attributes.fitText === true)
    return edited(html, {}, (tag) => tag.setAll(directives.fitText).set('data-wp-interactive', true));
  const size = at(attributes, 'style.typography.fontSize');
  if (typeof size !== 'string') return html;
  const fluid = fluidSize(size, theme);
  if (fluid === size) return html;
  const pattern = new RegExp(`font-size\\s*:\\s*${escapePattern(size)}\\s*;?`);
  return { ...html, head: html.head.replace(pattern, () => `font-size:${fluid};`) };
}

/** Adds CSS to the first element. */
const withStyle = (html: Html, rules: readonly string[], isOld: boolean, classes: readonly string[] = []): Html =>
  rules.length === 0
    ? html
    : edited(
        html,
        {},
        (tag) => {
          const known = tag.textOf('style');
          tag.set('style', `${known}${known === '' || known.endsWith(';') ? '' : ';'}${rules.join(';')};`).addClass(...classes);
        },
        isOld,
      );

/** WP: a position counts as a unique name, whether the theme has it or not. */
function positionClasses({ attributes, type, theme, references }: Frame): string[] {
  const position = at(attributes, 'style.position');
  if (type?.sticky !== true || !isRecord(position)) return [];
  const container = references.counters.next('wp-container-');
  return theme.sticky && position.type === 'sticky' ? [container, 'is-position-sticky'] : [];
}

/** The duotones that every theme has. */
const DUOTONES = new Set(tables.duotones);

function duotoneClasses({ attributes, type, references }: Frame): string[] {
  const duotone = at(attributes, 'style.color.duotone');
  if (type?.duotone !== true || (typeof duotone !== 'string' && !Array.isArray(duotone))) return [];
  const slug = typeof duotone === 'string' ? /^var:preset\|duotone\|(.+)$/.exec(duotone)?.[1] : undefined;
  if (slug !== undefined && DUOTONES.has(slug)) return [`wp-duotone-${slug}`];
  const text = typeof duotone === 'string' ? duotone : duotone.join('-');
  return [`wp-duotone-${references.counters.next(sanitizeKey(`${text}-`))}`];
}

/** WP: an element with a proportion has no height, and one with a least height no proportion. */
function dimensionRules({ attributes, type, isOld }: Frame): { rules: string[]; classes: string[] } {
  const ratio = at(attributes, 'style.dimensions.aspectRatio');
  if (type?.aspectRatio !== true) return { rules: [], classes: [] };
  const isAuto = !isOld && ratio === 'auto';
  if (typeof ratio === 'string' && ratio !== '' && !isAuto)
    return { rules: [`aspect-ratio:${ratio}`, ...(isOld ? [] : ['height:unset']), 'min-height:unset'], classes: ['has-aspect-ratio'] };
  const isHigh = [at(attributes, 'style.dimensions.minHeight'), attributes.minHeight].some(
    (value) => value !== undefined && value !== null,
  );
  return { rules: isHigh ? ['aspect-ratio:unset'] : isAuto ? ['aspect-ratio:auto'] : [], classes: [] };
}

function backgroundRules({ attributes, type }: Frame): readonly string[] {
  const background = at(attributes, 'style.background');
  if (type?.background !== true || !isRecord(background)) return [];
  const { backgroundImage: image } = background;
  if (!isRecord(image) && typeof image !== 'string') return styled({ background }).rules;
  const size = background.backgroundSize ?? 'cover';
  const position = background.backgroundPosition ?? (size === 'contain' ? '50% 50%' : undefined);
  return styled({ background: { ...background, backgroundSize: size, backgroundPosition: position } }).rules;
}

const VIEWPORTS = ['desktop', 'mobile', 'tablet'];

/** The classes for the widths of a window in which a block is hidden, sorted by name (WP). */
const hiddenClasses = (visibility: unknown): string[] =>
  VIEWPORTS.filter((name) => at(visibility, `viewport.${name}`) === false).map((name) => `wp-block-hidden-${name}`);

/** WP: blocks whose attributes are not a design. */
const WITHOUT_CSS = new Set(['freeform', 'html', 'missing', 'more', 'nextpage', 'shortcode'].map((name) => `core/${name}`));

function cssClasses({ block, attributes }: Frame): string[] {
  const css = at(attributes, 'style.css');
  const isStyled = typeof css === 'string' && !['', '0'].includes(phpTrim(css)) && !WITHOUT_CSS.has(block.name);
  return isStyled ? ['has-custom-css', `wp-custom-css-${block.jsonHash()}`] : [];
}

/** Adds what attributes give every block when it is shown. WP: the filters `render_block`, in their order. */
export function withSupports(rendered: Html, frame: Frame): Html {
  const { attributes, block, type, references, theme, isOld } = frame;
  const { quirks } = references;
  const names = typeof attributes.className === 'string' ? attributes.className : '';
  const found = (pattern: RegExp): string[] => pattern.exec(names)?.slice(0, 1) ?? [];
  const elements = found(/(?<!\w)wp-elements-\S+(?!\w)/);
  let html = withFluidSize(classed(rendered, elements), frame);
  html = classed(html, childClasses(block, at(frame.parent?.block.attributes, 'layout')));
  if (!type) return html;
  const layout = layoutClasses({ name: block.name, attributes }, type, theme, quirks.has('gaps-of-the-theme-are-ignored'));
  // WP: the first element, or the one around the blocks in it.
  html = classed(html, layout, { classText: innerClass(block, isOld) });
  html = classed(html, positionClasses(frame));
  const { rules, classes } = dimensionRules(frame);
  html = withStyle(html, rules, isOld, classes);
  html = classed(html, duotoneClasses(frame));
  html = withStyle(html, backgroundRules(frame), isOld, ['has-background']);
  html = classed(html, found(/(?<!\w)is-style-\S+?--\d+(?!\w)/));
  const visibility = at(attributes, 'metadata.blockVisibility');
  if (visibility === false && !quirks.has('hidden-blocks-are-shown')) return NO_HTML;
  const hidden = quirks.has('blocks-are-shown-at-all-widths') ? [] : hiddenClasses(visibility);
  return classed(html, [...hidden, ...(quirks.has('css-of-blocks-is-ignored') ? [] : cssClasses(frame))]);
}
