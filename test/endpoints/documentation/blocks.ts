import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { documents, root } from '../../support/documents.js';

/**
 * The commands and examples of README.md and docs work. A word after the language of a block selects its test:
 *
 *     sh demo       starts the server with the demo calendar
 *     sh serve      starts another server
 *     sh run        sends requests to a server with the demo calendar; the next block may be its `output`
 *     sh site       works on the data folder of a running server; https://example.org is another server
 *     sh stopped    works on the data folder without a running server
 *     sh project    works in an empty folder
 *     js run        a test file for node --test
 *     js script     a program that sends requests to the server with the demo calendar
 *     … dataset     a dataset, which is the same wherever it appears
 */

/** Timeout of one block, in ms. Machines may be busy. */
export const LIMIT_MS = 90_000;

export interface Block {
  file: string;
  line: number;
  language: string;
  /** What the test does with the block. */
  use: string;
  text: string;
}

export const blocks: Block[] = documents.flatMap(({ file, text }) =>
  [...text.matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1],
    use: match[2] ?? '',
    text: match[3],
  })),
);
export const blocksFor = (use: string, language = 'sh'): Block[] =>
  blocks.filter((block) => block.use === use && block.language === language);

/** A project with the published package installed, and `understudy` on its path. */
export interface Project {
  /** Path of a file in it. */
  file: (name: string) => string;
  /** Path of a file of the published package. */
  installed: (name?: string) => string;
  /** Runs a block in a shell that stops at the first failing command. @returns its standard output */
  shell: (text: string, mongodbUri?: string) => Promise<string>;
}

/** Creates a project for the tests of a file. */
export function useProject(): Project {
  let project = '';
  const inProject = (name: string): string => path.join(project, name);
  const installed = (name = ''): string => path.join(project, 'node_modules/wp-understudy', name);

  beforeAll(async () => {
    // In this folder, since packages search for others in parent folders.
    const cache = path.join(root, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    project = await mkdtemp(path.join(cache, 'understudy-readme-'));
    await mkdir(inProject('bin'));
    await mkdir(inProject('node_modules'));
    const pack = promisify(execFile)('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], { cwd: root });
    await promisify(execFile)('tar', ['-xzf', inProject((await pack).stdout.trim()), '-C', inProject('node_modules')]);
    await rename(inProject('node_modules/package'), installed());
    await writeFile(inProject('bin/understudy'), `#!/bin/sh\nexec ${process.execPath} ${installed('dist/cli.js')} "$@"\n`);
    await chmod(inProject('bin/understudy'), 0o755);
    await writeFile(inProject('calendar.json'), blocksFor('dataset', 'json')[0].text);
  }, LIMIT_MS);
  afterAll(() => rm(project, { recursive: true, force: true, maxRetries: 5 }));

  const shell = async (text: string, mongodbUri = ''): Promise<string> => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: project,
      timeout: LIMIT_MS,
      env: { ...process.env, PATH: `${inProject('bin')}${path.delimiter}${process.env['PATH']}`, MONGODB_URI: mongodbUri },
    });
    return stdout;
  };
  return { file: inProject, installed, shell };
}
