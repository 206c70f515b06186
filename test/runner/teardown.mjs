import { rmSync } from 'node:fs';

/** Ends the database of the run and removes its data. */
export default async function globalTeardown() {
  const { engine, directory } = globalThis.understudyTestRun;
  await engine.close();
  rmSync(directory, { recursive: true, force: true });
}
