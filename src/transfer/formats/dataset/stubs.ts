import path from 'node:path';
import { withContent } from '../../../base/text/stub-file.js';
import type { Stub } from '../../../sdk/types/qa.js';
import type { Problems } from '../../source.js';
import { readInside, type UploadFolder } from '../../uploads.js';
import { stubsOption } from '../../stubs.js';
import type { DeclaredStub } from './stub-declaration.js';

/** The bytes of all stubs that a site takes: they are one document of the database. */
const MOST = 12 * 1024 * 1024;

/** Reads the file that a stub responds with. @returns the stub with its content; none if there is a problem */
async function readStub(stub: DeclaredStub, at: string, folder: UploadFolder, problems: Problems): Promise<Stub[]> {
  // Parts may be missing in a file with problems.
  const { file } = (stub as Partial<DeclaredStub>).respond ?? {};
  if (file === undefined) return [stub as Stub];
  const name = path.posix.normalize(file);
  const shown = path.join(folder.shown, name);
  const bytes = await readInside(folder, name);
  if (!Buffer.isBuffer(bytes)) {
    problems.add(`${at}.respond.file`, bytes.message);
    if (bytes.isMissing) problems.missingStubs.push(name);
    return [];
  }
  try {
    return [{ ...stub, respond: withContent(stub.respond, bytes) } as Stub];
  } catch (error) {
    problems.add(`${at}.respond.file`, `${shown} is not JSON: ${(error as Error).message}`);
    return [];
  }
}

/** The option with the stubs of a file. @param folder the folder `stubs` */
export async function readStubs(
  stubs: readonly DeclaredStub[] = [],
  folder: UploadFolder,
  problems: Problems,
): Promise<Record<string, unknown>> {
  const read: Stub[] = [];
  for (const [index, stub] of stubs.entries()) read.push(...(await readStub(stub, `stubs[${index}]`, folder, problems)));
  const option = stubsOption(read);
  const size = Buffer.byteLength(Object.values(option).join(''));
  if (size > MOST)
    problems.add('stubs', `have ${Math.ceil(size / 1024 / 1024)} MB with their files, of which a site takes ${MOST / 1024 / 1024}`);
  return option;
}
