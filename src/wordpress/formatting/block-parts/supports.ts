import { createHash } from 'node:crypto';
import { phpJson } from '../../../base/php/json.js';
import type { QuirkName } from '../../quirks.js';
import { phpTrim } from '../strip-tags.js';
import { NO_HTML, withClassesOn, type Html } from './classes.js';

type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

export interface ReadBlock {
  readonly name: string;
  /** JSON; empty if there are none. */
  readonly attributes: string;
  /** Its markup in parts; null for each block between them. Behaviour of WP_Block_Parser. */
  readonly parts: readonly (string | null)[];
  readonly inner: readonly { readonly json: () => string }[];
  /** Levels of blocks in it. */
  readonly height: number;
}

/** PHP: `json_decode`, and `json_encode` of a whole block, give up on deeper nesting. */
const MAX_DEPTH = 512;
/** Levels of JSON of a block within another. */
const LEVELS = 2;

/** JSON as PHP arrays: an empty object is a list. @returns undefined if it is nested too deeply */
function phpArrays(value: Json, depth = 0): Json {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => phpArrays(item, depth + 1));
  const entries = Object.entries(value).map(([key, item]) => [key, phpArrays(item, depth + 1)] as const);
  return entries.every(([key], index) => key === String(index)) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function attributesOf(json: string): Json {
  if (json === '') return [];
  try {
    return phpArrays(JSON.parse(json) as Json) ?? null;
  } catch {
    return null;
  }
}

const member = (value: Json, name: string): Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * A block as PHP encodes what WordPress's parser returns. PHP: JSON that is nested too deeply is empty. Computed once for each block, since each
 * may be in many others.
 */
export function blockJson({ name, attributes, parts, inner, height }: ReadBlock): () => string {
  let json: string | undefined;
  return () =>
    (json ??=
      height * LEVELS >= MAX_DEPTH
        ? ''
        : `{"blockName":${phpJson(name)},"attrs":${phpJson(attributesOf(attributes))},"innerBlocks":[${inner.map((each) => each.json()).join(',')}],` +
          `"innerHTML":${phpJson(parts.filter((part) => part !== null).join(''))},"innerContent":${phpJson([...parts])}}`);
}

/** WP: derived from the whole block, so that two that differ have different ones. */
const cssClass = (json: string): string => `wp-custom-css-${createHash('md5').update(json).digest('hex').slice(0, 8)}`;

const VIEWPORTS = ['desktop', 'mobile', 'tablet'];

/** The classes for the widths of a window in which a block is hidden, sorted by name (WP). */
const hiddenClasses = (visibility: Json): string[] =>
  VIEWPORTS.filter((name) => member(member(visibility, 'viewport'), name) === false).map((name) => `wp-block-hidden-${name}`);

/** WP: blocks whose attributes are not a design. */
const WITHOUT_CSS = new Set(['freeform', 'html', 'missing', 'more', 'nextpage', 'shortcode'].map((name) => `core/${name}`));

/**
 * A rendered block with what its attributes say of where it is visible, and of own CSS. WP: `blockVisibility` and `customCSS`.
 * @param html the block as it is without
 * @param json the whole block, see `blockJson`
 */
export function withSupports(
  html: Html,
  { name, attributes }: Pick<ReadBlock, 'name' | 'attributes'>,
  json: () => string,
  quirks: ReadonlySet<QuirkName>,
): Html {
  const mayHide = attributes.includes('"blockVisibility"') && !quirks.has('hidden-blocks-are-shown');
  const mayStyle = attributes.includes('"css"') && !quirks.has('css-of-blocks-is-ignored') && !WITHOUT_CSS.has(name);
  if (!mayHide && !mayStyle) return html;
  const known = attributesOf(attributes);
  const visibility = mayHide ? member(member(known, 'metadata'), 'blockVisibility') : undefined;
  if (visibility === false) return NO_HTML;
  const hidden = quirks.has('blocks-are-shown-at-all-widths') ? [] : hiddenClasses(visibility);
  const css = mayStyle ? member(member(known, 'style'), 'css') : undefined;
  const isStyled = typeof css === 'string' && !['', '0'].includes(phpTrim(css));
  return withClassesOn(html, [...hidden, ...(isStyled ? ['has-custom-css', cssClass(json())] : [])]);
}
