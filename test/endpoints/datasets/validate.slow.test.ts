import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli, type CliResult } from '../../support/cli.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-validate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file. @returns its path */
function write(name: string, content: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
}

const validate = (...args: string[]): Promise<CliResult> => runCli(['validate', ...args]);

const YAML = write(
  'broken.yaml',
  `site: { timezone: Europe/Berln }
venues:
  - { slug: hall, name: Town Hall }
events:
  - { title: A, start: +3d 19:00, duration: 2h, venue: hal }
  - { titel: B, start: nonsense, duration: 2h }
`,
);

const CSV = write(
  'events.csv',
  `Event Name,Event Start Date,Event Start Time
"One, two",2026-08-01,10:00
"two
lines","soon",10:00

Three,2026-08-02,25:00
`,
);

test('validate prints every problem of every file with its line and column, and exits with 1', async () => {
  const { code, stdout, stderr } = await validate('--strict', YAML, CSV, path.join(folder, 'absent.json'));
  expect(stdout.split('\n').map((line) => line.replace(`${folder}${path.sep}`, '').slice(0, 60))).toEqual([
    'broken.yaml:1:9: site.timezone: unknown time zone "Europe/Be',
    'broken.yaml:5:49: events[0].venue: there is no venue with th',
    'broken.yaml:6:7: events[1].titel: unknown field. Did you mea',
    'broken.yaml:6:17: events[1].start: invalid date "nonsense". ',
    'events.csv:4:8: Event Start Date: invalid value "soon". Use ',
    'events.csv:6:18: Event Start Time: invalid value "25:00". Us',
    'absent.json:1:1: file not found',
    '7 problems found.',
    '',
  ]);
  expect(stderr).toBe('');
  expect(code).toBe(1);
  // An import leaves these rows out.
  expect((await validate(CSV)).stdout).toMatch(
    /events\.csv:4: warning: Event Start Date: left out: .*\n.*\n1 file: no problems, 2 warnings\.\n$/,
  );
});

test.each([
  ['a token that V8 gives no position of', '{\n  "a": tru\n}', '2:8: invalid JSON: Unexpected token'],
  ['a trailing comma', '{\n  "events": [\n    {},\n  ]\n}', '4:3: invalid JSON: remove the comma before ]'],
  ['a line break in a string', '{\n  "a": "b\nc"\n}', '2:10: invalid JSON: Bad control character'],
  ['an early end', '{\n  "a": [1,\n', '2:10: invalid JSON: Unexpected end'],
])('validate finds %s in JSON', async (_, text, expected) => {
  const { code, stdout } = await validate(write('syntax.json', text));
  expect(stdout).toContain(`syntax.json:${expected}`);
  expect(code).toBe(1);
});

test('validate reports what would only fail on loading: duplicates and missing files', async () => {
  const user = (login: string, _id: number): string =>
    JSON.stringify({
      user: { _id, login, email: '', displayName: '', nicename: '', url: '', role: 'editor', applicationPasswords: [] },
    });
  const lines = [
    '{"understudy":"dataset","version":1,"site_url":"","clock":null,"keeps_ids":true}',
    user('anna', 1),
    user('Anna', 2),
    '{"end":2}',
  ];
  const media = '{ "media": [{ "file": "absent.jpg" }] }';
  const { stdout } = await validate(write('users.ndjson', lines.join('\n')), write('media.json', media));
  expect(stdout).toMatch(/users\.ndjson:3:1: there is another user with the login "Anna"/);
  expect(stdout).toMatch(/media\.json:1:1: media\[0\]\.file: file not found: .*absent\.jpg/);
});

test('validate exits with 0 for files of all formats without problems', async () => {
  const samples = ['calendar.ics', 'events.csv', 'site.wxr.xml', 'venues.csv'].map((name) => `fixtures/import/${name}`);
  const { code, stdout } = await validate('fixtures/demo.json', 'fixtures/edge.json', 'test/conformance/world.json', ...samples);
  // Two edge cases are about the plugin's handling of thousands separators.
  expect(stdout.match(/: warning: The event "(?:Cost: thousands and decimals|New Year Bash)" costs /g)).toHaveLength(2);
  // What the calendar leaves out and chooses, and the export does not say.
  expect(stdout).toMatch(/^7 files: no problems, 7 warnings\.\n$/m);
  expect(code).toBe(0);
});

test('warnings about events that are left out have their line; with --strict they are problems', async () => {
  const ics = write('club.ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Gala\nDTSTART:20260931\nEND:VEVENT\nEND:VCALENDAR\n');
  const reason = 'DTSTART: invalid date or time "20260931": 2026-09 has 30 days';
  const lenient = await validate(ics);
  expect(lenient.stdout).toBe(`${ics}:2: warning: VEVENT "Gala": left out: ${reason}\n1 file: no problems, 1 warning.\n`);
  const asGithub = await validate(ics, '--reporter', 'github');
  expect(asGithub.stdout).toContain(`,line=2,title=Understudy::VEVENT "Gala": left out: ${reason}`);
  const strict = await validate(ics, '--strict');
  expect([strict.code, strict.stdout]).toEqual([1, `${ics}:2:1: VEVENT "Gala": ${reason}\n1 problem found.\n`]);
  const encoded = write('latin.ics', '');
  writeFileSync(encoded, Buffer.from('BEGIN:VCALENDAR\nX-WR-CALNAME:Caf\u00E9\nEND:VCALENDAR\n', 'latin1'));
  expect((await validate(encoded)).stdout).toMatch(/latin\.ics:2:17: the byte 0xE9 is not UTF-8; the file is probably windows-1252\./);
  expect((await validate(encoded, '--encoding', 'windows-1252')).stdout).toBe('1 file: no problems.\n');
});

test('validate prints JSON, and annotations for GitHub Actions', async () => {
  const asJson = await validate(CSV, '--strict', '--reporter', 'json');
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    valid: false,
    files: 1,
    problems: [
      { file: CSV, line: 4, column: 8, path: 'Event Start Date' },
      { line: 6, column: 18 },
    ],
  });
  const { stdout } = await validate(write('50%, a:b.yaml', 'events: [{ start: now }]'), '--reporter', 'github');
  expect(stdout).toContain('50%25%2C a%3Ab.yaml,line=1,col=');
  expect(stdout).toMatch(/^::error file=.*title=Understudy::events\[0\]\.title: is missing$/m);
});

test('validate reads standard input', async () => {
  const { code, stdout } = await runCli(['validate', '-', '--format', 'json'], {}, '{\n "evnts": [] }');
  expect(stdout).toContain('standard input:2:2: evnts: unknown field. Did you mean "events"?');
  expect(code).toBe(1);
});

test.each([
  [[], 'Usage: understudy validate FILE…'],
  [['a.json', '--reporter', 'xml'], '--reporter must be one of text, json, github'],
  [['a.json', '--data', 'x'], 'Unknown option --data'],
])('validate %j is a usage error', async (args, message) => {
  const { code, stderr } = await validate(...args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('validate says of an empty file of any format that it is empty, and of a folder that it is one', async () => {
  const names = ['json', 'yaml', 'csv', 'ics', 'xml', 'ndjson', 'txt'].map((extension) => write(`empty.${extension}`, ' \n'));
  const none = path.join(folder, 'none');
  mkdirSync(none);
  const { stdout } = await validate(...names, none);
  expect(stdout.split('\n').map((line) => line.replace(/^.*?:1:1: /, ''))).toEqual([
    ...names.map(() => 'the file is empty'),
    'is a folder without recorded responses (.json, .har, .yaml)',
    '8 problems found.',
    '',
  ]);
});

const DOUBTFUL = write('doubtful.csv', 'Title,Start,End,Colour,Cost\nFair,2026-08-01 10:00,2026-08-01 12:00,red,"1,234.50"\n');
const DOUBTS = [
  'The column "Colour" is not read. Rename it, or import with --map "Colour=FIELD"',
  'The event "Fair" costs "1,234.50", which The Events Calendar reads as several amounts. Write "1234.50"',
];

test('validate warns of columns that are dropped and of costs that the plugin misreads, in every report', async () => {
  const { code, stdout } = await validate(DOUBTFUL);
  expect([code, stdout]).toEqual([
    0,
    `${DOUBTS.map((doubt) => `${DOUBTFUL}: warning: ${doubt}\n`).join('')}1 file: no problems, 2 warnings.\n`,
  ]);
  const { warnings } = JSON.parse((await validate(DOUBTFUL, '--reporter', 'json')).stdout) as { warnings: { message: string }[] };
  expect(warnings.map(({ message }) => message)).toEqual(DOUBTS);
  expect((await validate(DOUBTFUL, '--reporter', 'github')).stdout.match(/^::warning file=/gm)).toHaveLength(2);
});

test('validate runs modules, and names the file and the line that fails', async () => {
  const parts = write('parts.ts', "const title: string = 'A';\nexport const parts = [{ title, start: '+1d 10:00', duration: '1h' }];\n");
  const module = write('calendar.mts', "import { parts } from './parts.js';\nexport default async () => ({ events: parts });\n");
  expect(await validate(module)).toMatchObject({ code: 0, stdout: '1 file: no problems.\n' });
  writeFileSync(parts, "\nthrow new Error('no parts');\n");
  expect(await validate(module)).toMatchObject({ code: 1, stdout: `${parts}:2:1: cannot be run: no parts\n1 problem found.\n` });
  const typo = write('typo.js', "export default { events: [{ titel: 'A', start: '+1d', duration: '1h' }] };\n");
  expect((await validate(typo)).stdout).toContain('events[0].titel: unknown field. Did you mean "title"?');
});
