import { phpTrim } from '../strip-tags.js';

import directives from './directives.json' with { type: 'json' };
import { sanitizeKey } from '../sanitize.js';
import type { Frame } from './frame.js';
import { childClasses, layoutClasses } from './layout.js';
import type { ParsedBlock } from './parse.js';
import { type Attributes, skips, type BlockType } from './types.js';
import { isRecord } from '../../../base/values/records.js';
import { at, fluidSize, styled } from './styles.js';
import tables from './tables.json' with { type: 'json' };
import { classed, edited, NO_HTML, TagEditor, type Html } from './tags.js';

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
