import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FolderRestore, mirrorFiles } from '../../src/transfer/load/mirror.js';
import { apiOf, WORLD } from '../support/api.js';
import { startTestServer } from '../support/server.js';

const server = startTestServer({ dataset: WORLD, now: '2026-06-15T12:00:00Z' }, { isInMemory: false });
const { call, reset } = apiOf(server);

/** Counts the database commands during some work. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  const { client } = server().site.store.db;
  let count = 0;
  const add = (): void => void (count += 1);
  client.on('connectionCheckedOut', add);
  await work().finally(() => client.off('connectionCheckedOut', add));
  return count;
}

const EVENT = { title: 'Stray', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00', categories: ['Stray'] };

test('a reset after writes is one command, and the next list none', async () => {
  const list = (): Promise<unknown> => call('GET', 'events').then(({ body }) => body);
  await reset();
  const before = await list();
  const round = async (): Promise<number> => {
    expect((await call('POST', 'events', { as: 'admin', body: EVENT })).status).toBe(201);
    expect((await call('POST', 'events/35', { as: 'admin', body: { title: 'Changed' } })).status).toBe(200);
    expect(await list()).not.toEqual(before);
    const commands = await commandsOf(reset);
    return commands + (await commandsOf(async () => expect(await list()).toEqual(before)));
  };
  // The first reset reads the documents of the snapshot.
  await round();
  // What goes on in the background adds commands, on a busy machine also here.
  expect(Math.min(await round(), await round(), await round())).toBe(1);
  expect(await server().site.store.workLog.unfinished()).toEqual([]);
});

test('the ids of new posts are the same after each reset, without reading the counters', async () => {
  const create = async (): Promise<number> => (await call<{ id: number }>('POST', 'events', { as: 'admin', body: EVENT })).body.id;
  await reset();
  const first = await create();
  expect(await create()).toBe(first + 1);
  await reset();
  expect(await create()).toBe(first);
  await reset();
});

test('a reset that fails is not repeated at the next start', async () => {
  const { store } = server().site;
  const alongside = (): Promise<never> => Promise.reject(new Error('no space'));
  await call('POST', 'events', { as: 'admin', body: EVENT });
  await expect(store.snapshots.restore('pristine', store.snapshots, { alongside })).rejects.toThrow('no space');
  expect(await store.workLog.unfinished()).toEqual([]);
  await reset();
});

describe('files', () => {
  let folder: string;
  let from: string;
  let to: string;
  const long = new Date('2026-01-01');

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-reset-'));
    [from, to] = ['from', 'to'].map((name) => path.join(folder, name));
    mkdirSync(path.join(from, '2026/01'), { recursive: true });
    writeFileSync(path.join(from, '2026/01/kept.png'), 'x');
    await mirrorFiles(from, to);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A restore that has found the folders equal. Their last changes are old. */
  async function settled(): Promise<FolderRestore> {
    const restore = new FolderRestore(to);
    for (const root of [from, to]) for (const each of ['', '2026', '2026/01']) utimesSync(path.join(root, each), long, long);
    expect(await restore.from(from)).toBeUndefined();
    return restore;
  }

  const changes: [string, () => void][] = [
    ['a file is added', () => writeFileSync(path.join(to, '2026/01/stray.png'), 'x')],
    ['a file is removed', () => rmSync(path.join(to, '2026/01/kept.png'))],
    ['a folder with a file is added', () => (mkdirSync(path.join(to, '2027')), writeFileSync(path.join(to, '2027/stray.png'), 'x'))],
    ['everything is removed', () => rmSync(to, { recursive: true })],
    ['the snapshot changes', () => writeFileSync(path.join(from, '2026/01/more.png'), 'x')],
  ];

  test.each(changes)('%s after they were the same', async (_, change) => {
    const restore = await settled();
    expect(await restore.from(from)).toBeUndefined();
    change();
    const work = await restore.from(from);
    await work!();
    expect(['01/kept.png', '01/stray.png', '01/more.png'].map((file) => existsSync(path.join(to, '2026', file)))).toEqual(
      ['01/kept.png', '01/stray.png', '01/more.png'].map((file) => existsSync(path.join(from, '2026', file))),
    );
    expect(existsSync(path.join(to, '2027/stray.png'))).toBe(false);
    expect(await restore.from(from)).toBeUndefined();
  });

  test.each(changes)('%s at once after they were restored', async (_, change) => {
    const restore = new FolderRestore(to);
    expect(await restore.from(from)).toBeUndefined();
    change();
    expect(await restore.from(from)).toBeDefined();
    await (await restore.from(from))!();
    expect(await restore.from(from)).toBeUndefined();
  });
});
