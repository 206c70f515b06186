import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/** Other users of the machine cannot read what a data folder holds. */

const data = mkdtempSync(path.join(tmpdir(), 'understudy-private-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));
// As users make it, and as earlier versions left it.
chmodSync(data, 0o755);
mkdirSync(path.join(data, 'uploads'));
chmodSync(path.join(data, 'uploads'), 0o755);

const umask = process.umask(0o022);
afterAll(() => void process.umask(umask));

const server = startTestServer({ dataset: 'demo', ephemeral: false, data });

/** Windows has no such modes. */
const isOpen = (file: string): boolean => process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;

test('folders in the data folder are those of their user alone, new and old', async () => {
  const post = async (route: string, body: object = {}): Promise<number> =>
    (await http('POST', `${server().url}/__qa/${route}`, { 'content-type': 'application/json' }, JSON.stringify(body))).status;
  expect([await post('snapshots', { name: 'before' }), await post('sandboxes'), await post('reset')]).not.toContain(400);
  const entries = readdirSync(data, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(folders).toEqual(expect.arrayContaining(['snapshots', 'uploads']));
  expect(folders.filter((name) => isOpen(path.join(data, name)))).toEqual([]);
  expect(readdirSync(path.join(data, 'uploads')).filter((name) => isOpen(path.join(data, 'uploads', name)))).toEqual([]);
  // Files beside the folders can be reached.
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  expect(files.filter((name) => isOpen(path.join(data, name)))).toEqual([]);
});

test('each folder that the sources make is private, but those that users name for output', () => {
  const root = fileURLToPath(new URL('../../../src/', import.meta.url));
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const made = sources.flatMap((name) =>
    readFileSync(path.join(root, name), 'utf8')
      .split('\n')
      .filter((line) => /\bmkdir(?:Sync)?\(/.test(line))
      .map((line) => ({ name: name.split(path.sep).join('/'), line })),
  );
  expect(made.length).toBeGreaterThan(20);
  const open = made.filter(({ line }) => !/, PRIVATE\)|mode: 0o700/.test(line)).map(({ name }) => name);
  expect(open.toSorted()).toEqual([
    'cli/commands/export.ts',
    'cli/commands/folder/backup.ts',
    'cli/commands/init.ts',
    'server/proxy/cassette.ts',
    'transfer/formats/collect.ts',
  ]);
});
