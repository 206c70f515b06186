import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { withContent } from '../text/stub-file.js';
import type { SentStub } from './control.js';

/** Sends the content of the file that a stub names, relative to the working directory. */
export const sentStub: SentStub = async (rule) => {
  const { respond } = rule;
  if (respond === undefined || !('file' in respond) || respond.file === undefined) return rule;
  const name = path.resolve(respond.file);
  const content = await readFile(name).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot read the file of a stub ${name} (${error.code ?? error.message})`, { cause: error });
  });
  return { ...rule, respond: withContent(respond, content) };
};
