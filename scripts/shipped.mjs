// A project in which all that users get is a dependency: npm takes the packages of the bundle, which are devDependencies, for none of the
// product. `npm audit` and `npm sbom` are run there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledNames, packagesOf, readLock } from './licenses.mjs';

const MANIFEST = fileURLToPath(new URL('../package.json', import.meta.url));

/** Writes it, without packages, to a folder that is deleted when this process ends. @returns the folder */
export function writeShippedProject() {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'understudy-shipped-'));
  process.once('exit', () => rmSync(parent, { recursive: true }));
  // A bill of materials is named after the folder.
  const folder = path.join(parent, 'wp-understudy');
  mkdirSync(folder);
  const lock = readLock();
  const bundled = bundledNames(lock);
  const moved = ({ dependencies, devDependencies, ...others }) => ({
    ...others,
    dependencies: { ...dependencies, ...Object.fromEntries(bundled.map((name) => [name, devDependencies[name]])) },
    devDependencies: Object.fromEntries(Object.entries(devDependencies).filter(([name]) => !bundled.includes(name))),
  });
  for (const { place, use } of packagesOf(lock)) if (use === 'bundled') delete lock.packages[place].dev;
  const write = (name, content) => writeFileSync(path.join(folder, name), JSON.stringify(content));
  write('package.json', moved(JSON.parse(readFileSync(MANIFEST, 'utf8'))));
  write('package-lock.json', { ...lock, packages: { ...lock.packages, '': moved(lock.packages['']) } });
  return folder;
}
