import { once } from 'node:events';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { stringify } from 'yaml';
import type { Write, WriteOptions } from '../format.js';
import type { Syntax } from './parse.js';
import { datasetOf } from './write.js';

/** How long lines of YAML get before they are folded. */
const YAML_STYLE = { lineWidth: 120 } as const;

/** Writes a value in the syntax that the name of the file asks for. */
export async function put(value: object, out: Writable, { file }: WriteOptions, usual: Syntax): Promise<void> {
  const isYaml = file === null ? usual === 'yaml' : /\.ya?ml$/i.test(path.extname(file)) || (usual === 'yaml' && !/\.json$/i.test(file));
  const text = isYaml ? stringify(value, YAML_STYLE) : `${JSON.stringify(value, null, 2)}\n`;
  if (!out.write(text)) await once(out, 'drain');
}

/** Writes a dataset in a syntax, unless the extension of the file asks for the other one. */
export const writer =
  (usual: Syntax): Write =>
  async (source, out, options) =>
    put(await datasetOf(source, options), out, options, usual);
