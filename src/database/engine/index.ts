import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbedded } from './embedded.js';
import { startMongod } from './memory-server.js';
import { OwnerFile } from './owner.js';
import { AttemptError, EngineError, reasonOf, type Attempt, type Engine, type EngineOptions } from './types.js';
import { PRIVATE } from '../../base/system/private-folder.js';

export { EngineError } from './types.js';
export type { DatabaseKind, Engine, EngineCrash, EngineOptions } from './types.js';

type Starter = (directory: string, owner: OwnerFile, options: EngineOptions) => Promise<Engine>;

const RUN_YOUR_OWN = 'Set MONGODB_URI to a running MongoDB 6.0 or later.';

interface EngineChoice {
  what: string;
  folder: string;
  start: Starter;
}

const EMBEDDED: EngineChoice = { what: 'embedded engine', folder: 'embedded', start: startEmbedded };
/** In order of preference. */
const CHOICES: readonly EngineChoice[] = [EMBEDDED, { what: 'mongodb-memory-server', folder: 'mongod', start: startMongod }];

/** How long to wait for the database of a killed owner to release its data folder. */
const ORPHAN_MS = 8_000;

/** Waits for the database of a killed owner to release the folder. Fails immediately if the owner is running. */
const startWhenFree = async (start: Starter, directory: string, owner: OwnerFile, options: EngineOptions): Promise<Engine> => {
  const deadline = performance.now() + ORPHAN_MS;
  let isOrphaned = owner.isOrphaned();
  for (;;) {
    try {
      return await start(directory, owner, options);
    } catch (error) {
      const busy = error instanceof AttemptError && error.kind === 'busy';
      // Includes an owner that was shutting down at the start of the wait.
      isOrphaned ||= owner.isOrphaned();
      if (!busy || !isOrphaned || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
};

/** Tries to start an engine. @throws EngineError if its data exists but cannot be opened: another engine would show an empty site */
const attempt = async ({ what, folder, start }: EngineChoice, options: EngineOptions): Promise<Engine | Attempt> => {
  if (start === startEmbedded && options.embedded === false) return { what, why: 'it is disabled' };
  const directory = path.join(options.directory, folder);
  const owner = new OwnerFile(`${directory}-owner.json`);
  try {
    return await startWhenFree(start, directory, owner, options);
  } catch (error) {
    const why = reasonOf(error);
    const kind = error instanceof AttemptError ? error.kind : 'unavailable';
    if (kind === 'busy') {
      throw new EngineError(`${directory} is in use by ${owner.describe()}.`, [{ what, why }], 'Stop that process or use another folder.');
    }
    if (kind === 'data') {
      throw new EngineError(
        `Cannot open the data in ${directory}.`,
        [{ what, why }],
        'To start with an empty site, move that folder away.',
      );
    }
    return { what, why };
  }
};

const prepareDirectory = (directory: string): void => {
  try {
    mkdirSync(directory, PRIVATE);
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new EngineError(
      `Cannot ${existsSync(directory) ? 'write to' : 'create'} the data folder ${directory}.`,
      [{ what: 'data folder', why: reasonOf(error) }],
      'Use another folder.',
    );
  }
};

const warnOfOtherData = ({ directory, log }: EngineOptions): void => {
  const folder = path.join(directory, EMBEDDED.folder);
  if (existsSync(path.join(folder, 'WiredTiger')))
    log?.(`database: the content in ${folder} is not used: only the embedded engine can open it`);
};

/**
 * Starts a MongoDB engine: the embedded engine in a child process, else a mongod from mongodb-memory-server.
 * If `uri` is set, nothing is started, and the server at `uri` is not contacted here.
 * @throws EngineError that lists what was tried; also if another process has the data open or the data cannot be read
 */
export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  if (options.uri) return { kind: 'uri', uri: options.uri, close: async () => {} };
  prepareDirectory(options.directory);

  const attempts: Attempt[] = [];
  for (const choice of CHOICES) {
    if (choice !== EMBEDDED) warnOfOtherData(options);
    const result = await attempt(choice, options);
    if ('close' in result) return result;
    attempts.push(result);
    options.log?.(`database: cannot use ${result.what}: ${result.why}`);
  }
  throw new EngineError('Cannot start a MongoDB.', attempts, RUN_YOUR_OWN);
};
