import { openCsv } from './csv-read.js';
import { writeCsv } from './csv-write.js';
import type { FormatCode } from './formats.js';

/** CSV as the plugin's own importer takes it. Settings: `kind`, `map`, `date-format`, `delimiter`, `status`. */
export const csv: FormatCode = { open: openCsv, write: writeCsv };
