import { createHash } from 'node:crypto';
import { phpJson } from '../../../base/php/json.js';
import type { QuirkName } from '../../quirks.js';
import { phpTrim } from '../strip-tags.js';
import { addClasses } from './classes.js';
import { delimiters } from './delimiters.js';

type Json = string | number | boolean | null | undefined | Json[] | { [key: string]: Json };

/** A block as WordPress's parser returns it. */
interface ParsedBlock {
  readonly blockName: string;
  readonly attrs: Json;
  readonly innerBlocks: ParsedBlock[];
  innerHTML: string;
  /** The markup in its parts; null for each block between them. */
  readonly innerContent: (string | null)[];
}

/** A block that was rendered. */
interface SupportedBlock {
  readonly name: string;
  /** JSON. */
  readonly attributes: string;
  /** What is between its delimiters, as stored. */
  readonly source: string;
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

const emptyBlock = (name: string, attributes: string): ParsedBlock => ({
  blockName: name,
  attrs: attributesOf(attributes),
  innerBlocks: [],
  innerHTML: '',
  innerContent: [],
});

/** A block from its source. Behaviour of WP_Block_Parser. */
function parseBlock({ name, attributes, source }: SupportedBlock): ParsedBlock {
  const root = emptyBlock(name, attributes);
  const open = [{ block: root, from: 0 }];
  const addHtml = (end: number, isLast: boolean): void => {
    const top = open[open.length - 1];
    const html = source.slice(top.from, end);
    if (!isLast && (html === '' || html === '0')) return;
    top.block.innerHTML += html;
    top.block.innerContent.push(html);
  };
  const addBlock = (block: ParsedBlock, end: number): void => {
    const top = open[open.length - 1];
    top.block.innerBlocks.push(block);
    top.block.innerContent.push(null);
    top.from = end;
  };
  for (const token of delimiters(source)) {
    if (token.closes) {
      if (open.length === 1) break;
      addHtml(token.start, true);
      const { block } = open.pop()!;
      addBlock(block, token.end);
      continue;
    }
    addHtml(token.start, false);
    const block = emptyBlock(token.name, token.attributes);
    if (token.isVoid) addBlock(block, token.end);
    else open.push({ block, from: token.end });
  }
  open.length = 1;
  if (source !== '') addHtml(source.length, true);
  return root;
}

/** WP: derived from the whole block, so that two that differ have different ones. PHP: JSON that is nested too deeply is empty. */
function cssClass(block: SupportedBlock): string {
  const json = block.height * LEVELS < MAX_DEPTH ? phpJson(parseBlock(block)) : '';
  return `wp-custom-css-${createHash('md5').update(json).digest('hex').slice(0, 8)}`;
}

const VIEWPORTS = ['desktop', 'mobile', 'tablet'];

/** The classes for the widths of a window in which a block is hidden, sorted by name (WP). */
const hiddenClasses = (visibility: Json): string[] =>
  VIEWPORTS.filter((name) => member(member(visibility, 'viewport'), name) === false).map((name) => `wp-block-hidden-${name}`);

/** WP: blocks whose attributes are not a design. */
const WITHOUT_CSS = new Set(['freeform', 'html', 'missing', 'more', 'nextpage', 'shortcode'].map((name) => `core/${name}`));

/**
 * A rendered block with what its attributes say of where it is visible, and of own CSS. WP: `blockVisibility` and `customCSS`.
 * @param html the block as it is without
 */
export function withSupports(html: string, block: SupportedBlock, quirks: ReadonlySet<QuirkName>): string {
  const { name, attributes } = block;
  const mayHide = attributes.includes('"blockVisibility"') && !quirks.has('hidden-blocks-are-shown');
  const mayStyle = attributes.includes('"css"') && !quirks.has('css-of-blocks-is-ignored') && !WITHOUT_CSS.has(name);
  if (!mayHide && !mayStyle) return html;
  const known = attributesOf(attributes);
  const visibility = mayHide ? member(member(known, 'metadata'), 'blockVisibility') : undefined;
  if (visibility === false) return '';
  const hidden = quirks.has('blocks-are-shown-at-all-widths') ? [] : hiddenClasses(visibility);
  const css = mayStyle ? member(member(known, 'style'), 'css') : undefined;
  const isStyled = typeof css === 'string' && !['', '0'].includes(phpTrim(css));
  return addClasses(html, [...hidden, ...(isStyled ? ['has-custom-css', cssClass(block)] : [])]);
}
