import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withContent } from '../../base/text/stub-file.js';
import type { ReadResponse } from './control.js';

/** Reads the file of a response, whose path is relative to the working directory. The error has the full path. */
export const readResponse: ReadResponse = async (response) => {
  const file = path.resolve(response.file ?? '');
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read the file of a stub ${file} (${error.code ?? error.message})`, { cause: error });
  });
  return withContent(response, content);
};
