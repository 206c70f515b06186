/**
 * Writes the published types that follow from tables, of fields and of datasets, into `dist/.types`: `node scripts/table-types.mjs`. For the
 * compiler, the folder is part of `src` (`rootDirs` in tsconfig.json). It reads the sources, since they do not compile without these types.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { datasetTypes } from './dataset-types.mjs';
import { fieldTypes } from './field-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'dist/.types');

const TABLES = `
export { loadContents } from './plugins/register.ts';
export { EVENT_FIELDS } from './plugins/the-events-calendar/model/event.ts';
export { LINKED } from './plugins/the-events-calendar/model/kinds/index.ts';
export { fileOf } from './transfer/formats/dataset/declaration.ts';
export { schemaOf } from './transfer/formats/dataset/json-schema.ts';
`;

async function readTables() {
  const { outputFiles } = await build({
    stdin: { contents: TABLES, resolveDir: path.join(root, 'src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  });
  const file = path.join(folder, `tables-${process.pid}.mjs`);
  writeFileSync(file, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
}

/** Replaces a file, which another process may be reading, if its content changes. */
function replace(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

async function writeTableTypes() {
  const types = path.join(folder, 'sdk/types');
  mkdirSync(types, { recursive: true });
  const { EVENT_FIELDS, LINKED, fileOf, loadContents, schemaOf } = await readTables();
  replace(path.join(types, 'fields.d.ts'), fieldTypes(EVENT_FIELDS, LINKED));
  replace(path.join(types, 'dataset.d.ts'), datasetTypes(schemaOf(fileOf(await loadContents()).describe())));
}

/** Copies the types into the folder of a build. */
export const copyTableTypes = (dist) => cpSync(path.join(folder, 'sdk'), path.join(dist, 'sdk'), { recursive: true });

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeTableTypes();
