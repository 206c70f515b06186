import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files that official importers read, in spite of what is wrong in them. */
export const INPUTS = path.join(path.dirname(fileURLToPath(import.meta.url)), 'inputs');

export const inputNames = readdirSync(INPUTS).sort();
