import { createHook } from 'node:async_hooks';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiOf, signIn, WORLD } from '../support/api.js';
import { http } from '../support/http.js';
import { startTestServer } from '../support/server.js';

/** A reset compares the files of the media library only if some were added or removed. */

// No sandbox is prepared while the calls of another are counted.
const server = startTestServer({ dataset: WORLD, now: '2026-06-15T12:00:00Z', sandboxes: 0 });
const { call, reset } = apiOf(server);

/** Counts the asynchronous calls of the file system during some work. */
async function fileCallsOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_, type) => void (count += type === 'FSREQPROMISE' ? 1 : 0) }).enable();
  await work().finally(() => hook.disable());
  return count;
}

const uploads = (): string => server().site.uploads;

/** The files of the media library, with their content. */
const stored = (): [string, string][] =>
  readdirSync(uploads(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [path.relative(uploads(), file), readFileSync(file, 'base64')]);

const write = (headers: Record<string, string> = {}): Promise<{ status: number }> =>
  call('POST', 'events', { as: 'admin', body: { title: 'X', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' }, headers });

const upload = (name: string): Promise<{ status: number }> =>
  http(
    'POST',
    `${server().restUrl}/wp/v2/media`,
    {
      authorization: signIn('admin'),
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${name}"`,
    },
    'BEGIN:VCALENDAR',
  );

test('the first reset of a server compares no files, which were loaded just before', async () => {
  expect(stored().length).toBeGreaterThan(10);
  await write();
  expect(await fileCallsOf(reset)).toBe(0);
});

const image = async (): Promise<string> => {
  const { body } = await call<{ id: number }[]>('GET', '/wp/v2/media?media_type=image&per_page=1', { as: 'admin' });
  return `/wp/v2/media/${body[0].id}`;
};

test.each<[string, () => Promise<unknown>]>([
  ['an upload', () => upload('dates.ics')],
  ['a deleted file', async () => call('DELETE', `${await image()}?force=true`, { as: 'admin' })],
  ['a file that a person deletes', async () => rmSync(path.join(uploads(), stored()[0][0]))],
  [
    'a file that a person replaces',
    async () => {
      const file = path.join(uploads(), stored()[0][0]);
      rmSync(file);
      writeFileSync(file, 'x');
    },
  ],
  [
    'a folder that a person adds',
    async () => {
      mkdirSync(path.join(uploads(), '1999/12'), { recursive: true });
      writeFileSync(path.join(uploads(), '1999/12/x.txt'), 'x');
    },
  ],
])('%s is undone, and the second reset afterwards compares nothing', async (_, change) => {
  await reset();
  await reset();
  const before = stored();
  expect(await fileCallsOf(reset)).toBe(0);
  await change();
  expect(stored()).not.toEqual(before);
  expect(await fileCallsOf(reset)).toBeGreaterThan(0);
  expect(stored()).toEqual(before);
  // This one finds out that the files are the same.
  expect(await fileCallsOf(reset)).toBeGreaterThan(0);
  expect(await fileCallsOf(reset)).toBe(0);
});

test('neither the first reset of a sandbox nor its next use compares files that nothing has touched', async () => {
  const headers = { 'x-understudy-sandbox': 'one' };
  const resetIt = (): Promise<unknown> => http('POST', `${server().url}/__qa/reset`, headers);
  for (const _ of ['new', 'used again']) {
    expect((await write(headers)).status).toBe(201);
    expect(await fileCallsOf(resetIt)).toBe(0);
    expect((await http('DELETE', `${server().url}/__qa/sandboxes/one`)).status).toBe(200);
  }
});

test('the first reset after a dataset was seeded compares no files', async () => {
  const { status } = await http('POST', `${server().url}/__qa/seed`, { 'content-type': 'application/json' }, readFileSync(WORLD, 'utf8'));
  expect(status).toBe(200);
  await write();
  expect(await fileCallsOf(reset)).toBe(0);
});
