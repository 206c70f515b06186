import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { testDatabase } from '../../support/database.js';
import { root } from '../../support/documents.js';
import { startServe } from '../../support/cli.js';
import { blocksFor, LIMIT_MS, useProject } from './blocks.js';

/** The commands and examples of README.md and docs that start servers. */

const { file: inProject, shell } = useProject();
/** Starts faster than an embedded database. */
const { address: other } = testDatabase();

/** For blocks that do not depend on the content. An empty site starts faster. */
const EMPTY = ['--dataset', path.join(root, 'fixtures/empty.json')];

test.each(blocksFor('serve'))(
  '$file:$line starts a server',
  async ({ file, line, text }) => {
    const [, variables, flags] = /^((?:\w+=\S+ )*)understudy serve(.*)\n$/.exec(text) ?? [];
    const args = flags.trim().split(' ').filter(Boolean);
    const dataFile = args.indexOf('calendar.json');
    if (dataFile >= 0) args[dataFile] = inProject('calendar.json');
    const assigned = Object.fromEntries(
      variables
        .trim()
        .split(' ')
        .filter(Boolean)
        .map((each) => each.split('=')),
    );
    const env = { ...assigned, ...('MONGODB_URI' in assigned ? { MONGODB_URI: other } : {}) };
    // What stores nothing has no folder.
    const folder = args.includes('--ephemeral') ? [] : ['--data', inProject(`data-${path.basename(file)}-${line}`)];
    const server = await startServe(
      [...(args.includes('--dataset') || /^\w/.test(args[0] ?? '') ? [] : EMPTY), ...args, '--port', '0', ...folder],
      env,
    );
    const { stdout } = server.output();
    // A server that listens beyond this machine, or is behind a proxy, reports that its test API is off.
    const said = /^(?:The test API is off: .*\n)?$/;
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, stderr: expect.stringMatching(said) as string });
    for (const word of args.filter((arg) => /^acme|^https:/.test(arg))) expect(stdout).toContain(word);
  },
  LIMIT_MS,
);

test.each(['core', 'mentions', 'comments', 'series', 'placeholder', 'stubs', 'tickets'])('a dataset with %s is valid', async (name) => {
  await writeFile(inProject(`${name}.yaml`), blocksFor(name, 'yaml')[0].text);
  expect(await shell(`understudy validate ${name}.yaml`)).toContain('no problems');
});

test.each(blocksFor('project'))(
  '$file:$line works in a new project',
  async ({ line, text }) => {
    const folder = inProject(`project-${line}`);
    await mkdir(folder);
    expect(await shell(`cd ${folder}\n${text}`)).not.toBe('');
  },
  LIMIT_MS,
);

test.each(blocksFor('run', 'js'))(
  '$file:$line contains tests that pass',
  async ({ line, text }) => {
    await writeFile(inProject(`${line}.test.mjs`), text);
    const count = [...text.matchAll(/^test\(/gm)].length;
    await expect(shell(`node --test ${line}.test.mjs`)).resolves.toContain(`# pass ${count}`);
  },
  LIMIT_MS,
);
