import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BSON, Long, ObjectId, type Document } from 'mongodb';
import { couple, targetOf } from './outage.js';

/*
 * Simulates a replica set: two members on one engine. One of them reports itself as primary. It steps down, rejects writes, stops in the
 * middle of commands, loses replies and lags. Data is as safe as in a real set: an acknowledged write has happened.
 */

export const OP_QUERY = 2004;
const [HEADER, OP_REPLY, OP_MSG] = [16, 1, 2013];
/** Flags, and type of the first section. */
const BODY = HEADER + 5;

const NOT_WRITABLE = { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' };
const NOT_READABLE = { ok: 0, code: 13_435, codeName: 'NotPrimaryNoSecondaryOk', errmsg: 'not primary and secondaryOk=false' };
const INTERRUPTED = { ok: 0, code: 11_602, codeName: 'InterruptedDueToReplStateChange', errmsg: 'operation was interrupted' };

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite', 'create', 'createIndexes', 'drop', 'renameCollection']);
export const HANDSHAKES = new Set(['hello', 'isMaster', 'ismaster']);

/** Failure of the next write command. */
type Mishap =
  /** The primary steps down before it. */
  | { kind: 'refused' }
  /** The primary steps down after this many writes of a `bulkWrite`. */
  | { kind: 'interrupted'; after: number }
  /** The command takes effect, but the connection closes before the reply. */
  | { kind: 'reply lost' };

export interface ReplicaSet {
  uri: string;
  /** The primary becomes secondary. After this many ms, the other member becomes primary. */
  stepDown: (ms?: number) => Promise<void>;
  /** Makes the next write command fail in this way. An election follows. */
  next: (mishap: Mishap) => void;
  /** Delays replies by this many ms. */
  lag: (ms: number) => void;
  /** Closes all connections. */
  drop: () => void;
  /** Number of commands that failed in this way, or reached a secondary. */
  readonly refused: number;
  close: () => Promise<void>;
}

/** A message of one document. */
export const message = (document: Document, requestId: number, responseTo: number): Buffer => {
  const body = BSON.serialize(document);
  const bytes = Buffer.alloc(BODY + body.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(requestId, 4);
  bytes.writeInt32LE(responseTo, 8);
  bytes.writeInt32LE(OP_MSG, 12);
  bytes.set(body, BODY);
  return bytes;
};

/** A reply to a legacy handshake. */
export const legacyReply = (document: Document, responseTo: number): Buffer => {
  const body = BSON.serialize(document);
  const bytes = Buffer.alloc(HEADER + 20 + body.length);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(responseTo, 8);
  bytes.writeInt32LE(OP_REPLY, 12);
  bytes.writeInt32LE(1, HEADER + 16);
  bytes.set(body, HEADER + 20);
  return bytes;
};

/** Splits a stream into messages. */
export function messagesOf(take: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** The document of a message without document sequences. */
export const documentOf = (bytes: Buffer): Document =>
  bytes.readInt32LE(12) === OP_QUERY
    ? BSON.deserialize(bytes.subarray(bytes.indexOf(0, HEADER + 4) + 9))
    : BSON.deserialize(bytes.subarray(BODY, BODY + bytes.readInt32LE(BODY)));

/** Starts the replica set. @param engine connection string of the engine */
export async function startReplicaSet(engine: string): Promise<ReplicaSet> {
  const target = targetOf(engine);
  const sockets = new Set<net.Socket>();
  let [primary, term, lag, refused] = [0, 1, 0, 0];
  let mishap: Mishap | null = null;
  const hosts: string[] = [];

  const stepDown = async (ms = 50): Promise<void> => {
    const was = primary;
    primary = -1;
    await sleep(ms);
    primary = 1 - Math.max(was, 0);
    term += 1;
  };
  const helloOf = (member: number): Document => ({
    ok: 1,
    isWritablePrimary: member === primary,
    ismaster: member === primary,
    secondary: member !== primary,
    setName: 'rs',
    setVersion: 1,
    electionId: new ObjectId(term.toString(16).padStart(24, '0')),
    hosts,
    me: hosts[member],
    ...(primary < 0 ? {} : { primary: hosts[primary] }),
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 25,
    localTime: new Date(),
    lastWrite: { opTime: { ts: Long.ONE, t: Long.fromNumber(term) } },
  });

  const serve = (member: number, near: net.Socket): void => {
    const far = net.connect(target);
    /** Functions that change the reply to a request. Null: the reply is lost, and the connection closes. */
    const changed = new Map<number, ((reply: Document) => Document) | null>();
    couple(near, far, sockets);
    const reply = (bytes: Buffer): void => {
      if (lag === 0) near.write(bytes);
      else setTimeout(() => near.write(bytes), lag);
    };
    const refuse = (id: number, error: Document): void => {
      refused += 1;
      reply(message(error, 0, id));
    };
    near.on(
      'data',
      messagesOf((bytes) => {
        const id = bytes.readInt32LE(4);
        const command = documentOf(bytes);
        const name = Object.keys(command)[0];
        if (HANDSHAKES.has(name))
          return reply(bytes.readInt32LE(12) === OP_QUERY ? legacyReply(helloOf(member), id) : message(helloOf(member), 0, id));
        const isWrite = WRITES.has(name) || /"\$(?:out|merge)"/.test(JSON.stringify(command['pipeline'] ?? ''));
        if (member !== primary && name !== 'ping') return refuse(id, isWrite ? NOT_WRITABLE : NOT_READABLE);
        const ops = (command['ops'] as Document[] | undefined) ?? [];
        // A content change is one command with several writes, which can be interrupted between them.
        const met = isWrite && ops.length > 1 ? mishap : null;
        if (!met) return void far.write(bytes);
        mishap = null;
        void stepDown();
        if (met.kind === 'refused') return refuse(id, NOT_WRITABLE);
        refused += 1;
        if (met.kind === 'reply lost') {
          changed.set(id, null);
          return void far.write(bytes);
        }
        const done = ops.slice(0, met.after);
        if (done.length === 0) return reply(message(INTERRUPTED, 0, id));
        changed.set(id, (was) => {
          const cursor = was['cursor'] as { firstBatch: Document[] };
          return {
            ...was,
            nErrors: 1,
            cursor: { ...cursor, firstBatch: [...cursor.firstBatch, { ...INTERRUPTED, idx: done.length, n: 0 }] },
          };
        });
        far.write(message({ ...command, ops: done }, id, 0));
      }),
    );
    far.on(
      'data',
      messagesOf((bytes) => {
        const id = bytes.readInt32LE(8);
        const change = changed.get(id);
        changed.delete(id);
        if (change === undefined) reply(bytes);
        else if (change === null) near.destroy();
        else reply(message(change(documentOf(bytes)), 0, id));
      }),
    );
  };

  const servers = [0, 1].map((member) => net.createServer((near) => serve(member, near)).listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  for (const server of servers) hosts.push(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: `mongodb://${hosts.join(',')}/?replicaSet=rs&serverSelectionTimeoutMS=1500&heartbeatFrequencyMS=500`,
    stepDown,
    next: (what) => (mishap = what),
    lag: (ms) => (lag = ms),
    drop,
    get refused() {
      return refused;
    },
    close: async () => {
      for (const server of servers) server.close();
      drop();
      for (const server of servers) if (server.listening) await once(server, 'close');
    },
  };
}
