import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from '../../scripts/build.mjs';

const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const sweepKilledRuns = (folder) => {
  for (const name of readdirSync(folder)) {
    const pid = /^understudy-test-(\d+)-\w{6}$/.exec(name)?.[1];
    if (!pid || isRunning(Number(pid))) continue;
    try {
      rmSync(path.join(folder, name), { recursive: true });
    } catch {
      // It belongs to another user, or another run has deleted it.
    }
  }
};

/** Linux: an in-memory file system. The test database need not be durable, and has tens of thousands of files. */
const IN_MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

const hasRoom = () => {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, os.freemem()) > NEEDED_BYTES;
  } catch {
    return false;
  }
};

/**
 * Certificates of a company take each process that the tests start 0.1 s to read. Only npm asks other machines, and it has an option for
 * them.
 */
function leaveCertificatesToNpm() {
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  if (!file) return;
  process.env.npm_config_cafile ??= file;
  delete process.env.NODE_EXTRA_CA_CERTS;
}

/** Builds what is out of date, and starts one database for all test files unless MONGODB_URI is set. */
export default async function globalSetup() {
  await build();
  leaveCertificatesToNpm();
  const folder = hasRoom() ? IN_MEMORY : os.tmpdir();
  for (const each of new Set([folder, os.tmpdir()])) sweepKilledRuns(each);
  const { startEngine } = await import('../../dist/database/engine/index.js');
  const directory = mkdtempSync(path.join(folder, `understudy-test-${process.pid}-`));
  const engine = await startEngine({
    uri: process.env.MONGODB_URI,
    directory,
    // Explains the failures that follow.
    onCrash: ({ reason }) => console.error(`The database of the tests stopped: ${reason}.`),
  });
  // Servers that the tests start without a database must not share one.
  delete process.env.MONGODB_URI;
  // Temporary files of tests and their processes are deleted with this folder, even if the run is aborted.
  const scratch = mkdtempSync(path.join(os.tmpdir(), `understudy-test-${process.pid}-`));
  process.env.TMPDIR = scratch;
  globalThis.understudyTestRun = { engine, folders: [directory, scratch] };
  process.env.UNDERSTUDY_TEST_MONGODB_URI = engine.uri;
}
