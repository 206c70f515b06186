import { startServer } from '../../src/server/app/start.js';
import { resolveOptions } from '../../src/server/config/index.js';
import { testDatabase, type TestDatabase } from './database.js';
import type { Server, ServerOptions } from '../../src/index.js';
import type { Engine } from '../../src/database/engine/index.js';

/** The test run's database server as an engine. It has its database to itself, or shares it with other servers. */
function testEngine({ uri, name }: { uri: string; name: string }, shared: boolean): Engine {
  return { kind: shared ? 'uri' : 'embedded', uri, database: name, close: async () => {} };
}

/** Folders whose tests ask about answers, which are the same from any store. In memory they take two thirds of the processor time. */
const OF_ANSWERS =
  /\/test\/(?:clients|conformance\/replay-(?:feeds|other|pages)|edge|live|plugins|qa|rest|endpoints\/(?:calendar|documentation|examples|fields|media|pages|tickets|users|wp-v2))\b/;

/** Files in those folders that ask about what is stored, found by conditions, or written at the same time. */
const OF_STORES = /\/(?:examples\/(?:date-filters|search)|qa\/(?:dataset-save|reset|restore|seed|state|stubs-stored)|tickets\/stock)\b/;

/** Whether the sites of a test file are in the memory of their server. `npm run test:memory` and `npm run test:engine` say so of all. */
function isMemoryFile(): boolean {
  const store = process.env['UNDERSTUDY_TEST_STORE'];
  if (store) return store === 'memory';
  const { testPath = '' } = expect.getState();
  return OF_ANSWERS.test(testPath) && !OF_STORES.test(testPath);
}

/** Where the content of a test server is. */
interface Place {
  /** Whether others may write to the database, as with `MONGODB_URI`. */
  isShared?: boolean;
  /** Default: a separate database. */
  database?: TestDatabase;
  /** Whether the content is in the memory of the server, as with `--ephemeral`. */
  isInMemory?: boolean;
}

/**
 * Starts a server on the test run's database server, for one test file or one `describe`. The default profile is `tec`.
 */
export function startTestServer(
  options: Partial<ServerOptions> = {},
  { isShared = false, database, isInMemory = !isShared && !database && isMemoryFile() }: Place = {},
): () => Server {
  const engine = isInMemory ? undefined : testEngine(database ?? testDatabase(), isShared);
  const start = engine && (() => Promise.resolve(engine));
  let server: Server | undefined;
  beforeAll(async () => {
    const defaults: Partial<ServerOptions> = { port: 0, ephemeral: true, logLevel: 'error', profile: 'tec' };
    server = await startServer(resolveOptions(defaults, options), start);
  }, 30_000);
  afterAll(() => server?.close());
  return () => {
    if (!server) throw new Error('The test server has not started.');
    return server;
  };
}
