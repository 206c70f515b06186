/**
 * Writes fixtures/dataset.schema.json from the declarations of the format, and fixtures/config.schema.json from the options. Run it after a
 * build: `node scripts/dataset-schema.mjs [DIST]`.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = process.argv[2] ? pathToFileURL(`${path.resolve(process.argv[2])}/`) : new URL('../dist/', import.meta.url);
const { datasetSchema } = await import(new URL('transfer/formats/dataset/json-schema.js', dist));
await writeFile(new URL('../fixtures/dataset.schema.json', import.meta.url), `${JSON.stringify(await datasetSchema(), null, 2)}\n`);
const { configSchema } = await import(new URL('server/config/json-schema.js', dist));
await writeFile(new URL('../fixtures/config.schema.json', import.meta.url), `${JSON.stringify(configSchema(), null, 2)}\n`);
