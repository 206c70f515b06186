import { chmodSync, statSync } from 'node:fs';
import path from 'node:path';

/** For `mkdir`: folders that only their user can enter. They hold password hashes, unpublished content and its files. */
export const PRIVATE = { recursive: true, mode: 0o700 } as const;

/** For files that hold secrets, in folders of somebody else. */
export const PRIVATE_FILE = 0o600;

/** Contents of a data folder. */
const HELD = ['db', 'uploads', 'snapshots', 'sandboxes'];

const OTHERS = 0o077;

/** Closes the folders in a data folder that an earlier version left open to other users. The data folder itself stays as it is: users make it. */
export function closeFolders(data: string): void {
  if (process.platform === 'win32') return;
  for (const name of HELD) {
    const folder = path.join(data, name);
    const stats = statSync(folder, { throwIfNoEntry: false });
    // Folders of another user, such as a mounted one, are what that user wants them to be.
    if (stats?.isDirectory() && (stats.mode & OTHERS) !== 0 && stats.uid === process.getuid?.()) chmodSync(folder, 0o700);
  }
}
