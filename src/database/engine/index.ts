import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMongod } from './memory-server.js';
import { OwnerFile } from './owner.js';
import { AttemptError, EngineError, reasonOf, type Attempt, type Engine, type EngineOptions, DATABASE } from './types.js';
import { PRIVATE } from '../../base/system/private-folder.js';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ChildReport, ChildSettings } from './child.js';
import { STORAGE } from './settings.js';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.js';

/** Repeated here since importing the value from child.ts would run the child. */
const CLOSE: typeof import('./child.js').CLOSE = 'close';
/** A child that does not exit in this time is killed. The journal preserves acknowledged writes. */
const CLOSE_LIMIT_MS = 15_000;
const FIRST_RESTART_MS = 100;
const MAX_CRASHES = 6;
const CRASH_WINDOW_MS = 60_000;
/** The pause between restarts after too many crashes. */
const SLOW_RESTART_MS = 10_000;
const STDERR_LIMIT = 4_096;

/** The file that the child runs, in order of preference: its bundle, its module, or the build if this file runs as TypeScript. */
const CHILDREN = ['../../engine.cjs', 'child.js', '../../../dist/engine.cjs', '../../../dist/database/engine/child.js'];

/** The Node.js arguments of the child. Without a build, it runs from source, with the parent's loader. */
const childCommand = (): string[] => {
  const files = CHILDREN.map((file) => fileURLToPath(new URL(file, import.meta.url)));
  const built = files.find((file) => existsSync(file));
  return built === undefined ? [...process.execArgv, fileURLToPath(new URL('child.ts', import.meta.url))] : [built];
};

/**
 * Without extra certificates, which Node.js reads at start: the child opens no connections, and reading them takes longer than the rest.
 */
const { NODE_EXTRA_CA_CERTS: _unread, ...INHERITED } = process.env;
const CHILD_ENVIRONMENT = { ...INHERITED, WIREDTIGER_CONFIG: STORAGE };

const isReport = (message: unknown): message is ChildReport => typeof message === 'object' && message !== null && 'type' in message;

type Releasable = Partial<Pick<Socket, 'unref'>> | null | undefined;

/** Lets the parent end while the child runs. Bun: some handles of a child have no `unref`, and do not keep the parent running. */
export function release(child: Pick<ChildProcess, 'unref' | 'channel' | 'stderr'>): void {
  for (const part of [child, child.channel, child.stderr] as Releasable[]) part?.unref?.();
}

/** Starts the child process, restarts it when it crashes, and stops it. */
class Supervisor implements Engine {
  readonly kind = 'embedded';
  readonly database = DATABASE;
  private child: ChildProcess | undefined;
  private closing: Promise<void> | undefined;
  private restart: NodeJS.Timeout | undefined;
  private crashes: number[] = [];

  constructor(
    private readonly settings: ChildSettings,
    private readonly options: EngineOptions,
    private readonly owner: OwnerFile,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get uri(): string {
    return `mongodb://${encodeURIComponent(this.settings.socket)}/?directConnection=true`;
  }

  /** Starts the child and waits until it is ready. @throws AttemptError */
  async launch(): Promise<void> {
    const hadData = existsSync(path.join(this.settings.directory, 'WiredTiger'));
    const child = spawn(process.execPath, [...childCommand(), JSON.stringify(this.settings)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: CHILD_ENVIRONMENT,
    });
    this.child = child;
    // If this process is killed before the database is ready, the next start has to know whose database still holds the folder.
    const hasClaimed = this.owner.claim(child.pid);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-STDERR_LIMIT)));
    const ending = (how: unknown): string =>
      [`its process exited (${String(how)})`, stderr.trim().split('\n').at(-1)].filter(Boolean).join(': ');

    await new Promise<void>((resolve, reject) => {
      let opening = false;
      const fail = (reason: string, busy = false): void =>
        reject(new AttemptError(reason, busy ? 'busy' : opening && hadData ? 'data' : 'unavailable'));
      child.on('message', (message) => {
        if (!isReport(message)) return;
        if (message.type === 'opening') opening = true;
        else if (message.type === 'listening') this.options.onReachable?.(this.uri);
        else if (message.type === 'ready') resolve();
        else fail(message.reason, message.busy);
      });
      child.once('error', (error) => fail(reasonOf(error)));
      child.once('close', (code, signal) => fail(ending(signal ?? code)));
    }).catch((error: unknown) => {
      // A child that could not open the database may go on computing instead of ending, and the next attempt would be one more.
      child.kill('SIGKILL');
      if (hasClaimed) this.owner.remove();
      throw error;
    });

    // Not 'exit': the last line of stderr, which may say why, arrives after that.
    child.once('close', (code, signal) => this.crashed(ending(signal ?? code)));
    release(child);
    this.owner.write(child.pid);
  }

  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private crashed(reason: string): void {
    if (this.closing) return;
    const now = performance.now();
    this.crashes = [...this.crashes.filter((at) => at > now - CRASH_WINDOW_MS), now];
    const isLost = this.crashes.length > MAX_CRASHES;
    const restartInMs = isLost ? SLOW_RESTART_MS : FIRST_RESTART_MS * 2 ** (this.crashes.length - 1);
    this.options.log?.(`database: ${reason}; restarting in ${restartInMs} ms`);
    this.restart = setTimeout(() => {
      this.launch().then(
        () => this.options.onRestart?.(),
        (error: unknown) => this.crashed(reasonOf(error)),
      );
    }, restartInMs);
    this.restart.unref();
    this.options.onCrash?.({ reason, restartInMs, isLost });
  }

  private async stop(): Promise<void> {
    clearTimeout(this.restart);
    const child = this.child;
    if (child?.pid && child.exitCode === null && child.signalCode === null) {
      child.ref();
      const ended = once(child, 'exit');
      const limit = setTimeout(() => child.kill('SIGKILL'), CLOSE_LIMIT_MS);
      child.send(CLOSE, () => {});
      await ended;
      clearTimeout(limit);
    }
    removeSocketFolder(this.settings.socket);
    this.owner.remove();
  }
}

/**
 * Starts the embedded engine in a child process.
 * @param directory the data folder
 * @param owner the file that records which process uses the folder
 * @throws AttemptError
 */
const startEmbedded = async (directory: string, owner: OwnerFile, options: EngineOptions): Promise<Engine> => {
  const { memory, cacheDirectory, userCacheDirectory } = options;
  const socket = makeSocketFolder();
  const supervisor = new Supervisor({ directory, socket, memory, cacheDirectory, userCacheDirectory }, options, owner);
  try {
    await supervisor.launch();
  } catch (error) {
    removeSocketFolder(socket);
    throw error;
  }
  return supervisor;
};

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
