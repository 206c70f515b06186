import { rmSync } from 'node:fs';

/** Ends the database of the run, and deletes its data and the tests' temporary files. */
export default async function globalTeardown() {
  const { engine, folders } = globalThis.understudyTestRun;
  await engine.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
