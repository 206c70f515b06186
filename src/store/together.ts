import { MongoServerError, type Db, type Document } from 'mongodb';

type Id = number | string;

/** One of several writes that are sent at once: to a single document, or the deletion of several. */
export type Step = { collection: string; insert: Document & { _id: Id } } | { collection: string; delete: readonly Id[] } | UpdateStep;

export interface WriteOptions {
  writeConcern?: { w: 1; journal: false };
}

interface UpdateStep {
  collection: string;
  /** The id of the document to update. */
  update: Id;
  change: Document | Document[];
  /** Whether to create the document if it does not exist. */
  upsert?: boolean;
}

/** The ids of the documents that a step writes. */
export function idsOf(step: Step): readonly Id[] {
  if ('delete' in step) return step.delete;
  return ['insert' in step ? step.insert._id : step.update];
}

/** MongoDB before 8.0 has no command for writes to several collections. */
const UNKNOWN_COMMAND = 59;

interface Reply {
  nErrors: number;
  cursor: { firstBatch: { ok: number; errmsg?: string }[] };
}

/** Sends writes to several collections in one command, where the server supports that. */
export class Together {
  private isSupported = true;

  constructor(private readonly db: Db) {}

  /**
   * Writes in the given order; the first failure ends it. Unless `options` overrides that, waits for what all writes of the connection wait
   * for.
   * @throws MongoServerError of the step that failed
   */
  async write(steps: readonly Step[], options: WriteOptions = {}): Promise<void> {
    if (!this.isSupported) return this.oneByOne(steps, options);
    const reply = await this.send(steps, options).catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.code !== UNKNOWN_COMMAND) throw error;
      this.isSupported = false;
      return null;
    });
    if (!reply) return this.oneByOne(steps, options);
    const failed = reply.nErrors === 0 ? undefined : reply.cursor.firstBatch.find(({ ok }) => ok !== 1);
    if (failed) throw new MongoServerError({ ...failed, message: failed.errmsg });
  }

  private async send(steps: readonly Step[], options: WriteOptions): Promise<Reply> {
    const collections = [...new Set(steps.map(({ collection }) => collection))];
    const ops = steps.map((step) => {
      const index = collections.indexOf(step.collection);
      if ('insert' in step) return { insert: index, document: step.insert };
      if ('delete' in step) return { delete: index, filter: { _id: { $in: step.delete } }, multi: true };
      return { update: index, filter: { _id: step.update }, updateMods: step.change, upsert: step.upsert ?? false };
    });
    const nsInfo = collections.map((collection) => ({ ns: `${this.db.databaseName}.${collection}` }));
    // Commands that are sent as such do not take over what the connection asks for.
    const { w, journal: j } = options.writeConcern ?? this.db.writeConcern ?? {};
    const command = { bulkWrite: 1, ops, nsInfo, ordered: true, writeConcern: { w, j } };
    return (await this.db.client.db('admin').command(command, { ignoreUndefined: true })) as unknown as Reply;
  }

  private async oneByOne(steps: readonly Step[], options: WriteOptions): Promise<void> {
    for (const step of steps) {
      const collection = this.db.collection<{ _id: Id }>(step.collection);
      if ('insert' in step) await collection.insertOne(step.insert, options);
      else if ('delete' in step) await collection.deleteMany({ _id: { $in: step.delete } }, options);
      else await collection.updateOne({ _id: step.update }, step.change, { upsert: step.upsert ?? false, ...options });
    }
  }
}
