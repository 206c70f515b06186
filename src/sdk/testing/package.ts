import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The path of this package's cli.js, for the ESM and the CommonJS build, and for the bundle of the command beside it. */
export async function findCli(): Promise<string> {
  const { default: here } = await import('./root.cjs');
  const found = [path.join(here, 'cli.js'), path.join(here, '../../cli.js'), path.join(here, '../../../cli.js')].find((file) =>
    existsSync(file),
  );
  if (found === undefined) throw new Error(`The package is incomplete: no cli.js above ${here}. Reinstall it.`);
  return found;
}

export const packageFolder = async (): Promise<string> => path.dirname(path.dirname(await findCli()));

export async function ownVersion(): Promise<string> {
  const { default: here } = await import('./root.cjs');
  // The CommonJS build is one folder deeper, below a package.json without a version.
  for (const up of ['../../..', '../../../..']) {
    const file = path.join(here, up, 'package.json');
    const { version } = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }) : {};
    if (version !== undefined) return version;
  }
  throw new Error(`The package is incomplete: no package.json above ${here}. Reinstall it.`);
}
