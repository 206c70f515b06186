import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeIn } from '../../../src/transfer/load/mirror.js';
import { checkConsistency } from '../../../src/wordpress/check.js';
import { apiOf, WORLD } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { clear, contentOf, leftoversOf, restoreTo, testSite, type TestSite } from './sites.js';

/* Backups of a running server. */

const server = startTestServer({ dataset: WORLD });
const copy = testSite();
beforeEach(() => clear(copy));

const api = apiOf(server);

/** The server's site. */
const original = (): TestSite => {
  const { store, uploads } = server().site;
  const folder = path.dirname(uploads);
  return { store, folder, place: placeIn(folder) };
};

/** Leftovers of a backup, after a delay for the cleanup. */
async function leftovers(): Promise<unknown[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await leftoversOf(original())).length === 0) return [];
    await sleep(20);
  }
  return leftoversOf(original());
}

/** Downloads a backup. @returns path of its file */
async function download(): Promise<string> {
  const file = path.join(copy.folder, 'online.tar.gz');
  const response = await fetch(`${server().url}/__qa/backup`, { method: 'POST' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/gzip']);
  await pipeline(Readable.fromWeb(response.body as ReadableStream), createWriteStream(file));
  return file;
}

test('a backup under writers has the site as it was at one moment: of each writer the first writes, without gaps', async () => {
  const written: number[] = [0, 0, 0, 0];
  let isWriting = true;
  const writers = written.map(async (_, writer) => {
    while (isWriting) {
      const title = `Writer ${writer} wrote ${written[writer]}`;
      const { status } = await api.post('events', {
        title,
        start_date: '2027-03-01 10:00',
        end_date: '2027-03-01 11:00',
        categories: [`c${writer}`],
      });
      expect(status).toBe(201);
      written[writer] += 1;
    }
  });
  while (written.some((n) => n < 3)) await sleep(10);
  const before = [...written];
  const file = await download();
  isWriting = false;
  await Promise.all(writers);

  await restoreTo(copy, file);
  const titles = (await copy.store.posts.find({ title: /^Writer/ }).toArray()).map(({ title }) => title);
  for (const [writer, least] of before.entries()) {
    const numbers = titles.filter((title) => title.startsWith(`Writer ${writer} `)).map((title) => Number(title.split(' ').at(-1)));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_number, i) => i));
    expect(numbers.length).toBeGreaterThanOrEqual(least);
  }
  expect(await checkConsistency(copy.store, copy.place.uploads)).toEqual([]);
  expect(await leftovers()).toEqual([]);
}, 30_000);

test('a backup has snapshots, files and users, and a reset still works', async () => {
  await fetch(`${server().url}/__qa/snapshots/before`, { method: 'PUT' });
  const file = await download();
  await restoreTo(copy, file);
  const made = (await contentOf(copy)) as { documents: Record<string, string[]> };
  expect(made).toEqual(await contentOf(original()));
  expect(made.documents['before posts'].length).toBeGreaterThan(10);
  await server().reset();
  expect(await leftovers()).toEqual([]);
});

test('a client that leaves during the backup leaves nothing behind', async () => {
  const controller = new AbortController();
  const response = await fetch(`${server().url}/__qa/backup`, { method: 'POST', signal: controller.signal });
  expect(response.status).toBe(200);
  controller.abort();
  expect(await leftovers()).toEqual([]);
});
