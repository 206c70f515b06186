import { openCsv } from './read.js';
import { writeCsv } from './write.js';
import type { FormatCode } from '../registry.js';

/** CSV as the plugin's own importer takes it. Settings: `kind`, `map`, `date-format`, `delimiter`, `status`. */
export const csv: FormatCode = { open: openCsv, write: writeCsv };
