import { startServer } from '../../src/app/start.js';
import { resolveOptions } from '../../src/config/index.js';
import { testDatabase, type TestDatabase } from './database.js';
import type { Server, ServerOptions } from '../../src/index.js';
import type { Engine } from '../../src/engine/index.js';

/** The run's database server, as the engine of one server that has a database in it to itself, or shares that with others. */
function testEngine({ uri, name }: { uri: string; name: string }, shared: boolean): Engine {
  return { kind: shared ? 'uri' : 'embedded', uri, database: name, close: async () => {} };
}

/**
 * A server on the run's database server, for one test file or one `describe`; it ends with that. Profile `tec` unless another is asked for.
 * @param place.isShared others may write to the database, as where `MONGODB_URI` names it
 * @param place.database default: one that no other server uses
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
