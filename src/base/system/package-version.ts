import { fileURLToPath } from 'node:url';
import { readJson } from './files.js';

export const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));

export const packageVersion = (): string => readJson<{ version: string }>(new URL('../../../package.json', import.meta.url)).version;
