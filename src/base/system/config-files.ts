import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

const NAME = /^understudy\.config\.(?:[cm]?[jt]s|json)$/;

export const configFilesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .map((name) => path.join(folder, name));

/**
 * Finds the configuration files for a folder: those in it, or in the nearest folder above it that has any, up to the root of the package.
 * Outside a package, only the folder itself counts.
 */
export function findConfigFiles(folder: string): string[] {
  let at = path.resolve(folder);
  const isPackage = (each: string): boolean => existsSync(path.join(each, 'package.json'));
  const own = configFilesIn(at);
  if (own.length > 0) return own;
  const passed: string[] = [];
  while (!isPackage(at)) {
    const parent = path.dirname(at);
    // Outside a package, files in parent folders belong to something else.
    if (parent === at) return [];
    at = parent;
    passed.push(at);
  }
  for (const each of passed) {
    const found = configFilesIn(each);
    if (found.length > 0) return found;
  }
  return [];
}
