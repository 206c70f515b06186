import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Cleanup } from '../../../server/app/cleanup.js';
import { openStoreFor } from '../../../server/app/open.js';
import { openEngine } from '../../../server/app/start.js';
import type { Manifest } from '../../../transfer/backup/format.js';
import { readBackup } from '../../../transfer/backup/read.js';
import { restoreBackup } from '../../../transfer/backup/restore.js';
import { recoverWork } from '../../../transfer/load/commit.js';
import { placeIn } from '../../../transfer/load/mirror.js';
import { logTo } from '../../../base/system/log.js';
import { readServerFile } from '../../../control/tenant/api/server-file.js';
import { STORE_OPTIONS } from '../../../server/config/index.js';
import { CommandError, FILE_OPERAND, print, interruptible, startProgress, type Command, type Progress, helpOf } from '../command.js';
import { contentHelp, JSON_OPTION, readCall, type ContentCall } from '../content.js';
import { describeBackup, forceOption, oneOperand } from './files.js';
import { closeFolders, PRIVATE } from '../../../base/system/private-folder.js';

const OPTIONS = [forceOption('Replace the site that is there'), JSON_OPTION];

/** @throws CommandError if a server runs on the data folder, since its caches would become stale */
function requireStopped(folder: string): void {
  const server = readServerFile(folder);
  if (server) throw new CommandError(`A server runs on ${folder} (${server.url}, process ${server.pid}). Stop it, then restore`);
}

async function restoreInto(
  call: Pick<ContentCall, 'given' | 'options'>,
  file: string,
  manifest: Manifest,
  signal: AbortSignal,
  progress: Progress,
  cleanup: Cleanup,
): Promise<void> {
  const { given, options } = call;
  const folder = path.resolve(options.data);
  const where = options.mongodbUri === undefined ? folder : 'The database';
  await mkdir(folder, PRIVATE);
  closeFolders(folder);
  const log = logTo(process.stderr, 'warn');
  const store = await openStoreFor(openEngine(options, folder, { log, cleanup }), cleanup);
  const place = placeIn(folder);
  for (const line of await recoverWork(store, place)) log.warn(line);
  if (!given.force && !(await store.isEmpty()))
    throw new CommandError(`${where} contains a site. Replace it with --force, or use another folder with --data`);
  await restoreBackup(store, place, file, manifest, { signal, onProgress: (_, done) => progress.at('Restoring', done) });
}

/** Restores a backup into the data folder of a call. @param onState called with what tests control, as JSON, if the backup has it */
export async function restoreFile(
  call: Pick<ContentCall, 'given' | 'options'>,
  file: string,
  progress: Progress,
  onState?: (json: string) => void,
): Promise<Manifest> {
  return interruptible(async (signal, cleanup) => {
    const manifest = await readBackup(file, {
      signal,
      onProgress: (_, done) => progress.at('Verifying', done),
      ...(onState ? { visitor: { state: onState } } : {}),
    });
    await restoreInto(call, file, manifest, signal, progress, cleanup);
    return manifest;
  }, progress);
}

export const restore: Command = {
  help: () =>
    helpOf(
      'restore',
      contentHelp(OPTIONS),
      'Exit codes: 0 the site is restored, 1 failed and nothing was changed, 2 usage error, 130 interrupted.',
    ),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readCall(args, OPTIONS);
    const file = oneOperand(call.operands, 'understudy restore FILE [options]');
    const folder = path.resolve(call.options.data);
    if (call.options.ephemeral && call.options.mongodbUri === undefined)
      throw new CommandError('The configuration is ephemeral: no server would serve what is restored. Name a folder with --data');
    if (call.options.mongodbUri === undefined) requireStopped(folder);
    const progress = startProgress({ quiet: call.given.json === true });
    const started = performance.now();
    const manifest = await restoreFile(call, file, progress);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const { counts, snapshots, url, version, created } = manifest;
    if (call.given.json) return print(JSON.stringify({ file, counts, snapshots, url, version, created, seconds }));
    const where = call.options.mongodbUri === undefined ? folder : 'The database';
    print(`${where} now holds ${describeBackup(manifest)}, as of ${created} (${seconds} s).`);
  },
};
