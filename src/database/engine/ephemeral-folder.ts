import { lstatSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isAlive, OwnerFile } from './owner.js';

const PREFIX = 'understudy-';
/** Starts should not wait for the disk, and the database of a killed server takes a few seconds to exit. */
const SWEEP_AFTER_MS = [1_000, 5_000, 30_000];

const OURS = /^understudy-\w{6}$/;

/** The names in a folder; none if it does not exist or cannot be read. */
export function listIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The process whose store it is, which may have no database and no port. */
const ownerIn = (folder: string): string => path.join(folder, 'owner.json');

/** Whether a store was left by killed processes: its owner is known, and not running. */
function isStray(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory() || (process.getuid && stat.uid !== process.getuid())) return false;
  const database = path.join(folder, 'db');
  const names = listIn(database).filter((name) => name.endsWith('-owner.json'));
  const files = [ownerIn(folder), ...names.map((name) => path.join(database, name))];
  const owners = files.map((file) => new OwnerFile(file)).filter((file) => file.read() !== undefined);
  const databases = owners.flatMap((file) => file.read()?.database ?? []);
  return owners.length > 0 && owners.every((file) => file.isOrphaned()) && !databases.some(isAlive);
}

/** Stores of ephemeral servers that were killed. */
export const strayFolders = (): string[] =>
  listIn(os.tmpdir())
    .filter((name) => OURS.test(name))
    .map((name) => path.join(os.tmpdir(), name))
    .filter(isStray);

async function sweep(): Promise<void> {
  for (const folder of strayFolders()) await rm(folder, { recursive: true, force: true });
}

/** Creates the folder of an ephemeral store. Folders of killed servers are removed in the background. */
export async function makeEphemeralFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), PREFIX));
  new OwnerFile(ownerIn(folder)).write(undefined);
  // A later start retries the removal.
  for (const ms of SWEEP_AFTER_MS) setTimeout(() => void sweep().catch(() => undefined), ms).unref();
  return folder;
}
