import type { Term } from '../../model.js';
import { safeCss } from '../kses/values.js';
import type { References } from '../references.js';
import { escAttr } from '../entities.js';
import { htmlRules } from '../kses/kses.js';
import type { ParsedBlock, Part } from './parse.js';
import { type Attributes, THEMES, type BlockType, type Theme } from './types.js';
import { supportStyles } from './styles.js';
import type { Html } from './tags.js';

/** Surroundings in which blocks are rendered. */
export interface Scope {
  readonly references: References;
  readonly term?: Term;
  /** Renders blocks again. @param around the block that they are in */
  readonly show: (parts: readonly Part[], around: Frame | null, scope: Scope) => string;
}

/** A block while it is rendered. */
export class Frame {
  head = '';
  inner = '';
  tail = '';
  /** Index of the next part. */
  next = 0;

  constructor(
    readonly block: ParsedBlock,
    /** Undefined: it is not registered. */
    readonly type: BlockType | undefined,
    readonly attributes: Attributes,
    /** The block that it is in. */
    readonly parent: Frame | null,
    readonly scope: Scope,
  ) {}

  get references(): References {
    return this.scope.references;
  }

  get theme(): Theme {
    return THEMES[this.references.theme];
  }

  /** Whether blocks are shown as before WordPress 7.1. */
  get isOld(): boolean {
    return this.references.quirks.has('older-blocks');
  }

  get html(): Html {
    return { head: this.head, inner: this.inner, tail: this.tail };
  }

  /** The nearest block around it with a name. WP: blocks get attributes of those as their context. */
  around(name: string): Frame | undefined {
    let frame = this.parent;
    while (frame && frame.block.name !== name) frame = frame.parent;
    return frame ?? undefined;
  }

  /** An attribute that is a text; empty if it is none. */
  text(name: string): string {
    const value = this.attributes[name];
    return typeof value === 'string' ? value : '';
  }

  number(name: string, usual = 0): number {
    const value = this.attributes[name];
    return typeof value === 'number' ? value : usual;
  }

  is(name: string): boolean {
    const value = this.attributes[name];
    return value !== undefined && value !== null && value !== false && value !== '' && value !== 0 && value !== '0';
  }

  addMarkup(text: string): void {
    if (this.inner === '') this.head += text;
    else this.tail += text;
  }

  /** The HTML of a block in it. */
  addInner(html: string): void {
    this.inner += this.tail + html;
    this.tail = '';
  }
}

const withoutEnd = (style: string): string => style.trim().replace(/;+$/, '');

/** CSS with each rule once (WP: filtered as a whole). */
const rulesIn = (style: string): string =>
  style
    .split(';')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
    .join(';');

/**
 * The attributes of the element around a block with a renderer: its own ones, and what the block supports. Behavior of
 * get_block_wrapper_attributes.
 */
export function wrapper(frame: Frame, own: Readonly<Record<string, string>> = {}): string {
  const { attributes, block, isOld } = frame;
  const type = frame.type ?? {};
  const styles = supportStyles(attributes, type, frame.theme);
  const align = frame.text('align');
  const classes = [
    ...(align === '' ? [] : [`align${align}`]),
    ...(frame.text('className') === '' ? [] : [frame.text('className')]),
    ...(type.className === false ? [] : [`wp-block-${block.name.replace(/^core\//, '').replace('/', '-')}`]),
    ...styles.flatMap((each) => each.classes),
  ].join(' ');
  const css = styles.flatMap(({ rules }) => (rules.length > 0 ? [`${rules.join(';')};`] : [])).join(' ');
  const { style = '', class: ownClass = '', id = '', 'aria-label': label = '', ...others } = own;
  const all = [ownClass, classes].filter((text) => text !== '').join(' ');
  const anchor = isOld ? '' : frame.text('anchor');
  const merged = {
    style: isOld
      ? [style, css].filter((text) => text !== '').join(' ')
      : safeCss(rulesIn([css, style].map(withoutEnd).join(';')), htmlRules(frame.references.quirks).css),
    class: isOld ? all : [...new Set(all.split(/\s+/))].join(' ').trim(),
    id: id || anchor,
    'aria-label': label || frame.text('ariaLabel'),
  };
  return [...Object.entries(merged).filter(([, value]) => value !== ''), ...Object.entries(others)]
    .map(([name, value]) => `${name}="${escAttr(value)}"`)
    .join(' ');
}

/** A function that renders a block of WordPress. @param html what is stored, with the blocks in it */
export type Renderer = (frame: Frame, html: Html) => Html | string;
