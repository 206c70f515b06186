import { messageOf } from '../../base/values/errors.js';

/** A running MongoDB. */
export interface Engine {
  /** `uri`: the user's server; `embedded`: the engine in a child process; `mongod`: started by mongodb-memory-server. */
  readonly kind: 'uri' | 'embedded' | 'mongod';
  /** Connection string for the official driver. */
  readonly uri: string;
  /** The database to use. Default: the one in the connection string. */
  readonly database?: string;
  /** Process id of the database, if this process started it. It changes when a crashed child is restarted. */
  readonly pid?: number | undefined;
  /** Shuts down what was started; a second call waits for the first. The user's server keeps running. */
  close(): Promise<void>;
}

export interface EngineCrash {
  /** One line: the signal or exit code, and the last output of the database. */
  reason: string;
  /** Milliseconds until the restart; absent if it is not restarted. */
  restartInMs?: number;
  /** Whether it has crashed so often that a restart is not likely to help. */
  isLost: boolean;
}

/** Where the content of a site is. `memory`: in the server's, until it has to start an engine. */
export type DatabaseKind = Engine['kind'] | 'memory';

/** The name of the database in an engine that was started here. */
export const DATABASE = 'understudy';

export interface EngineOptions {
  /** Connection string of the user's MongoDB. If set, no engine is started. */
  uri?: string | undefined;
  /** Data folder. Each kind of engine has its own subfolder, since their file formats differ. */
  directory: string;
  /** `false` disables the embedded engine. */
  embedded?: boolean | undefined;
  /** Limit of the database's cache, in MB. Default: the database's own, half of the memory of the machine. */
  memory?: number | undefined;
  /** Folder for the adapted copy of the engine, instead of the default folders. */
  cacheDirectory?: string | undefined;
  /** The user's cache directory (`XDG_CACHE_HOME`). Default: `~/.cache`. */
  userCacheDirectory?: string | undefined;
  /** Path of an installed `mongod` for mongodb-memory-server, which otherwise downloads one. */
  mongod?: string | undefined;
  /** Whether a `mongod` may be downloaded. Default: true. */
  download?: boolean | undefined;
  log?: ((line: string) => void) | undefined;
  /** Called with the connection string as soon as connections are accepted. Commands wait for the database, which may still fail to start. */
  onReachable?: ((uri: string) => void) | undefined;
  onCrash?: ((crash: EngineCrash) => void) | undefined;
  /** Called when a crashed database runs again. */
  onRestart?: (() => void) | undefined;
}

export interface Attempt {
  what: string;
  why: string;
}

/** No database could be started. The message lists what was tried, why it failed, and what to do. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  /**
   * @param summary one line: what went wrong
   * @param attempts what was tried, in order
   * @param advice one line: what the user can do
   */
  constructor(
    readonly summary: string,
    readonly attempts: readonly Attempt[],
    readonly advice: string,
  ) {
    super([summary, ...attempts.map(({ what, why }) => `  - ${what}: ${why}`), advice].join('\n'));
  }
}

/** An engine could not be started. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';

  /**
   * @param message one line
   * @param kind `unavailable`: another engine may be tried; `busy`: another process has the data open; `data`: the data cannot be opened
   */
  constructor(
    message: string,
    readonly kind: 'unavailable' | 'busy' | 'data',
  ) {
    super(message);
  }
}

/** The message of a thrown value, on one line of limited length. */
export const reasonOf = (error: unknown): string =>
  messageOf(error)
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .slice(0, 400);
