import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Input, and the output of WordPress 6.1. Rows whose output changed in 6.6 or later are excluded. */
type Measured<Out = string> = [input: string, output: Out][];

const tables = JSON.parse(readFileSync(path.join(here, 'cleaning.cases.json'), 'utf8')) as Record<string, Measured>;

/** The measured rows of a function. */
export const measured = (name: string): Measured => {
  const rows = tables[name];
  if (!rows?.length) throw new Error(`no measured rows for ${name}`);
  return rows;
};

/** The measured rows of a predicate. */
export const measuredVerdicts = (name: string): Measured<boolean> => measured(name) as unknown as Measured<boolean>;

export interface ExampleRow {
  readonly input: unknown;
  readonly output: unknown;
  readonly as?: string;
}

/** The rows of a case table that was measured on the real service. */
export const examples = (file: string): ExampleRow[] =>
  JSON.parse(readFileSync(path.join(here, `../../../examples/${file}.json`), 'utf8')) as ExampleRow[];
