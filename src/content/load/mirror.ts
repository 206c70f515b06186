import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { statSync } from 'node:fs';
import path from 'node:path';

const FEW = 500;

/** All files in a folder and its subfolders, as relative paths, with their inode numbers. */
async function listFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  // For a few files, synchronous calls are faster.
  const inodes =
    files.length <= FEW ? files.map((file) => statSync(file).ino) : await Promise.all(files.map(async (file) => (await stat(file)).ino));
  const identities = inodes.map(String);
  return new Map(files.map((file, i) => [path.relative(folder, file), identities[i]]));
}

/** Creates a hard link to a file, or a copy. Files of the media library are never modified, so they can be shared. */
async function share(from: string, to: string): Promise<void> {
  await mkdir(path.dirname(to), { recursive: true });
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    await copyFile(from, to);
  });
}

/** Makes a folder contain exactly the files of another. */
export async function mirrorFiles(from: string, to: string): Promise<void> {
  const [wanted, present] = await Promise.all([listFiles(from), listFiles(to)]);
  const strays = [...present].filter(([file, identity]) => wanted.get(file) !== identity).map(([file]) => file);
  await Promise.all(strays.map((file) => rm(path.join(to, file), { force: true })));
  const missing = [...wanted].filter(([file, identity]) => present.get(file) !== identity).map(([file]) => file);
  await mkdir(to, { recursive: true });
  await Promise.all(missing.map((file) => share(path.join(from, file), path.join(to, file))));
}
