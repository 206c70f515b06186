import type { Declarations } from '../wordpress/types/declared.js';
import { POST_KINDS, TERM_PARTS } from './kinds.js';
import type { SourceItem, DatasetSource } from './source.js';

/** The parts that declarations go with. */
const DECLARING: readonly string[] = ['items', 'terms', 'site'];

function partOf(item: SourceItem, { types = {}, taxonomies = {} }: Declarations = {}): string | undefined {
  switch (item.kind) {
    case 'options':
      return 'site';
    case 'user':
      return 'users';
    case 'term':
      return TERM_PARTS.get(item.term.taxonomy) ?? (Object.hasOwn(taxonomies, item.term.taxonomy) ? 'terms' : undefined);
    case 'post':
      return POST_KINDS.get(item.post.type)?.part ?? (Object.hasOwn(types, item.post.type) ? 'items' : undefined);
    case 'file':
      return 'media';
    case 'comment':
      return undefined;
  }
}

/** The ids of the posts that belong to parts. */
async function postsIn(source: DatasetSource, parts: readonly string[]): Promise<Set<number>> {
  const found = new Set<number>();
  for await (const item of source.items(() => undefined)) {
    const part = item.kind === 'post' ? partOf(item, source.declarations) : undefined;
    if (item.kind === 'post' && part !== undefined && parts.includes(part)) found.add(item.post._id);
  }
  return found;
}

/** The parts whose items may have comments. */
const COMMENTED: readonly string[] = ['events', 'posts', 'pages'];

/** The parts with objects that have fields of plugins. */
function partsOfType(type: string): readonly (string | undefined)[] {
  if (type === 'user') return ['users'];
  return type === 'comment' ? COMMENTED : [POST_KINDS.get(type)?.part ?? TERM_PARTS.get(type)];
}

/** Declarations that parts need: all, or those of how the fields of their items are shown. */
function declarationsFor(parts: readonly string[], declarations: Declarations = {}): Declarations {
  if (parts.some((part) => DECLARING.includes(part))) return declarations;
  const isNeeded = (type: string): boolean => partsOfType(type).some((part) => part !== undefined && parts.includes(part));
  const fields = Object.entries(declarations.fields ?? {}).filter(([type]) => isNeeded(type));
  return fields.length === 0 ? {} : { fields: Object.fromEntries(fields) };
}

/**
 * Restricts a source to parts of a site. References to items outside these parts are kept as ids; formats that write names find them in the
 * whole.
 */
export function restricted(source: DatasetSource, parts: readonly string[]): DatasetSource {
  const { count: _, ...rest } = source;
  return {
    ...rest,
    // Their items and terms need declarations; content without them can be added to any site.
    declarations: declarationsFor(parts, source.declarations),
    parts,
    whole: source,
    async *items(problems) {
      let posts: Set<number> | undefined;
      for await (const item of source.items(problems)) {
        // Comments go where their posts go.
        if (item.kind === 'comment') {
          posts ??= await postsIn(source, parts);
          if (posts.has(item.comment.post)) yield item;
          continue;
        }
        const part = partOf(item, source.declarations);
        if (part !== undefined && parts.includes(part)) yield item;
      }
    },
  };
}
