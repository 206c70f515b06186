import { opener } from '../dataset/file.js';

/** A recorded site may be JSON or YAML, whatever its extension. */
export const open = opener(null);
