/**
 * Writes the published types that follow from tables, of fields, datasets and options, into `dist/.types`: `node scripts/table-types.mjs`. For the
 * compiler, the folder is part of `src` (`rootDirs` in tsconfig.json). It reads the sources, since they do not compile without these types.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { datasetTypes } from './dataset-types.mjs';
import { fieldTypes, tableTypes } from './field-types.mjs';
import { optionTypes } from './option-types.mjs';
import { schemaTypes } from './schema-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'dist/.types');

const MODEL = 'plugins/the-events-calendar/model';

const TABLES = `
export { loadContents } from './plugins/register.ts';
export { EVENT_FIELDS, LINKED } from './plugins/the-events-calendar/model/event.ts';
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
  const file = path.join(folder, `../.tables-${process.pid}.mjs`);
  writeFileSync(file, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
}

/** Replaces a file, which another process may be reading, if its content changes. */
function replace(name, text) {
  const file = path.join(folder, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

async function writeTableTypes() {
  for (const part of ['sdk/types', 'server/config', MODEL]) mkdirSync(path.join(folder, part), { recursive: true });
  const read = (file) => JSON.parse(readFileSync(path.join(root, 'src', file), 'utf8'));
  const { options } = read('server/config/options.json');
  replace('sdk/types/response-types.d.ts', schemaTypes(read('sdk/types/responses.json')));
  replace('sdk/types/qa-types.d.ts', schemaTypes(read('sdk/types/qa.json')));
  replace('sdk/types/param-types.d.ts', schemaTypes(read('sdk/types/params.json')));
  replace('server/config/server-options.d.ts', optionTypes(options));
  replace('sdk/types/server-options.d.ts', "export type { ServerOptions } from '../../server/config/server-options.js';\n");
  replace(`${MODEL}/field-tables.d.ts`, tableTypes(read(`${MODEL}/fields.json`)));
  const { EVENT_FIELDS, LINKED, fileOf, loadContents, schemaOf } = await readTables();
  replace('sdk/types/fields.d.ts', fieldTypes(EVENT_FIELDS, LINKED));
  replace('sdk/types/dataset.d.ts', datasetTypes(schemaOf(fileOf(await loadContents()).describe())));
}

/** Copies the types into the folder of a build. */
export const copyTableTypes = (dist) => cpSync(folder, dist, { recursive: true });

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeTableTypes();
