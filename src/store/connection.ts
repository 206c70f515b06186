import { MongoClient, type Db } from 'mongodb';
import { EngineError, reasonOf } from './engine/types.js';

const DEFAULT_DATABASE = 'understudy';

const namesDatabase = (uri: string): boolean => /\/[^/?]+(\?|$)/.test(uri.replace(/^mongodb(\+srv)?:\/\//, ''));

/** A connection to a MongoDB server. */
export class Connection {
  private constructor(
    private readonly client: MongoClient,
    private readonly uri: string,
  ) {}

  /**
   * Connects. Writes wait for the journal, so that acknowledged writes survive `kill -9`.
   * @throws EngineError when the server does not respond or rejects the connection
   */
  static async open(uri: string): Promise<Connection> {
    const client = new MongoClient(uri, {
      writeConcern: { w: 1, journal: true },
      maxPoolSize: 16,
      serverSelectionTimeoutMS: 10_000,
      ignoreUndefined: true,
    });
    await client.connect().catch(async (error: unknown) => {
      await client.close();
      const why = { what: client.options.hosts.join(', '), why: reasonOf(error) };
      throw new EngineError('Cannot connect to the database.', [why], 'Check MONGODB_URI and make sure that the server is running.');
    });
    return new Connection(client, uri);
  }

  /** @param name default: the name in the connection string, else `understudy` */
  database(name?: string): Db {
    return this.client.db(name ?? (namesDatabase(this.uri) ? undefined : DEFAULT_DATABASE));
  }

  /** The names of the server's databases that start with a prefix. */
  async databases(prefix: string): Promise<string[]> {
    const { databases } = await this.client.db('admin').admin().listDatabases({ nameOnly: true });
    return databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  }

  async dropDatabase(name: string): Promise<void> {
    await this.client.db(name).dropDatabase();
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
