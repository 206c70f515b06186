import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '../../support/cli.js';

/** Venues and terms that a dataset refers to and does not contain, where they are forbidden. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-no-create-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: object | string): string {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
}

const TALK = { events: [{ title: 'Talk', start: '+3d 10:00', duration: '1h', venue: 'hall', categories: ['Music'] }] };

describe('--no-create', () => {
  const calendar = write('calendar.json', TALK);
  const venues = write('venues.csv', 'Venue Name\nHall\n');
  const music = write('music.yaml', 'categories: [{ name: Music }]\n');

  test('validate looks for them in all files', async () => {
    expect(await runCli(['validate', calendar])).toMatchObject({ code: 0 });
    const { code, stdout } = await runCli(['validate', calendar, '--no-create']);
    expect(stdout.split('\n').map((line) => line.replace(`${folder}${path.sep}`, ''))).toEqual([
      'calendar.json:7:7: events[0].venue: there is no venue with the slug "hall"',
      'calendar.json:9:9: events[0].categories[0]: there is no category with the slug "Music"',
      '2 problems found.',
      '',
    ]);
    expect(code).toBe(1);
    expect(await runCli(['validate', calendar, venues, music, '--no-create'])).toMatchObject({ code: 0 });
  });

  test('serve reports them, by flag or configuration file, and validate follows the file', async () => {
    const problem = 'there is no venue with the slug "hall"';
    const served = await runCli(['serve', '--dataset', calendar, '--ephemeral', '--port', '0', '--no-create']);
    expect([served.code, served.stderr.includes(problem)]).toEqual([1, true]);
    write('understudy.config.json', { dataset: 'calendar.json', create: false, ephemeral: true, port: 0 });
    const configured = await runCli(['serve'], {}, '', folder);
    expect([configured.code, configured.stderr.includes(problem)]).toEqual([1, true]);
    const validated = await runCli(['validate', 'calendar.json'], {}, '', folder);
    expect([validated.code, validated.stdout.includes(problem)]).toEqual([1, true]);
  });
});
