import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { lookup } from '../../../base/values/records.js';
import { validityOf } from '../../../server/app/tls.js';
import type { ServerOptions } from '../../../server/config/index.js';
import { diskError, existingFolder } from '../../../base/system/disk.js';
import { readServerFile, type ServerFile } from '../../../control/tenant/api/server-file.js';
import { strayFolders, listIn } from '../../../database/engine/ephemeral-folder.js';
import { OwnerFile } from '../../../database/engine/owner.js';
import { realTime } from '../../../wordpress/clock.js';
import { findingsOf, many, type Finding } from '../../../transfer/inspect.js';
import { messageOf } from '../../../base/values/errors.js';

/** Checks of what the options name: the data folder, its disk, the port, the certificate. */

const MB = 1024 * 1024;
/** MongoDB requires this much to build an index. */
const INDEX_SPACE = 500 * MB;

function inspectDisk(folder: string): Finding {
  const check = findingsOf('disk');
  const where = existingFolder(folder);
  const full = diskError(where);
  if (full) return check.problem(full.message, 'Free some space, or use a folder on another disk with --data');
  const { bavail, bsize } = statfsSync(where);
  const free = bavail * bsize;
  const shown = free < 1024 * MB ? `${Math.floor(free / MB)} MB` : `${(free / MB / 1024).toFixed(1)} GB`;
  if (free >= INDEX_SPACE) return check.ok(`${shown} free on the disk of ${where}.`);
  return check.warning(
    `Only ${shown} free on the disk of ${where}. MongoDB needs 500 MB to build indexes.`,
    'Free some space, or use a folder on another disk with --data',
  );
}

const nameOf = (uid: number): string => {
  try {
    return os.userInfo().uid === uid ? os.userInfo().username : String(uid);
  } catch {
    return String(uid);
  }
};

function inspectAccess(folder: string): Finding {
  const check = findingsOf('data folder');
  const where = existingFolder(folder);
  if (!statSync(where).isDirectory()) return check.problem(`${where} is not a folder.`, 'Use another folder with --data');
  try {
    accessSync(where, constants.W_OK);
  } catch {
    const { uid } = statSync(where);
    const me = process.getuid?.();
    const who = me === undefined ? '' : ` It belongs to user ${nameOf(uid)}; this process runs as user ${nameOf(me)}.`;
    return check.problem(`${where} is not writable.${who}`, 'Change its owner or permissions, or use another folder with --data');
  }
  if (!existsSync(path.join(folder, 'db'))) return check.ok(`There is no site in ${folder} yet. The first start creates it.`);
  const { uid } = statSync(path.join(folder, 'db'));
  const me = process.getuid?.();
  if (me === undefined || me === 0 || uid === me) return check.ok(`The site is in ${folder}.`);
  return check.warning(
    `The database in ${folder} belongs to user ${nameOf(uid)}; this process runs as user ${nameOf(me)}.`,
    'Run commands as the user that runs the server',
  );
}

/** Who has the database open. */
function inspectOwner(folder: string, server: ServerFile | null): Finding[] {
  const check = findingsOf('owner');
  if (server)
    return [
      check.ok(`A server runs on it: ${server.url}, process ${server.pid}${server.host === os.hostname() ? '' : ` on ${server.host}`}.`),
    ];
  return ['embedded', 'mongod'].flatMap((engine): Finding | [] => {
    const owner = new OwnerFile(path.join(folder, 'db', `${engine}-owner.json`));
    if (owner.read() === undefined) return [];
    if (owner.isOrphaned())
      return check.warning(
        `The process that used the database was killed (process ${owner.read()?.pid}).`,
        'The next start recovers what it left',
      );
    return check.warning(
      `The database is in use by ${owner.describe()}, but no server announces itself in the folder.`,
      'Wait until it ends, or stop it',
    );
  });
}

/** Files that a killed process leaves behind and nothing deletes. */
function strayFiles(folder: string): string[] {
  const isStray = (name: string): boolean => /^incoming-.*\.ndjson$/.test(name) || /^server\.json\.\d+$/.test(name);
  return listIn(folder)
    .filter(isStray)
    .map((name) => path.join(folder, name));
}

function inspectLeftovers(folder: string, server: ServerFile | null): Finding[] {
  const check = findingsOf('leftovers');
  const findings: Finding[] = [];
  const files = server ? [] : strayFiles(folder);
  if (files.length > 0)
    findings.push(check.warning(`A killed process left ${many(files.length, 'file')}: ${files.join(', ')}.`, 'Delete them'));
  const staged = server ? [] : listIn(path.join(folder, 'snapshots')).filter((name) => name.includes('.load-'));
  if (staged.length > 0)
    findings.push(
      check.warning(
        `${many(staged.length, 'staged folder')} of an interrupted load, restore or backup.`,
        'The next start completes or deletes them',
      ),
    );
  const folders = strayFolders();
  if (folders.length > 0)
    findings.push(
      check.warning(
        `Servers that were killed left ${many(folders.length, 'temporary folder')}: ${folders.slice(0, 3).join(', ')}${folders.length > 3 ? ', …' : ''}.`,
        'Nothing: the next ephemeral server deletes them',
      ),
    );
  if (!server && existsSync(path.join(folder, 'server.json')))
    findings.push(
      check.warning(
        `${path.join(folder, 'server.json')} names a server that was killed.`,
        'Nothing: commands ignore it, and the next start replaces it',
      ),
    );
  return findings.length > 0 ? findings : [check.ok('No files of killed processes.')];
}

export function inspectFolder({ data, mongodbUri, ephemeral }: ServerOptions): Finding[] {
  if (ephemeral) return [findingsOf('data folder').ok('Content is not kept: the configuration is ephemeral.'), inspectDisk(os.tmpdir())];
  const folder = path.resolve(data);
  const server = readServerFile(folder);
  return [
    inspectAccess(folder),
    inspectDisk(folder),
    ...(mongodbUri === undefined || server ? inspectOwner(folder, server) : []),
    ...inspectLeftovers(folder, server),
  ];
}

/** Whether a port can be listened at. @returns the code of the error, or null */
const tryPort = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });

const PORT_ADVICE: Record<string, string> = lookup({
  EADDRINUSE: 'Stop the program that uses it, or set another port with --port',
  EACCES: 'Use a port above 1023 with --port',
  EADDRNOTAVAIL: 'Set an address of this machine with --host',
  ENOTFOUND: 'Set an address of this machine with --host',
});

const PORT_PROBLEM: Record<string, string> = lookup({
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is at no address of this machine',
  ENOTFOUND: 'is at an unknown host',
});

/** The port of a URL, which does not name the usual one. */
const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);

/** @param servers URLs of servers that run */
export async function inspectPort({ host, port }: ServerOptions, servers: readonly string[] = []): Promise<Finding> {
  const check = findingsOf('port');
  const server = servers.find((url) => portOf(new URL(url)) === port);
  if (server !== undefined) return check.ok(`Port ${port} is used by an Understudy server, ${server}.`);
  if (port === 0) return check.ok('Any free port is used.');
  const code = await tryPort(host, port);
  if (code === null) return check.ok(`Port ${port} at ${host} is free.`);
  return check.problem(
    `Port ${port} at ${host} ${PORT_PROBLEM[code] ?? `cannot be used (${code})`}.`,
    PORT_ADVICE[code] ?? 'Set another port with --port',
  );
}

const DAY_MS = 24 * 3600 * 1000;
/** A certificate that ends sooner is worth a warning. */
const LEFT_MS = 30 * DAY_MS;

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The certificate that options name. @param now ms since 1970 UTC */
export function inspectTls(options: ServerOptions, now = realTime()): Finding[] {
  const check = findingsOf('tls');
  const { tls, tlsCert } = options;
  try {
    const validity = validityOf(options);
    if (!validity) return tls ? [check.ok("HTTPS is on, with this user's own certificate.")] : [];
    const { from, to } = validity;
    const what = `The certificate in ${tlsCert}`;
    if (to < now) return [check.problem(`${what} expired on ${dayOf(to)}.`, 'Renew it')];
    if (from > now) return [check.problem(`${what} is not valid before ${dayOf(from)}.`, 'Check the clock of this machine')];
    if (to - now < LEFT_MS) return [check.warning(`${what} expires on ${dayOf(to)}.`, 'Renew it')];
    return [check.ok(`${what} is valid until ${dayOf(to)}, and its key matches.`)];
  } catch (error) {
    return [check.problem(`${messageOf(error)}.`)];
  }
}
