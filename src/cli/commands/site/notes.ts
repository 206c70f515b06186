import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from '../../../database/engine/owner.js';
import { readJson } from '../../../base/system/files.js';
import { userFolder } from '../../../base/system/user-folder.js';

/*
 * Notes by which commands find servers: a file for each process, in the folder of this user. It is removed when the process ends; the note of
 * a killed process is ignored.
 */

const notesFolder = (): string => path.join(userFolder(), 'servers');

let isNoted = false;

/** Writes the note of this process, or replaces it. */
export function writeNote(note: object): void {
  const { pid } = process;
  try {
    const folder = notesFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${pid}.json`);
    // A command that reads it meanwhile sees the old one or the new one.
    writeFileSync(`${file}.part`, JSON.stringify({ pid, ...note }), { mode: 0o600 });
    renameSync(`${file}.part`, file);
    if (!isNoted) process.once('exit', () => rmSync(file, { force: true }));
    isNoted = true;
  } catch {
    // Without a folder for notes, commands find the server by its data folder or URL.
  }
}

/** Notes that a server starts in this process, whose project is not known yet: commands of the same shell line wait for it. */
export const noteStart = (): void => writeNote({ isStarting: true, cwd: process.cwd() });

function readNote(file: string): object | null {
  try {
    return readJson<object>(file);
  } catch {
    return null;
  }
}

/** The notes of running processes, without the one of this process. Removes the notes of killed ones. */
export function readNotes(): object[] {
  let names: string[];
  try {
    names = readdirSync(notesFolder()).filter((name) => /^\d+\.json$/.test(name) && name !== `${process.pid}.json`);
  } catch {
    return [];
  }
  return names.flatMap((name): object[] => {
    const file = path.join(notesFolder(), name);
    if (!isAlive(Number.parseInt(name, 10))) {
      rmSync(file, { force: true });
      return [];
    }
    const note = readNote(file);
    return note === null ? [] : [note];
  });
}
