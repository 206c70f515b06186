import { BSON, type Db, type Document, type MongoClient } from 'mongodb';
import type { Connection, Topology } from 'mongodb/lib/cmap/connection.js';
import { headerOf, MessageReader } from '../engine/wire.js';

/** Where the document of a message begins. */
const BODY = headerOf(0).length;

/** Leaves the found documents as bytes. */
export const AS_BYTES = { fieldsAsRaw: { firstBatch: true } };

/** Maximum number of commands that await their responses. */
const MAX_AWAITED = 8;

/** The smallest pool of the driver that a connection is taken from. */
const LEAST_POOL = 4;

/** A command as it is sent. */
export function messageOf({ databaseName }: Db, command: Document): Buffer {
  const body = BSON.serialize({ ...command, $db: databaseName });
  return Buffer.concat([headerOf(body.length), body]);
}

/**
 * A connection that pipelines short commands: it sends them without waiting for the responses to earlier ones. The driver takes 0.3 to
 * 0.9 ms of processor time for a command, most of it for choosing a server, a connection and options; this takes 0.04 to 0.1 ms.
 */
export class PipelinedConnection {
  private connection: Connection | null = null;
  private isOpening = false;
  /** Callers that await a response, in the order of their commands. */
  private readonly awaited: { resolve: (message: Buffer) => void; reject: (error: unknown) => void }[] = [];
  /** The latest response to a message, which is decoded once while it stays the same. */
  private readonly latest = new WeakMap<Buffer, { body: Buffer; reply: Document }>();

  constructor(private readonly client: MongoClient) {}

  /** The response, whose `firstBatch` has bytes. Null: it is unknown whether the command was executed; the driver has to send it. */
  async send(message: Buffer): Promise<Document | null> {
    const { connection, awaited } = this;
    // The driver reports if the database does not respond.
    if (!connection) void this.open().catch(() => undefined);
    if (!connection || awaited.length === MAX_AWAITED) return null;
    try {
      connection.socket.write(message);
      const response = await new Promise<Buffer>((resolve, reject) => awaited.push({ resolve, reject }));
      const body = response.subarray(BODY);
      const latest = this.latest.get(message);
      const reply = latest?.body.equals(body) === true ? latest.reply : BSON.deserialize(body, AS_BYTES);
      this.latest.set(message, { body, reply });
      if (reply['ok'] === 1) return reply;
    } catch {
      // The connection is lost.
    }
    connection.destroy();
    return null;
  }

  private async open(): Promise<void> {
    const { monitorCommands, socketTimeoutMS, timeoutMS, readConcern, maxPoolSize } = this.client.options;
    // The driver follows these options. A small pool keeps its connections.
    const isLeft = monitorCommands || socketTimeoutMS || timeoutMS || readConcern || (maxPoolSize > 0 && maxPoolSize < LEAST_POOL);
    if (isLeft || this.isOpening) return;
    this.isOpening = true;
    try {
      const { topology } = this.client as unknown as { topology: Topology };
      const { pool } = await topology.selectServer('primary', { operationName: 'find' });
      const connection = await pool.checkOut({ timeoutContext: { connectionCheckoutTimeout: null } });
      const reader = new MessageReader();
      connection.once('close', () => {
        this.connection = null;
        for (const { reject } of this.awaited.splice(0)) reject(connection.error);
        pool.checkIn(connection);
      });
      // The driver would queue responses to commands that it did not send.
      connection.socket.unpipe();
      connection.socket.on('data', (chunk: Buffer) => {
        try {
          for (const message of reader.push(chunk)) this.awaited.shift()?.resolve(message);
        } catch {
          connection.destroy();
        }
      });
      connection.socket.resume();
      this.connection = connection;
    } finally {
      this.isOpening = false;
    }
  }
}

const connections = new WeakMap<MongoClient, PipelinedConnection>();

export function pipelinedConnection(client: MongoClient): PipelinedConnection {
  const connection = connections.get(client) ?? new PipelinedConnection(client);
  connections.set(client, connection);
  return connection;
}
