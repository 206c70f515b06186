import type { FormatCode } from '../registry.js';
import { openIcs } from './read.js';
import { writeIcs } from './write.js';

/** iCalendar (RFC 5545). Settings for reading: `from`, `to`, `max`. */
export const ics: FormatCode = { open: openIcs, write: writeIcs };
