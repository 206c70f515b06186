import { MongoClient, type Db, type Document, type WriteConcernSettings } from 'mongodb';
import '../engine/driver.js';
import { EngineError, reasonOf } from '../engine/types.js';

const DEFAULT_DATABASE = 'understudy';

const namesDatabase = (uri: string): boolean => /\/[^/?]+(\?|$)/.test(uri.replace(/^mongodb(\+srv)?:\/\//, ''));

/**
 * The write concern: the journal, so that acknowledged writes survive `kill -9`; in a replica set, the journals of most members, so that they
 * survive the election of another primary. `majority` must not be sent to a standalone server: the embedded engine (0.1.1) then does not
 * wait for its journal.
 * @param hello the server's response to `hello`
 */
export const writeConcernFor = ({ setName, msg }: Document): WriteConcernSettings => ({
  w: setName !== undefined || msg === 'isdbgrid' ? 'majority' : 1,
  journal: true,
});

/** The wire version of MongoDB 8.0. */
const MONGODB_8 = 25;

/** A connection to a MongoDB server that is started when it is first needed. */
export class LaterConnection {
  readonly writesTogether = true;
  private opening: Promise<Connection> | null = null;

  /** @param open starts the server, and connects */
  constructor(private readonly open: () => Promise<Connection>) {}

  /** @throws EngineError */
  opened(): Promise<Connection> {
    if (this.opening) return this.opening;
    const opening = this.open();
    this.opening = opening;
    // The next one that needs it tries again.
    opening.catch(() => (this.opening = null));
    return opening;
  }

  async close(): Promise<void> {
    const opened = await this.opening?.catch(() => null);
    await opened?.close();
  }
}

/** A connection to a MongoDB server. */
export class Connection {
  private constructor(
    private readonly client: MongoClient,
    private readonly uri: string,
    /** Whether several writes can be one command. */
    readonly writesTogether: boolean,
    /** Overrides of the options of the connection string. */
    private readonly options: { writeConcern?: WriteConcernSettings },
  ) {}

  /**
   * Connects. Unless the connection string overrides that, writes wait for the journal.
   * @param isAlone whether the server is known not to be part of a replica set
   * @param signal ends an attempt to connect
   * @throws EngineError when the server does not respond or rejects the connection
   */
  static async open(uri: string, isAlone = false, signal?: AbortSignal): Promise<Connection> {
    const client = new MongoClient(uri, {
      maxPoolSize: 16,
      // Unless the connection string says how long to look for a server.
      ...(/[?&]serverSelectionTimeoutMS=/i.test(uri) ? {} : { serverSelectionTimeoutMS: 10_000 }),
      ignoreUndefined: true,
    });
    signal?.addEventListener('abort', () => void client.close());
    try {
      await client.connect();
      const hello = isAlone ? {} : await client.db('admin').command({ hello: 1 });
      const writesTogether = ((hello.maxWireVersion as number | undefined) ?? MONGODB_8) >= MONGODB_8;
      return new Connection(client, uri, writesTogether, client.writeConcern ? {} : { writeConcern: writeConcernFor(hello) });
    } catch (error) {
      await client.close();
      const why = { what: client.options.hosts.join(', '), why: reasonOf(error) };
      throw new EngineError('Cannot connect to the database.', [why], 'Check MONGODB_URI and make sure that the server is running.');
    }
  }

  /** @param name default: the name in the connection string, else `understudy` */
  database(name?: string): Db {
    // Secondaries may lag behind.
    return this.client.db(name ?? (namesDatabase(this.uri) ? undefined : DEFAULT_DATABASE), { ...this.options, readPreference: 'primary' });
  }

  opened(): Promise<Connection> {
    return Promise.resolve(this);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
