import { existsSync } from 'node:fs';
import path from 'node:path';

/** The path of this package's cli.js, for both the ESM and the CommonJS build. */
export async function findCli(): Promise<string> {
  const { default: here } = await import('./root.cjs');
  const found = [path.join(here, '../cli.js'), path.join(here, '../../cli.js')].find((file) => existsSync(file));
  if (found === undefined) throw new Error(`The package is incomplete: no cli.js above ${here}. Reinstall it.`);
  return found;
}

/** The folder of this package. */
export const packageFolder = async (): Promise<string> => path.dirname(path.dirname(await findCli()));
