import { closedBy, parseBlocks, type ParsedBlock } from './block-parts/parse.js';
import { CORE_BLOCKS, renderOne, renderParts } from './block-parts/render.js';
import { blockTypes } from './block-parts/types.js';
import type { References } from './references.js';

/** Whether the text has blocks. WP: detected by this comment start anywhere. */
export function hasBlocks(text: string): boolean {
  return text.includes('<!-- wp:');
}

/** Resolves block comments: delimiters are removed, markup stays, dynamic blocks are rendered. Behavior of do_blocks. */
export const renderBlocks = (text: string, references: References): string =>
  text.includes('<!--')
    ? renderParts(parseBlocks(references.post === undefined ? text : closedBy('post-content', text)), references)
    : text;

/** Blocks whose text an excerpt may contain. WP: blocks with inner blocks only if they are wrappers. */
const EXCERPT_BLOCKS = new Set(
  'freeform heading html list media-text paragraph preformatted pullquote quote table verse'.split(' ').map((name) => `core/${name}`),
);
const WRAPPERS = new Set(['core/columns', 'core/column', 'core/group']);

const FOOTNOTE = /<sup data-fn="[^"]+" class="[^"]+">\s*<a href="[^"]+" id="[^"]+">\d+<\/a>\s*<\/sup>/g;

/** The text that excerpts are generated from, without blocks that excerpts exclude. Behavior of excerpt_remove_blocks. */
export function excerptBlocks(text: string, references: References): string {
  if (!hasBlocks(text)) return text;
  return parseBlocks(text)
    .map((part) => (typeof part === 'string' ? part : outerExcerpt(part, references)))
    .join('')
    .replace(FOOTNOTE, '');
}

function outerExcerpt(block: ParsedBlock, references: References): string {
  const { name, inner } = block;
  if (WRAPPERS.has(name) && inner.length > 0) return inner.map((each) => innerExcerpt(each, references)).join('');
  const isPlain = inner.every((each) => EXCERPT_BLOCKS.has(each.name) && each.inner.length === 0);
  return isPlain && (EXCERPT_BLOCKS.has(name) || WRAPPERS.has(name)) ? renderOne(block, references) : '';
}

/** Maximum depth of nested wrappers in excerpts. */
const MAX_DEPTH = 100;

function innerExcerpt(block: ParsedBlock, references: References, depth = 0): string {
  const { name, inner } = block;
  if (depth > MAX_DEPTH || !(EXCERPT_BLOCKS.has(name) || WRAPPERS.has(name))) return '';
  return inner.length === 0 ? renderOne(block, references) : inner.map((each) => innerExcerpt(each, references, depth + 1)).join('');
}

/** Whether a block is rendered when it is shown; others are stored as HTML. */
export const isDynamic = (name: string, { release, blocks }: References): boolean =>
  blocks.has(name) || (blockTypes(release).has(name) && CORE_BLOCKS.has(name));

const ASKING =
  /<!--\s+wp:(?:core\/)?(?:archives|avatar|breadcrumbs|calendar|categories|cover|footnotes|latest-|media-text|page-list|post-|query|read-more|site-logo|tag-cloud|term|tribe\/)/;

/** Whether a text has blocks that show other content. */
export const asksQuestions = (text: string): boolean => text.includes('<!--') && ASKING.test(text);
