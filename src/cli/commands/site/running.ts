import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../../server/app/server.js';
import { configFileOf, type ServerOptions } from '../../../server/config/index.js';
import { readServerFile, type ServerFile } from '../../../control/tenant/api/server-file.js';
import { datasetFile, INCLUDED_DATASETS } from '../../../base/system/included-datasets.js';
import { packageRoot, packageVersion } from '../../../base/system/package-version.js';
import { realTime } from '../../../wordpress/clock.js';
import { CommandError } from '../command.js';
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
