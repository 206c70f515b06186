import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { OPTIONS } from '../../src/config.js';
import { createServer } from '../../src/index.js';
import { optionsTable, quirksTable, tableIn } from '../../scripts/readme-tables.mjs';
import { QUIRKS } from '../../src/wp/quirks.js';
import { testDatabase } from '../support/database.js';
import { runCli, startServe, type CliProcess } from '../support/cli.js';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const readme = await readFile(path.join(root, 'README.md'), 'utf8');

const database = testDatabase();

const ADDRESS = 'http://127.0.0.1:8080';
/** For one block; machines may be busy. */
const LIMIT_MS = 90_000;

/** Where the contents do not matter, there are none: that starts sooner. */
const EMPTY = ['--dataset', path.join(root, 'fixtures/empty.json')];

interface Block {
  language: string;
  /** What is to be done with it: the word after the language. */
  use: string;
  text: string;
  line: number;
}

const blocks: Block[] = [...readme.matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
  language: match[1],
  use: match[2] ?? '',
  text: match[3],
  line: readme.slice(0, match.index).split('\n').length,
}));
const blocksFor = (use: string): Block[] => blocks.filter((block) => block.use === use);

/** Runs a block as a shell would, stopping at the first command that fails. */
const shell = async (text: string, cwd: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
    cwd,
    timeout: LIMIT_MS,
    env: { ...process.env, PATH: `${path.join(cwd, 'bin')}${path.delimiter}${process.env['PATH']}`, MONGODB_URI: '' },
  });
  return stdout;
};

const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

/** A folder with `understudy` on its path, as a project that has the package. */
let project: string;
beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), 'understudy-readme-'));
  await mkdir(path.join(project, 'bin'));
  const command = path.join(project, 'bin/understudy');
  await writeFile(command, `#!/bin/sh\nexec ${process.execPath} ${path.join(root, 'dist/cli.js')} "$@"\n`);
  await chmod(command, 0o755);
  await mkdir(path.join(project, 'node_modules'));
  await symlink(root, path.join(project, 'node_modules/wp-understudy'));
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('commands that talk to the server', () => {
  let server: CliProcess & { url: string };
  beforeAll(async () => {
    const demo = blocksFor('serve')[0].text;
    const [, flags] = /^npm start -- (.*)\n$/.exec(demo) ?? [];
    const args = [...flags.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
    server = await startServe([...args, '--port', '0']);
  }, LIMIT_MS);
  afterAll(() => server.stop('SIGKILL'));

  const cases = blocksFor('run').filter(({ language }) => language === 'sh');
  const next = (block: Block): Block => blocks[blocks.indexOf(block) + 1];

  test.each(cases)('README.md:$line', async (block) => {
    const said = trimmed((await shell(block.text.replaceAll(ADDRESS, server.url), project)).replaceAll(server.url, ADDRESS));
    const expected = next(block);
    if (expected.use !== 'output') expect(said).not.toBe('');
    else if (expected.language === 'json') expect(JSON.parse(said)).toEqual(JSON.parse(expected.text));
    else expect(said).toBe(trimmed(expected.text));
  });

  test('there are some', () => expect(cases.length).toBeGreaterThan(4));
});

test.each(blocksFor('serve').slice(1))(
  'README.md:$line starts a server',
  async ({ text }) => {
    const [, variables, flags] = /^((?:\w+=\S+ )*)understudy serve(.*)\n$/.exec(text) ?? [];
    const [dataset] = blocksFor('dataset');
    await writeFile(path.join(project, 'calendar.json'), dataset.text);
    const args = flags.trim().split(' ').filter(Boolean);
    const dataFile = args.indexOf('calendar.json');
    if (dataFile >= 0) args[dataFile] = path.join(project, 'calendar.json');
    const address = new URL(database.uri);
    address.pathname = `/${database.name}`;
    const env = variables.includes('MONGODB_URI') ? { MONGODB_URI: address.href } : {};
    const folder = path.join(project, `data-${blocks.findIndex((block) => block.text === text)}`);
    const server = await startServe([...(dataFile < 0 ? EMPTY : []), ...args, '--port', '0', '--data', folder], env);
    const { stdout } = server.output();
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    for (const word of args.filter((arg) => /^acme|^https:/.test(arg))) expect(stdout).toContain(word);
  },
  LIMIT_MS,
);

test(
  'commands that need the server to be stopped',
  async () => {
    const server = await startServe(['--data', path.join(project, 'data'), '--port', '0', ...EMPTY]);
    await server.stop('SIGTERM');
    const [block] = blocksFor('stopped');
    const said = await shell(block.text, project);
    expect(said).toMatch(/^Added anna as editor.*\nApplication password: \w{24}\n/);
    expect(said).toMatch(/^\d+ +anna +editor +anna +anna@example\.org/m);
    expect(said.match(/Application password: /g)).toHaveLength(2);
    expect(said).toMatch(/Removed anna\.\s*$/);
  },
  LIMIT_MS,
);

test(
  'the example in JavaScript is a test that passes',
  async () => {
    const text = blocksFor('run').find(({ language }) => language === 'js')?.text ?? '';
    await writeFile(path.join(project, 'calendar.test.mjs'), text);
    await expect(shell('node --test calendar.test.mjs', project)).resolves.toContain('# pass 1');
  },
  LIMIT_MS,
);

test(
  'the dataset is one',
  async () => {
    const [block] = blocksFor('dataset');
    const file = path.join(project, 'example.json');
    await writeFile(file, block.text);
    const server = await createServer({ dataset: file, now: '2026-06-15T12:00:00Z' });
    const response = await fetch(`${server.restUrl}/calendar/events/v1/events`);
    const { events } = (await response.json()) as { events: { title: string; start_date: string }[] };
    await server.close();
    expect(events.map(({ title, start_date }) => `${start_date} ${title}`)).toEqual([
      '2026-06-18 19:00:00 Council meeting',
      '2026-06-20 08:00:00 Flea market',
    ]);
  },
  LIMIT_MS,
);

test('the table of options is that of the code', () => {
  expect(tableIn(readme, 'options')).toBe(optionsTable(OPTIONS));
});

test('the table of quirks is that of the code', () => {
  expect(tableIn(readme, 'quirks')).toBe(quirksTable(QUIRKS));
});

test('every npm script that is named exists', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, script, name]) => script ?? name);
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'conformance']));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file that is linked or named is there', () => {
  const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, target]) => target);
  const named = [...readme.matchAll(/`((?:src|test|scripts|fixtures|docs)\/[\w./-]+|docker-compose\.yml|\.ci\/run)`/g)].map(
    ([, file]) => file,
  );
  expect(linked.length).toBeGreaterThan(4);
  expect([...linked, ...named].filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('the page names no option that does not exist', async () => {
  const users = (await runCli(['users', '--help'])).stdout;
  const others = new Set(['--omit', '--save-dev', '--wait', '--help']);
  const flags = new Set([...readme.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag));
  const known = (flag: string): boolean =>
    others.has(flag) || OPTIONS.some((option) => `--${option.flag}` === flag) || users.includes(`${flag} `);
  expect([...flags].filter((flag) => !known(flag))).toEqual([]);
});
