import { mkdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The name of this user as part of a file name. In a container, a user may have a number without a name. */
function userName(): string {
  try {
    return os.userInfo().username.replace(/\W/g, '_');
  } catch {
    return String(process.getuid?.());
  }
}

/** The private folder of this user for files that other processes have to find. */
export function userFolder(): string {
  const folder = path.join(os.tmpdir(), `understudy-${userName()}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid && statSync(folder).uid !== process.getuid())
    throw new Error(`${folder} belongs to another user. Remove it or set TMPDIR.`);
  return folder;
}
