import type { FormatCode } from '../registry.js';
import { openWxr } from './read.js';
import { writeWxr } from './write.js';

/** The export of WordPress (WXR 1.2). */
export const wxr: FormatCode = { open: openWxr, write: writeWxr };
