import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Control } from './control.js';
import { isWatchedByNode } from './environment.js';
import { download } from './http.js';
import { userFolder } from '../../base/system/user-folder.js';

/** Where the site of a failed test is kept. */
export interface KeptSite {
  /** The control page of a copy in a running server, which keeps it for an hour. */
  page?: string;
  /** A file for `understudy open`, relative to the working directory or absolute: the server ends with the tests. */
  file?: string;
  /** Why there is none. */
  problem?: string;
}

/** The folder for the files of failed tests, in the working directory. Playwright empties `test-results` at each run. */
const FAILED_FOLDER = 'understudy-results';

/** How many files it has at most, and how many sites a worker keeps of the tests of a file: if all tests fail, the first ones say why. */
export const MAX_KEPT = 10;

const FILE = /^failed-.*\.tar\.gz$/;

/** Identifies the project of the tests, without telling its path. */
const project = (): string => createHash('sha256').update(`${os.hostname()} ${process.cwd()}`).digest('hex').slice(0, 12);

/** Deletes the oldest files. Other workers do the same. */
async function deleteOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await stat(path.join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  const old = dated.toSorted((a, b) => b.at - a.at).slice(MAX_KEPT);
  await Promise.all(old.map(({ name }) => rm(path.join(folder, name), { force: true })));
}

/** A site, how its server is reached, and whether the server runs for the tests only. */
interface FailedSite {
  /** The test API of the site. */
  site: Control;
  server: Control;
  /** URL of the server for people. */
  url: string;
  /** URL of the server for this process. */
  localUrl: string;
  token?: string | undefined;
  /** Whether the server ends with the tests. */
  endsWithTests: boolean;
}

/** The folder for the files. A file in a folder that is watched would start the tests again. */
const failedFolder = (): string => (isWatchedByNode() ? path.join(userFolder(), FAILED_FOLDER, project()) : FAILED_FOLDER);

async function saveFile(name: string, { server, localUrl, token }: FailedSite): Promise<string> {
  const folder = failedFolder();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, '.gitignore'), '*\n');
  const file = `${name}.tar.gz`;
  const draft = path.join(folder, `.${file}.${process.pid}`);
  const headers: Record<string, string> = token === undefined ? {} : { 'X-Understudy-Token': token };
  try {
    await download(`${localUrl}/__sandbox/${name}/__qa/backup?state=true`, headers, draft);
    await rename(draft, path.join(folder, file));
  } finally {
    await rm(draft, { force: true });
    await server.dropSandbox(name);
  }
  await deleteOldest(folder);
  return path.join(folder, file);
}

/** Keeps the site of a failed test: in its server, or as a file if that ends with the tests. @param title of the test */
export async function keepSite(title: string, failed: FailedSite): Promise<KeptSite> {
  try {
    const { name } = await failed.site.keep(title, project());
    if (failed.endsWithTests) return { file: await saveFile(name, failed) };
    return { page: `${failed.url}/__sandbox/${name}/__qa/ui` };
  } catch (error) {
    // It must not hide why the test failed.
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** How a user gets there, as a line; nothing if the site was not kept on purpose. */
export function keptLine({ page, file, problem }: KeptSite): string {
  if (page !== undefined) return `the site as it is now, for an hour: ${page}`;
  if (file !== undefined) return `the site as it is now: npx wp-understudy open ${file}`;
  return `the site as it is now was not kept: ${problem}`;
}
