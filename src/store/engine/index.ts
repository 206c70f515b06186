import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from './embedded.js';
import { startMongod } from './memory-server.js';
import { OwnerFile } from './owner.js';
import { AttemptError, EngineError, reasonOf, type Attempt, type Engine, type EngineOptions } from './types.js';

export { EngineError } from './types.js';
export type { Attempt, Engine, EngineCrash, EngineOptions } from './types.js';

type Starter = (directory: string, owner: OwnerFile, options: EngineOptions) => Promise<Engine>;

const RUN_YOUR_OWN = 'Set MONGODB_URI to a running MongoDB 6.0 or later.';

interface Way {
  what: string;
  folder: string;
  start: Starter;
}

const EMBEDDED: Way = { what: 'embedded engine', folder: 'embedded', start: startEmbedded };
const MONGOD: Way = { what: 'mongodb-memory-server', folder: 'mongod', start: startMongod };

/** How long the database of a killed owner may take to let go of its data. */
const ORPHAN_MS = 8_000;

/** Waits for the database of a killed owner to let go; anyone else's folder is refused at once. */
const startWhenFree = async (start: Starter, directory: string, owner: OwnerFile, options: EngineOptions): Promise<Engine> => {
  const deadline = performance.now() + ORPHAN_MS;
  for (;;) {
    try {
      return await start(directory, owner, options);
    } catch (error) {
      const busy = error instanceof AttemptError && error.kind === 'busy';
      if (!busy || !owner.isOrphaned() || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
};

/** One way of getting a database. @throws EngineError when its data is there but cannot be had: going on would show an empty site */
const attempt = async ({ what, folder, start }: Way, options: EngineOptions): Promise<Engine | Attempt> => {
  const directory = path.join(options.directory, folder);
  const owner = new OwnerFile(`${directory}-owner.json`);
  try {
    return await startWhenFree(start, directory, owner, options);
  } catch (error) {
    const why = reasonOf(error);
    const kind = error instanceof AttemptError ? error.kind : 'unavailable';
    if (kind === 'busy') {
      throw new EngineError(`${directory} is open in ${owner.describe()}.`, [{ what, why }], 'Stop that process, or use another folder.');
    }
    if (kind === 'data') {
      throw new EngineError(`The data in ${directory} cannot be opened.`, [{ what, why }], 'Move that folder away to start afresh.');
    }
    return { what, why };
  }
};

const prepareDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new EngineError(
      `The data folder ${directory} cannot be ${existsSync(directory) ? 'written to' : 'made'}.`,
      [{ what: 'data folder', why: reasonOf(error) }],
      'Use another folder.',
    );
  }
};

const warnOfOtherData = ({ directory, log }: EngineOptions): void => {
  const folder = path.join(directory, EMBEDDED.folder);
  if (existsSync(path.join(folder, 'WiredTiger')))
    log?.(`database: what is in ${folder} is not shown: its files are for the embedded engine`);
};

/**
 * Gets a MongoDB: the one at `uri`, else the embedded engine in a child process, else a mongod from mongodb-memory-server.
 * A server at `uri` is not contacted here.
 * @throws EngineError that lists what was tried; also when another process has the data open, or when the data cannot be read
 */
export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  if (options.uri) return { kind: 'uri', uri: options.uri, close: async () => {} };
  prepareDirectory(options.directory);

  const attempts: Attempt[] = [];
  const fail = (failed: Attempt): void => {
    attempts.push(failed);
    options.log?.(`database: no ${failed.what}: ${failed.why}`);
  };
  if (options.embedded === false) fail({ what: EMBEDDED.what, why: 'it is turned off' });
  else {
    const result = await attempt(EMBEDDED, options);
    if ('close' in result) return result;
    fail(result);
  }
  warnOfOtherData(options);
  const result = await attempt(MONGOD, options);
  if ('close' in result) return result;
  fail(result);
  throw new EngineError('There is no MongoDB to use.', attempts, RUN_YOUR_OWN);
};
