import type { FormatCode } from './formats.js';
import { openIcs } from './ics-read.js';
import { writeIcs } from './ics-write.js';

/** iCalendar (RFC 5545). Settings for reading: `from`, `to`, `max`. */
export const ics: FormatCode = { open: openIcs, write: writeIcs };
