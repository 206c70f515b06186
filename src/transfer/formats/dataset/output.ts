import path from 'node:path';
import type { Writable } from 'node:stream';
import { stringify } from 'yaml';
import { writeTexts } from '../../../base/system/streams.js';
import type { Write, FormatWriteOptions } from '../format.js';
import type { Syntax } from './parse.js';
import { datasetOf } from './write.js';

/** YAML lines longer than this are folded. */
const YAML_STYLE = { lineWidth: 120 } as const;

/** YAML. The library folds long texts without spaces anywhere, also in the middle of a character, which UTF-8 cannot represent. */
const yamlOf = (value: object): string =>
  stringify(value, YAML_STYLE).replace(
    /([\uD800-\uDBFF])\\\n( *)([\uDC00-\uDFFF])(?=( ?))/g,
    (_folded, high: string, indent: string, low: string, space: string) => `${high}${low}\\\n${indent}${space === '' ? '' : '\\'}`,
  );

/** Writes a value as JSON or YAML, by the extension of the file. */
export async function writeValue(value: object, out: Writable, { file, signal }: FormatWriteOptions, defaultSyntax: Syntax): Promise<void> {
  const isYaml =
    file === null ? defaultSyntax === 'yaml' : /\.ya?ml$/i.test(path.extname(file)) || (defaultSyntax === 'yaml' && !/\.json$/i.test(file));
  const text = isYaml ? yamlOf(value) : `${JSON.stringify(value, null, 2)}\n`;
  await writeTexts(out, [text], signal);
}

/** Writes a dataset as JSON or YAML; the extension of the file overrides the default. */
export const writer =
  (defaultSyntax: Syntax): Write =>
  async (source, out, options) =>
    writeValue(await datasetOf(source, options), out, options, defaultSyntax);
