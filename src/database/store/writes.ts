import { BSON, MongoServerError, type Db, type Document } from 'mongodb';

export type Id = number | string;

/** One of several writes that are sent together. */
export type Step = { collection: string } & (
  | { insert: Document & { _id: Id } }
  /** The document to replace the one with the same id. If that has another version, the step fails (`isConflict`). */
  | { replace: Document & { _id: Id }; version: number | undefined }
  /** The ids of the documents to delete, or conditions. */
  | { delete: readonly Id[] | Document; isOne?: boolean }
  | {
      /** The id of the document to update, or conditions. */
      update: Id | Document;
      change: Document | Document[];
      /** Whether to create the document if it does not exist. */
      upsert?: boolean;
      /** Whether to update all documents that meet the conditions. */
      isMany?: boolean;
    }
);

export interface StepResult {
  /** The number of documents that were inserted, deleted or found. */
  n: number;
  upserted?: { _id: Id };
}

export interface WriteOptions {
  writeConcern?: { w: 1; journal: false };
  /** Time limit of the database, in ms. */
  maxTimeMS?: number;
}

const isId = (value: unknown): value is Id => typeof value === 'number' || typeof value === 'string';

const filterOf = (which: Id | readonly Id[] | Document): Document => {
  if (isId(which)) return { _id: which };
  return Array.isArray(which) ? { _id: { $in: which } } : which;
};

/** The ids of the documents that a step may write; null: any. */
export function idsOf(step: Step): readonly Id[] | null {
  if ('insert' in step) return [step.insert._id];
  if ('replace' in step) return [step.replace._id];
  const id: unknown = filterOf('delete' in step ? step.delete : step.update)._id;
  if (isId(id)) return [id];
  const listed = id !== null && typeof id === 'object' ? (id as { $in?: unknown }).$in : undefined;
  return Array.isArray(listed) && listed.every(isId) ? listed : null;
}

/** The documents after a step, or null if it does not contain them. */
export function documentsOf(step: Step): object[] | null {
  if ('insert' in step) return [step.insert];
  if ('replace' in step) return [step.replace];
  if ('delete' in step) return [];
  const { update, change } = step;
  const isReplacement = !Array.isArray(change) && !Object.keys(change)[0]?.startsWith('$');
  const id = isId(update) ? update : update._id;
  return isReplacement && isId(id) ? [{ _id: id, ...change }] : null;
}

type Insert = Extract<Step, { insert: unknown }>;

/** Bytes of documents, and their number, that are inserted by one command: the driver sends it as one document of at most 17 MB. */
const MAX_BYTES = 12 * 1024 * 1024;
const MAX_INSERTS = 1_000;

/** Steps that insert documents, split into parts that fit into one command. */
export function* insertsOf(collection: string, documents: readonly Document[]): Generator<Insert[]> {
  let [part, bytes]: [Insert[], number] = [[], 0];
  for (const document of documents) {
    const size = BSON.calculateObjectSize(document, { ignoreUndefined: true });
    if (part.length === MAX_INSERTS || (part.length > 0 && bytes + size > MAX_BYTES)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push({ collection, insert: document as Document & { _id: Id } });
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** MongoDB's error code for a value that cannot be converted. */
const NOT_CONVERTIBLE = 241;

/** Whether a step failed because the document has another version. */
export const isConflict = (error: unknown): boolean => error instanceof MongoServerError && error.code === NOT_CONVERTIBLE;

/** A pipeline that fails for documents of another version. A condition in the filter would not stop the following steps. */
function replacement({ replace, version }: Extract<Step, { replace: unknown }>): Document[] {
  const isSame = { $eq: [{ $ifNull: ['$version', null] }, version ?? null] };
  // A constant expression would be evaluated at once.
  const failure = { $toInt: { $concat: ['version of ', { $toString: '$_id' }] } };
  return [{ $replaceWith: { $cond: [isSame, { $literal: replace }, failure] } }];
}

/** A step that replaces a document, as an update. */
const asUpdate = (step: Step): Exclude<Step, { replace: unknown }> =>
  'replace' in step ? { collection: step.collection, update: step.replace._id, change: replacement(step) } : step;

/** MongoDB before 8.0 has no command for writes to several collections. */
const UNKNOWN_COMMAND = 59;

/** With more steps than this, only errors are returned. */
const MAX_RESULTS = 1_000;

interface Reply {
  nErrors: number;
  cursor: { firstBatch: (StepResult & { ok: number; idx: number; errmsg?: string })[] };
}

/** The writes of a database. Several are sent as one command, if the server supports that. */
export class Writes {
  private isSupported = true;

  constructor(private readonly db: Db) {}

  /**
   * Writes in the given order; the first failure ends it. Unless overridden by `options`, uses the write concern of the connection.
   * @returns the result of each step; empty if there are many
   * @throws MongoServerError of the step that failed, whose index is its `idx`
   */
  async send(steps: readonly Step[], options: WriteOptions = {}): Promise<StepResult[]> {
    if (!this.isSupported) return this.oneByOne(steps, options);
    const reply = await this.sendTogether(steps, options).catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.code !== UNKNOWN_COMMAND) throw error;
      this.isSupported = false;
      return null;
    });
    if (!reply) return this.oneByOne(steps, options);
    const { firstBatch } = reply.cursor;
    const failed = reply.nErrors === 0 ? undefined : firstBatch.find(({ ok }) => ok !== 1);
    if (failed) throw new MongoServerError({ ...failed, message: failed.errmsg });
    return firstBatch;
  }

  private async sendTogether(steps: readonly Step[], options: WriteOptions): Promise<Reply> {
    const collections = [...new Set(steps.map(({ collection }) => collection))];
    const ops = steps.map(asUpdate).map((step) => {
      const index = collections.indexOf(step.collection);
      if ('insert' in step) return { insert: index, document: step.insert };
      if ('delete' in step) return { delete: index, filter: filterOf(step.delete), multi: step.isOne !== true };
      const { update, change, upsert = false, isMany = false } = step;
      return { update: index, filter: filterOf(update), updateMods: change, upsert, multi: isMany };
    });
    const nsInfo = collections.map((collection) => ({ ns: `${this.db.databaseName}.${collection}` }));
    const errorsOnly = steps.length > MAX_RESULTS;
    return this.command<Reply>({ bulkWrite: 1, ops, nsInfo, ordered: true, errorsOnly }, options, this.db.client.db('admin'));
  }

  /** Sends a command, whose reply the driver does not know. */
  private async command<R>(command: Document, { writeConcern, maxTimeMS }: WriteOptions, db = this.db): Promise<R> {
    // Plain commands ignore the write concern of the connection.
    const { w, journal: j } = writeConcern ?? this.db.writeConcern ?? {};
    return (await db.command({ ...command, writeConcern: { w, j }, maxTimeMS }, { ignoreUndefined: true })) as R;
  }

  private async oneByOne(steps: readonly Step[], options: WriteOptions): Promise<StepResult[]> {
    const results: StepResult[] = [];
    for (const [idx, step] of steps.entries()) {
      try {
        results.push(await this.sendOne(asUpdate(step), options));
      } catch (error) {
        throw error instanceof MongoServerError ? Object.assign(error, { idx }) : error;
      }
    }
    return results;
  }

  private async sendOne(step: ReturnType<typeof asUpdate>, options: WriteOptions): Promise<StepResult> {
    const { writeErrors: [failed] = [], upserted: [upserted] = [], ...counts } = await this.command<ReplyToOne>(commandFor(step), options);
    if (failed) throw new MongoServerError({ ...failed, message: failed.errmsg });
    return { ...counts, ...(upserted ? { upserted } : {}) };
  }
}

function commandFor(step: ReturnType<typeof asUpdate>): Document {
  const { collection } = step;
  if ('insert' in step) return { insert: collection, documents: [step.insert] };
  if ('delete' in step) return { delete: collection, deletes: [{ q: filterOf(step.delete), limit: step.isOne ? 1 : 0 }] };
  const { update, change, isMany = false, upsert = false } = step;
  return { update: collection, updates: [{ q: filterOf(update), u: change, multi: isMany, upsert }] };
}

interface ReplyToOne {
  n: number;
  upserted?: { _id: Id }[];
  writeErrors?: { code: number; errmsg: string; keyPattern?: Document }[];
}
