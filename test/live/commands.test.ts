import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkCommand } from '../../src/cli/commands/check.js';
import { generateContent } from '../../src/cli/commands/generate.js';
import { pullSite } from '../../src/cli/commands/pull.js';
import type { Command } from '../../src/cli/commands/command.js';
import { isSameServer } from '../../src/cli/commands/pull.js';
import { inputFile, openFile } from '../../src/transfer/formats/open.js';
import { GENERATE_DEFAULTS, generate } from '../../src/transfer/generate/index.js';
import { EVENT } from '../../src/plugins/the-events-calendar/model/index.js';
import type { SourceItem, DatasetSource } from '../../src/transfer/source.js';
import { startTestServer } from '../support/server.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-live-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each<[string, Command, [string, string][]]>([
  [
    'generate',
    generateContent,
    [
      ['--events -1', '--events must be greater than or equal to 0'],
      ['--all-day 2', '--all-day must be less than or equal to 1'],
      ['--zones Mars/Base=1', 'unknown value "Mars/Base". Use Europe/Berlin'],
      ['--zones Europe/Berlin=many', 'the weight of Europe/Berlin must be a number, not "many"'],
      ['--cost free=0', 'at least one weight must be greater than 0'],
      ['--from 2027-05-02 --to 2027-05-01', '2027-05-01 is before 2027-05-02'],
      ['--to 2027-05-01 --span 3d', '--to and --span cannot be combined'],
      ['--span soon', 'invalid duration "soon"'],
      ['--from whenever', 'invalid date "whenever"'],
      ['--load -o x.json', '--load and --output cannot be combined'],
      ['more', 'Unexpected argument more'],
      ['-o calendar.doc', 'unknown file extension'],
    ],
  ],
  [
    'pull',
    pullSite,
    [
      ['', 'Usage: understudy pull URL'],
      ['ftp://example.org', 'invalid URL ftp://example.org'],
      ['https://example.org --login anna', '--login and --password-env must be used together'],
      ['https://example.org --login anna --password-env NO_SUCH_VARIABLE_HERE', 'NO_SUCH_VARIABLE_HERE is not set'],
      ['https://example.org --since never', 'invalid date "never"'],
      ['http://127.0.0.1:2 --retries 0', 'connection refused'],
    ],
  ],
  [
    'check',
    checkCommand,
    [
      ['a b', 'Usage: understudy check URL'],
      ['https://example.org --only everything', 'Use a comma-separated list of lists, filters'],
      ['https://example.org --contract --against http://127.0.0.1:8080', '--contract validates one site'],
      ['http://127.0.0.1:2 --retries 0 --contract', 'connection refused'],
    ],
  ],
])('%s', (_, command, faults) => {
  test.each(faults)('%s: %s', async (line, problem) => {
    const args = line === '' ? [] : line.split(' ');
    const place = command === checkCommand ? [] : ['--data', folder];
    await expect(command.run([...args, ...place])).rejects.toThrow(problem);
  });

  test('has help with an example', () => {
    expect(command.help()).toMatch(/^Usage: understudy \w+[\s\S]+Examples:\n {2}understudy/);
  });
});

const itemsOf = async (source: DatasetSource): Promise<SourceItem[]> => {
  const found: SourceItem[] = [];
  for await (const item of source.items(() => undefined)) found.push(item);
  return found;
};

const eventTitles = (items: SourceItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'post' && item.post.type === EVENT ? [item.post.title] : []));

test.each(['made.ndjson', 'made.yaml'])('generated content is written as %s', async (name) => {
  const file = path.join(folder, name);
  jest.spyOn(process.stdout, 'write').mockReturnValueOnce(true);
  await generateContent.run(['--events', '12', '--seed', 'x', '--images', '1', '--json', '-o', file, '--data', folder]);
  const read = await itemsOf(await openFile(inputFile(file), { now: null }));
  const made = await itemsOf(generate({ ...GENERATE_DEFAULTS, events: 12, seed: 'x', images: 1 }, null));
  expect(eventTitles(read)).toEqual(eventTitles(made));
});

describe('a server does not copy itself', () => {
  const server = startTestServer({});

  test.each(['127.0.0.1', 'localhost', 'LOCALHOST.', '127.1', '[::1]', '0.0.0.0', os.hostname(), 'a.localhost'])('as %s', async (host) => {
    const { port } = new URL(server().url);
    for (const url of [`http://${host}:${port}`, `http://${host}:${port}/__sandbox/a/`, `${host}:${port}`])
      await expect(pullSite.run([url, '--url', server().url, '--data', folder])).rejects.toThrow(/would replace the content of .* with -o/);
  });

  test('another port, or host, is another server', async () => {
    expect(await isSameServer('http://127.0.0.1:8081', 'http://127.0.0.1:8080')).toBe(false);
    expect(await isSameServer('http://192.0.2.1:8080', 'http://127.0.0.1:8080')).toBe(false);
    expect(await isSameServer('http://192.0.2.1', 'http://192.0.2.1:80/a')).toBe(true);
    expect(await isSameServer('https://192.0.2.1', 'http://192.0.2.1:443')).toBe(true);
  });
});
