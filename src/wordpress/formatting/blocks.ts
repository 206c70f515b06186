import { autop } from './autop.js';
import { latestPosts } from './block-parts/latest-posts.js';
import { layoutClasses } from './block-parts/layout.js';
import type { DynamicBlock, References } from './references.js';

/** A block of the editor while it is read; `html` grows by its markup and by the HTML of its inner blocks. */
interface Block {
  readonly name: string;
  readonly attributes: string;
  readonly inner: RenderedBlock[];
  html: string;
}

/** A block that has been read to its end. */
interface RenderedBlock {
  readonly name: string;
  readonly html: string;
  readonly inner: readonly RenderedBlock[];
}

/** A text is a sequence of blocks and the HTML between them. */
type Part = string | RenderedBlock;

interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
  readonly isVoid: boolean;
  readonly name: string;
  readonly attributes: string;
}

interface OpenBlock {
  readonly block: Block;
  readonly start: number;
  readonly leadingFrom: number;
  from: number;
}

const HEAD = /<!--[ \t\n\v\f\r]+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)[ \t\n\v\f\r]+/g;
const VOID_END = /(\/)?-->/y;
const ATTRIBUTES_END = /\}[ \t\n\v\f\r]+(\/)?-->/g;

// Maximum number of unclosed blocks: WP repeats the rest of the text for each, so the output would grow without bound.
const MAX_LEFT_OPEN = 32;

/** Whether the text has blocks. WP: detected by this comment start anywhere. */
export function hasBlocks(text: string): boolean {
  return text.includes('<!-- wp:');
}

/** Resolves block comments: delimiters are removed, markup stays, dynamic blocks are rendered. Behaviour of do_blocks. */
export function renderBlocks(text: string, references: References): string {
  return text.includes('<!--')
    ? readBlocks(text, references)
        .map((part) => (typeof part === 'string' ? part : part.html))
        .join('')
    : text;
}

/** Blocks whose text an excerpt may contain. WP: blocks with inner blocks only if they are wrappers. */
const EXCERPT_BLOCKS = new Set(
  'freeform heading html list media-text paragraph preformatted pullquote quote table verse'.split(' ').map((name) => `core/${name}`),
);
const WRAPPERS = new Set(['core/columns', 'core/column', 'core/group']);

/** The text that excerpts are generated from, without blocks that excerpts exclude. Behaviour of excerpt_remove_blocks. */
export function excerptBlocks(text: string, references: References): string {
  if (!hasBlocks(text)) return text;
  return readBlocks(text, references)
    .map((part) => (typeof part === 'string' ? part : outerExcerpt(part)))
    .join('');
}

function outerExcerpt({ name, html, inner }: RenderedBlock): string {
  if (WRAPPERS.has(name) && inner.length > 0) return inner.map(innerExcerpt).join('');
  const isPlain = inner.every((block) => EXCERPT_BLOCKS.has(block.name) && block.inner.length === 0);
  return isPlain && (EXCERPT_BLOCKS.has(name) || WRAPPERS.has(name)) ? html : '';
}

/** Maximum depth of nested wrappers in excerpts. */
const MAX_DEPTH = 100;

function innerExcerpt(block: RenderedBlock, depth = 0): string {
  if (depth > MAX_DEPTH || !(EXCERPT_BLOCKS.has(block.name) || WRAPPERS.has(block.name))) return '';
  return block.inner.length === 0 ? block.html : block.inner.map((inner) => innerExcerpt(inner, depth + 1)).join('');
}

/** Inner blocks are rendered when they close, without recursion. */
function readBlocks(text: string, references: References): Part[] {
  const open: OpenBlock[] = [];
  const output: Part[] = [];
  let at = 0;
  const place = (block: Block, start: number, end: number, leadingFrom: number): void => {
    const rendered = finish(block, references);
    const parent = open.at(-1);
    if (!parent) output.push(text.slice(leadingFrom, start), rendered);
    else {
      parent.block.html += text.slice(parent.from, start) + rendered.html;
      parent.block.inner.push(rendered);
      parent.from = end;
    }
  };
  for (const token of delimiters(text)) {
    if (!token.closes) {
      const block: Block = { name: token.name, attributes: token.attributes, inner: [], html: '' };
      if (token.isVoid) place(block, token.start, token.end, at);
      else open.push({ block, start: token.start, leadingFrom: at, from: token.end });
    } else {
      const closed = open.pop();
      // WP: parsing stops at a closing comment without an opening one.
      if (!closed) return [...output, text.slice(at)];
      closed.block.html += text.slice(closed.from, token.start);
      place(closed.block, closed.start, token.end, closed.leadingFrom);
    }
    at = token.end;
  }
  return [...output, ...(open.length === 0 ? [text.slice(at)] : closeAll(text, open, references))];
}

/** WP: unclosed blocks become top-level blocks, innermost first, each with the text up to the end. */
function closeAll(text: string, open: readonly OpenBlock[], references: References): Part[] {
  if (open.length > MAX_LEFT_OPEN) return [text.slice(open[0]?.start ?? 0)];
  return open.toReversed().flatMap(({ block, start, from, leadingFrom }) => {
    block.html += text.slice(from);
    return [text.slice(leadingFrom, start), finish(block, references)];
  });
}

const finish = (block: Block, references: References): RenderedBlock => ({
  name: block.name,
  html: renderBlock(block, references),
  inner: block.inner,
});

function* delimiters(text: string): Generator<Delimiter> {
  const head = new RegExp(HEAD);
  let attributesEnd: RegExpExecArray | null | undefined;
  for (let match = head.exec(text); match; match = head.exec(text)) {
    const bodyAt = head.lastIndex;
    const common = { start: match.index, closes: match[1] !== undefined, name: (match[2] ?? 'core/') + match[3] };
    if (text[bodyAt] !== '{') {
      VOID_END.lastIndex = bodyAt;
      const end = VOID_END.exec(text);
      if (!end) continue;
      head.lastIndex = VOID_END.lastIndex;
      yield { ...common, end: VOID_END.lastIndex, isVoid: end[1] !== undefined, attributes: '' };
      continue;
    }
    if (attributesEnd === undefined || (attributesEnd !== null && attributesEnd.index < bodyAt)) {
      ATTRIBUTES_END.lastIndex = bodyAt;
      attributesEnd = ATTRIBUTES_END.exec(text);
    }
    if (!attributesEnd) continue;
    const end = attributesEnd.index + attributesEnd[0].length;
    head.lastIndex = end;
    yield { ...common, end, isVoid: attributesEnd[1] !== undefined, attributes: text.slice(bodyAt, attributesEnd.index + 1) };
  }
}

/** Classes that blocks get when shown and that the editor does not store, on the first of these elements. */
const OWN_CLASS: Readonly<Record<string, { name: string; elements: RegExp }>> = {
  'core/list': { name: 'wp-block-list', elements: /<(?:ul|ol)(?=[\s/>])/i },
  'core/heading': { name: 'wp-block-heading', elements: /<h[1-6](?=[\s/>])/i },
};

const ANY_ELEMENT = /<[a-zA-Z]/;

/** Renders a pattern in a post. WP: a pattern that contains itself is shown once. */
function pattern(attributes: string, references: References): string {
  const ref: unknown = /"ref":\s*(\d+)/.exec(attributes)?.[1];
  const id = Number(ref);
  const { shownPatterns = [] } = references;
  const post = shownPatterns.includes(id) ? undefined : references.pattern(id);
  return post ? renderBlocks(post.content, { ...references, shownPatterns: [...shownPatterns, id] }) : '';
}

const CORE_BLOCKS: ReadonlyMap<string, DynamicBlock> = new Map([
  ['core/latest-posts', latestPosts],
  ['core/block', pattern],
]);

/** The function that renders a block when it is shown; undefined for one that is stored as HTML. */
export const dynamicBlock = (name: string, ofPlugins: References['blocks']): DynamicBlock | undefined =>
  ofPlugins.get(name) ?? CORE_BLOCKS.get(name);

function renderBlock(block: Block, references: References): string {
  const { html } = block;
  const render = dynamicBlock(block.name, references.blocks);
  if (render) return render(block.attributes, references);
  if (block.name === 'core/shortcode') return autop(html);
  if (block.name === 'core/image') return hasImage(html) ? html : '';
  const own = OWN_CLASS[block.name];
  return own === undefined
    ? addClasses(html, layoutClasses(block.name, block.attributes), ANY_ELEMENT)
    : addClasses(html, [own.name], own.elements);
}

/** WP: an image block without an image is not shown. */
function hasImage(html: string): boolean {
  const at = html.search(/<img[ \t\n\r\f]/i);
  return at !== -1 && /\ssrc\s*=/i.test(html.slice(at, html.indexOf('>', at) + 1 || undefined));
}

/** Adds the classes to the first element of its kind. */
function addClasses(html: string, classes: readonly string[], elements: RegExp): string {
  const at = html.search(elements);
  if (at === -1 || classes.length === 0) return html;
  const tag = /<[a-zA-Z][^\s/>]*(?:"[^"]*"|'[^']*'|[^'">])*>/y;
  tag.lastIndex = at;
  const found = tag.exec(html)?.[0];
  if (found === undefined) return html;
  return html.slice(0, at) + withClasses(found, classes) + html.slice(at + found.length);
}

function withClasses(tag: string, classes: readonly string[]): string {
  const attribute = /\sclass\s*=\s*(["'])(.*?)\1/is.exec(tag);
  if (!attribute) return tag.replace(/^<[^\s/>]+/, `$& class="${classes.join(' ')}"`);
  const present = new Set((attribute[2] ?? '').split(/\s+/));
  const missing = classes.filter((name) => !present.has(name));
  if (missing.length === 0) return tag;
  const value = [attribute[2]?.trim(), ...missing].filter((name) => name !== '').join(' ');
  return tag.slice(0, attribute.index) + ` class="${value}"` + tag.slice(attribute.index + attribute[0].length);
}
