// Publishes those types, of all that the compiler writes, that a user can reach: others are of no use, and name packages that are not
// installed. What the server shares with its own modules only is marked `@internal`.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const TYPES = /\.d\.c?ts$/;

/** The files of types in `exports` of package.json, from the root of the package. */
const entriesOf = (exported) =>
  Object.entries(exported).flatMap(([key, value]) => (typeof value === 'object' ? entriesOf(value) : key === 'types' ? [value] : []));

/** The files that a file of types imports from, besides packages. */
const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)['"]/g)]
    .map(([, target]) => path.resolve(path.dirname(file), target.replace(/\.(c?)js$/, '.d.$1ts')))
    .filter((target) => existsSync(target));

/** Removes from the folder of a build the types that no user can reach. */
export function keepPublishedTypes(dist) {
  const { exports: exported } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const reached = new Set(entriesOf(exported).map((file) => path.join(dist, path.relative('dist', file))));
  // A set also visits what is added meanwhile.
  for (const file of reached) for (const target of importsOf(file)) reached.add(target);
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (TYPES.test(file) && !reached.has(file)) rmSync(file);
  }
}
