import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DatasetError } from '../../../transfer/source.js';
import type { UserActionName, UserCall } from '../../../control/tenant/api/user-actions.js';
import { CommandError } from '../command.js';
import { codeOf } from '../../../base/values/errors.js';
import { chunksOf } from '../../../base/system/streams.js';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../../server/app/server.js';
import { configFileOf, type ServerOptions } from '../../../server/config/index.js';
import { readServerFile, type ServerFile } from '../../../control/tenant/api/server-file.js';
import { findInside } from '../../../base/system/inside.js';
import { datasetFile, INCLUDED_DATASETS } from '../../../base/system/included-datasets.js';
import { packageRoot, packageVersion } from '../../../base/system/package-version.js';
import { realTime } from '../../../wordpress/clock.js';
import { readNotes, writeNote } from './notes.js';

/** A server that was started by a command of this user. */
interface RunningServer {
  pid: number;
  url: string;
  /** Folder of its store, which has its `server.json`. */
  store: string;
  /** Data folder of its options. An ephemeral server has its store elsewhere. */
  data: string;
  /** Its configuration file, if there is one. */
  config?: string | undefined;
  /** Its working directory. */
  cwd: string;
  /** When it started, ms since 1970 UTC. */
  since: number;
  /** Whether its store is deleted when it stops. */
  ephemeral: boolean;
  /** File or name of the dataset that filled its store. */
  dataset: string;
  version: string;
}

/** The real path of a dataset file of this project, which may be saved to; undefined: it is elsewhere, or of this package. */
export async function projectFile(name: string): Promise<string | undefined> {
  const file = await findInside(process.cwd(), path.relative(process.cwd(), name)).catch(() => null);
  return file === null || INCLUDED_DATASETS.some((each) => datasetFile(each, packageRoot) === file) ? undefined : file;
}

/** Where a command looks for a site. */
export interface SiteAddress {
  url?: string | undefined;
  token?: string | undefined;
  /** Whether the command line names the data folder, which excludes servers on other folders. */
  isFolderGiven?: boolean | undefined;
}

/** How to reach the test API of a server. */
export type Reachable = Pick<ServerFile, 'url'> & Partial<Pick<ServerFile, 'token'>>;

const projectOf = (options: ServerOptions): Pick<RunningServer, 'data' | 'config'> => ({
  data: path.resolve(options.data),
  config: configFileOf(options),
});

/** Notes that a server of a project starts in this process. */
export const announceStart = (options: ServerOptions): void => writeNote({ isStarting: true, ...projectOf(options) });

/** A dataset of this package by its name, another one by its file. */
const datasetName = ({ dataset }: ServerOptions): string =>
  typeof dataset === 'string'
    ? (INCLUDED_DATASETS.find((name) => datasetFile(name, packageRoot) === dataset) ?? path.resolve(dataset))
    : 'object';

/** Writes a note by which the commands of a project find its server. */
export function announceServer(server: Server, options: ServerOptions): void {
  const store = path.dirname(server.site.uploads);
  const { ephemeral } = options;
  const about = { ephemeral, dataset: datasetName(options), cwd: process.cwd(), version: packageVersion() };
  const note: Omit<RunningServer, 'pid'> = { url: server.localUrl, store, ...projectOf(options), since: realTime(), ...about };
  writeNote(note);
}

interface StartingServer {
  pid: number;
  isStarting: true;
  /** Unknown at first, as is the configuration file. Then the working directory is known. */
  data?: string;
  config?: string;
  cwd?: string;
}

const isStarting = (note: object): note is StartingServer => 'isStarting' in note;

/** The servers that run, oldest first. */
export function runningServers(): RunningServer[] {
  const found = readNotes().filter((note) => !isStarting(note)) as RunningServer[];
  return found.sort((a, b) => a.since - b.since);
}

/** How long a server may take to start, in ms. */
const START_MS = 60_000;
/** How often its note is read meanwhile, in ms. */
const LOOK_MS = 50;

/** Waits until the servers of a project that start have started, or ended. */
async function untilStarted(options: ServerOptions, isFolderGiven: boolean): Promise<void> {
  const { data, config } = projectOf(options);
  const isOwn = (note: StartingServer): boolean =>
    note.cwd === undefined
      ? note.data === data || (!isFolderGiven && config !== undefined && note.config === config)
      : note.cwd === process.cwd();
  const deadline = performance.now() + START_MS;
  for (;;) {
    const starting = readNotes().filter(isStarting).find(isOwn);
    if (!starting) return;
    if (performance.now() > deadline)
      throw new CommandError(
        `The server of this project (process ${starting.pid}) has been starting for a minute. Try again later, or stop it`,
      );
    await sleep(LOOK_MS);
  }
}

/** Whether a server belongs to the project: it has the same data folder or, unless the command line names one, configuration file. */
export const isOfProject = (server: RunningServer, options: ServerOptions, isFolderGiven = false): boolean => {
  const { data, config } = projectOf(options);
  return server.data === data || (!isFolderGiven && config !== undefined && server.config === config);
};

/** How long the server of a data folder may take to respond, in ms. */
const RESPONSE_MS = 2_000;

/**
 * Checks that no server has the data folder of the options open. One that does not respond is not found: its database has a lock.
 * @throws CommandError that names the server
 */
export async function requireNotServed({ data, ephemeral, mongodbUri }: ServerOptions): Promise<void> {
  const server = ephemeral || mongodbUri !== undefined ? null : readServerFile(path.resolve(data));
  if (server === null) return;
  const { url, token } = server;
  // The process that wrote the file may have been killed, and its number given to another.
  const isServed = await fetch(`${url}/__qa/clock`, {
    headers: { 'X-Understudy-Token': token },
    signal: AbortSignal.timeout(RESPONSE_MS),
  }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) throw new CommandError(`This project is already served at ${url} (understudy open); --ephemeral starts another`);
}

/** The server at a URL. The token of one that this user started is known. */
function atUrl(url: string, given: string | undefined): Reachable {
  const own = given === undefined ? runningServers().find((server) => server.url === url) : undefined;
  const token = own ? readServerFile(own.store)?.token : given;
  return { url, ...(token === undefined ? {} : { token }) };
}

/**
 * The server that runs now for a command: the one at a URL, otherwise the one on the data folder or with the same configuration file; null if
 * there is none.
 * @throws CommandError if several run
 */
export function knownServerFor(options: ServerOptions, { url, token, isFolderGiven = false }: SiteAddress): Reachable | null {
  if (url !== undefined) return atUrl(url.replace(/\/+$/, ''), token);
  const meant = runningServers().filter((server) => isOfProject(server, options, isFolderGiven));
  const stores = new Set([path.resolve(options.data), ...meant.map(({ store }) => store)]);
  const servers = [...stores].flatMap((store) => readServerFile(store) ?? []);
  if (servers.length <= 1) return servers[0] ?? null;
  const list = servers.map((server) => `\n  ${server.url} (process ${server.pid})`).join('');
  throw new CommandError(`${servers.length} servers run here. Choose one with --url:${list}`);
}

/**
 * The same, after a server of the project that starts just now, as after `understudy serve & understudy reset`.
 * @throws CommandError if only a server on another data folder was started here: it is probably meant
 */
export async function serverFor(options: ServerOptions, address: SiteAddress): Promise<Reachable | null> {
  const known = knownServerFor(options, address);
  if (known !== null || address.url !== undefined) return known;
  await untilStarted(options, address.isFolderGiven ?? false);
  const started = knownServerFor(options, address);
  const here = runningServers().find(({ cwd, ephemeral }) => cwd === process.cwd() && !ephemeral);
  if (started !== null || address.isFolderGiven || !here) return started;
  const [other, own] = [here.data, path.resolve(options.data)].map((folder) => path.relative(process.cwd(), folder));
  throw new CommandError(`A server in this folder serves ${other}: add --data ${other}, or --data ${own} for the site in ${own}`);
}

/** The same. @throws CommandError if there is none */
export async function requireServer(options: ServerOptions, address: SiteAddress): Promise<Reachable> {
  const server = await serverFor(options, address);
  if (server) return server;
  throw new CommandError('No server runs for this project. Start understudy serve, or name a server with --url');
}

/** Problems with a connection, by the codes of errors. */
const CONNECTION_PROBLEMS: readonly (readonly [codes: RegExp, message: (url: string) => string])[] = [
  [/^(?:EPROTO|ERR_SSL_|ERR_TLS_|HPE_)/, (url) => `${url} does not speak ${url.split(':')[0].toUpperCase()}. Try ${otherProtocol(url)}`],
  [
    /CERT|SELF_SIGNED|ISSUER/,
    (url) => `The certificate of ${url} is not trusted. Name its file in the environment variable NODE_EXTRA_CA_CERTS`,
  ],
  [/./, (url) => `Cannot connect to ${url}. Is the server running? Start one with understudy serve`],
];

const otherProtocol = (url: string): string => (url.startsWith('https:') ? url.replace('https:', 'http:') : url.replace('http:', 'https:'));

interface ErrorResponse {
  code?: string;
  message?: string;
}

export async function readResponseText(response: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The time in a response about the clock, ms since 1970 UTC; NaN if it is none. */
function timeIn(text: string): number {
  try {
    return Date.parse(String((JSON.parse(text) as { now?: unknown } | null)?.now));
  } catch {
    return Number.NaN;
  }
}

/** The test API of a running server, for commands. */
export class ServerApi {
  private met?: Promise<void>;

  constructor(
    readonly url: string,
    readonly token: string | undefined,
  ) {}

  /** Runs an action of `understudy users`. @returns the text to print */
  async users(action: UserActionName, login: string, call: UserCall): Promise<string> {
    const { text } = await this.json<{ text: string }>('POST', '/__qa/users', undefined, { action, login, ...call });
    return text;
  }

  /** The site's clock, ms since 1970 UTC. */
  async now(): Promise<number> {
    const now = await this.send('GET', '/__qa/clock').then(readResponseText).then(timeIn);
    if (Number.isNaN(now)) throw this.stranger();
    return now;
  }

  /** The body of a response, which is JSON. @param route with its query, such as `/__qa/clock` */
  async json<T>(method: string, route: string, signal?: AbortSignal, body?: Readable | object): Promise<T> {
    const text = await readResponseText(await this.ask(method, route, signal, body));
    try {
      return JSON.parse(text) as T;
    } catch {
      throw this.stranger();
    }
  }

  /**
   * Asks first who is there: another server may take everything that is sent, and say that it is done.
   * @param body a stream as it is, an object as JSON
   * @throws CommandError for every error of the server or the connection to it; DatasetError if the content to send is faulty
   */
  async ask(method: string, route: string, signal?: AbortSignal, body?: Readable | object): Promise<http.IncomingMessage> {
    await (this.met ??= this.now().then(() => undefined));
    return this.send(method, route, signal, body);
  }

  private async send(method: string, route: string, signal?: AbortSignal, given?: Readable | object): Promise<http.IncomingMessage> {
    const { request } = this.url.startsWith('https:') ? https : http;
    const body = given === undefined || given instanceof Readable ? given : Readable.from([JSON.stringify(given)]);
    const headers = this.token === undefined ? {} : { 'X-Understudy-Token': this.token };
    // A separate connection: the server may be closing an idle one, and a stream cannot be sent twice.
    const sent = request(`${this.url}${route}`, { method, headers, agent: false, ...(signal ? { signal } : {}) });
    // An error in the content is more useful than the aborted request that follows from it.
    let sendError: unknown;
    const sending = body ? pipeline(body, sent).catch((error: unknown) => (sendError ??= error)) : sent.end();
    try {
      const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
      if ((response.statusCode ?? 500) >= 300) throw await this.errorFrom(response);
      return response;
    } catch (error) {
      await sending;
      if (sendError instanceof DatasetError) throw sendError;
      throw this.describe(error);
    }
  }

  /** Replaces connection errors with a message for the user. */
  private describe(error: unknown): unknown {
    const code = codeOf(error);
    if (code === undefined || code === 'ABORT_ERR') return error;
    const [, message] = CONNECTION_PROBLEMS.find(([codes]) => codes.test(code)) ?? CONNECTION_PROBLEMS[2];
    return new CommandError(`${message(this.url)} (${code})`);
  }

  private stranger(): CommandError {
    return new CommandError(`${this.url} is not an Understudy server, or its test API is off. Check the URL, and --token if it needs one`);
  }

  private async errorFrom(response: http.IncomingMessage): Promise<Error> {
    const text = await readResponseText(response);
    try {
      const { code = '', message = text } = JSON.parse(text) as ErrorResponse;
      if (/^(?:understudy|rest)_/.test(code)) return new CommandError(message);
    } catch {
      // Responses that are not from Understudy.
    }
    return this.stranger();
  }
}
