import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createServer, type Server } from '../../../src/index.js';
import { testDatabase } from '../../support/database.js';
import { root } from '../../support/documents.js';
import { startServe, type CliProcess } from '../../support/cli.js';
import { blocks, blocksFor, LIMIT_MS, useProject, type Block } from './blocks.js';

/** The commands and examples of README.md and docs that use a server, and the examples in TypeScript. */

const { file: inProject, installed, shell } = useProject();
/** Starts faster than an embedded database. */
const { address: main } = testDatabase();

const ADDRESS = 'http://127.0.0.1:8080';
const NOW = '2026-06-15T12:00:00Z';
/** Placeholder for a remote site. */
const ELSEWHERE = 'https://example.org';

const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();

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
