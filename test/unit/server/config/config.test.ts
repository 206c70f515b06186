import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newerThanRecorded } from '../../../../src/wordpress/quirks.js';
import { ConfigError, foldedHelp, fromFlags, OPTIONS, resolveOptions, serverOptionHelp } from '../../../../src/server/config/index.js';
import { readConfigFile } from '../../../../src/server/config/file.js';
import { requireDataset } from '../../../../src/server/app/start.js';
import { nodeProblem } from '../../../../src/base/system/node-version.js';

const { engines } = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { engines: { node: string } };

describe('the version of Node.js', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0', '26.1.0'])('%s is new enough', (version) => expect(nodeProblem(version)).toBeNull());

  test.each(['18.20.8', '20.18.3'])('%s is rejected with the required version', (version) =>
    expect(nodeProblem(version)).toBe(`wp-understudy needs Node.js 20.19 or later; this is ${version}`),
  );

  test('matches the package', () => expect(engines.node).toBe('>=20.19.0'));
});

describe('--now', () => {
  test.each(['2026-06-15T12:00:00Z', '2024-02-29', '2026-12-31T23:59:59+14:00'])('%s is a time', (now) =>
    expect(fromFlags(['--now', now])).toEqual({ now }),
  );

  test.each(['soon', '', '2026-02-30', '2026-02-29T12:00:00Z', '2026-13-01', '2026-00-10'])('%j is not a time', (now) =>
    expect(() => fromFlags(['--now', now])).toThrow('--now must be a time such as 2026-06-15T12:00:00Z'),
  );
});

describe('--zones', () => {
  test.each(['2025b', '2026f'])('%s is a release', (zones) => expect(fromFlags(['--zones', zones])).toEqual({ zones }));

  test.each([
    ['2019z', 'unknown release of time zone data "2019z"'],
    ['./nowhere', 'there is no folder ./nowhere with time zone files'],
    ['./src', './src has no time zone files: there is no UTC'],
  ])('%s is none', (zones, problem) => expect(() => fromFlags(['--zones', zones])).toThrow(problem));

  test('a folder in a configuration file is relative to that file', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'config-'));
    const file = (zones: string): string => {
      const name = path.join(folder, 'understudy.config.json');
      writeFileSync(name, JSON.stringify({ zones }));
      return name;
    };
    expect(await readConfigFile(file('2025b'))).toEqual({ zones: '2025b' });
    await expect(readConfigFile(file('./zones'))).rejects.toThrow(`there is no folder ${path.join(folder, 'zones')}`);
  });
});

describe('--help', () => {
  const help = serverOptionHelp();

  test('lists every option once', () => {
    const listed = [...help.matchAll(/^ {2}--([\w-]+)/gm)].map(([, flag]) => flag);
    expect(listed.toSorted()).toEqual(OPTIONS.map(({ flag }) => flag).toSorted());
  });

  test('breaks lines at the width: paragraphs are joined, columns are kept', () => {
    const text = [
      'One sentence that',
      'goes on.',
      '',
      'Formats:',
      '  ics  .ics  for calendar apps',
      '  csv  .csv  tables',
      'Examples:',
      '  understudy seed calendar.yaml',
    ];
    expect(foldedHelp(text.join('\n'), 20).split('\n')).toEqual([
      'One sentence that',
      'goes on.',
      '',
      'Formats:',
      '  ics  .ics  for',
      '             calendar',
      '             apps',
      '  csv  .csv  tables',
      'Examples:',
      '  understudy seed calendar.yaml',
    ]);
    expect(foldedHelp(text.join('\n'), 80)).toMatch(/^One sentence that goes on\.\n\nFormats:\n/);
  });

  test.each([60, 80, 100])('has no line above %i characters, but for names', (width) => {
    const long = foldedHelp(help, width)
      .split('\n')
      .filter((line) => line.length > width && / .* /.test(line.trim().slice(0, -1)));
    expect(long).toEqual([]);
  });
});

test.each<[options: object, message: string]>([
  [{ port: null }, 'port must not be null. Leave it out instead'],
  [{ data: '' }, 'data must not be empty'],
  [{ data: 3 }, 'data must be a string, not 3'],
  [{ ephemeral: 'maybe' }, 'ephemeral must be true or false, not "maybe"'],
  [{ plugins: {} }, 'plugins must be a list, not {}'],
  [{ logLevel: 'warm' }, 'logLevel must be one of silent, error, warn, info, debug. Did you mean "warn"?'],
  [{ adminPassword: 'short' }, 'adminPassword must have at least 8 characters'],
])('of the options %j is said: %s', (options, message) => {
  expect(() => resolveOptions(options)).toThrow(new ConfigError(message));
});

test('a folder to keep content in and --ephemeral exclude each other', () => {
  expect(() => fromFlags(['--ephemeral', '--data', 'd'])).toThrow(
    '--ephemeral keeps nothing, and --data names where to keep it. Use one of them',
  );
});

test.each([
  ['6.8.99', 'No release 6.8.99 of WordPress is known. The site behaves like 6.8.12'],
  ['6.8.12', undefined],
  ['6.8.3', undefined],
  ['6.8', undefined],
  ['1.0', undefined],
])('of WordPress %s is said: %s', (release, warning) => expect(newerThanRecorded(release)).toBe(warning));

test('a misspelt quirk gets a suggestion, a wrong state the right ones, and anything else the list', () => {
  expect(() => fromFlags(['--quirk', 'no-etag=on'])).toThrow('invalid quirk "no-etag=on". Did you mean "no-etags"?');
  expect(() => fromFlags(['--quirk', 'no-etags=maybe'])).toThrow('invalid quirk "no-etags=maybe". Use no-etags=on or no-etags=off');
  expect(() => fromFlags(['--quirk', 'xyz'])).toThrow(/Use NAME=on or NAME=off, where NAME is one of: .*, no-etags, /);
});

describe('a configuration file', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'config-'));
  const file = (name: string, text: string): string => {
    const at = path.join(folder, name);
    writeFileSync(at, text);
    return at;
  };

  test.each([
    ['one.mjs', "const config = { dataset: 'calendar.json' };"],
    ['two.ts', "const config: object = { dataset: 'calendar.json' };"],
    ['three.cjs', "const config = { dataset: 'calendar.json' };"],
    ['four.mjs', "export const config = { dataset: 'calendar.json' };"],
    ['five.ts', "export const dataset = 'calendar.json';"],
  ])('without a default export is an error: %s', async (name, text) => {
    await expect(readConfigFile(file(name, text))).rejects.toThrow(`${name}: cannot be loaded: it has no default export.`);
  });

  test.each([
    ['six.mjs', 'export default {};'],
    ['seven.cjs', "module.exports = { profile: 'tec' };"],
    ['eight.ts', "export default { profile: 'tec' };"],
  ])('with one is read: %s', async (name, text) => {
    expect(await readConfigFile(file(name, text))).toEqual(text.includes('tec') ? { profile: 'tec' } : {});
  });

  test.each([
    ['nine.json', '{\n  "dataset": "nowhere.yaml"\n}', ':2:3'],
    ['ten.mjs', "export default { dataset: 'nowhere.yaml' };", ':1:18'],
  ])('that names a missing dataset is named with the place: %s', async (name, text, at) => {
    const { dataset } = await readConfigFile(file(name, text));
    const missing = path.join(folder, 'nowhere.yaml');
    expect(() => requireDataset({ dataset: dataset ?? '' })).toThrow(`${name}${at}: dataset: ${missing}: file not found`);
    expect(() => requireDataset({ dataset: 'elsewhere.yaml' })).toThrow('elsewhere.yaml: file not found');
    expect(() => requireDataset({ dataset: 'dmeo' })).toThrow('dmeo: file not found. Did you mean "demo"?');
  });

  test.each([
    ['eleven.json', '{\n  "prot": 1,\n  "port": "x",\n  "profile": "tek",\n  "ephemeral": true\n}', [':2:3', ':3:3', ':4:3']],
    ['twelve.mjs', "export default {\n  prot: 1,\n  port: 'x',\n  profile: 'tek',\n};", [':2:3', ':3:3', ':4:3']],
  ])('has all its problems reported: %s', async (name, text, [first, second, third]) => {
    const at = file(name, text);
    await expect(readConfigFile(at)).rejects.toThrow(
      [
        `${at}${first}: unknown option "prot". Did you mean "port"?`,
        `${at}${second}: port must be a number`,
        `${at}${third}: profile must be one of standard, tec`,
      ].join('\n'),
    );
  });
});
