import { BSON, type Db, type Document } from 'mongodb';
import type { Connection, Pool, Topology } from 'mongodb/lib/cmap/connection.js';
import { headerOf, MessageReader } from '../engine/wire.js';

const HEADER = 21;

/** The documents of a response to `find`, as bytes. @throws if the command failed */
function documentsIn(response: Uint8Array): Buffer[] {
  const { cursor } = BSON.deserialize(response, { fieldsAsRaw: { firstBatch: true } }) as { cursor?: { firstBatch: Buffer[] } };
  if (!cursor) throw new Error('The command failed.');
  return cursor.firstBatch;
}

/** A connection that the pool never gets back, unless it closes. */
class Line {
  private readonly reader = new MessageReader();
  private settle: { resolve: (response: Buffer) => void; reject: (error: unknown) => void } | null = null;

  constructor(
    private readonly connection: Connection,
    pool: Pool,
  ) {
    const { socket } = connection;
    // The driver would queue responses to commands that it did not send.
    socket.unpipe();
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const message of this.reader.push(chunk)) this.settle?.resolve(message);
      } catch {
        connection.destroy();
      }
    });
    connection.once('close', () => {
      this.settle?.reject(connection.error);
      pool.checkIn(connection);
    });
    socket.resume();
  }

  get isOpen(): boolean {
    return !this.connection.closed;
  }

  /** Whether no response is awaited. */
  get isFree(): boolean {
    return this.isOpen && this.settle === null;
  }

  send(message: Buffer): Promise<Buffer> {
    return new Promise<Buffer>((resolve, reject) => {
      this.settle = { resolve, reject };
      this.connection.socket.write(message);
    }).finally(() => (this.settle = null));
  }

  close(): void {
    this.connection.destroy();
  }
}

/**
 * A `find` that is sent again and again. The driver takes 0.3 to 0.9 ms of processor time for a command, most of it for choosing a server,
 * a connection and options. So this keeps a connection, and the encoded command: 0.04 to 0.08 ms. If that fails, the driver sends the
 * command.
 */
export class RepeatedRead {
  private readonly message: Buffer;
  private line: Line | undefined;
  private isOpening = false;

  constructor(
    private readonly db: Db,
    private readonly command: Document,
  ) {
    const body = BSON.serialize({ ...command, $db: db.databaseName });
    this.message = Buffer.concat([headerOf(body.length), body]);
  }

  /** The found documents, as bytes. */
  async send(): Promise<Buffer[]> {
    if (this.line?.isFree) {
      try {
        return documentsIn((await this.line.send(this.message)).subarray(HEADER));
      } catch {
        this.line.close();
      }
    }
    const reply = await this.db.command(this.command, { fieldsAsRaw: { firstBatch: true } });
    // The database responds, so this neither waits nor fails, unless the driver has changed.
    void this.open().catch(() => undefined);
    return (reply as { cursor: { firstBatch: Buffer[] } }).cursor.firstBatch;
  }

  private async open(): Promise<void> {
    const { client } = this.db;
    const { monitorCommands, socketTimeoutMS, timeoutMS } = client.options;
    // These are left to the driver.
    if (monitorCommands || socketTimeoutMS || timeoutMS) return;
    if (this.isOpening || this.line?.isOpen === true) return;
    this.isOpening = true;
    try {
      const { topology } = client as unknown as { topology: Topology };
      const { pool } = await topology.selectServer('primary', { operationName: 'find' });
      this.line = new Line(await pool.checkOut({ timeoutContext: { connectionCheckoutTimeout: null } }), pool);
    } finally {
      this.isOpening = false;
    }
  }
}
