import { BSON, type Document } from 'mongodb';

/** Reads some fields of a document from its bytes. */
export type FieldReader = (bytes: Buffer) => Document;

/** Bytes of values by BSON's types that have a fixed size: double, undefined, id, boolean, date, null, 32 bits, timestamp, 64 and 128 bits. */
const FIXED: readonly (number | undefined)[] = Object.assign([], { 1: 8, 6: 0, 7: 12, 8: 1, 9: 8, 10: 0, 16: 4, 17: 8, 18: 8, 19: 16 });
/** Bytes of the count in front of a text, which does not include them, and of that of a document and a list, which does. */
const COUNTED: readonly (number | undefined)[] = Object.assign([], { 2: 4, 3: 0, 4: 0 });

/** Bytes that a reader copies the fields to. */
let scratch = Buffer.alloc(4_096);

/** Stored texts are valid UTF-8. */
export const decode = (bytes: Uint8Array): Document => BSON.deserialize(bytes, { validation: { utf8: false } });

/** Whether one of some names is between two positions. */
function isAnyAt(names: readonly Buffer[], bytes: Buffer, start: number, end: number): boolean {
  for (const name of names) {
    if (name.length !== end - start) continue;
    let at = 0;
    while (at < name.length && bytes[start + at] === name[at]) at += 1;
    if (at === name.length) return true;
  }
  return false;
}

/** @param paths of the fields, of which the first names count @param reads false: reads all others */
export function readerOf(paths: Iterable<string>, reads = true): FieldReader {
  const names = [...new Set(Array.from(paths, (path) => path.split('.')[0]))].map((name) => Buffer.from(`${name}\0`));
  return (bytes) => {
    if (scratch.length < bytes.length) scratch = Buffer.alloc(2 * bytes.length);
    let used = 4;
    let left = reads ? names.length : Infinity;
    for (let at = 4; left > 0 && bytes[at] !== 0;) {
      const type = bytes[at];
      let value = at + 1;
      while (bytes[value] !== 0) value += 1;
      value += 1;
      const counted = COUNTED[type];
      const size = counted === undefined ? FIXED[type] : counted + bytes.readInt32LE(value);
      if (size === undefined) return decode(bytes);
      const end = value + size;
      if (isAnyAt(names, bytes, at + 1, value) === reads) {
        used += bytes.copy(scratch, used, at, end);
        left -= 1;
      }
      at = end;
    }
    scratch[used] = 0;
    scratch.writeInt32LE(used + 1);
    return decode(scratch.subarray(0, used + 1));
  };
}

/** The paths that conditions look at; null: they may look at any. */
export function pathsIn(filter: Document): readonly string[] | null {
  const all = Object.entries(filter).flatMap(([key, condition]): readonly (string | null)[] => {
    if (!key.startsWith('$')) return [key];
    return Array.isArray(condition)
      ? (condition as Document[]).flatMap((each): readonly (string | null)[] => pathsIn(each) ?? [null])
      : [null];
  });
  return all.includes(null) ? null : (all as string[]);
}
