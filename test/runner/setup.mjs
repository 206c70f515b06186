import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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

const sweepKilledRuns = () => {
  for (const name of readdirSync(os.tmpdir())) {
    const pid = /^understudy-test-(\d+)-\w{6}$/.exec(name)?.[1];
    if (!pid || isRunning(Number(pid))) continue;
    try {
      rmSync(path.join(os.tmpdir(), name), { recursive: true });
    } catch {
      // Another user's, or another run was quicker.
    }
  }
};

/** Builds what is out of date and starts one database for all test files, unless MONGODB_URI names one. */
export default async function globalSetup() {
  await build();
  sweepKilledRuns();
  const { startEngine } = await import('../../dist/store/engine/index.js');
  const directory = mkdtempSync(path.join(os.tmpdir(), `understudy-test-${process.pid}-`));
  const engine = await startEngine({
    uri: process.env.MONGODB_URI,
    directory,
    // Whatever fails now has failed because of that.
    onCrash: ({ reason }) => console.error(`The database of the tests stopped: ${reason}.`),
  });
  globalThis.understudyTestRun = { engine, directory };
  process.env.UNDERSTUDY_TEST_MONGODB_URI = engine.uri;
}
