import { lstatSync, mkdtempSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { isAlive } from './owner.js';

const PREFIX = 'wp-understudy-';
const OURS = /^wp-understudy-(\d+)-\w{6}$/;
const SOCKET = 'db.sock';
/** The path of a socket, with a terminating zero, may have 108 bytes on Linux and 104 on macOS. */
const MAX_PATH = 103;
/** A start should not wait for the disk. */
const SWEEP_AFTER_MS = 1_000;
/** Characters that `mkdtemp` appends. */
const RANDOM_SUFFIX = 6;

const isListening = (socket: string): Promise<boolean> =>
  new Promise((resolve) => {
    const connection = net.connect(socket);
    connection.once('connect', () => resolve(true)).once('error', () => resolve(false));
    connection.once('connect', () => connection.destroy());
  });

/** Removes the socket and its folder. Does nothing if they are gone. */
export const removeSocketFolder = (socket: string): void => {
  rmSync(socket, { force: true });
  try {
    rmdirSync(path.dirname(socket));
  } catch {
    // The folder is gone already, or contains other files.
  }
};

const isLeftover = async (base: string, name: string): Promise<boolean> => {
  const pid = Number(OURS.exec(name)?.[1]);
  const stat = lstatSync(path.join(base, name), { throwIfNoEntry: false });
  if (!stat?.isDirectory() || stat.uid !== process.getuid?.() || isAlive(pid)) return false;
  // The process may run in another container, where its id is not visible from here.
  return !(await isListening(path.join(base, name, SOCKET)));
};

/**
 * Removes the socket folders of processes that were killed: only this user's, and only if the process is gone and nothing listens.
 * @param base the temporary folder
 */
export const sweepSocketFolders = async (base: string): Promise<void> => {
  for (const name of readdirSync(base).filter((entry) => OURS.test(entry))) {
    if (await isLeftover(base, name)) removeSocketFolder(path.join(base, name, SOCKET));
  }
};

/**
 * Creates a folder for a socket that only this user can access, and removes the folders of killed processes in the background: the database
 * starts without waiting for that.
 * @returns the path of the socket
 */
export const makeSocketFolder = (): string => {
  const name = `${PREFIX}${process.pid}-`;
  const length = Buffer.byteLength(path.join(os.tmpdir(), name, SOCKET)) + RANDOM_SUFFIX;
  const base = length <= MAX_PATH ? os.tmpdir() : '/tmp';
  const socket = path.join(mkdtempSync(path.join(base, name)), SOCKET);
  // Later, since a temporary folder may have thousands of entries. The next start removes folders that cannot be removed now.
  setTimeout(() => void sweepSocketFolders(base).catch(() => undefined), SWEEP_AFTER_MS).unref();
  return socket;
};
