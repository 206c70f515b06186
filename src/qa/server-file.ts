import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../store/engine/owner.js';

/** Where the server of a data folder listens, and the token that opens its test surface to whoever may read the folder. */
export interface ServerFile {
  url: string;
  token: string;
  pid: number;
  host: string;
}

const fileIn = (folder: string): string => path.join(folder, 'server.json');

/**
 * Notes in a data folder where its server listens, for commands that are given the folder. Only its owner may read the note.
 * @param url where it listens, without trailing slash
 * @returns the token, and how to take the note away
 */
export function writeServerFile(folder: string, url: string): { token: string; remove: () => Promise<void> } {
  const token = randomBytes(24).toString('base64url');
  const note: ServerFile = { url, token, pid: process.pid, host: os.hostname() };
  const draft = `${fileIn(folder)}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(draft, fileIn(folder));
  const remove = (): Promise<void> => {
    if (readNote(folder)?.token === token) rmSync(fileIn(folder), { force: true });
    return Promise.resolve();
  };
  return { token, remove };
}

function readNote(folder: string): ServerFile | null {
  try {
    const note = JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Partial<ServerFile>;
    const isWhole = typeof note.url === 'string' && typeof note.token === 'string' && typeof note.pid === 'number';
    return isWhole ? (note as ServerFile) : null;
  } catch {
    return null;
  }
}

/** The server that runs on a data folder; null when there is none, or only the note of one that was killed. */
export function readServerFile(folder: string): ServerFile | null {
  const note = readNote(folder);
  return note && note.host === os.hostname() && !isAlive(note.pid) ? null : note;
}
