import { BSON, type Collection, type Filter } from 'mongodb';
import { retryRead, asBytes } from './reads.js';

/** BSON's types of the ids in use, by their byte. */
const DOUBLE = 0x01;
const STRING = 0x02;
const INT = 0x10;
/** In every stored document the id comes first: after the length of the document, its type, `_id\0` and its value. */
const TYPE_AT = 4;
const VALUE_AT = 9;

type Id = number | string;
type Stored = Pick<Collection<{ _id: Id }>, 'find'>;

/** The id of a stored document, without decoding the rest of it. */
export function idOf(raw: Uint8Array): Id {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const type = bytes[TYPE_AT];
  if (type === INT) return bytes.readInt32LE(VALUE_AT);
  if (type === DOUBLE) return bytes.readDoubleLE(VALUE_AT);
  if (type === STRING) return bytes.toString('utf8', VALUE_AT + 4, VALUE_AT + 3 + bytes.readInt32LE(VALUE_AT));
  return BSON.deserialize(bytes)._id as Id;
}

/** MongoDB's order: numbers before strings, and strings by their bytes. */
function compareIds(a: Id, b: Id): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The documents of a collection in the order of their ids, as their bytes. Waits once for each batch. */
class InOrder {
  private readonly documents;
  private batch: Buffer[] = [];
  private at = 0;
  private isAtEnd = false;

  constructor(collection: Stored, filter: Filter<{ _id: Id }>) {
    this.documents = collection.find(filter, { raw: true, sort: { _id: 1 }, batchSize: 1_000 });
  }

  /** Whether `read` has to be called before `first` is used. */
  get mustRead(): boolean {
    return this.at >= this.batch.length && !this.isAtEnd;
  }

  async read(): Promise<void> {
    this.isAtEnd = !(await this.documents.hasNext());
    this.batch = asBytes(this.documents.readBufferedDocuments());
    this.at = 0;
  }

  get first(): Buffer | null {
    return this.batch[this.at] ?? null;
  }

  advance(): void {
    this.at += 1;
  }

  close(): Promise<void> {
    return this.documents.close();
  }
}

/** The ids of documents that differ between two collections. */
interface Differences {
  /** Documents that are only in `current`, or differ there. */
  strays: Id[];
  /** Documents that are only in `kept`, or differ there. */
  missing: Id[];
}

/**
 * Compares two collections, byte for byte. Reads both in the order of their ids, so that only the ids of differing documents are held in
 * memory. Starts over if one of them is replaced meanwhile.
 * @param filter the documents to compare
 */
export const differences = (kept: Stored, current: Stored, filter: Filter<{ _id: Id }> = {}): Promise<Differences> =>
  retryRead(() => compare(kept, current, filter));

async function compare(kept: Stored, current: Stored, filter: Filter<{ _id: Id }>): Promise<Differences> {
  const [left, right] = [new InOrder(kept, filter), new InOrder(current, filter)];
  const [strays, missing]: [Id[], Id[]] = [[], []];
  try {
    for (;;) {
      const behind = [left, right].filter(({ mustRead }) => mustRead);
      if (behind.length > 0) await Promise.all(behind.map((each) => each.read()));
      const [a, b] = [left.first, right.first];
      if (a === null && b === null) break;
      const order = a === null ? 1 : b === null ? -1 : compareIds(idOf(a), idOf(b));
      const differs = order !== 0 || (a !== null && b !== null && !a.equals(b));
      if (order <= 0 && a !== null) {
        if (differs) missing.push(idOf(a));
        left.advance();
      }
      if (order >= 0 && b !== null) {
        if (differs) strays.push(idOf(b));
        right.advance();
      }
    }
    return { strays, missing };
  } finally {
    await Promise.all([left.close(), right.close()]);
  }
}
