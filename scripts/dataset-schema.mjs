/**
 * Writes fixtures/dataset.schema.json from the declarations of the format, fixtures/config.schema.json from the options, and
 * fixtures/responses.schema.json from the tables of fields and the types of responses. Run it after a build:
 * `node scripts/dataset-schema.mjs [DIST]`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fieldSchemas } from './field-types.mjs';

const dist = process.argv[2] ? pathToFileURL(`${path.resolve(process.argv[2])}/`) : new URL('../dist/', import.meta.url);
const { datasetSchema } = await import(new URL('transfer/formats/dataset/json-schema.js', dist));
await writeFile(new URL('../fixtures/dataset.schema.json', import.meta.url), `${JSON.stringify(await datasetSchema(), null, 2)}\n`);
const { configSchema } = await import(new URL('server/config/json-schema.js', dist));
await writeFile(new URL('../fixtures/config.schema.json', import.meta.url), `${JSON.stringify(configSchema(), null, 2)}\n`);
const { EVENT_FIELDS, LINKED } = await import(new URL('plugins/the-events-calendar/model/event.js', dist));
const types = JSON.parse(await readFile(new URL('../src/sdk/types/responses.json', import.meta.url), 'utf8'));
const responses = withoutTypes({ ...types, $defs: { ...types.$defs, ...fieldSchemas(EVENT_FIELDS, LINKED) } });
await writeFile(new URL('../fixtures/responses.schema.json', import.meta.url), `${JSON.stringify(responses, null, 2)}\n`);

/** A schema without what is for TypeScript alone. */
function withoutTypes(schema) {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key.startsWith('x-') ? undefined : value)));
}
