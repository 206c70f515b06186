import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from '../../../database/engine/owner.js';
import { readJson } from '../../../base/system/files.js';

/** A file in a data folder with the URL of its running server, and a token for its test API. */
export interface ServerFile {
  url: string;
  token: string;
  pid: number;
  host: string;
}

const fileIn = (folder: string): string => path.join(folder, 'server.json');

/**
 * Writes the file, so that commands on the data folder can find its server. Only the owner may read it.
 * @param url URL of the server, without trailing slash
 * @returns the token, and a function that removes the file
 */
export function writeServerFile(folder: string, url: string): { token: string; remove: () => Promise<void> } {
  const token = randomBytes(24).toString('base64url');
  const content: ServerFile = { url, token, pid: process.pid, host: os.hostname() };
  const draft = `${fileIn(folder)}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, fileIn(folder));
  const remove = (): Promise<void> => {
    if (parseFile(folder)?.token === token) rmSync(fileIn(folder), { force: true });
    return Promise.resolve();
  };
  return { token, remove };
}

function parseFile(folder: string): ServerFile | null {
  try {
    const content = readJson<Partial<ServerFile>>(fileIn(folder));
    const isComplete = typeof content.url === 'string' && typeof content.token === 'string' && typeof content.pid === 'number';
    return isComplete ? (content as ServerFile) : null;
  } catch {
    return null;
  }
}

/** The running server of a data folder; null if there is none, or only the stale file of a server that was killed. */
export function readServerFile(folder: string): ServerFile | null {
  const file = parseFile(folder);
  return file && file.host === os.hostname() && !isAlive(file.pid) ? null : file;
}
