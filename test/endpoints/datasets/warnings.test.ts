import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SiteControl } from '../../../src/sdk/testing/site-control.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/** Warnings about a file: the same list on every way that a file comes in. `commands.slow.test.ts` has the commands. */

const server = startTestServer({ dataset: { site: { timezone: 'Europe/Berlin' } }, now: '2026-06-15T12:00:00Z' });

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-warnings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CALENDAR = [
  'BEGIN:VCALENDAR',
  'BEGIN:VTODO',
  'END:VTODO',
  ...['BEGIN:VEVENT', 'SUMMARY:Never', 'DTSTART:20260931', 'END:VEVENT'],
  ...['BEGIN:VEVENT', 'SUMMARY:Good', 'DTSTART;TZID=W. Europe Standard Time:20260930T100000', 'END:VEVENT'],
  'END:VCALENDAR',
].join('\r\n');

const warningsOf = (name: string): string[] => [
  `${name}: line 4: VEVENT "Never": left out: DTSTART: invalid date or time "20260931": 2026-09 has 30 days.`,
  'The time zone "W. Europe Standard Time" is read as Europe/Berlin.',
  'iCalendar: left out VTODO: only events are imported (1).',
];

/** Any JSON. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Any = any;

async function send(route: string, body: string, type: string): Promise<{ status: number; json: Any }> {
  const { status, text } = await http('POST', `${server().url}/__qa/${route}`, { 'content-type': type }, body);
  return { status, json: JSON.parse(text) };
}

const files = (name: string): string =>
  JSON.stringify({ dataset: [{ name, content: Buffer.from(CALENDAR).toString('base64') }], keep: true });

const WAYS: Readonly<Record<string, () => Promise<{ name: string; warnings: unknown }>>> = {
  'POST /seed': async () => ({ name: 'The body', warnings: (await send('seed', CALENDAR, 'text/calendar')).json.warnings }),
  'POST /seed, adding': async () => ({
    name: 'The body',
    warnings: (await send('seed?mode=add', CALENDAR, 'text/calendar')).json.warnings,
  }),
  'POST /seed/files, as the control page does': async () => ({
    name: 'club.ics',
    warnings: (await send('seed/files', files('club.ics'), 'application/json')).json.warnings,
  }),
  'seed() of the helpers': async () => {
    const name = path.join(folder, 'club.ics');
    writeFileSync(name, CALENDAR);
    const { warnings } = await new SiteControl({ url: server().url, fetch }, {}).seed(name);
    return { name, warnings };
  },
};

test.each(Object.entries(WAYS))('%s', async (_, way) => {
  const { name, warnings } = await way();
  expect(warnings).toEqual(warningsOf(name));
});

test('with strict, nothing changes, and the reasons are problems', async () => {
  const { status, json } = await send('seed?strict=true', CALENDAR, 'text/calendar');
  expect([status, json.code, json.message]).toEqual([
    400,
    'understudy_invalid_dataset',
    'The body: line 4: VEVENT "Never": DTSTART: invalid date or time "20260931": 2026-09 has 30 days',
  ]);
});

test('the encoding of a file can be set', async () => {
  const text = Buffer.from(CALENDAR.replace('Good', 'Caf\u00E9'), 'latin1').toString('base64');
  const body = (more: object): string => JSON.stringify({ dataset: [{ name: 'club.ics', content: text }], ...more });
  const broken = await send('seed/files', body({}), 'application/json');
  expect([broken.status, broken.json.message]).toEqual([400, expect.stringMatching(/^club\.ics: line 9: the byte 0xE9 is not UTF-8/)]);
  expect((await send('seed/files', body({ encoding: 'windows-1252' }), 'application/json')).status).toBe(200);
  const { text: list } = await http('GET', `${server().restUrl}/tribe/events/v1/events?start_date=2026-09-01`);
  expect(JSON.parse(list).events.map(({ title }: Any) => title)).toEqual(['Café']);
});

test('a module that is sent is not run', async () => {
  const name = path.join(folder, 'calendar.ts');
  const text = "process.env['RAN_MODULE'] = '1';\nexport default { events: [] };\n";
  writeFileSync(name, text);
  const refused = /calendar\.ts: is a module, which only the command line runs\. Import it, and pass what it exports$/;
  const body = JSON.stringify({ dataset: [{ name: 'calendar.ts', content: Buffer.from(text).toString('base64') }] });
  const { status, json } = await send('seed/files', body, 'application/json');
  expect([status, json.message]).toEqual([400, expect.stringMatching(refused)]);
  await expect(new SiteControl({ url: server().url, fetch }, {}).seed(name)).rejects.toThrow(refused);
  expect((await send('seed', text, 'text/plain')).status).toBe(400);
  expect(process.env['RAN_MODULE']).toBeUndefined();
});
