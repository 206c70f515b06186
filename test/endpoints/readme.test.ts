import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { OPTIONS } from '../../src/config.js';
import { createServer, type Server } from '../../src/index.js';
import { optionsTable, quirksTable, tableIn, TABLE_FILES } from '../../scripts/readme-tables.mjs';
import { QUIRKS } from '../../src/wp/quirks.js';
import { testDatabase } from '../support/database.js';
import { runCli, startServe, type CliProcess } from '../support/cli.js';

/**
 * README.md and docs: what they say is so. A word after the language of a block tells what is done with it:
 *
 *     sh serve      starts a server
 *     sh run        talks to a server with the demo calendar; the block that follows may be its `output`
 *     sh site       works on the data folder of a server that runs; https://example.org is another server
 *     sh stopped    works on the data folder when no server runs
 *     js run        is a file of tests for node --test
 *     js script     is a program that talks to the server with the demo calendar
 *     … dataset     is a dataset: the same one wherever it stands
 */

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const docs = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
const documents = ['README.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)].map((file) => ({ file, text: read(file) }));

/** Databases on the server of the run, which is there already, in place of embedded ones, which have to start. */
const [main, other] = [testDatabase(), testDatabase()].map(({ uri, name }) => {
  const address = new URL(uri);
  address.pathname = `/${name}`;
  return address.href;
});

const ADDRESS = 'http://127.0.0.1:8080';
const NOW = '2026-06-15T12:00:00Z';
/** Stands for a site elsewhere. */
const ELSEWHERE = 'https://example.org';
/** For one block; machines may be busy. */
const LIMIT_MS = 90_000;

/** Where the contents do not matter, there are none: that starts sooner. */
const EMPTY = ['--dataset', path.join(root, 'fixtures/empty.json')];

interface Block {
  file: string;
  line: number;
  language: string;
  /** What is to be done with it. */
  use: string;
  text: string;
}

const blocks: Block[] = documents.flatMap(({ file, text }) =>
  [...text.matchAll(/^```(\w+)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map((match) => ({
    file,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1],
    use: match[2] ?? '',
    text: match[3],
  })),
);
const blocksFor = (use: string, language = 'sh'): Block[] => blocks.filter((block) => block.use === use && block.language === language);

/** A folder with `understudy` on its path, as a project that has the package. */
let project: string;

/** Runs a block as a shell would, stopping at the first command that fails. */
async function shell(text: string, mongodbUri = ''): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: project,
    timeout: LIMIT_MS,
    env: { ...process.env, PATH: `${path.join(project, 'bin')}${path.delimiter}${process.env['PATH']}`, MONGODB_URI: mongodbUri },
  });
  return stdout;
}

const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

const inProject = (name: string): string => path.join(project, name);

beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), 'understudy-readme-'));
  await mkdir(inProject('bin'));
  await writeFile(inProject('bin/understudy'), `#!/bin/sh\nexec ${process.execPath} ${path.join(root, 'dist/cli.js')} "$@"\n`);
  await chmod(inProject('bin/understudy'), 0o755);
  await mkdir(inProject('node_modules'));
  await symlink(root, inProject('node_modules/wp-understudy'));
  await symlink(path.join(root, 'fixtures'), inProject('fixtures'));
  await writeFile(inProject('calendar.json'), blocksFor('dataset', 'json')[0].text);
});
afterAll(() => rm(project, { recursive: true, force: true }));

describe('what talks to the server', () => {
  let server: CliProcess & { url: string };
  let before = '';
  beforeAll(async () => {
    const demo = blocksFor('serve')[0].text;
    const [, flags] = /^npm start -- (.*)\n$/.exec(demo) ?? [];
    const args = [...flags.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
    server = await startServe([...args, '--port', '0']);
  }, LIMIT_MS);
  afterAll(() => server.stop('SIGKILL'));

  const local = (text: string): string => text.replaceAll(ADDRESS, server.url);
  const next = (block: Block): Block | undefined => blocks.at(blocks.indexOf(block) + 1);
  const cases = blocksFor('run');

  test.each(cases)('$file:$line', async (block) => {
    // Each document begins with the demo calendar as it is.
    if (block.file !== before) {
      await fetch(`${server.url}/__qa/faults`, { method: 'DELETE' });
      await fetch(`${server.url}/__qa/reset`, { method: 'POST' });
    }
    before = block.file;
    const said = trimmed((await shell(local(block.text))).replaceAll(server.url, ADDRESS));
    const expected = next(block);
    if (expected?.use !== 'output') expect(said).not.toBe('');
    else if (expected.language === 'json') expect(JSON.parse(said)).toEqual(JSON.parse(expected.text));
    else expect(said).toBe(trimmed(expected.text));
  });

  test.each(blocksFor('script', 'js'))('$file:$line is a program', async ({ line, text }) => {
    await writeFile(inProject(`script-${line}.mjs`), local(text));
    expect((await shell(`node script-${line}.mjs`)).trim()).not.toBe('');
  });

  test('there are some', () => {
    expect(cases.length).toBeGreaterThan(15);
    expect(blocksFor('output', 'json').length + blocksFor('output', 'text').length).toBeGreaterThan(7);
  });
});

describe('what works on a data folder', () => {
  let server: CliProcess & { url: string };
  let elsewhere: Server;
  beforeAll(async () => {
    const dataset = inProject('calendar.json');
    // As a WordPress would be.
    elsewhere = await createServer({ dataset, now: NOW, profile: 'tec' });
    server = await startServe(['--data', inProject('data'), '--dataset', dataset, '--now', NOW, '--port', '0'], { MONGODB_URI: main });
  }, LIMIT_MS);
  afterAll(async () => {
    await elsewhere.close();
    await server.stop('SIGKILL');
  });

  /** Without the pauses that are made for a site on the web. */
  const hurried = (text: string): string =>
    text.replaceAll(ELSEWHERE, elsewhere.url).replaceAll(/(understudy (?:pull|check) .*)/g, '$1 --rate 0');

  test.each(blocksFor('site'))(
    '$file:$line',
    async ({ text }) => {
      await shell(hurried(text));
    },
    LIMIT_MS,
  );

  const titles = async (url: string): Promise<string[]> => {
    const response = await fetch(`${url}/wp-json/calendar/events/v1/events`);
    const { events } = (await response.json()) as { events: { title: string; start_date: string }[] };
    return events.map(({ title, start_date }) => `${start_date} ${title}`);
  };

  test(
    'the dataset is one, in JSON and in YAML',
    async () => {
      const [yaml, ...more] = blocksFor('dataset', 'yaml');
      await writeFile(inProject('calendar.yaml'), yaml.text);
      await shell('understudy seed calendar.yaml');
      expect([more.length, blocksFor('dataset', 'json').length]).toEqual([0, 1]);
      expect(await titles(elsewhere.url)).toEqual(['2026-06-18 19:00:00 Council meeting', '2026-06-20 08:00:00 Flea market']);
      expect(await titles(server.url)).toEqual(await titles(elsewhere.url));
    },
    LIMIT_MS,
  );

  test(
    'commands that need the server to be stopped',
    async () => {
      await server.stop('SIGTERM');
      const [block] = blocksFor('stopped');
      const said = await shell(block.text, main);
      expect(said).toMatch(/^Added anna as editor.*\nApplication password: \w{24}\n/);
      expect(said).toMatch(/^\d+ +anna +editor +anna +anna@example\.org/m);
      expect(said.match(/Application password: /g)).toHaveLength(2);
      expect(said).toMatch(/Removed anna\.\s*$/);
    },
    LIMIT_MS,
  );
});

test.each(blocksFor('serve').slice(1))(
  '$file:$line starts a server',
  async ({ text }) => {
    const [, variables, flags] = /^((?:\w+=\S+ )*)understudy serve(.*)\n$/.exec(text) ?? [];
    const args = flags.trim().split(' ').filter(Boolean);
    const dataFile = args.indexOf('calendar.json');
    if (dataFile >= 0) args[dataFile] = inProject('calendar.json');
    const env = variables.includes('MONGODB_URI') ? { MONGODB_URI: other } : {};
    const folder = inProject(`data-${blocks.findIndex((block) => block.text === text)}`);
    const server = await startServe([...(dataFile < 0 ? EMPTY : []), ...args, '--port', '0', '--data', folder], env);
    const { stdout } = server.output();
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    for (const word of args.filter((arg) => /^acme|^https:/.test(arg))) expect(stdout).toContain(word);
  },
  LIMIT_MS,
);

test.each(blocksFor('run', 'js'))(
  '$file:$line are tests that pass',
  async ({ line, text }) => {
    await writeFile(inProject(`${line}.test.mjs`), text);
    const count = [...text.matchAll(/^test\(/gm)].length;
    await expect(shell(`node --test ${line}.test.mjs`)).resolves.toContain(`# pass ${count}`);
  },
  LIMIT_MS,
);

test('the tables of options and quirks are those of the code', () => {
  expect(tableIn(read(TABLE_FILES.options), 'options')).toBe(optionsTable(OPTIONS));
  expect(tableIn(read(TABLE_FILES.quirks), 'quirks')).toBe(quirksTable(QUIRKS));
});

test('every npm script that is named exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const all = documents.map(({ text }) => text).join('\n');
  const named = [...all.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, script, name]) => script ?? name);
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'conformance']));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** The name that a heading is linked by. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

test.each(documents)('everything that $file links or names is there', ({ file, text }) => {
  const linked = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target]) => target);
  const isMissing = (target: string): boolean => {
    const [name, anchor] = target.split('#');
    const where = name === '' ? path.join(root, file) : path.join(root, path.dirname(file), name);
    return !existsSync(where) || (anchor !== undefined && !anchorsIn(readFileSync(where, 'utf8')).includes(anchor));
  };
  const named = [...text.matchAll(/`((?:src|test|scripts|fixtures|docs|bench|examples)\/[\w./-]+|docker-compose\.yml|\.ci\/run)`/g)]
    .map(([, name]) => name)
    .filter((name) => !existsSync(path.join(root, name.replace('CODE', 'de'))));
  expect([...linked.filter(isMissing), ...named]).toEqual([]);
});

/** The help of every command, in one process. */
const HELP = `
import { readdirSync } from 'node:fs';
const folder = new URL(process.argv[1]);
for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
  const commands = Object.values(await import(new URL(name, folder).href)).filter((each) => typeof each?.run === 'function');
  for (const command of commands) console.log(command.help());
}`;

test('no document names an option that does not exist, and every command is told of', async () => {
  const folder = new URL('../../dist/commands/', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', HELP, folder]);
  // Those of npm, docker, curl and the scripts of this repository.
  const others = ['--omit', '--save-dev', '--wait', '--help', '--data-binary', '--quick'];
  const known = new Set([...others, ...[...stdout.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)]);
  const all = documents.map(({ text }) => text).join('\n');
  const flags = [...all.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
  expect(flags.filter((flag) => !known.has(flag))).toEqual([]);

  const { stdout: overview } = await runCli(['--help']);
  const commands = [...overview.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(commands).toEqual(expect.arrayContaining(['serve', 'seed', 'check']));
  expect(commands.filter((name) => !all.includes(`understudy ${name}`))).toEqual([]);
});
