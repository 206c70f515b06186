import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { MongoClient, MongoNetworkError, type Db } from 'mongodb';
import { startServer } from '../../../src/server/app/start.js';
import { watchOthers } from '../../../src/server/app/recovery.js';
import { resolveOptions, type ServerOptions } from '../../../src/server/config/index.js';
import { placeIn } from '../../../src/transfer/load/mirror.js';
import type { Server } from '../../../src/index.js';
import { logTo } from '../../../src/base/system/log.js';
import { Tenant } from '../../../src/control/tenant/tenant.js';
import { CHANGES } from '../../../src/database/store/change-log.js';
import { Staging } from '../../../src/database/store/staging.js';
import { LEASE_MS, type Lease } from '../../../src/database/store/work-log.js';
import { Store } from '../../../src/wordpress/store.js';
import { recountTerms } from '../../../src/wordpress/terms/term-save.js';
import type { CopyRow } from '../../../src/database/store/copies.js';
import { signIn, WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { http } from '../../support/http.js';
import { startOutage } from '../../support/outage.js';
import { PEOPLE, signedIn } from '../../support/people.js';
import { registry } from '../../support/registry.js';

const EVENTS = '/wp-json/tribe/events/v1/events';
const SIGNED_IN = { authorization: signIn('admin'), 'content-type': 'application/json' };
const PEOPLE_HEADERS = { ...signedIn('administrator'), 'content-type': 'application/json' };
const EVENT = { title: 'Acknowledged', start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' };

const { uri, name } = testDatabase();
let client: MongoClient;
let db: Db;
const running: Server[] = [];

beforeAll(async () => {
  client = await MongoClient.connect(uri);
  db = client.db(name);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
  await db.dropDatabase();
});
afterAll(() => client.close());

/** Starts a server on the shared database. */
async function start(at = uri, settings: Partial<ServerOptions> = {}): Promise<Server> {
  const engine = { kind: 'uri' as const, uri: at, database: name, close: async () => {} };
  const options = resolveOptions({ port: 0, ephemeral: true, logLevel: 'silent', dataset: WORLD }, settings);
  const server = await startServer(options, () => Promise.resolve(engine));
  running.push(server);
  return server;
}

const work = () => db.collection<Lease>('underway');
const staged = async (): Promise<string[]> => {
  const copies = (await db.listCollections({}, { nameOnly: true }).toArray()).filter((found) => found.name.includes('load.'));
  const snapshots = await db.collection<CopyRow>('snapshots').find({}).toArray();
  return copies.map((found) => found.name).filter((found) => !snapshots.some(({ at }) => found.startsWith(`${at}.`)));
};

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error('It did not happen in time.');
    await sleep(2);
  }
}

/** Creates ten events. */
async function createEvents({ url }: Server): Promise<void> {
  for (let n = 0; n < 10; n += 1) expect((await http('POST', url + EVENTS, SIGNED_IN, JSON.stringify(EVENT))).status).toBe(201);
}

const countEvents = async ({ url }: Server): Promise<number> => {
  const { status, text } = await http('GET', `${url}${EVENTS}?search=Acknowledged&start_date=2026-01-01`);
  expect(status).toBe(200);
  return (JSON.parse(text) as { total: number }).total;
};

test('two servers that start at once on an empty database load it once', async () => {
  const settings = { dataset: PEOPLE, adminPassword: 'one and only' };
  const [one, other] = await Promise.all([start(uri, settings), start(uri, settings)]);
  expect([one.administrator, other.administrator].filter((made) => made !== null)).toHaveLength(1);
  expect(await db.collection('users').countDocuments({ role: 'administrator' })).toBe(1);
  expect([await work().countDocuments(), await staged()]).toEqual([0, []]);
}, 30_000);

test('two servers that create the same categories at once make each once, and count its events', async () => {
  const servers = await Promise.all([start(uri, { dataset: PEOPLE }), start(uri, { dataset: PEOPLE })]);
  const names = Array.from({ length: 12 }, (_, n) => `Category ${n}`);
  const create = ({ url }: Server, category: string) =>
    http('POST', url + EVENTS, PEOPLE_HEADERS, JSON.stringify({ ...EVENT, categories: [category] }));
  const made = await Promise.all(
    names.flatMap((category) => servers.flatMap((server) => [create(server, category), create(server, category)])),
  );
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  const terms = await db.collection('terms').find({ taxonomy: 'tribe_events_cat' }).toArray();
  expect(terms.map((term) => [term.name as string, term.count as number]).sort()).toEqual(names.map((category) => [category, 4]).sort());
}, 30_000);

describe('the count of a category', () => {
  const create = ({ url }: Server) =>
    http('POST', url + EVENTS, PEOPLE_HEADERS, JSON.stringify({ ...EVENT, categories: ['Counted'] })).then(({ status }) => status);
  const stored = async (): Promise<unknown> => (await db.collection('terms').findOne({ name: 'Counted' }))?.['count'];

  test('is right after the next write, if a write failed and only a part of it was stored', async () => {
    const one = await start(uri, { dataset: PEOPLE });
    expect(await create(one)).toBe(201);
    const { store } = one.site;
    const write = store.writeTogether.bind(store);
    const writing = jest.spyOn(store, 'writeTogether').mockImplementationOnce(async (steps) => {
      await write(steps.slice(0, -1));
      throw new MongoNetworkError('Cut off by the test.');
    });
    expect([await create(one), await stored()]).toEqual([503, 1]);
    writing.mockRestore();
    expect([await create(one), await stored()]).toEqual([201, 3]);
  }, 30_000);

  /** Two servers with an event in the category. The other one is writing documents of a collection, until `end` is called. */
  const whileWriting = async (collection: string, idOf: (counted: number) => number) => {
    const [one, other] = [await start(uri, { dataset: PEOPLE }), await start(uri, { dataset: PEOPLE })];
    expect(await create(other)).toBe(201);
    const { _id: id } = (await other.site.store.terms.findOne({ name: 'Counted' }))!;
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const writing = other.site.store.during([[collection, [idOf(id)]]], () => stopped);
    await until(async () => (await db.collection(CHANGES).findOne({}))?.['open'] !== undefined);
    const end = (): Promise<void> => {
      stop();
      return writing;
    };
    return { one, id, end };
  };
  const spoil = () => db.collection('terms').updateOne({ name: 'Counted' }, { $set: { count: 99 } });

  test('is not certain while another server changes it all the time, and no request waits for that', async () => {
    const { one, id, end } = await whileWriting('terms', (counted) => counted);
    await spoil();
    let isCertain = false;
    const recount = recountTerms(one.site.store, [id]).then(() => (isCertain = true));
    expect([await create(one), await create(one), isCertain]).toEqual([201, 201, false]);
    await end();
    await recount;
    expect(await stored()).toBe(3);
  }, 30_000);

  test.each<[string, (counted: number) => number]>([
    ['posts', () => 1],
    ['terms', (counted) => counted + 1],
  ])('is corrected at once while another server writes other %s', async (collection, idOf) => {
    const { one, id, end } = await whileWriting(collection, idOf);
    await spoil();
    await recountTerms(one.site.store, [id]);
    expect(await stored()).toBe(1);
    await end();
  });

  test('is right if another server made the category after the request had begun', async () => {
    const { one, end } = await whileWriting('terms', (counted) => counted);
    // The request begins with what the server knew before.
    jest.spyOn(one.site.store, 'current').mockReturnValueOnce(undefined);
    expect([await create(one), await stored()]).toEqual([201, 2]);
    await end();
  }, 30_000);
});

describe('settings that another server has changed', () => {
  const titleAt = async ({ url }: Server): Promise<unknown> => {
    const { status, text } = await http('GET', `${url}/wp-json/`);
    return status === 200 ? (JSON.parse(text) as { name: string }).name : status;
  };
  const rename = async ({ url }: Server, title: string): Promise<void> => {
    expect((await http('POST', `${url}/wp-json/wp/v2/settings`, SIGNED_IN, JSON.stringify({ title }))).status).toBe(200);
  };
  /** Two servers, one of which has changed a setting, and the way in which the other reads it. */
  const renamed = async (title: string) => {
    const [one, other] = [await start(), await start()];
    await titleAt(other);
    await rename(one, title);
    const { store } = other.site;
    return { one, other, store, allOptions: store.allOptions.bind(store) };
  };

  test('hold for all requests that arrive while they are read', async () => {
    const { other, store, allOptions } = await renamed('Renamed');
    let reads = 0;
    store.allOptions = async () => {
      reads += 1;
      const rows = await allOptions();
      await sleep(200);
      return rows;
    };
    const first = titleAt(other);
    await until(() => Promise.resolve(reads > 0));
    expect(await Promise.all([first, titleAt(other), titleAt(other)])).toEqual(['Renamed', 'Renamed', 'Renamed']);
  }, 30_000);

  test('are read again if they could not be read', async () => {
    const { other, store, allOptions } = await renamed('Renamed');
    store.allOptions = () => Promise.reject(new Error('The database is gone.'));
    expect(await titleAt(other)).toBe(503);
    store.allOptions = allOptions;
    expect(await titleAt(other)).toBe('Renamed');
  }, 30_000);

  test('do not give way to older ones that were read later', async () => {
    const { one, other, store, allOptions } = await renamed('Older');
    const held: (() => void)[] = [];
    store.allOptions = async () => {
      const rows = await allOptions();
      await new Promise<void>((resolve) => held.push(resolve));
      return rows;
    };
    const first = titleAt(other);
    await until(() => Promise.resolve(held.length === 1));
    await rename(one, 'Newer');
    const second = titleAt(other);
    await until(() => Promise.resolve(held.length === 2));
    held[1]();
    expect(await second).toBe('Newer');
    held[0]();
    await first;
    store.allOptions = allOptions;
    expect(await titleAt(other)).toBe('Newer');
  }, 30_000);
});

test('a first start that was held up replaces nothing of a site that another server has filled meanwhile', async () => {
  const outage = await startOutage(uri);
  const late = start(outage.uri);
  await until(async () => (await work().countDocuments({ staging: { $exists: true } })) > 0);
  outage.hold();
  // The lease of the unresponsive server ends.
  await sleep(200);
  await work().updateMany({}, { $set: { until: new Date(0) } });

  const server = await start();
  await createEvents(server);
  outage.end();
  const other = await late;
  expect([await countEvents(server), await countEvents(other)]).toEqual([10, 10]);

  running.splice(running.indexOf(server), 1);
  await server.close();
  expect(await countEvents(await start())).toBe(10);
  expect([await work().countDocuments(), await staged()]).toEqual([0, []]);
  await Promise.all(running.splice(0).map((each) => each.close()));
  await outage.close();
}, 60_000);

test('reads whose connections are lost are sent again', async () => {
  const outage = await startOutage(uri);
  const server = await start(outage.uri);
  // Leaves the driver several connections.
  await Promise.all(Array.from({ length: 3 }, () => createEvents(server)));
  for (let round = 0; round < 3; round += 1) {
    expect(await countEvents(server)).toBe(30);
    outage.spoil();
    expect(await countEvents(server)).toBe(30);
  }
  await Promise.all(running.splice(0).map((each) => each.close()));
  await outage.close();
}, 60_000);

test('a server that starts leaves the load of another one alone, and discards that of one that is gone', async () => {
  const loading = await Store.open(uri, registry, name, true);
  try {
    const { staging } = await loading.workLog.begin({ staging: 'alive' });
    await new Staging(loading, staging).create();
    await work().insertOne({ _id: 'gone', staging: 'gone', owner: 'elsewhere', until: new Date(Date.now() - 1) });
    await new Staging(loading, 'gone').create();
    await start();
    expect((await work().find().toArray()).map((entry) => entry.staging)).toEqual(['alive']);
    const left = await staged();
    expect([left.length > 0, left.filter((found) => !found.includes('alive'))]).toEqual([true, []]);
  } finally {
    await loading.close();
  }
});

test('files of an upload under way elsewhere are kept when a server starts', async () => {
  const uploading = await Store.open(uri, registry, name, true);
  try {
    await uploading.workLog.begin({ files: ['2026/07/a.png'] });
    await start();
    expect(await work().countDocuments()).toBe(1);
  } finally {
    await uploading.close();
  }
});

test('a server that starts waits while another one replaces the content, and completes it once that one is gone', async () => {
  await work().insertOne({ _id: 'x', restore: 'none', owner: 'elsewhere', until: new Date(Date.now() + 1_500) });
  const began = performance.now();
  await start();
  expect(performance.now() - began).toBeGreaterThan(1_000);
  expect(await work().countDocuments()).toBe(0);
});

test('a reset waits while another server replaces the content, but not for one that is gone', async () => {
  const server = await start();
  await createEvents(server);
  const lock = { _id: 'lock replace', lock: 'replace', owner: 'another server' };
  await work().insertOne({ ...lock, until: new Date(Date.now() + LEASE_MS) });
  let isOver = false;
  const reset = http('POST', `${server.url}/__qa/reset`, SIGNED_IN).then(({ status }) => {
    isOver = true;
    return status;
  });
  await sleep(300);
  expect([isOver, await db.collection('posts').countDocuments({ title: EVENT.title })]).toEqual([false, 10]);
  await work().updateOne({ _id: lock._id }, { $set: { until: new Date(0) } });
  expect([await reset, await countEvents(server), await work().countDocuments()]).toEqual([200, 0, 0]);
});

test('a lease is renewed while its owner lives', async () => {
  const store = await Store.open(uri, registry, name, true);
  try {
    await store.workLog.begin({ staging: 'long' });
    const leaseOf = async (): Promise<number> => Number((await work().findOne({ staging: 'long' }))?.until);
    const first = await leaseOf();
    expect(first - Date.now()).toBeGreaterThan(LEASE_MS / 2);
    await until(async () => (await leaseOf()) > first);
  } finally {
    await store.close();
  }
}, 20_000);

test('what another server left half done is finished by one that runs', async () => {
  const { site } = await start();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-shared-'));
  const end = watchOthers(
    new Tenant('', site, folder, { store: site.store, files: folder, clock: null }, 0),
    placeIn(folder),
    logTo(process.stderr, 'error'),
    20,
  );
  try {
    const gone = { owner: 'elsewhere', until: new Date(Date.now() - 1) };
    await mkdir(path.join(site.uploads, '2026/07'), { recursive: true });
    await writeFile(path.join(site.uploads, '2026/07/a.png'), 'half an image');
    await work().insertMany([
      { _id: 'a', files: ['2026/07/a.png'], ...gone },
      { _id: 'b', staging: 'half', ...gone },
    ]);
    await until(async () => (await work().countDocuments()) === 0);
    expect(existsSync(path.join(site.uploads, '2026/07/a.png'))).toBe(false);
  } finally {
    end();
    await rm(folder, { recursive: true });
  }
});

test('servers that share a data folder as well serve the images of each other, also after a restart of one', async () => {
  const data = await mkdtemp(path.join(os.tmpdir(), 'understudy-shared-'));
  const [one, other] = [await start(uri, { ephemeral: false, data }), await start(uri, { ephemeral: false, data })];
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const headers = { ...SIGNED_IN, 'content-type': 'image/png', 'content-disposition': 'attachment; filename="dot.png"' };
  const made = await fetch(`${one.url}/wp-json/wp/v2/media`, { method: 'POST', headers, body: png });
  expect(made.status).toBe(201);
  const { pathname } = new URL(((await made.json()) as { source_url: string }).source_url);
  expect((await http('GET', other.url + pathname)).status).toBe(200);
  running.splice(running.indexOf(one), 1);
  await one.close();
  expect((await http('GET', (await start(uri, { ephemeral: false, data })).url + pathname)).status).toBe(200);
  expect((await http('GET', other.url + pathname)).status).toBe(200);
  await rm(data, { recursive: true });
});
