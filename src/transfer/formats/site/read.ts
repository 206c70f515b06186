import { opener } from '../dataset/file.js';

/** A recorded site can be JSON or YAML, regardless of its extension. */
export const openSiteFile = opener(null);
