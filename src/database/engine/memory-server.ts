import { existsSync, mkdirSync } from 'node:fs';
import type { MongoInstance } from 'mongodb-memory-server-core';
import type { OwnerFile } from './owner.js';
import { AttemptError, DATABASE, reasonOf, type Engine, type EngineOptions } from './types.js';

/** Where packages and installers install mongod. */
export const INSTALLED_MONGOD = ['/usr/bin/mongod', '/usr/local/bin/mongod', '/opt/homebrew/bin/mongod'];
/** Long enough for recovery after a crash, which precedes the first connection. */
const LAUNCH_LIMIT_MS = 60_000;
const HOST = '127.0.0.1';

const asAttempt = (error: unknown, hadData: boolean): AttemptError => {
  const reason = reasonOf(error);
  if (/DBPathInUse/.test(reason)) return new AttemptError(reason, 'busy');
  return new AttemptError(reason, hadData && /exited|failed to start|closed/i.test(reason) ? 'data' : 'unavailable');
};

/** The smallest cache that mongod accepts, in GB. */
const LEAST_MEMORY = 0.25;

const memoryArguments = (megabytes: number | undefined): string[] =>
  megabytes === undefined ? [] : ['--wiredTigerCacheSizeGB', String(Math.max(LEAST_MEMORY, megabytes / 1024))];

/** Uses the parts of mongodb-memory-server instead of its facade, which writes every failure to the console. */
const launch = async (
  dbPath: string,
  { mongod, memory, download, log }: EngineOptions,
): Promise<{ instance: MongoInstance; port: number }> => {
  // Read when the module is loaded.
  if (download === false) process.env['MONGOMS_RUNTIME_DOWNLOAD'] = 'false';
  const { MongoBinary, MongoInstance } = await import('mongodb-memory-server-core');
  const { getFreePort } = await import('mongodb-memory-server-core/lib/util/getport/index.js');
  const installed = mongod ?? INSTALLED_MONGOD.find((file) => existsSync(file));
  log?.(installed ? `database: starting ${installed}` : 'database: looking for a mongod, or downloading one');
  const systemBinary = await MongoBinary.getPath(installed ? { systemBinary: installed } : {});
  const port = await getFreePort();
  const instance = await MongoInstance.create({
    instance: { port, dbPath, ip: HOST, storageEngine: 'wiredTiger', launchTimeout: LAUNCH_LIMIT_MS, args: memoryArguments(memory) },
    binary: { systemBinary },
    // A separate process group: the parent handles Ctrl-C.
    spawn: { detached: true },
  });
  return { instance, port };
};

/**
 * Starts a mongod through mongodb-memory-server, which downloads one if none is installed.
 * @param directory the data folder
 * @param owner the file that records which process uses the folder
 * @throws AttemptError
 */
export const startMongod = async (directory: string, owner: OwnerFile, options: EngineOptions): Promise<Engine> => {
  const hadData = existsSync(`${directory}/WiredTiger`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { instance, port } = await launch(directory, options).catch((error: unknown) => {
    throw asAttempt(error, hadData);
  });
  const pid = instance.mongodProcess?.pid;
  owner.write(pid);
  let closing: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await instance.stop();
    owner.remove();
  };
  instance.mongodProcess?.once('exit', (code, signal) => {
    if (closing) return;
    const reason = `mongod exited (${signal ?? code})`;
    options.log?.(`database: ${reason}`);
    options.onCrash?.({ reason, isLost: true });
  });
  const uri = `mongodb://${HOST}:${port}/?directConnection=true`;
  return { kind: 'mongod', uri, database: DATABASE, pid, close: () => (closing ??= stop()) };
};
