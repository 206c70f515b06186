import { BSON, type Db, type Document, type IndexDescription } from 'mongodb';
import { ANY_CASE, createIndexes } from '../indexes.js';
import type { Id, Step, StepResult } from '../writes.js';
import { aggregate } from './aggregate.js';
import { CollectionContent, select, type Stored } from './content.js';
import { decode, readerOf } from './fields.js';
import { projector, sorted, Unsupported, valuesAt } from './values.js';

/** Options of reads, as far as they are used. */
export interface FindOptions {
  projection?: Document;
  sort?: Record<string, 1 | -1>;
  skip?: number;
  limit?: number;
  collation?: object;
  raw?: boolean;
}

/** The documents of a page. @throws Unsupported */
function pageOf(content: CollectionContent, filter: Document, options: FindOptions): Stored[] {
  const { sort = {}, skip = 0, limit = 0, collation } = options;
  if (collation !== undefined && collation !== ANY_CASE) throw new Unsupported('This collation');
  const found = select(content, filter, collation !== undefined);
  const order = Object.keys(sort);
  const read = readerOf(order);
  const all = order.length === 0 ? found : sorted(found, sort, ({ bytes }) => read(bytes));
  return all.slice(skip, limit === 0 ? undefined : skip + Math.abs(limit));
}

/** Copies of the documents found. @throws Unsupported */
function find(content: CollectionContent, filter: Document, options: FindOptions): (Document | Buffer)[] {
  const { projection = {}, raw = false } = options;
  const page = pageOf(content, filter, options);
  const paths = Object.keys(projection);
  if (raw && paths.length === 0) return page.map(({ bytes }) => bytes);
  const isWanted = Object.values(projection).includes(1);
  const copyOf = paths.length === 0 ? decode : readerOf(isWanted ? ['_id', ...paths] : paths, isWanted);
  const projected = projector(projection);
  const copies = page.map(({ bytes }) => projected(copyOf(bytes)));
  return raw ? copies.map((document) => Buffer.from(BSON.serialize(document))) : copies;
}

/** The stages that begin a pipeline as a rule. */
const FIRST = ['$match', '$sort', '$skip', '$limit'] as const;

/** Runs a pipeline. Results may share values with stored documents, which callers do not modify. @throws Unsupported */
function run(content: CollectionContent, pipeline: readonly Document[]): Document[] {
  const first: Partial<Record<(typeof FIRST)[number], unknown>> = {};
  let at = 0;
  for (const name of FIRST) if (pipeline[at]?.[name] !== undefined) first[name] = pipeline[at++][name];
  const { $match: filter = {}, $sort: sort, $skip: skip, $limit: limit } = first;
  const page = pageOf(content, filter as Document, { sort, skip, limit } as FindOptions);
  return [
    ...aggregate(
      page.map(({ document }) => document),
      pipeline.slice(at),
    ),
  ];
}

type Found = Document | Buffer;

interface FindAndUpdate {
  upsert?: boolean;
  returnDocument?: 'before' | 'after';
}

/** The driver's cursor, as far as it is used. All documents are found at once. */
class Cursor {
  private found: Found[] | null = null;

  constructor(
    private readonly read: (options: FindOptions) => Promise<Found[]>,
    private readonly options: FindOptions = {},
  ) {}

  private with(more: FindOptions): this {
    Object.assign(this.options, more);
    return this;
  }

  sort(sort: FindOptions['sort'] & object): this {
    return this.with({ sort });
  }

  skip(skip: number): this {
    return this.with({ skip });
  }

  limit(limit: number): this {
    return this.with({ limit });
  }

  project(projection: Document): this {
    return this.with({ projection });
  }

  rewind(): void {
    this.found = null;
  }

  private async rest(): Promise<Found[]> {
    return (this.found ??= await this.read(this.options));
  }

  async toArray(): Promise<Found[]> {
    return (await this.rest()).splice(0);
  }

  async hasNext(): Promise<boolean> {
    return (await this.rest()).length > 0;
  }

  async next(): Promise<Found | null> {
    return (await this.rest()).shift() ?? null;
  }

  readBufferedDocuments(): Found[] {
    return this.found?.splice(0) ?? [];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Found> {
    yield* await this.rest();
  }
}

/** The database of a collection. */
interface Owner {
  /** Does work here. If that is not possible, moves to the engine, and does it there. */
  run: <T>(here: () => T, there: (db: Db) => Promise<T>) => Promise<T>;
  send: (steps: readonly Step[]) => Promise<StepResult[]>;
  /** Applies writes here. */
  apply: (steps: readonly Step[]) => StepResult[];
  contentOf: (collection: string) => CollectionContent;
  copyTo: (collection: string, target: string) => void;
  dropLocal: (collection: string) => boolean;
  readonly indexes: Readonly<Record<string, readonly IndexDescription[]>>;
}

/** The driver's collection, as far as it is used. */
export class LocalCollection {
  constructor(
    readonly db: Owner,
    readonly collectionName: string,
  ) {}

  private get content(): CollectionContent {
    return this.db.contentOf(this.collectionName);
  }

  find(filter: Document = {}, options: FindOptions = {}): Cursor {
    const read = (all: FindOptions): Promise<Found[]> =>
      this.db.run(
        () => find(this.content, filter, all),
        (db) =>
          db
            .collection(this.collectionName)
            .find(filter, all as object)
            .toArray(),
      );
    return new Cursor(read, { ...options });
  }

  async findOne(filter: Document = {}, options: FindOptions = {}): Promise<Found | null> {
    return (await this.find(filter, { ...options, limit: 1 }).toArray())[0] ?? null;
  }

  aggregate(pipeline: readonly Document[], options: object = {}): Cursor {
    return new Cursor(() =>
      this.db.run(
        () => {
          const target: unknown = pipeline[1]?.['$out'];
          if (pipeline.length !== 2 || typeof target !== 'string') return run(this.content, pipeline);
          this.db.copyTo(this.collectionName, target);
          return [];
        },
        (db) =>
          db
            .collection(this.collectionName)
            .aggregate([...pipeline], options)
            .toArray(),
      ),
    );
  }

  distinct(field: string, filter: Document = {}): Promise<unknown[]> {
    return this.db.run(
      () => {
        const [path, read] = [field.split('.'), readerOf([field])];
        const values = select(this.content, filter).flatMap(({ bytes }) => valuesAt(read(bytes), path));
        return [...new Set(values)].filter((value) => value !== undefined && !Array.isArray(value));
      },
      (db) => db.collection(this.collectionName).distinct(field, filter),
    );
  }

  countDocuments(filter: Document = {}): Promise<number> {
    return this.db.run(
      () => select(this.content, filter).length,
      (db) => db.collection(this.collectionName).countDocuments(filter),
    );
  }

  estimatedDocumentCount(): Promise<number> {
    return this.countDocuments();
  }

  private async write(step: Step): Promise<object> {
    const [{ n, upserted }] = await this.db.send([step]);
    return { acknowledged: true, matchedCount: upserted ? 0 : n, deletedCount: n };
  }

  private get collection(): string {
    return this.collectionName;
  }

  insertOne(insert: Document & { _id: Id }): Promise<object> {
    return this.write({ collection: this.collection, insert });
  }

  updateOne(update: Document, change: Document, { upsert = false } = {}): Promise<object> {
    return this.write({ collection: this.collection, update, change, upsert });
  }

  replaceOne(update: Document, change: Document, options = {}): Promise<object> {
    return this.updateOne(update, change, options);
  }

  updateMany(update: Document, change: Document): Promise<object> {
    return this.write({ collection: this.collection, update, change, isMany: true });
  }

  deleteOne(filter: Document): Promise<object> {
    return this.write({ collection: this.collection, delete: filter, isOne: true });
  }

  deleteMany(filter: Document): Promise<object> {
    return this.write({ collection: this.collection, delete: filter });
  }

  findOneAndUpdate(
    filter: Document,
    change: Document,
    { upsert = false, returnDocument = 'before' }: FindAndUpdate = {},
  ): Promise<Found | null> {
    const step: Step = { collection: this.collection, update: filter, change, upsert };
    return this.db.run(
      () => this.findAndWrite(filter, step, returnDocument),
      (db) => db.collection(this.collection).findOneAndUpdate(filter, change, { upsert, returnDocument }),
    );
  }

  findOneAndDelete(filter: Document): Promise<Found | null> {
    return this.db.run(
      () => this.findAndWrite(filter, { collection: this.collection, delete: filter, isOne: true }, 'before'),
      (db) => db.collection(this.collection).findOneAndDelete(filter),
    );
  }

  private findAndWrite(filter: Document, step: Step, returned: 'before' | 'after'): Found | null {
    const read = (): Found | undefined => find(this.content, filter, { limit: 1 })[0];
    const before = read();
    this.db.apply([step]);
    return (returned === 'before' ? before : read()) ?? null;
  }

  /** Indexes that the collection has in the engine. */
  indexes(): Promise<readonly IndexDescription[]> {
    return Promise.resolve(this.db.indexes[this.collectionName] ?? []);
  }

  /** In memory, only those of the content are used, but a conflict is found. @throws MongoServerError */
  createIndexes(indexes: readonly IndexDescription[]): Promise<void> {
    return this.db.run(
      () => {
        const indexed = new CollectionContent(new Map(), indexes);
        for (const [id, stored] of this.content.documents) {
          indexed.requireUnique(id, stored, this.collectionName);
          indexed.put(id, stored);
        }
      },
      async (db) => void (await db.collection(this.collectionName).createIndexes([...indexes])),
    );
  }

  drop(): Promise<boolean> {
    return this.db.run(
      () => this.db.dropLocal(this.collectionName),
      (db) => db.collection(this.collectionName).drop(),
    );
  }

  rename(to: string, options: object): Promise<unknown> {
    return this.db.run<unknown>(
      () => {
        this.db.copyTo(this.collectionName, to);
        this.db.dropLocal(this.collectionName);
      },
      async (db) => {
        const collection = db.collection(this.collectionName);
        // The content's, if they were made in memory.
        await createIndexes(collection, this.db.indexes[to] ?? []);
        return collection.rename(to, options);
      },
    );
  }
}
