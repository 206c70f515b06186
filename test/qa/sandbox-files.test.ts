import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FolderCopy, FolderRestore } from '../../src/transfer/load/mirror.js';
import { signIn, WORLD } from '../support/api.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';

/* The files of the media library are in the folder of a sandbox when somebody looks for them. */

describe('a folder that awaits files', () => {
  let folder: string;
  let [of, to] = ['', ''];
  let copy: FolderCopy;
  let restore: FolderRestore;

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-await-'));
    [of, to] = ['of', 'to'].map((name) => path.join(folder, name));
    mkdirSync(path.join(of, '2026/01'), { recursive: true });
    writeFileSync(path.join(of, '2026/01/one.png'), '1');
    writeFileSync(path.join(of, 'two.txt'), '2');
    copy = await FolderCopy.make(of, path.join(folder, 'copy'));
    restore = new FolderRestore(to);
    restore.await(copy);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const files = (): string[] =>
    readdirSync(to, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));

  test('gets them when its path is read', () => {
    expect(existsSync(to)).toBe(false);
    expect(restore.path).toBe(to);
    expect(files().toSorted()).toEqual(['one.png', 'two.txt']);
  });

  test('gets those of the time of the copy', () => {
    writeFileSync(path.join(of, 'later.txt'), '3');
    restore.fill();
    expect(files().toSorted()).toEqual(['one.png', 'two.txt']);
  });

  test('is the same as the original until either changes', async () => {
    expect(await restore.from(of)).toBeUndefined();
    expect(existsSync(to)).toBe(false);
    writeFileSync(path.join(of, 'later.txt'), '3');
    await (await restore.from(of))!();
    expect(files().toSorted()).toEqual(['later.txt', 'one.png', 'two.txt']);
  });

  test('gets them before the copy ends', async () => {
    await copy.end();
    expect(files().toSorted()).toEqual(['one.png', 'two.txt']);
    expect(existsSync(path.join(folder, 'copy'))).toBe(false);
  });

  test('gives them up', async () => {
    restore.forget();
    await copy.end();
    expect(restore.path).toBe(to);
    expect(existsSync(to)).toBe(false);
  });
});

describe('a sandbox', () => {
  const server = startTestServer({ dataset: WORLD, now: '2026-06-15T12:00:00Z', sandboxes: 0 });
  const folders = (): string => path.join(server().site.uploads, '../sandboxes');
  /** The uploads folders of sandboxes. */
  const filled = (): string[] => readdirSync(folders()).filter((name) => existsSync(path.join(folders(), name, 'uploads')));
  const anyFile = (): string => {
    const root = server().site.uploads;
    const entry = readdirSync(root, { recursive: true, withFileTypes: true }).find((each) => each.isFile())!;
    return path.relative(root, path.join(entry.parentPath, entry.name));
  };
  const at = (name: string, rest: string): string => `${server().url}/__sandbox/${name}${rest}`;
  const get = async (name: string, file: string): Promise<number> => (await http('GET', at(name, `/wp-content/uploads/${file}`))).status;
  const list = async (name: string): Promise<number> => (await http('GET', at(name, '/wp-json/tribe/events/v1/events'))).status;
  const post = async (url: string, body: object = {}): Promise<number> =>
    (await http('POST', url, { 'content-type': 'application/json', authorization: signIn('admin') }, JSON.stringify(body))).status;
  const EMPTY = { events: [{ title: 'One', start: '2026-07-01 10:00', duration: '1h' }] };

  test('has them at its address, also after a reset, and not before somebody asks', async () => {
    expect(await list('looks')).toBe(200);
    expect(await post(at('looks', '/__qa/reset'))).toBe(200);
    expect(filled()).toEqual([]);
    expect(await get('looks', anyFile())).toBe(200);
    expect(filled()).toHaveLength(1);
    expect(await post(at('looks', '/__qa/reset'))).toBe(200);
    expect(await get('looks', anyFile())).toBe(200);
  });

  test('does not have them after its content was replaced, and has them after an addition', async () => {
    const file = anyFile();
    expect(await list('replaced')).toBe(200);
    expect(await post(at('replaced', '/__qa/seed'), EMPTY)).toBe(200);
    expect(await get('replaced', file)).toBe(404);
    expect(await list('added')).toBe(200);
    expect(await post(at('added', '/__qa/seed?mode=add'), EMPTY)).toBe(200);
    expect(await get('added', file)).toBe(200);
  });

  test('has them again after a snapshot is restored', async () => {
    expect((await http('PUT', at('saved', '/__qa/snapshots/one'))).status).toBeLessThan(300);
    expect(await post(at('saved', '/__qa/seed?pristine=false'), EMPTY)).toBe(200);
    expect(await get('saved', anyFile())).toBe(404);
    expect(await post(at('saved', '/__qa/snapshots/one/restore'))).toBe(200);
    expect(await get('saved', anyFile())).toBe(200);
  });

  test('keeps them when the main site gets other content', async () => {
    const file = anyFile();
    expect(await list('early')).toBe(200);
    expect(await post(`${server().url}/__qa/seed`, EMPTY)).toBe(200);
    expect(await list('late')).toBe(200);
    expect([await get('early', file), await get('late', file)]).toEqual([200, 404]);
  });
});
