import type { FormatCode } from './formats.js';
import { openWxr } from './wxr-read.js';
import { writeWxr } from './wxr-write.js';

/** The export of WordPress (WXR 1.2). */
export const wxr: FormatCode = { open: openWxr, write: writeWxr };
