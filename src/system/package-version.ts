import { readJson } from './files.js';

/** The version of this package. */
export const packageVersion = (): string => readJson<{ version: string }>(new URL('../../package.json', import.meta.url)).version;
