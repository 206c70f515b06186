import { serialize, unserialize } from 'php-serialize';
import type { MetaRow, Post } from '../../../wordpress/model.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import type { DeclaredMeta } from '../../../wordpress/types/declared-meta.js';

/** WP stores lists and objects in meta in PHP's format; here they are JSON. Only declared keys are known to have such values. */

const isStructured = ({ type, single = true }: DeclaredMeta): boolean => type === 'object' || (type === 'array' && single);

/** The keys of a type with lists or objects. */
function structuredKeys(type: string, { types = {}, meta = {} }: Declarations): ReadonlySet<string> {
  const keys = { ...types[type]?.meta, ...meta[type] };
  return new Set(Object.keys(keys).filter((key) => isStructured(keys[key])));
}

function mapped(rows: readonly MetaRow[], type: string, declarations: Declarations, change: (value: string) => string): MetaRow[] {
  const keys = structuredKeys(type, declarations);
  return rows.map((row) => {
    if (!keys.has(row.key)) return row;
    try {
      return { ...row, value: change(row.value) };
    } catch {
      // It is in neither format: kept as it is.
      return row;
    }
  });
}

export const serializedMeta = ({ meta, type }: Pick<Post, 'meta' | 'type'>, declarations: Declarations): MetaRow[] =>
  mapped(meta, type, declarations, (value) => serialize(JSON.parse(value)));

export const readSerializedMeta = (meta: readonly MetaRow[], type: string, declarations: Declarations): MetaRow[] =>
  mapped(meta, type, declarations, (value) => JSON.stringify(unserialize(value)));
