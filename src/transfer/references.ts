import { CONTENTS } from '../plugins/register.js';
import { LINKED } from '../plugins/the-events-calendar/model/event.js';
import type { MetaRow } from '../wordpress/model.js';

/** Meta keys whose values are post ids. */
const REFERENCES: ReadonlySet<string> = new Set([
  ...Object.values(LINKED).map(({ link }) => link.key),
  '_thumbnail_id',
  '_menu_item_menu_item_parent',
  ...CONTENTS.flatMap(({ kinds }) => kinds.flatMap(({ references = [] }) => references)),
]);

/** The target of a menu item: a post, itself, or a term (WP). */
const TARGET = '_menu_item_object_id';

const PATTERN = /(<!--\s+wp:(?:core\/)?block\s+\{[^>]*?"ref":\s*)([1-9]\d*)/g;

type NewId = (id: number) => number | string | undefined;

/**
 * Meta with other ids, or with names for them.
 * @param idOf the new id of a post; undefined removes the reference
 * @param termOf the same of a term
 */
export function withReferences(meta: readonly MetaRow[], idOf: NewId, termOf: NewId = (id) => id): MetaRow[] {
  const leadsToTerm = meta.some(({ key, value }) => key === '_menu_item_type' && value === 'taxonomy');
  return meta.flatMap((row) => {
    if ((row.key !== TARGET && !REFERENCES.has(row.key)) || !/^[1-9]\d*$/.test(row.value)) return [row];
    const id = (row.key === TARGET && leadsToTerm ? termOf : idOf)(Number(row.value));
    return id === undefined ? [] : [{ key: row.key, value: String(id) }];
  });
}

/** A text that shows patterns, with other ids for them. */
export const withPatterns = (content: string, idOf: NewId): string =>
  content.includes('wp:')
    ? content.replace(PATTERN, (found, before: string, id: string) => {
        const changed = idOf(Number(id));
        return changed === undefined ? found : `${before}${changed}`;
      })
    : content;
