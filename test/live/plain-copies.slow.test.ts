import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { runCli } from '../support/cli.js';
import { startTestServer } from '../support/server.js';

/** A site without other plugins, and its copy. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-plain-'));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, 'uploads'));
writeFileSync(path.join(folder, 'uploads/terms.txt'), 'Be kind.\n');
const file = path.join(folder, 'site.yaml');
writeFileSync(
  file,
  `site: { name: Town, timezone: Europe/Berlin }
users:
  - { login: anna, role: administrator, email: anna@example.org, application_password: only for tests 1234 }
  - { login: bert, role: author, email: bert@example.net }
media:
  - { file: terms.txt, slug: terms }
navigation:
  - { title: Main, slug: main, content: '<!-- wp:navigation-link {"label":"A","url":"/"} /-->' }
  - { title: Old, slug: old, status: draft, content: '' }
events:
  - { title: Fest, slug: fest, start: +3d 10:00, duration: 2h, author: bert }
  - { title: Part, slug: part, start: +3d 11:00, duration: 1h, parent: fest }
`,
);
const NOW = '2026-06-15T12:00:00Z';
const server = startTestServer({ dataset: file, profile: 'tec', now: NOW });
const run = (...args: string[]): ReturnType<typeof runCli> =>
  runCli([...args, '--rate', '0'], { TMPDIR: folder, PASSWORD: 'only for tests 1234' }, '', folder);

test.each([
  ['a visitor', []],
  ['the administrator, whom the copy knows by the same login', ['--login', 'anna', '--password-env', 'PASSWORD']],
])(
  'check finds no difference as %s, and says what a copy cannot have',
  async (_, login) => {
    const { code, stdout, stderr } = await run('check', server().url, '--now', NOW, ...login);
    expect(stdout).toMatch(/^(\d+) of \1 responses match\.$/m);
    expect(stderr).toContain('Not compared: the parents of events, which no response shows');
    expect(stderr).toContain('Not compared: the sizes of files, which are not copied.');
    expect(code).toBe(0);
  },
  120_000,
);

test('pictures of users that follow from the addresses of the copy are left out, and others are one hash', async () => {
  expect(await run('pull', server().url, '-o', 'copy.yaml')).toMatchObject({ code: 0 });
  const { users } = parse(readFileSync(path.join(folder, 'copy.yaml'), 'utf8')) as { users: Record<string, unknown>[] };
  // The copy takes anna@example.org for the address of the first one. That of the other one is unknown.
  expect(users.map(({ login, avatar, fields }) => [login, avatar, fields]).sort()).toEqual([
    ['anna', undefined, undefined],
    ['bert', createHash('sha256').update('bert@example.net').digest('hex'), undefined],
  ]);
}, 120_000);
