import { withBindings } from './bindings.js';
import { Frame, type Renderer, type Scope } from './frame.js';
import { LIST_BLOCKS } from './list-blocks.js';
import { LATE, MEDIA_BLOCKS } from './media-blocks.js';
import { ParsedBlock, type Part } from './parse.js';
import { POST_BLOCKS } from './post-blocks.js';
import { QUERY_BLOCKS } from './query-blocks.js';
import { SITE_BLOCKS } from './site-blocks.js';
import { filled, TEMPLATE_BLOCKS } from './template.js';
import { type Attributes, blockTypes, THEMES, type BlockType } from './types.js';
import { withClassNames, withSupports } from './supports.js';
import { joined, NO_HTML, whole, type Html } from './tags.js';

/** The functions that render blocks of WordPress when they are shown, by name. */
export const CORE_BLOCKS: ReadonlyMap<string, Renderer> = new Map([
  ...TEMPLATE_BLOCKS.map((name): [string, Renderer] => [name, (frame) => filled(frame, name)]),
  ...Object.entries({ ...MEDIA_BLOCKS, ...LIST_BLOCKS, ...POST_BLOCKS, ...QUERY_BLOCKS, ...SITE_BLOCKS }),
]);

/** Blocks that render the blocks in them themselves: once for each post or term. */
const REPEATING = new Set(['core/post-template', 'core/term-template', 'core/comment-template']);

/** Levels of blocks that render others, such as lists of posts in lists of posts. WP has no limit, and no answer then. */
const MOST_LEVELS = 8;

const NO_ATTRIBUTES: Attributes = {};
const PLUGIN_BLOCK: BlockType = {};

function typeOf({ name }: ParsedBlock, { references }: Scope): BlockType | undefined {
  const isOfPlugin = references.theme === 'block' && references.blocks.has(name);
  return blockTypes(references.release).get(name) ?? (isOfPlugin ? PLUGIN_BLOCK : undefined);
}

function opened(block: ParsedBlock, parent: Frame | null, scope: Scope): Frame {
  const type = typeOf(block, scope);
  const { references } = scope;
  const facts = { theme: THEMES[references.theme], references, isOld: references.quirks.has('older-blocks') };
  const own = withClassNames(block, block.attributes, type, facts);
  const frame = new Frame(block, type, { ...(type?.attributes ?? NO_ATTRIBUTES), ...own }, parent, scope);
  if (REPEATING.has(block.name) && type) frame.next = block.parts.length;
  return frame;
}

function closed(frame: Frame): Html {
  const { block, type, references } = frame;
  const stored = type ? withBindings(frame, frame.html) : frame.html;
  const ofPlugin = type === PLUGIN_BLOCK ? references.blocks.get(block.name) : undefined;
  const render = type && CORE_BLOCKS.get(block.name);
  const own = ofPlugin ? ofPlugin(frame.attributes, references) : render ? render(frame, stored) : stored;
  const html = withSupports(typeof own === 'string' ? whole(own) : own, frame);
  const changed = (type && LATE.get(block.name)?.(frame, html)) ?? html;
  return typeof changed === 'string' ? whole(changed) : changed;
}

/** Renders a block, without recursion: blocks may be nested deeply. */
function renderBlock(block: ParsedBlock, parent: Frame | null, scope: Scope): Html {
  const frames = [opened(block, parent, scope)];
  for (;;) {
    const frame = frames[frames.length - 1];
    if (!frame) return NO_HTML;
    const part = frame.block.parts[frame.next];
    if (part === undefined) {
      const html = closed(frame);
      frames.pop();
      const outer = frames.at(-1);
      if (!outer) return html;
      outer.addInner(joined(html));
    } else {
      frame.next += 1;
      if (typeof part === 'string') frame.addMarkup(part);
      else frames.push(opened(part, frame, scope));
    }
  }
}

const levels = (frame: Frame | null): number => {
  let count = 0;
  for (let at = frame; at; at = at.parent) if (REPEATING.has(at.block.name)) count += 1;
  return count;
};

const show: Scope['show'] = (parts, around, scope) =>
  around && (levels(around) > MOST_LEVELS || !scope.references.counters.mayList(1))
    ? ''
    : parts.map((part) => (typeof part === 'string' ? part : joined(renderBlock(part, around, scope)))).join('');

/** Renders blocks and the HTML between them. */
export const renderParts = (parts: readonly Part[], references: Scope['references']): string => show(parts, null, { references, show });

export const renderOne = (block: ParsedBlock, references: Scope['references']): string => show([block], null, { references, show });
