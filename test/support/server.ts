import { createServer, type Server, type ServerOptions } from '../../src/index.js';
import { testDatabase } from './database.js';

/** A server of its own on the run's database, for one test file or one `describe`; it ends with that. Profile `tec` unless another is asked for. */
export function startTestServer(options: Partial<ServerOptions> = {}): () => Server {
  const { uri, name } = testDatabase();
  let server: Server | undefined;
  beforeAll(async () => {
    const url = new URL(uri);
    url.pathname = `/${name}`;
    server = await createServer({ mongodbUri: url.href, ephemeral: true, profile: 'tec', ...options });
  }, 30_000);
  afterAll(() => server?.close());
  return () => {
    if (!server) throw new Error('The test server has not started.');
    return server;
  };
}
