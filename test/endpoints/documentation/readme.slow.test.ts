import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createServer, type Server } from '../../../src/index.js';
import { testDatabase } from '../../support/database.js';
import { documents, root } from '../../support/documents.js';
import { startServe, type CliProcess } from '../../support/cli.js';

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

/** Databases on the test run's server, which start faster than embedded ones. */
const [main, other] = [testDatabase(), testDatabase()].map(({ uri, name }) => {
  const address = new URL(uri);
  address.pathname = `/${name}`;
  return address.href;
});

const ADDRESS = 'http://127.0.0.1:8080';
const NOW = '2026-06-15T12:00:00Z';
/** Placeholder for a remote site. */
const ELSEWHERE = 'https://example.org';
/** Timeout of one block. Machines may be busy. */
const LIMIT_MS = 90_000;

/** For blocks that do not depend on the content. An empty site starts faster. */
const EMPTY = ['--dataset', path.join(root, 'fixtures/empty.json')];

interface Block {
  file: string;
  line: number;
  language: string;
  /** What the test does with the block. */
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

/** A project with the published package installed, and `understudy` on its path. */
let project: string;

/** Runs a block in a shell that stops at the first failing command. */
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

/** A file of the published package. */
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
afterAll(() => rm(project, { recursive: true, force: true }));

describe('examples that send requests', () => {
  let server: CliProcess & { url: string };
  let before = '';
  beforeAll(async () => {
    const [, flags] = /^understudy serve (.*)\n$/.exec(blocksFor('demo')[0].text) ?? [];
    const args = [...flags.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
    server = await startServe([...args, '--port', '0']);
  }, LIMIT_MS);
  afterAll(() => server.stop('SIGKILL'));

  const local = (text: string): string => text.replaceAll(ADDRESS, server.url);
  const next = (block: Block): Block | undefined => blocks.at(blocks.indexOf(block) + 1);
  const cases = blocksFor('run');

  test.each(cases)('$file:$line', async (block) => {
    // Each document starts with the unchanged demo calendar.
    if (block.file !== before) {
      await fetch(`${server.url}/__qa/faults`, { method: 'DELETE' });
      await fetch(`${server.url}/__qa/stubs`, { method: 'DELETE' });
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

  test('finds examples', () => {
    expect(cases.length).toBeGreaterThan(15);
    expect(blocksFor('output', 'json').length + blocksFor('output', 'text').length).toBeGreaterThan(7);
  });
});

describe('examples that use a data folder', () => {
  let server: CliProcess & { url: string };
  let elsewhere: Server;
  beforeAll(async () => {
    const dataset = inProject('calendar.json');
    // Simulates a WordPress site.
    elsewhere = await createServer({ dataset, now: NOW, profile: 'tec' });
    server = await startServe(['--data', inProject('data'), '--dataset', dataset, '--now', NOW, '--port', '0'], { MONGODB_URI: main });
  }, LIMIT_MS);
  afterAll(async () => {
    await elsewhere.close();
    await server.stop('SIGKILL');
  });

  /** Disables the rate limit for remote sites. */
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
    'the example dataset is valid in JSON and YAML',
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
    'commands that require a stopped server',
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

test.each(blocksFor('serve'))(
  '$file:$line starts a server',
  async ({ file, line, text }) => {
    const [, variables, flags] = /^((?:\w+=\S+ )*)understudy serve(.*)\n$/.exec(text) ?? [];
    const args = flags.trim().split(' ').filter(Boolean);
    const dataFile = args.indexOf('calendar.json');
    if (dataFile >= 0) args[dataFile] = inProject('calendar.json');
    const env = variables.includes('MONGODB_URI') ? { MONGODB_URI: other } : {};
    const folder = inProject(`data-${path.basename(file)}-${line}`);
    const server = await startServe(
      [...(args.includes('--dataset') || /^\w/.test(args[0] ?? '') ? [] : EMPTY), ...args, '--port', '0', '--data', folder],
      env,
    );
    const { stdout } = server.output();
    // A server that listens beyond this machine reports that its test API is off.
    const said = /^(?:The test API is off: .*\n)?$/;
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0, stderr: expect.stringMatching(said) as string });
    for (const word of args.filter((arg) => /^acme|^https:/.test(arg))) expect(stdout).toContain(word);
  },
  LIMIT_MS,
);

test('no link of the published documents leads to a file that is not published', async () => {
  const files = ['README.md', ...(await readdir(installed('docs'), { recursive: true })).map((name) => `docs/${name}`)].filter((name) =>
    name.endsWith('.md'),
  );
  expect(files.length).toBeGreaterThan(20);
  const dead = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(installed(file), 'utf8');
      const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target);
      return targets
        .filter((target) => !existsSync(path.join(path.dirname(installed(file)), target)))
        .map((target) => `${file}: ${target}`);
    }),
  );
  expect(dead.flat()).toEqual([]);
});

test.each(['mentions', 'comments', 'series', 'placeholder', 'stubs'])('a dataset with %s is valid', async (name) => {
  await writeFile(inProject(`${name}.yaml`), blocksFor(name, 'yaml')[0].text);
  expect(await shell(`understudy validate ${name}.yaml`)).toContain('no problems');
});

/** Declarations for imports that are not installed here. */
const AMBIENT = `declare module '@playwright/test' {
  interface Page {
    goto(url: string): Promise<void>;
    getByText(text: string): object;
  }
  export interface TestType<Fixtures, WorkerFixtures> {
    (name: string, body: (fixtures: Fixtures & WorkerFixtures & { page: Page }) => Promise<void>): void;
    extend(fixtures: object): unknown;
  }
  export const test: TestType<object, object>;
  export const expect: (value: unknown) => { toBeVisible(): Promise<void> };
}
`;

test(
  'examples in TypeScript compile',
  async () => {
    const texts = [...blocksFor('types', 'ts'), ...blocksFor('config', 'ts')].map(({ text }) => text);
    expect(texts.length).toBeGreaterThan(2);
    await Promise.all(texts.map((text, index) => writeFile(inProject(`typed-${index}.mts`), text)));
    await writeFile(inProject('ambient.d.ts'), AMBIENT);
    const files = ['ambient.d.ts', ...texts.map((_, index) => `typed-${index}.mts`)].join(' ');
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    await shell(`${tsc} --ignoreConfig --noEmit --strict --skipLibCheck --target es2022 --module nodenext ${files} 2>&1`);
  },
  LIMIT_MS,
);

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
