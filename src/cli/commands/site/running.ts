import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Server } from '../../../server/app/server.js';
import { configFileOf, type ServerOptions } from '../../../server/config/index.js';
import { isAlive } from '../../../database/engine/owner.js';
import { readServerFile, type ServerFile } from '../../../control/tenant/api/server-file.js';
import { packageVersion } from '../../../base/system/package-version.js';
import { userFolder } from '../../../base/system/user-folder.js';
import { realTime } from '../../../wordpress/clock.js';
import { CommandError } from '../command.js';
import { readJson } from '../../../base/system/files.js';

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
  /** When it started, ms since 1970 UTC. */
  since: number;
  /** Whether its store is deleted when it stops. */
  ephemeral: boolean;
  /** What its store was filled with. */
  dataset: string;
  /** Version of this package. */
  version: string;
}

/** Where a command looks for a site. */
export interface SiteAddress {
  /** URL of a running server. */
  url?: string | undefined;
  /** Token of that server. */
  token?: string | undefined;
  /** Whether the command line names the data folder, which excludes servers on other folders. */
  isFolderGiven?: boolean | undefined;
}

/** How to reach the test API of a server. */
export type Reachable = Pick<ServerFile, 'url'> & Partial<Pick<ServerFile, 'token'>>;

const notesFolder = (): string => path.join(userFolder(), 'servers');

const projectOf = (options: ServerOptions): Pick<RunningServer, 'data' | 'config'> => ({
  data: path.resolve(options.data),
  config: configFileOf(options),
});

/**
 * Writes a note by which the commands of a project find its server. It is removed when the process ends; the note of a killed process is
 * ignored.
 */
export function announceServer(server: Server, options: ServerOptions): void {
  const { pid } = process;
  const store = path.dirname(server.site.uploads);
  const { ephemeral } = options;
  const dataset = typeof options.dataset === 'string' ? options.dataset : 'object';
  const about = { ephemeral, dataset, version: packageVersion() };
  const note: RunningServer = { pid, url: server.localUrl, store, ...projectOf(options), since: realTime(), ...about };
  try {
    const folder = notesFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${pid}.json`);
    writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
    process.once('exit', () => rmSync(file, { force: true }));
  } catch {
    // Without a folder for notes, commands find the server by its data folder or URL.
  }
}

function readNote(file: string): RunningServer | null {
  try {
    return readJson<RunningServer>(file);
  } catch {
    return null;
  }
}

/** The servers that run, oldest first. Removes the notes of killed ones. */
export function runningServers(): RunningServer[] {
  let names: string[];
  try {
    names = readdirSync(notesFolder()).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
  const found = names.flatMap((name): RunningServer[] => {
    const file = path.join(notesFolder(), name);
    const note = isAlive(Number.parseInt(name, 10)) ? readNote(file) : null;
    if (note === null) rmSync(file, { force: true });
    return note === null ? [] : [note];
  });
  return found.sort((a, b) => a.since - b.since);
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
 * The running server for a command: the one at a URL, otherwise the one on the data folder or with the same configuration file; null if
 * there is none.
 * @throws CommandError if several run
 */
export function serverFor(options: ServerOptions, { url, token, isFolderGiven = false }: SiteAddress): Reachable | null {
  if (url !== undefined) return atUrl(url.replace(/\/+$/, ''), token);
  const meant = runningServers().filter((server) => isOfProject(server, options, isFolderGiven));
  const stores = new Set([path.resolve(options.data), ...meant.map(({ store }) => store)]);
  const servers = [...stores].flatMap((store) => readServerFile(store) ?? []);
  if (servers.length <= 1) return servers[0] ?? null;
  const list = servers.map((server) => `\n  ${server.url} (process ${server.pid})`).join('');
  throw new CommandError(`${servers.length} servers run here. Choose one with --url:${list}`);
}
