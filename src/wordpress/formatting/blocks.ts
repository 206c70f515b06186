import { isEmpty } from '../../base/php/cast.js';
import { lookup } from '../../base/values/records.js';
import { autop } from './autop.js';
import { joined, NO_HTML, withClassesOn, type Html } from './block-parts/classes.js';
import { layoutClasses } from './block-parts/layout.js';
import { blockJson, withSupports } from './block-parts/supports.js';
import type { DynamicBlock, References } from './references.js';
import type { Post } from '../model.js';
import { escAttr } from './entities.js';
import { escUrl } from './esc-url.js';
import { renderTitle } from './title.js';

const USUAL_COUNT = 5;

interface Attributes {
  postsToShow?: unknown;
  postLayout?: unknown;
  columns?: unknown;
  order?: unknown;
  orderBy?: unknown;
}

function read(json: string): Attributes {
  try {
    return (JSON.parse(json) ?? {}) as Attributes;
  } catch {
    return {};
  }
}

/** In the order of the block; by date they are sorted already. */
function sorted(posts: readonly Post[], { orderBy, order }: Attributes): Post[] {
  const ascending = orderBy === 'title' ? posts.toSorted((a, b) => a.title.localeCompare(b.title, 'en')) : posts.toReversed();
  return order === 'asc' ? ascending : ascending.toReversed();
}

/** The list of the newest blog posts. Behaviour of the block core/latest-posts. */
function latestPosts(json: string, { latestPosts: posts, linkTo, quirks }: References): string {
  const attributes = read(json);
  const count = typeof attributes.postsToShow === 'number' ? attributes.postsToShow : USUAL_COUNT;
  const grid =
    attributes.postLayout === 'grid' ? ` is-grid columns-${typeof attributes.columns === 'number' ? attributes.columns : 3}` : '';
  const items = sorted(posts, attributes)
    .slice(0, Math.max(count, 0))
    .map((post) => {
      const title = renderTitle(post.title) || '(no title)';
      return `<li><a class="wp-block-latest-posts__post-title" href="${escUrl(linkTo(post))}">${title}</a></li>\n`;
    });
  const layout = quirks.has('latest-posts-have-no-layout') ? '' : ' is-layout-flow wp-block-latest-posts-is-layout-flow';
  return `<ul class="wp-block-latest-posts__list${escAttr(grid)} wp-block-latest-posts${layout}">${items.join('')}</ul>`;
}

/** A comment that opens or closes a block, or is a whole block. */
interface Delimiter {
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
  readonly isVoid: boolean;
  /** Full name, such as `core/paragraph`. */
  readonly name: string;
  /** JSON; empty if there are none. */
  readonly attributes: string;
}

const HEAD = /<!--[ \t\n\v\f\r]+(\/)?wp:([a-z][a-z0-9_-]*\/)?([a-z][a-z0-9_-]*)[ \t\n\v\f\r]+/g;
const VOID_END = /(\/)?-->/y;
const ATTRIBUTES_END = /\}[ \t\n\v\f\r]+(\/)?-->/g;

/** The delimiters of the blocks in a text, in order. */
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

/** A block of the editor while it is read; `html` grows by its markup and by the HTML of its inner blocks. */
interface Block {
  readonly name: string;
  readonly attributes: string;
  readonly inner: RenderedBlock[];
  /** Its markup in parts; null for each block between them. */
  readonly parts: (string | null)[];
  html: Html;
}

/** A block that has been read to its end. */
interface RenderedBlock {
  readonly name: string;
  readonly html: Html;
  readonly inner: readonly RenderedBlock[];
  /** Levels of blocks in it. */
  readonly height: number;
  readonly json: () => string;
}

/** A text is a sequence of blocks and the HTML between them. */
type Part = string | RenderedBlock;

interface OpenBlock {
  readonly block: Block;
  readonly start: number;
  readonly leadingFrom: number;
  from: number;
}

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
        .map((part) => (typeof part === 'string' ? part : joined(part.html)))
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
  return isPlain && (EXCERPT_BLOCKS.has(name) || WRAPPERS.has(name)) ? joined(html) : '';
}

/** Maximum depth of nested wrappers in excerpts. */
const MAX_DEPTH = 100;

function innerExcerpt(block: RenderedBlock, depth = 0): string {
  if (depth > MAX_DEPTH || !(EXCERPT_BLOCKS.has(block.name) || WRAPPERS.has(block.name))) return '';
  return block.inner.length === 0 ? joined(block.html) : block.inner.map((inner) => innerExcerpt(inner, depth + 1)).join('');
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
      addMarkup(parent.block, text.slice(parent.from, start));
      addBlock(parent.block, rendered);
      parent.from = end;
    }
  };
  for (const token of delimiters(text)) {
    if (!token.closes) {
      const block: Block = { name: token.name, attributes: token.attributes, inner: [], parts: [], html: NO_HTML };
      if (token.isVoid) place(block, token.start, token.end, at);
      else open.push({ block, start: token.start, leadingFrom: at, from: token.end });
    } else {
      const closed = open.pop();
      // WP: parsing stops at a closing comment without an opening one.
      if (!closed) return [...output, text.slice(at)];
      addMarkup(closed.block, text.slice(closed.from, token.start), open.length > 0);
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
    addMarkup(block, text.slice(from));
    return [text.slice(leadingFrom, start), finish(block, references)];
  });
}

/** @param isClosing whether it is the end of a block in another one. WP: these have a part for it, even if it is empty */
function addMarkup(block: Block, text: string, isClosing = false): void {
  const { head, rest } = block.html;
  block.html = block.inner.length === 0 ? { head: head + text, rest } : { head, rest: rest + text };
  if (isClosing || !isEmpty(text)) block.parts.push(text);
}

function addBlock(block: Block, rendered: RenderedBlock): void {
  const { head, rest } = block.html;
  block.html = { head, rest: rest + joined(rendered.html) };
  block.inner.push(rendered);
  block.parts.push(null);
}

function finish(block: Block, references: References): RenderedBlock {
  const { name, inner } = block;
  const height = inner.reduce((most, child) => Math.max(most, child.height + 1), 0);
  const json = blockJson({ ...block, height });
  return { name, html: renderBlock(block, json, references), inner, height, json };
}

/** Classes that blocks get when shown and that the editor does not store, on the first of these elements. */
const OWN_CLASS: Readonly<Record<string, { name: string; isOn: (element: string) => boolean }>> = lookup({
  'core/list': { name: 'wp-block-list', isOn: (element) => element === 'ul' || element === 'ol' },
  'core/heading': { name: 'wp-block-heading', isOn: (element) => /^h[1-6]$/.test(element) },
});

const PARAGRAPH = 'core/paragraph';

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

function renderBlock(block: Block, json: () => string, references: References): Html {
  const { name } = block;
  const { quirks } = references;
  const isKnown = name.startsWith('core/') || references.blocks.has(name);
  const own = ownHtml(block, references);
  const html = isKnown ? withSupports(own, block, json, quirks) : own;
  if (name !== PARAGRAPH || quirks.has('paragraphs-have-no-class')) return html;
  return withClassesOn(html, ['wp-block-paragraph'], (element) => element === 'p');
}

const whole = (html: string): Html => ({ head: html, rest: '' });

function ownHtml(block: Block, references: References): Html {
  const { name, html, attributes } = block;
  const render = dynamicBlock(name, references.blocks);
  if (render) return whole(render(attributes, references));
  if (name === 'core/shortcode') return whole(autop(joined(html)));
  if (name === 'core/image') return hasImage(joined(html)) ? html : NO_HTML;
  const own = OWN_CLASS[name];
  return own === undefined
    ? withClassesOn(html, layoutClasses(name, attributes, references.quirks))
    : withClassesOn(html, [own.name], own.isOn);
}

/** WP: an image block without an image is not shown. */
function hasImage(html: string): boolean {
  const at = html.search(/<img[ \t\n\r\f]/i);
  return at !== -1 && /\ssrc\s*=/i.test(html.slice(at, html.indexOf('>', at) + 1 || undefined));
}
