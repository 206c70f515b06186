import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { startServer } from '../../../src/server/app/start.js';
import { resolveOptions } from '../../../src/server/config/index.js';
import { diskError, disks } from '../../../src/base/system/disk.js';
import type { Server } from '../../../src/index.js';
import { signIn, WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';

const EVENTS = '/wp-json/tribe/events/v1/events';
const EVENT = { title: 'New', start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' };
const MB = 1024 * 1024;

test('a disk with space is not full, unless what is to be written is larger; one that cannot be measured is not', () => {
  const folder = os.tmpdir();
  const { bavail, bsize } = statfsSync(folder);
  expect([diskError(folder), diskError('/there/is/none')]).toEqual([null, null]);
  expect(diskError(folder, bavail * bsize)).toMatchObject({ status: 507, body: { code: 'understudy_disk_full', data: { status: 507 } } });
});

describe('with a full disk', () => {
  const { uri, name } = testDatabase();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-disk-'));
  /** A disk of 40 MB. */
  let freeMb = 30;
  let measurements = 0;
  let server: Server;
  beforeAll(async () => {
    const measure = disks.measure;
    jest.spyOn(disks, 'measure').mockImplementation((of) => {
      if (!of.startsWith(folder)) return measure(of);
      measurements += 1;
      return { bavail: freeMb, blocks: 40, bsize: MB };
    });
    const engine = { kind: 'embedded' as const, uri, database: name, close: async () => {} };
    const settings = resolveOptions({ port: 0, data: path.join(folder, 'data'), logLevel: 'silent', dataset: WORLD });
    server = await startServer(settings, () => Promise.resolve(engine));
  }, 30_000);
  afterAll(async () => {
    await server.close();
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const headers = { authorization: signIn('admin'), 'content-type': 'application/json' };
  const create = (more = {}) => http('POST', server.url + EVENTS, { ...headers, ...more }, JSON.stringify(EVENT));
  const health = async (): Promise<unknown> => {
    const { status, text } = await http('GET', `${server.url}/health`);
    return [status, JSON.parse(text)];
  };

  /** Changes the free space, and waits until it is measured again. */
  const becomes = async (mb: number): Promise<void> => {
    freeMb = mb;
    for (const before = measurements; measurements === before;) await health();
  };

  test('writes, uploads and loads are refused with 507, reads go on, and writes are accepted when there is space again', async () => {
    expect([(await create()).status, await health()]).toEqual([201, [200, { status: 'ok' }]]);
    await becomes(1);

    const refused = await create();
    expect(refused.status).toBe(507);
    expect(JSON.parse(refused.text)).toEqual({
      code: 'understudy_disk_full',
      message: expect.stringMatching(/^The disk of \S+ is full \(1\.0 MB free; the database needs 4\.0 MB\)/) as string,
      data: { status: 507 },
    });
    const image = { ...headers, 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' };
    const others = [
      await http('POST', `${server.url}/wp-json/wp/v2/media`, image, 'x'),
      await http('POST', `${server.url}/__qa/seed`, headers, '{"events":[]}'),
      await http('DELETE', `${server.url}${EVENTS}/1`, headers),
      await http('GET', `${server.url}${EVENTS}?_method=POST&title=a`, headers),
      await http('GET', `${server.url}${EVENTS}?title=a`, { ...headers, 'x-http-method-override': 'POST' }),
    ];
    expect(others.map(({ status }) => status)).toEqual([507, 507, 507, 507, 507]);

    expect((await http('GET', `${server.url}${EVENTS}?per_page=1`)).status).toBe(200);
    expect((await create({ 'x-http-method-override': 'GET' })).status).toBe(200);
    expect(await health()).toEqual([200, { status: 'ok', disk: 'full' }]);

    await becomes(30);
    expect([(await create()).status, await health()]).toEqual([201, [200, { status: 'ok' }]]);
  }, 20_000);
});
