import { createWriteStream, existsSync, statSync, type WriteStream } from 'node:fs';
import { open, rename, rm, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Cleanup } from '../../../server/app/cleanup.js';
import { ConfigError, STORE_OPTIONS } from '../../../server/config/index.js';
import type { Manifest } from '../../../transfer/backup/format.js';
import { readBackup } from '../../../transfer/backup/read.js';
import { writeBackup, siteAtRest, takeSite } from '../../../transfer/backup/write.js';
import { recoverWork } from '../../../transfer/load/commit.js';
import { placeIn } from '../../../transfer/load/mirror.js';
import { FILE_OPERAND, openSite, print, interruptible, startProgress, type Command, type Progress, helpOf } from '../command.js';
import { contentHelp, JSON_OPTION, PLACE_OPTIONS, readCall, type ContentCall } from '../content.js';
import { ServerApi, serverFor } from '../site/server-api.js';
import { describeBackup, forceOption, oneOperand, sizeText } from './files.js';

const OPTIONS = [forceOption('Replace FILE if it exists'), ...PLACE_OPTIONS, JSON_OPTION];

/** A backup has password hashes: only its owner may read it. */
const createDraft = (draft: string): WriteStream => createWriteStream(draft, { mode: 0o600 });

/** Writes a backup of the site in the data folder, which no server has open, or of that in a MongoDB. */
async function writeStored(call: ContentCall, draft: string, signal: AbortSignal, progress: Progress, cleanup: Cleanup): Promise<void> {
  const store = await openSite(call.options, cleanup);
  const place = placeIn(path.resolve(call.options.data));
  for (const line of await recoverWork(store, place)) process.stderr.write(`${line}\n`);
  const options = { signal, onProgress: progress.at.bind(progress) };
  if (store.isInFolder) {
    await writeBackup(await siteAtRest(store, place), createDraft(draft), options);
    return;
  }
  const taken = await takeSite(store, place, (work) => work());
  try {
    await writeBackup(taken, createDraft(draft), options);
  } finally {
    await taken.release();
  }
}

async function writeServed(api: ServerApi, draft: string, signal: AbortSignal, progress: Progress): Promise<void> {
  const response = await api.ask('POST', '/__qa/backup', signal);
  let bytes = 0;
  response.on('data', (chunk: Buffer) => progress.at('Receiving, KB', Math.round((bytes += chunk.length) / 1024)));
  await pipeline(response, createDraft(draft), { signal });
}

/** Waits until a file is on the disk. */
async function sync(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Writes a draft, reads it back, and renames it. */
async function makeBackup(call: ContentCall, file: string, progress: Progress): Promise<{ manifest: Manifest; bytes: number }> {
  const draft = `${file}.${process.pid}.part`;
  return interruptible(async (signal, cleanup) => {
    cleanup.add(() => rm(draft, { force: true }));
    await mkdir(path.dirname(path.resolve(file)), { recursive: true });
    const server = await serverFor(call.options, call.given);
    await (server
      ? writeServed(new ServerApi(server.url, server.token), draft, signal, progress)
      : writeStored(call, draft, signal, progress, cleanup));
    const bytes = await sync(draft);
    const manifest = await readBackup(draft, { signal, onProgress: (_, done) => progress.at('Verifying', done) });
    requireFree(file, call.given.force);
    await rename(draft, file);
    return { manifest, bytes };
  }, progress);
}

/** @throws ConfigError if a file exists and may not be replaced, or is a folder */
function requireFree(file: string, isForced: boolean | undefined): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`${file} is a folder. Name a file in it, such as ${path.join(file, 'site.tar.gz')}`);
  if (!isForced && existsSync(file)) throw new ConfigError(`${file} already exists. Replace it with --force`);
}

export const backup: Command = {
  help: () =>
    helpOf('backup', contentHelp(OPTIONS), 'Exit codes: 0 the backup is written and verified, 1 failed, 2 usage error, 130 interrupted.'),
  options: [...OPTIONS, ...STORE_OPTIONS],
  operand: FILE_OPERAND,
  run: async (args) => {
    const call = await readCall(args, OPTIONS);
    const file = oneOperand(call.operands, 'understudy backup FILE [options]');
    requireFree(file, call.given.force);
    const progress = startProgress({ quiet: call.given.json === true });
    const started = performance.now();
    const { manifest, bytes } = await makeBackup(call, file, progress);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    const { counts, version, created, format, url } = manifest;
    if (call.given.json)
      return print(JSON.stringify({ file, bytes, counts, snapshots: manifest.snapshots, url, version, format, created, seconds }));
    print(`Wrote ${describeBackup(manifest)} to ${file} (${sizeText(bytes)}, ${seconds} s). The file was read back and is complete.`);
  },
};
