/** A MongoDB to talk to, and how to end it. */
export interface Engine {
  /** `uri`: a server the user runs; `embedded`: the engine in a child process; `mongod`: started by mongodb-memory-server. */
  readonly kind: 'uri' | 'embedded' | 'mongod';
  /** Connection string for the official driver. */
  readonly uri: string;
  /** The database to use; the one that the connection string names when absent. */
  readonly database?: string;
  /** Process id of the database, when this process started it. It changes when a crashed child is replaced. */
  readonly pid?: number | undefined;
  /** Ends what was started, cleanly; a second call waits for the first. A server given by its address keeps running. */
  close(): Promise<void>;
}

export interface EngineCrash {
  /** One line: the signal or exit code, and the last thing the database said. */
  reason: string;
  /** Milliseconds until it is started again; absent when it has crashed too often and stays down. */
  restartInMs?: number;
}

/** The database of an engine that belongs to one server. */
export const DATABASE = 'understudy';

export interface EngineOptions {
  /** Address of a MongoDB that the user runs; nothing else is tried when it is given. */
  uri?: string | undefined;
  /** Folder for the data; each kind of engine gets its own folder in it, since their file formats differ. */
  directory: string;
  /** `false` turns the embedded engine off. */
  embedded?: boolean | undefined;
  /** Where the adapted copy of the engine may be kept, instead of the two usual places. */
  cacheDirectory?: string | undefined;
  /** The user's cache directory (`XDG_CACHE_HOME`); `~/.cache` when absent. */
  userCacheDirectory?: string | undefined;
  /** Path of an installed `mongod` for mongodb-memory-server, which downloads one when there is none. */
  mongod?: string | undefined;
  log?: ((line: string) => void) | undefined;
  onCrash?: ((crash: EngineCrash) => void) | undefined;
}

export interface Attempt {
  what: string;
  why: string;
}

/** No database could be started. The message lists what was tried, why each failed, and what to do. */
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

/** Why one way of getting a database failed. */
export class AttemptError extends Error {
  override readonly name = 'AttemptError';

  /**
   * @param message one line
   * @param kind `unavailable`: the next way may be tried; `busy`: another process has the data open; `data`: it is there but cannot be opened
   */
  constructor(
    message: string,
    readonly kind: 'unavailable' | 'busy' | 'data',
  ) {
    super(message);
  }
}

/** The message of whatever was thrown, on one line of bearable length. */
export const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .slice(0, 400);
};
