import { BSON, MongoServerError, type Document, type IndexDescription } from 'mongodb';
import { codeOf } from '../../../base/values/errors.js';
import { ANY_CASE } from '../indexes.js';
import { idOf } from '../differences.js';
import { idsOf, type Id, type Step, type StepResult } from '../writes.js';
import { applyChange } from './change.js';
import { decode, pathsIn, readerOf, type FieldReader } from './fields.js';
import { matcher } from './match.js';
import { valueAt } from './values.js';

/** MongoDB's maximum size of a document, in bytes. */
const MAX_SIZE = 16 * 1024 * 1024;
/** MongoDB: BSONObjectTooLarge. */
const TOO_LARGE = 10_334;

/** @throws MongoServerError if the document is too large */
function bytesOf(document: Document): Buffer {
  let bytes: Uint8Array | null = null;
  try {
    bytes = BSON.serialize(document, { ignoreUndefined: true });
  } catch (error) {
    // The driver has no space for more than 17 MB.
    if (codeOf(error) !== 'ERR_OUT_OF_RANGE') throw error;
  }
  if (bytes === null || bytes.length > MAX_SIZE) throw new MongoServerError({ message: 'The document is too large', code: TOO_LARGE });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** A stored document. It never changes, so collections share it. */
export class Stored {
  private decoded: WeakRef<Document> | undefined;

  constructor(readonly bytes: Buffer) {}

  /** @param document without undefined fields in the stored form */
  static of(id: Id, { _id, ...fields }: Document): Stored {
    return new Stored(bytesOf({ _id: id, ...fields }));
  }

  get id(): Id {
    return idOf(this.bytes);
  }

  /** The document, which callers do not modify. */
  get document(): Document {
    const known = this.decoded?.deref();
    if (known) return known;
    const document = this.copy();
    this.decoded = new WeakRef(document);
    return document;
  }

  /** The document, or as little of it as takes less time to decode. @param read null: all of it */
  fields(read: FieldReader | null): Document {
    return read?.(this.bytes) ?? this.document;
  }

  /** The document, for a caller that may modify it. */
  copy(): Document {
    return decode(this.bytes);
  }
}

/** Documents by id, in the order in which they were stored. */
export type StoredDocuments = ReadonlyMap<Id, Stored>;

const isId = (value: unknown): value is Id => typeof value === 'number' || typeof value === 'string';

/** Filters that name ids alone, as callers that read documents by id send them. */
function namedIds(filter: Document): readonly Id[] | null {
  const id: unknown = filter['_id'];
  if (isId(id)) return [id];
  const listed = (id as { $in?: unknown } | null | undefined)?.$in;
  return Array.isArray(listed) && listed.every(isId) && Object.keys(id as object).length === 1 ? listed : null;
}

/** MongoDB's order of ids. */
const byId = (a: Id, b: Id): number => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1);

/** The documents that meet conditions. By id in the order of ids, else in the order of storage. @throws Unsupported */
export function select(content: CollectionContent, filter: Document, ignoresCase = false): Stored[] {
  const { documents } = content;
  const ids = namedIds(filter) ?? (ignoresCase ? null : content.idsFor(filter));
  const candidates = ids ? [...new Set(ids)].toSorted(byId).flatMap((id) => documents.get(id) ?? []) : [...documents.values()];
  const names = Object.keys(filter);
  if (names.length === 0 || (names.length === 1 && namedIds(filter))) return candidates;
  const matches = matcher(filter, ignoresCase);
  const paths = pathsIn(filter);
  const read = paths && readerOf(paths);
  return candidates.filter((stored) => matches(stored.fields(read)));
}

/** Documents are looked up by value in collections of more than so many, by fields of more values than this. */
const FEW = { documents: 500, values: 20 };

/** Ids of the documents that have a value. */
type Lookup = Map<unknown, Set<Id>>;

const readers = new Map<string, FieldReader>();

function valuesOf({ bytes }: Stored, field: string): unknown[] {
  const read = readers.get(field) ?? readerOf([field]);
  readers.set(field, read);
  return [read(bytes)[field]].flat();
}

function addTo(lookup: Lookup, value: unknown, id: Id): void {
  const ids = lookup.get(value);
  if (ids) ids.add(id);
  else lookup.set(value, new Set([id]));
}

/** The values of which a field must have one. */
function* equalities(filter: Document): Generator<[field: string, values: readonly Id[]]> {
  for (const [field, condition] of Object.entries(filter)) {
    const listed = (condition as { $in?: unknown } | null | undefined)?.$in;
    if (field === '$and') for (const each of condition as Document[]) yield* equalities(each);
    else if (isId(condition)) yield [field, [condition]];
    else if (Array.isArray(listed) && listed.every(isId)) yield [field, listed];
  }
}

interface Unique {
  keys: Document;
  /** The key of a document; null: it is not in the index. */
  keyOf: (stored: Stored) => string | null;
}

const uniques = new WeakMap<IndexDescription, Unique>();

/** A key whose texts differ in more than their case. */
const fold = (text: string): string => text.normalize('NFD').toUpperCase();

function uniqueOf(index: IndexDescription): Unique {
  const known = uniques.get(index);
  if (known) return known;
  const keys = index.key as Document;
  const paths = Object.keys(keys);
  const filter: Document = index.partialFilterExpression ?? {};
  const isIndexed = matcher(filter);
  const read = readerOf([...paths, ...(pathsIn(filter) ?? [])]);
  const write = (document: Document): string => JSON.stringify(paths.map((path) => valueAt(document, path) ?? null));
  const written = new WeakMap<Stored, string | null>();
  const keyOf = (stored: Stored): string | null => {
    let key = written.get(stored);
    if (key !== undefined) return key;
    const fields = read(stored.bytes);
    key = isIndexed(fields) ? write(fields) : null;
    if (key !== null && index.collation === ANY_CASE) key = fold(key);
    written.set(stored, key);
    return key;
  };
  const unique = { keys, keyOf };
  uniques.set(index, unique);
  return unique;
}

const VERSION = readerOf(['version']);
const VERSION_DIFFERS = 241;
const DUPLICATE = 11_000;

/** A collection in memory. Shares documents with the one that it is a copy of. */
export class CollectionContent {
  /** The documents by their keys in the unique indexes, from the first write on. */
  private readonly holders = new Map<Unique, Map<string, Id>>();
  /** By the fields of indexes that were asked for; null: a field with few values. */
  private readonly lookups = new Map<string, Lookup | null>();
  private isOwn = false;

  constructor(
    private held: StoredDocuments = new Map(),
    private readonly indexes: readonly IndexDescription[] = [],
  ) {}

  /** The ids of the documents that may meet conditions; null: those of all may. */
  idsFor(filter: Document): readonly Id[] | null {
    if (this.held.size < FEW.documents) return null;
    const found = [...equalities(filter)].flatMap(([field, values]) => {
      const lookup = this.lookupOf(field);
      return lookup ? [values.flatMap((value) => [...(lookup.get(value) ?? [])])] : [];
    });
    return found.toSorted((a, b) => a.length - b.length)[0] ?? null;
  }

  private lookupOf(field: string): Lookup | null {
    let lookup = this.lookups.get(field);
    if (lookup !== undefined || !this.indexes.some(({ key }) => Object.hasOwn(key, field))) return lookup ?? null;
    lookup = new Map();
    for (const [id, stored] of this.held) for (const value of valuesOf(stored, field)) addTo(lookup, value, id);
    if (lookup.size < FEW.values) lookup = null;
    this.lookups.set(field, lookup);
    return lookup;
  }

  get documents(): StoredDocuments {
    return this.held;
  }

  /** The collection as it is now, with other indexes. */
  copy(indexes: readonly IndexDescription[] = this.indexes): CollectionContent {
    this.isOwn = false;
    return new CollectionContent(this.held, indexes);
  }

  private begin(): Map<Id, Stored> {
    if (!this.isOwn) this.held = new Map(this.held);
    this.isOwn = true;
    if (this.holders.size > 0) return this.held as Map<Id, Stored>;
    for (const unique of this.indexes.filter((index) => index.unique).map(uniqueOf)) {
      const holders = new Map<string, Id>();
      for (const [id, stored] of this.held) {
        const key = unique.keyOf(stored);
        if (key !== null) holders.set(key, id);
      }
      this.holders.set(unique, holders);
    }
    return this.held as Map<Id, Stored>;
  }

  /** @param stored null: deletes it */
  put(id: Id, stored: Stored | null): void {
    const held = this.begin();
    const before = held.get(id);
    for (const [unique, holders] of this.holders) {
      const [old, key] = [before, stored].map((each) => (each ? unique.keyOf(each) : null));
      if (old !== null && holders.get(old) === id) holders.delete(old);
      if (key !== null) holders.set(key, id);
    }
    for (const [field, lookup] of this.lookups) {
      for (const value of before && lookup ? valuesOf(before, field) : []) lookup?.get(value)?.delete(id);
      for (const value of stored && lookup ? valuesOf(stored, field) : []) addTo(lookup!, value, id);
    }
    if (stored) held.set(id, stored);
    else held.delete(id);
  }

  /** @throws MongoServerError if a unique index has the key of a document already */
  requireUnique(id: Id, stored: Stored, collection: string): void {
    this.begin();
    for (const [unique, holders] of this.holders) {
      const key = unique.keyOf(stored);
      const holder = key === null ? undefined : holders.get(key);
      if (holder !== undefined && holder !== id) throw duplicate(collection, unique.keys, stored.document);
    }
  }
}

function duplicate(collection: string, keys: Document, document: Document): MongoServerError {
  const keyValue = Object.fromEntries(Object.keys(keys).map((path) => [path, valueAt(document, path)]));
  const message = `E11000 duplicate key error collection: ${collection} dup key: ${JSON.stringify(keyValue)}`;
  return new MongoServerError({ message, code: DUPLICATE, keyPattern: keys, keyValue });
}

/** Called before a document is written. */
type OnWrite = (collection: CollectionContent, id: Id, before: Stored | null, after: Stored | null) => void;

/** Applies a write to a collection. @throws MongoServerError, Unsupported */
export function applyStep(into: CollectionContent, step: Step, onWrite: OnWrite): StepResult {
  const { documents } = into;
  const write = (id: Id, after: Stored | null): void => {
    const before = documents.get(id) ?? null;
    if (after && before?.bytes.equals(after.bytes) === true) return;
    if (after) into.requireUnique(id, after, step.collection);
    onWrite(into, id, before, after);
    into.put(id, after);
  };
  if ('insert' in step) {
    const { _id: id } = step.insert;
    if (documents.has(id)) throw duplicate(step.collection, { _id: 1 }, step.insert);
    write(id, Stored.of(id, step.insert));
    return { n: 1 };
  }
  if ('replace' in step) {
    const { _id: id } = step.replace;
    const before = documents.get(id);
    if (!before) return { n: 0 };
    if ((VERSION(before.bytes)['version'] ?? null) !== (step.version ?? null))
      throw new MongoServerError({ message: `Failed to parse number 'version of ${id}'`, code: VERSION_DIFFERS });
    write(id, Stored.of(id, step.replace));
    return { n: 1 };
  }
  const which = 'delete' in step ? step.delete : step.update;
  const filter: Document = isId(which) ? { _id: which } : Array.isArray(which) ? { _id: { $in: which } } : which;
  const found = select(into, filter);
  if ('delete' in step) {
    const gone = step.isOne ? found.slice(0, 1) : found;
    for (const { id } of gone) write(id, null);
    return { n: gone.length };
  }
  const changed = step.isMany ? found : found.slice(0, 1);
  for (const stored of changed) write(stored.id, Stored.of(stored.id, applyChange(stored.copy(), step.change, filter)));
  if (changed.length > 0 || !step.upsert) return { n: changed.length };
  const [id] = idsOf(step) ?? [];
  if (id === undefined) throw new Error('An upsert names its document.');
  write(id, Stored.of(id, applyChange({ _id: id }, step.change, filter, true)));
  return { n: 1, upserted: { _id: id } };
}
