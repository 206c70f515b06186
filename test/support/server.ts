import { startServer } from '../../src/server/app/start.js';
import { resolveOptions } from '../../src/server/config/index.js';
import { testDatabase, type TestDatabase } from './database.js';
import type { Server, ServerOptions } from '../../src/index.js';
import type { Engine } from '../../src/database/engine/index.js';

/** The test run's database server as an engine. It has its database to itself, or shares it with other servers. */
function testEngine({ uri, name }: { uri: string; name: string }, shared: boolean): Engine {
  return { kind: shared ? 'uri' : 'embedded', uri, database: name, close: async () => {} };
}

/**
 * Starts a server on the test run's database server, for one test file or one `describe`. The default profile is `tec`.
 * @param place.isShared whether others may write to the database, as with `MONGODB_URI`
 * @param place.database default: a separate database
 */
export function startTestServer(
  options: Partial<ServerOptions> = {},
  { isShared = false, database = testDatabase() }: { isShared?: boolean; database?: TestDatabase } = {},
): () => Server {
  const engine = testEngine(database, isShared);
  let server: Server | undefined;
  beforeAll(async () => {
    const defaults: Partial<ServerOptions> = { port: 0, ephemeral: true, logLevel: 'error', profile: 'tec' };
    server = await startServer(resolveOptions(defaults, options), () => Promise.resolve(engine));
  }, 30_000);
  afterAll(() => server?.close());
  return () => {
    if (!server) throw new Error('The test server has not started.');
    return server;
  };
}
