import { LINKED } from '../tec/linked.js';
import type { MetaRow } from '../wp/model.js';

/** Meta keys whose values are post ids. */
const REFERENCES: ReadonlySet<string> = new Set([...Object.values(LINKED).map(({ link }) => link.key), '_thumbnail_id']);

/** Meta with other post ids, or with names for them. @param idOf the new id; undefined removes the reference */
export const withReferences = (meta: readonly MetaRow[], idOf: (id: number) => number | string | undefined): MetaRow[] =>
  meta.flatMap((row) => {
    if (!REFERENCES.has(row.key) || !/^[1-9]\d*$/.test(row.value)) return [row];
    const id = idOf(Number(row.value));
    return id === undefined ? [] : [{ key: row.key, value: String(id) }];
  });
