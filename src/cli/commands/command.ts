import HELP from '../help.json' with { type: 'json' };
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as yup from 'yup';
import { environmentVariable, ConfigError, type Option, type ServerOptions, optionHelp } from '../../server/config/index.js';
import { logTo } from '../../base/system/log.js';
import { Cleanup } from '../../server/app/cleanup.js';
import { openEngine } from '../../server/app/start.js';
import type { Store } from '../../wordpress/store.js';
import type { LiveClientOptions } from '../../transfer/live/client/client.js';

/** A command of the CLI. Help and usage errors do not load the modules that only running the command needs. */
export interface Command {
  /** The output of `understudy NAME --help`. */
  help: () => string;
  options: readonly Option<string>[];
  /** Its operands, for completion in shells. Absent: there are none, or none that a shell can complete. */
  operand?: Operand | undefined;
  /**
   * @param args the arguments after the name of the command
   * @throws ConfigError for a usage error (exit code 2); other errors end with exit code 1
   */
  run: (args: readonly string[]) => Promise<void>;
}

/** The placeholder of an operand in the usage, and its values. */
export type Operand = Pick<Option<string>, 'value' | 'schema'>;

export const FILE_OPERAND: Operand = { value: 'FILE', schema: yup.string() };

/** The flag of an option unless it is stated: its name in kebab case. */
const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An option with a value. @param value its placeholder @param more `schema`: default a text that is not empty */
export const valueOption = <Name extends string>(
  name: Name,
  value: string,
  help: string,
  more: Partial<Pick<Option, 'flag' | 'schema' | 'default'>> = {},
): Option<Name> => ({ name, flag: flagOf(name), value, help, schema: yup.string().strict().min(1), ...more });

/** A switch. @param more `sets`: default true */
export const switchOption = <Name extends string>(
  name: Name,
  help: string,
  more: Partial<Pick<Option, 'flag' | 'sets' | 'default'>> = {},
): Option<Name> => ({ name, flag: flagOf(name), help, schema: yup.boolean(), sets: true, ...more });

export interface ListedCommand {
  summary: string;
  /** Loads the command on first use, so that `--help` stays fast. */
  load: () => Promise<Command>;
}

/** A failed command; the message tells the user what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** How the user runs a command: npx sets this variable. */
export const runnerCommand = (): string => (environmentVariable('npm_command') === 'exec' ? 'npx wp-understudy' : 'understudy');

/** Prints a line of a command's result to stdout. */
export const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** @throws CommandError if what a store would hold is opened by no server */
export function requireKept({ ephemeral, mongodbUri }: ServerOptions): void {
  if (ephemeral && mongodbUri === undefined)
    throw new CommandError(
      'No server runs for this project, and its configuration is ephemeral: nothing is kept between servers. Start understudy serve first, name a server with --url, or a folder with --data',
    );
}

/**
 * Opens the store of an existing site. It never creates one: the first start of a server would overwrite what a command added.
 * @param cleanup closes the store and its engine
 * @throws CommandError when there is no site, EngineError when there is no database
 */
export async function openSite(options: ServerOptions, cleanup: Cleanup): Promise<Store> {
  requireKept(options);
  const folder = path.resolve(options.data);
  const none = `There is no site in ${options.mongodbUri ? 'the database' : folder}, and no server runs for this project. Start understudy serve, create a site with understudy seed FILE, or name a server with --url`;
  if (!options.mongodbUri && !existsSync(path.join(folder, 'db'))) throw new CommandError(none);
  const engine = openEngine(options, folder, { log: logTo(process.stderr, 'warn'), cleanup });
  const { openStoreFor } = await import('../../server/app/open.js');
  const store = await openStoreFor(engine, cleanup);
  if (await store.isEmpty()) throw new CommandError(none);
  return store;
}

export interface LiveSiteOptions {
  rate: number;
  timeout: number;
  retries: number;
  login?: string;
  passwordEnv?: string;
}

const number = () => yup.number().typeError('${path} must be a number');
/** @param rate default limit of requests per second */
export const liveSiteOptions = (rate: number): readonly Option<keyof LiveSiteOptions>[] => [
  valueOption('rate', 'N', 'Maximum number of requests per second; 0: no limit', { schema: number().min(0), default: rate }),
  valueOption('timeout', 'SECONDS', 'Timeout of a request', { schema: number().positive(), default: 30 }),
  valueOption('retries', 'N', 'How often to retry a request after a temporary error', { schema: number().integer().min(0), default: 5 }),
  valueOption('login', 'NAME', 'User to sign in as, for private content'),
  valueOption('passwordEnv', 'NAME', 'Environment variable that holds the application password'),
];

export const defaultsOf = <Name extends string>(table: readonly Option<Name>[]): Partial<Record<Name, unknown>> =>
  Object.fromEntries(
    table.filter(({ default: fallback }) => fallback !== undefined).map(({ name, default: fallback }) => [name, fallback]),
  ) as Partial<Record<Name, unknown>>;

/** The URL that a command requires as its only operand. @throws ConfigError */
export function siteAddress(operands: readonly string[], command: string): string {
  const [url] = operands;
  if (url === undefined) throw new ConfigError(`The URL of the site is missing. Usage: understudy ${command} URL [options]`);
  if (operands.length > 1) throw new ConfigError(`Unexpected argument ${operands[1]}. Usage: understudy ${command} URL [options]`);
  const complete = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `https://${url}`;
  if (!URL.canParse(complete) || !/^https?:$/.test(new URL(complete).protocol))
    throw new ConfigError(`invalid URL ${url}. Use the URL of a site, such as https://example.org`);
  return complete;
}

/** Options of the HTTP client. @throws ConfigError if the login or the password is missing */
export function clientOptions(given: LiveSiteOptions, more: Pick<LiveClientOptions, 'signal' | 'notify'> = {}): LiveClientOptions {
  const { rate, timeout, retries, login, passwordEnv } = given;
  if ((login === undefined) !== (passwordEnv === undefined)) throw new ConfigError('--login and --password-env must be used together');
  const password = passwordEnv === undefined ? undefined : environmentVariable(passwordEnv);
  if (passwordEnv !== undefined && password === undefined) throw new ConfigError(`The environment variable ${passwordEnv} is not set`);
  return {
    rate,
    timeoutMs: timeout * 1000,
    retries,
    ...(login === undefined || password === undefined ? {} : { credentials: { login, password } }),
    ...more,
  };
}

/**
 * Reports the progress of long work on stderr: one line that is updated in place on a terminal, a line every five seconds elsewhere, also while
 * nothing moves, and nothing for short work.
 */
export interface Progress {
  /** @param total the total, if known */
  at(what: string, done: number, total?: number): void;
  /** Erases the line: before other output, and at the end. */
  clear(): void;
  /** Prints a message to stderr, unless nothing is reported. */
  notify: (line: string) => void;
}

const SILENT: Progress = { at: () => undefined, clear: () => undefined, notify: () => undefined };

/** Minimum interval between lines, in ms. */
const INTERVAL = { terminal: 100, plain: 5_000 };

const count = (n: number): string => n.toLocaleString('en-US');

/** `Reading: 12,000 of 100,000 (12%)`; for work that does not tell how much is done, `Loading, 10 s so far`. */
function progressLine(what: string, done: number, total = 0, seconds = 0): string {
  if (done === 0 && total === 0) return `${what}, ${seconds} s so far`;
  return total <= 0
    ? `${what}: ${count(done)}`
    : `${what}: ${count(done)} of ${count(total)} (${Math.floor((Math.min(done, total) / total) * 100)}%)`;
}

const SYSTEM = { performance, setInterval, clearInterval };

interface ProgressOptions {
  /** Reports nothing, for `--json`. */
  quiet?: boolean;
  stream?: NodeJS.WriteStream;
  /** The clock, for tests. */
  clock?: typeof SYSTEM;
}

export function startProgress({ quiet = false, stream = process.stderr, clock = SYSTEM }: ProgressOptions = {}): Progress {
  if (quiet) return SILENT;
  const isTerminal = stream.isTTY;
  const interval = isTerminal ? INTERVAL.terminal : INTERVAL.plain;
  // On a pipe, the first line appears only after the interval.
  let last = isTerminal ? -Infinity : clock.performance.now();
  let shown = false;
  let current = { what: '', since: 0, done: 0, total: undefined as number | undefined };
  let waiting: NodeJS.Timeout | undefined;
  const write = (): void => {
    last = clock.performance.now();
    const line = progressLine(current.what, current.done, current.total, Math.round((last - current.since) / 1000));
    // The escape sequence erases the rest of a longer previous line.
    stream.write(isTerminal ? `\r${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}\x1b[K` : `${line}\n`);
    shown = isTerminal;
  };
  const clear = (): void => {
    clock.clearInterval(waiting);
    waiting = undefined;
    if (shown) stream.write('\r\x1b[K');
    shown = false;
  };
  return {
    clear,
    at(what, done, total) {
      current = { what, since: what === current.what ? current.since : clock.performance.now(), done, total };
      waiting ??= clock.setInterval(() => clock.performance.now() - last >= interval && write(), Math.max(interval, 1_000)).unref();
      if (clock.performance.now() - last >= interval) write();
    },
    notify(line) {
      clear();
      stream.write(`${line}\n`);
    },
  };
}

/** Exit code of a command that was interrupted. */
const INTERRUPTED = 130;

/**
 * Runs work that Ctrl-C and SIGTERM can interrupt. The first signal aborts it, which leaves the site unchanged. A second one ends the
 * process at once; the next start then recovers the data folder.
 * @param work registers what closes at its end, in any case; `progress` is cleared then
 */
export async function interruptible<T>(work: (signal: AbortSignal, cleanup: Cleanup) => Promise<T>, progress?: Progress): Promise<T> {
  const cleanup = new Cleanup();
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal, cleanup);
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    await cleanup.run();
    process.stderr.write('Interrupted: nothing was changed.\n');
    return process.exit(INTERRUPTED);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    progress?.clear();
    await cleanup.run();
  }
}

/** The help of a command: its texts in help.json, and sections that are made of tables. */
export function helpOf(name: keyof typeof HELP, ...sections: readonly string[]): string {
  const { usage, about, examples } = HELP[name];
  const listed = examples.length < 2 ? `Example: ${examples.join('')}` : ['Examples:', ...examples].join('\n  ');
  return [`Usage: ${usage.join('\n       ')}`, ...about, ...sections, listed].join('\n\n');
}

export const section = (title: string, options: Parameters<typeof optionHelp>[0]): string => `${title}:\n${optionHelp(options)}`;
