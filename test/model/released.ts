import type { Db, Document } from 'mongodb';
import type { Connection } from '../../src/database/store/connection.js';

/*
 * Replaces a server's connection to its database, and releases its commands one by one. A command is sent, takes effect, and its reply
 * arrives: other servers may act in between. An ordered `bulkWrite` takes one step per write, since it is not atomic. The real engine runs
 * the commands.
 */

/** A step that waits to be released. */
export interface PendingStep {
  /** The server that sent the command. */
  server: number;
  what: string;
  run: () => Promise<void>;
}

type Work = () => Promise<unknown>;

/** Waiting steps of all servers. */
export class Released {
  readonly pending: PendingStep[] = [];
  /** Dead servers, whose steps no longer run. */
  readonly dead = new Set<number>();
  /** How many steps have begun, and which was the last. */
  executed: [number, string] = [0, ''];

  /** Waits for its release, then calls `work`. Errors are passed to the caller. */
  step<T>(server: number, what: string, work: () => Promise<T> | T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.dead.has(server)) return;
      const run = (): Promise<void> => {
        this.executed = [this.executed[0] + 1, what];
        return Promise.resolve().then(work).then(resolve, reject);
      };
      this.pending.push({ server, what, run });
    });
  }

  /** A command in two steps: its effect, and the arrival of its reply. */
  async command<T>(server: number, what: string, work: () => Promise<T>): Promise<T> {
    const result = await this.step(server, what, () =>
      work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    );
    return this.step(server, `${what}: reply`, () => {
      if ('error' in result) throw result.error;
      return result.value;
    });
  }

  kill(server: number): void {
    this.dead.add(server);
    this.pending.splice(0, this.pending.length, ...this.pending.filter((step) => step.server !== server));
  }
}

interface BulkReply {
  nErrors: number;
  cursor: { firstBatch: Document[] };
}

const describe = (ops: readonly Document[], at: number): string => {
  const op = ops[at];
  const name = Object.keys(op)[0];
  return `${name} ${JSON.stringify(op['document']?._id ?? op['filter']?._id ?? {})} (${at + 1} of ${ops.length})`;
};

/** Methods of collections that send a command. */
const COMMANDS: ReadonlySet<string> = new Set([
  ...['findOne', 'countDocuments', 'estimatedDocumentCount', 'distinct', 'findOneAndUpdate', 'findOneAndDelete'],
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany', 'createIndexes', 'drop', 'rename'],
]);

/** @param tamper changes the writes of a command before they are sent, to show that the checks find errors */
function standIn(db: Db, server: number, released: Released, tamper: (ops: Document[]) => Document[]): Db {
  const admin = db.client.db('admin');
  const bulkWrite = async (command: Document): Promise<BulkReply> => {
    const ops = tamper(command['ops'] as Document[]);
    const firstBatch: Document[] = [];
    let nErrors = 0;
    for (const [idx, op] of ops.entries()) {
      await released.step(server, describe(ops, idx), async () => {
        const reply = (await admin.command({ ...command, ops: [op], errorsOnly: false }, { ignoreUndefined: true })) as BulkReply;
        firstBatch.push({ ...reply.cursor.firstBatch[0], idx });
        nErrors += reply.nErrors;
      });
      if (nErrors > 0) break;
    }
    return released.step(server, 'bulkWrite: reply', () => ({ nErrors, cursor: { firstBatch } }));
  };
  const collection = (name: string): object => {
    const real = db.collection(name);
    const gatedCursor = <C extends { toArray: Work }>(cursor: C, what: string): C => {
      const toArray = cursor.toArray.bind(cursor);
      cursor.toArray = () => released.command(server, what, toArray);
      return cursor;
    };
    return new Proxy(real, {
      get(target, method) {
        const value: unknown = Reflect.get(target, method, target);
        if (typeof value !== 'function') return value;
        const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        if (method === 'find' || method === 'aggregate')
          return (...args: unknown[]) => gatedCursor(call(...args) as { toArray: Work }, `${method} in ${name}`);
        return COMMANDS.has(String(method))
          ? (...args: unknown[]) => released.command(server, `${String(method)} in ${name}`, () => call(...args) as Promise<unknown>)
          : call;
      },
    });
  };
  const command = (sent: Document, options?: object): Promise<unknown> =>
    'bulkWrite' in sent
      ? bulkWrite(sent)
      : released.command(server, `${Object.keys(sent)[0]} in ${String(Object.values(sent)[0])}`, () => db.command(sent, options));
  return new Proxy(db, {
    get(target, name) {
      if (name === 'command') return command;
      if (name === 'collection') return collection;
      if (name === 'client') return { db: () => ({ command }) };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** The connection of a server. */
export const connectionOf = (
  db: Db,
  server: number,
  released: Released,
  tamper: (ops: Document[]) => Document[] = (ops) => ops,
): Connection =>
  ({
    writesTogether: true,
    database: () => standIn(db, server, released, tamper),
    close: () => Promise.resolve(),
  }) as unknown as Connection;
