import { lookup } from '../base/values/records.js';
import { ATTENDEE_TYPES, TC_ORDER, TICKET_TYPES } from '../plugins/event-tickets/model/names.js';
import { ATTACHMENT, BLOCK, CATEGORY, MENU, MENU_ITEM, NAVIGATION, PAGE, POST, TAG } from '../wordpress/model.js';
import { EVENT, EVENT_CATEGORY } from '../plugins/the-events-calendar/model/index.js';
import { LINKED, LINKED_KINDS } from '../plugins/the-events-calendar/model/linked.js';
import type { Declarations } from '../wordpress/types/declared.js';
import type { SourceItem, DatasetSource } from './source.js';

/** Parts of a site that can be exported separately. */
export const PARTS = [
  'events',
  ...LINKED_KINDS.map((kind) => LINKED[kind].column),
  'media',
  'categories',
  'tags',
  'post_categories',
  'posts',
  'pages',
  'pattern_categories',
  'patterns',
  'navigation',
  'menus',
  'items',
  'terms',
  'users',
  'site',
] as const;
export type Part = (typeof PARTS)[number];

const TYPES: Readonly<Record<string, Part>> = lookup({
  [EVENT]: 'events',
  // Tickets go with the events.
  ...Object.fromEntries([...TICKET_TYPES, ...ATTENDEE_TYPES, TC_ORDER].map((type) => [type, 'events'])),
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].type, LINKED[kind].column])),
  [ATTACHMENT]: 'media',
  [POST]: 'posts',
  [PAGE]: 'pages',
  [BLOCK]: 'patterns',
  [NAVIGATION]: 'navigation',
  [MENU_ITEM]: 'menus',
});
const DECLARING: readonly Part[] = ['items', 'terms', 'site'];

const TAXONOMIES: Readonly<Record<string, Part>> = lookup({
  [EVENT_CATEGORY]: 'categories',
  [TAG]: 'tags',
  [CATEGORY]: 'post_categories',
  wp_pattern_category: 'pattern_categories',
  [MENU]: 'menus',
});

function partOf(item: SourceItem, { types = {}, taxonomies = {} }: Declarations = {}): Part | undefined {
  switch (item.kind) {
    case 'options':
      return 'site';
    case 'user':
      return 'users';
    case 'term':
      return TAXONOMIES[item.term.taxonomy] ?? (Object.hasOwn(taxonomies, item.term.taxonomy) ? 'terms' : undefined);
    case 'post':
      return TYPES[item.post.type] ?? (Object.hasOwn(types, item.post.type) ? 'items' : undefined);
    case 'file':
      return 'media';
    case 'comment':
      return undefined;
  }
}

/** The ids of the posts that belong to parts. */
async function postsIn(source: DatasetSource, parts: readonly Part[]): Promise<Set<number>> {
  const found = new Set<number>();
  for await (const item of source.items(() => undefined)) {
    const part = item.kind === 'post' ? partOf(item, source.declarations) : undefined;
    if (item.kind === 'post' && part !== undefined && parts.includes(part)) found.add(item.post._id);
  }
  return found;
}

/** The parts whose items may have comments. */
const COMMENTED: readonly Part[] = ['events', 'posts', 'pages'];

/** The parts with objects that have fields of plugins. */
function partsOfType(type: string): readonly (Part | undefined)[] {
  if (type === 'user') return ['users'];
  return type === 'comment' ? COMMENTED : [TYPES[type] ?? TAXONOMIES[type]];
}

/** Declarations that parts need: all, or those of how the fields of their items are shown. */
function declarationsFor(parts: readonly Part[], declarations: Declarations = {}): Declarations {
  if (parts.some((part) => DECLARING.includes(part))) return declarations;
  const isNeeded = (type: string): boolean => partsOfType(type).some((part) => part !== undefined && parts.includes(part));
  const fields = Object.entries(declarations.fields ?? {}).filter(([type]) => isNeeded(type));
  return fields.length === 0 ? {} : { fields: Object.fromEntries(fields) };
}

/**
 * Restricts a source to parts of a site. References to items outside these parts are kept as ids; formats that write names find them in the
 * whole.
 */
export function restricted(source: DatasetSource, parts: readonly Part[]): DatasetSource {
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
