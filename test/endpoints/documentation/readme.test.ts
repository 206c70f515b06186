import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { GROUPS, OPTIONS } from '../../../src/server/config/options.js';
import { optionsTable, quirksTable, settingsTable, tableIn, TABLE_FILES, versionsTable } from '../../../scripts/readme-tables.mjs';
import { CALENDAR_SETTINGS, WORDPRESS_SETTINGS } from '../../../src/transfer/settings/table.js';
import { QUIRKS } from '../../../src/plugins/quirks.js';
import { runCli } from '../../support/cli.js';
import { documents, read, root } from '../../support/documents.js';

/** Names in README.md and docs exist. `readme.more.test.ts` and `readme-servers.slow.test.ts` run the commands. */

test('the tables of options, quirks, releases and settings are as scripts/readme-tables.mjs writes them', () => {
  expect(tableIn(read(TABLE_FILES.options), 'options')).toBe(optionsTable(OPTIONS, GROUPS));
  expect(tableIn(read(TABLE_FILES.quirks), 'quirks')).toBe(quirksTable(QUIRKS));
  expect(tableIn(read(TABLE_FILES.versions), 'versions')).toBe(versionsTable(QUIRKS, 'the-events-calendar'));
  expect(tableIn(read(TABLE_FILES.wordpress), 'wordpress')).toBe(versionsTable(QUIRKS, 'wordpress'));
  expect(tableIn(read(TABLE_FILES.settings), 'settings')).toBe(settingsTable(WORDPRESS_SETTINGS));
  expect(tableIn(read(TABLE_FILES.settings), 'calendarSettings')).toBe(settingsTable(CALENDAR_SETTINGS));
});

/** The number of words to read, without the names of tests, which only look-ups need. */
const words = (text: string): number =>
  text
    .replaceAll(/`test\/[\w./-]+`: [^|<\n]*/g, '')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;

test('README has at most 1,000 words, and pages have at most 1,500', () => {
  const tooLong = documents
    .filter(({ file }) => file !== 'SECURITY.md')
    .map(({ file, text }) => ({ file, words: words(text), limit: file === 'README.md' ? 1000 : 1500 }))
    .filter(({ words: count, limit }) => count > limit);
  expect(tooLong).toEqual([]);
});

test('the index lists every page', () => {
  const index = read('docs/README.md');
  const missing = documents
    .map(({ file }) => file)
    .filter((file) => /^docs\/(?!README)[\w-]+\.md$/.test(file) && !index.includes(`](${file.slice('docs/'.length)})`));
  expect(missing).toEqual([]);
});

test('every npm script mentioned exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const all = documents.map(({ text }) => text).join('\n');
  const named = [...all.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, script, name]) => script ?? name);
  expect(named).toEqual(expect.arrayContaining(['start', 'test', 'conformance']));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** The anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

test.each(documents)('every file that $file links to or mentions exists', ({ file, text }) => {
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

/** Options of docker, docker compose, deno, Caddy, curl and Node.js. */
const DOCKER =
  'tag publish env volume read-only tmpfs cap-drop security-opt build-arg profile detach allow-all no-check internal-certs from to cacert connect-to import'
    .split(' ')
    .map((name) => `--${name}`);

/** Prints the help of every command, in one process. */
const HELP = `
import { readdirSync } from 'node:fs';
const folder = new URL(process.argv[1]);
for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.js'))) {
  const commands = Object.values(await import(new URL(name, folder).href)).filter((each) => typeof each?.run === 'function');
  for (const command of commands) console.log(command.help());
}`;

test('the documents mention only existing options, and every command', async () => {
  const folder = new URL('../../../dist/cli/commands/', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', HELP, folder]);
  // Options of npm, node, docker, curl and the scripts of this repository.
  const others = ['--omit', '--save-dev', '--test', '--wait', '--help', '--data-binary', '--data-raw', ...DOCKER];
  const explained =
    stdout + ['bench/run.mjs', 'test/torture/run.mjs', 'test/conformance/run.mjs', 'scripts/pack-recordings.mjs'].map(read).join('');
  const known = new Set([...others, ...[...explained.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag)]);
  const all = documents.map(({ text }) => text).join('\n');
  const flags = [...all.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
  expect(flags.filter((flag) => !known.has(flag))).toEqual([]);

  const { stdout: overview } = await runCli(['--help']);
  const commands = [...overview.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(commands).toEqual(expect.arrayContaining(['serve', 'seed', 'check']));
  // Its example of a new command does not count.
  const forUsers = documents.filter(({ file }) => file !== 'docs/how-to-change.md');
  expect(commands.filter((name) => !forUsers.some(({ text }) => text.includes(`understudy ${name}`)))).toEqual([]);
});
