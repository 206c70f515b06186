import path from 'node:path';
import { ConfigError, STORE_OPTIONS, type ServerOptions } from '../../../server/config/index.js';
import { readServerFile } from '../../../control/tenant/api/server-file.js';
import { table } from '../../../control/tenant/api/user-actions.js';
import { print, type Command, helpOf } from '../command.js';
import { contentHelp, JSON_OPTION, readCall } from '../content.js';
import { isOfProject, runningServers } from './server-api.js';

const OPTIONS = [JSON_OPTION];

/** A server as the command lists it. What is unknown of one that a program started is null. */
interface ListedServer {
  url: string;
  pid: number;
  /** Whether commands in this folder ask it. */
  project: boolean;
  /** File or name of the dataset that its store was filled with. */
  dataset: string | null;
  /** Data folder; null: the store is deleted when the server stops. */
  data: string | null;
  /** ISO 8601. */
  since: string | null;
  version: string | null;
}

/**
 * The servers of this user, and the one on the data folder, which may belong to a program or to another user. Ephemeral ones of other projects
 * are left out: they belong to tests.
 */
function listServers(options: ServerOptions, isFolderGiven: boolean | undefined): ListedServer[] {
  const announced = runningServers().map((server): ListedServer => ({
    url: server.url,
    pid: server.pid,
    project: isOfProject(server, options, isFolderGiven),
    dataset: server.dataset,
    data: server.ephemeral ? null : server.data,
    since: new Date(server.since).toISOString(),
    version: server.version,
  }));
  const listed = announced.filter(({ project, data }) => project || data !== null);
  const data = path.resolve(options.data);
  const file = readServerFile(data);
  if (!file || listed.some(({ url }) => url === file.url)) return listed;
  return [...listed, { url: file.url, pid: file.pid, project: true, dataset: null, data, since: null, version: null }];
}

/** A path as a user in this folder would write it. */
const shortened = (file: string): string => {
  const relative = path.relative(process.cwd(), file);
  return path.isAbsolute(file) && !relative.startsWith('..') ? relative || '.' : file;
};

const rowOf = ({ url, pid, project, dataset, data, since, version }: ListedServer): string[] => [
  project ? '*' : '',
  url,
  dataset === null ? '?' : shortened(dataset),
  data === null ? 'ephemeral' : shortened(data),
  since === null ? '?' : `${since.slice(0, 16).replace('T', ' ')}Z`,
  version ?? '?',
  String(pid),
];

export const status: Command = {
  help: () => helpOf('status', contentHelp(OPTIONS)),
  options: [...OPTIONS, ...STORE_OPTIONS],
  run: async (args) => {
    const { given, operands, options } = await readCall(args, OPTIONS);
    if (operands.length > 0) throw new ConfigError(`Unexpected argument ${operands[0]}. Usage: understudy status [options]`);
    const servers = listServers(options, given.isFolderGiven);
    if (given.json) return print(JSON.stringify(servers, null, 2));
    if (servers.length === 0) return print('No server runs for this project.');
    print(table([['', 'URL', 'DATASET', 'DATA', 'SINCE', 'VERSION', 'PID'], ...servers.map(rowOf)]));
  },
};
