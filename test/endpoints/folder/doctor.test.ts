import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { inspectClock, inspectEngines, inspectNode, inspectZones } from '../../../src/cli/commands/folder/doctor.js';
import { inspectFolder, inspectPort, inspectTls } from '../../../src/cli/commands/folder/data-folder-checks.js';
import { ownCertificate } from '../../../src/server/app/tls.js';
import { resolveOptions, type ServerOptions } from '../../../src/server/config/index.js';
import { makeEphemeralFolder, strayFolders } from '../../../src/database/engine/ephemeral-folder.js';
import { FORMAT, recordFormat, storedFormat, type FormatRow } from '../../../src/database/store/format.js';
import { SCHEMA } from '../../../src/database/store/indexes.js';
import { inspectDatabase, inspectSite, type Finding } from '../../../src/transfer/inspect.js';
import { Store } from '../../../src/wordpress/store.js';
import { ATTACHMENT, type Post, type Term } from '../../../src/wordpress/model.js';
import { WORLD } from '../../support/api.js';
import { runCli } from '../../support/cli.js';
import { startTestServer } from '../../support/server.js';
import { clear, contentOf, testSite } from './sites.js';
import { registry } from '../../support/registry.js';

const DEAD = 2 ** 22 + 1;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-doctor-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The findings that are problems. */
const wrong = (findings: readonly Finding[]): [string, string, string][] =>
  findings.filter(({ status }) => status !== 'ok').map(({ status, check, message }) => [status, check, message]);

describe('stored data', () => {
  const site = testSite();
  const fill = async (): Promise<void> => {
    await site.store.options.insertOne({ _id: 'blogname', value: 'Town' });
    await site.store.terms.insertOne({ _id: 1, taxonomy: 'post_tag', slug: 'a', name: 'a', parent: 0, count: 0, branchCount: 0 } as Term);
    await site.store.db.collection<{ _id: string }>('counters').insertOne({ _id: 'terms', value: 1 } as never);
  };
  const texts = { author: 1, title: 'X', content: '', excerpt: '', slug: 'x', password: '', parent: 0, menuOrder: 0, meta: [], terms: {} };
  const date = '2026-01-01 10:00:00';
  const dates = { date, dateGmt: date, modified: date, modifiedGmt: date };
  const IMAGE: Post = { _id: 5, type: ATTACHMENT, status: 'inherit', file: '2026/01/x.jpg', ...texts, ...dates };
  const inspect = (): Promise<Finding[]> => inspectSite(site.store, site.place.uploads);
  beforeEach(async () => {
    await clear(site);
    site.store.sequences.forget();
    await recordFormat(site.store.db);
    await fill();
  });

  test('a site without problems, and none', async () => {
    expect(wrong(await inspect())).toEqual([]);
    expect((await inspect()).map(({ check }) => check)).toEqual(['format', 'indexes', 'consistency', 'media']);
    await clear(site);
    expect(await inspect()).toMatchObject([{ status: 'ok', message: 'There is no site yet.' }]);
  });

  test('the database', async () => {
    expect(wrong(await inspectDatabase(site.store, Date.now()))).toEqual([]);
    expect(wrong(await inspectDatabase(site.store, Date.now() + 60_000))).toMatchObject([
      ['warning', 'clock', expect.stringMatching(/differ by (59|60) seconds/) as string],
    ]);
  });

  test('missing, different and further indexes', async () => {
    const posts = site.store.db.collection('posts');
    await posts.dropIndex('posts_by_author');
    await posts.dropIndex('posts_by_slug');
    await posts.createIndex({ slug: 1 }, { name: 'posts_by_slug' });
    await posts.createIndex({ title: 1 }, { name: 'mine' });
    expect(wrong(await inspect())).toEqual([
      ['problem', 'indexes', '2 indexes missing or outdated: posts.posts_by_author, posts.posts_by_slug.'],
      ['warning', 'indexes', 'Indexes that Understudy does not use slow writes down: posts.mine.'],
    ]);
    await posts.dropIndexes();
    await site.store.db.collection(SCHEMA).deleteMany({});
    const { uri, name } = { uri: String(process.env['UNDERSTUDY_TEST_MONGODB_URI']), name: site.store.db.databaseName };
    await (await Store.open(uri, registry, name)).close();
    expect(wrong(await inspect())).toEqual([]);
  });

  test('inconsistent content and missing media files: reported, and left as they are', async () => {
    await site.store.terms.updateOne({ _id: 1 }, { $set: { count: 7, parent: 99 } });
    await site.store.posts.insertOne(IMAGE);
    const before = await contentOf(site);
    const found = wrong(await inspect());
    expect(found).toEqual(
      expect.arrayContaining([
        ['problem', 'consistency', 'The sequence of posts was behind the highest id.'],
        ['problem', 'consistency', '1 term had a parent that does not exist (1).'],
        ['problem', 'consistency', 'Stale counts of 1 term (1).'],
        ['warning', 'media', `1 of 1 media file missing in ${site.place.uploads}: 2026/01/x.jpg.`],
      ]),
    );
    expect(await contentOf(site)).toEqual(before);
  });

  test('while others write, only what looks wrong because of that is compared again', async () => {
    const { store, place } = site;
    const works: string[] = [];
    const during = (name: string, write: () => Promise<unknown>): Promise<Finding[]> =>
      inspectSite(store, place.uploads, async (work) => {
        works.push(name);
        await write();
        return work();
      });
    const posts = store.db.collection('posts');
    await posts.createIndex({ title: 1 }, { name: 'mine' });
    expect(wrong(await during('index', async () => {}))).toMatchObject([['warning', 'indexes', expect.stringContaining('posts.mine')]]);
    await posts.dropIndex('mine');
    expect(works).toEqual([]);

    await store.terms.updateOne({ _id: 1 }, { $set: { count: 7 } });
    expect(wrong(await during('counts', () => store.terms.updateOne({ _id: 1 }, { $set: { count: 0 } })))).toEqual([]);
    expect(works).toEqual(['counts']);

    await store.posts.insertOne(IMAGE);
    const media = async (write: () => Promise<unknown>) => wrong(await during('file', write)).filter(([, check]) => check === 'media');
    expect(await media(async () => {})).toMatchObject([['warning', 'media', expect.any(String)]]);
    expect(await media(() => store.posts.deleteOne({ _id: 5 }))).toEqual([]);
    expect(works.filter((name) => name !== 'file')).toEqual(['counts']);
  });

  test('unfinished work', async () => {
    const note = await site.store.workLog.begin({ staging: 'x' });
    expect(wrong(await inspect())).toMatchObject([['warning', 'work', '1 load, reset, upload or backup was interrupted by a crash.']]);
    expect(wrong(await inspectSite(site.store, site.place.uploads, (work) => work()))).toEqual([]);
    await site.store.workLog.end(note);
  });

  test('the format of a newer version: nothing else is looked at', async () => {
    const rows = site.store.db.collection<FormatRow>(SCHEMA);
    await rows.replaceOne({ _id: 'format' }, { version: FORMAT + 1, by: '9.9.9' });
    const [finding, ...others] = await inspect();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ status: 'problem', check: 'format', advice: 'Install wp-understudy@9.9.9 or a later version.' });
    expect(await storedFormat(site.store.db)).toMatchObject({ version: FORMAT + 1 });
  });
});

describe('the machine', () => {
  test('Node.js', () => {
    expect(inspectNode('22.1.0')).toMatchObject({ status: 'ok' });
    expect(inspectNode('18.20.1')).toMatchObject({
      status: 'problem',
      message: 'wp-understudy needs Node.js 20.19 or later; this is 18.20.1.',
    });
  });

  test('the clock', () => {
    expect(inspectClock(Date.UTC(2027, 0, 1))).toMatchObject({
      status: 'ok',
      message: 'The time of this machine is 2027-01-01T00:00:00Z.',
    });
    expect(inspectClock(Date.UTC(1970, 0, 1))).toMatchObject({ status: 'warning' });
  });

  test('time zones', () => {
    expect(inspectZones(undefined, undefined)).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/Time zone data \d{4}\w; ICU/) as string,
    });
    expect(inspectZones('Europe/Berlin', undefined)).toMatchObject({ status: 'ok' });
    expect(inspectZones('Europe/Belrin', undefined)).toMatchObject({
      status: 'warning',
      message: 'The variable TZ names no time zone: "Europe/Belrin".',
    });
  });

  test('engines', () => {
    expect(inspectEngines(false, undefined)[0]).toMatchObject({
      message: 'The embedded engine is not used: it is disabled (--no-embedded).',
    });
    expect(inspectEngines(true, '/nowhere/mongod')[1]).toMatchObject({ status: 'problem', message: '/nowhere/mongod does not exist.' });
  });
});

describe('what the options name', () => {
  const options = (given: Partial<ServerOptions>): ServerOptions => resolveOptions({ data: path.join(folder, 'none'), ...given });

  test('a folder with what killed processes left', async () => {
    const data = path.join(folder, 'left');
    const owner = JSON.stringify({ pid: DEAD, database: DEAD, host: os.hostname() });
    await mkdir(path.join(data, 'db'), { recursive: true });
    await mkdir(path.join(data, 'snapshots/pristine.load-1'), { recursive: true });
    await writeFile(path.join(data, 'db/embedded-owner.json'), owner);
    await writeFile(path.join(data, 'incoming-1.ndjson'), '');
    await writeFile(path.join(data, 'server.json'), JSON.stringify({ url: 'http://x', token: 't', pid: DEAD, host: os.hostname() }));
    const found = wrong(inspectFolder(options({ data }))).filter(([, , message]) => !message.includes('temporary'));
    expect(found).toEqual([
      ['warning', 'owner', `The process that used the database was killed (process ${DEAD}).`],
      ['warning', 'leftovers', `A killed process left 1 file: ${path.join(data, 'incoming-1.ndjson')}.`],
      ['warning', 'leftovers', '1 staged folder of an interrupted load, restore or backup.'],
      ['warning', 'leftovers', `${path.join(data, 'server.json')} names a server that was killed.`],
    ]);
  });

  test('a file in place of the folder', async () => {
    const data = path.join(folder, 'file');
    await writeFile(data, '');
    const found = wrong(inspectFolder(options({ data }))).filter(([, , message]) => !message.includes('temporary'));
    expect(found).toEqual([['problem', 'data folder', `${data} is not a folder.`]]);
  });

  test('a temporary folder of a killed server', async () => {
    const stray = await mkdtemp(path.join(os.tmpdir(), 'understudy-'));
    await mkdir(path.join(stray, 'db'));
    const note = (pid: number): Promise<void> =>
      writeFile(path.join(stray, 'db/embedded-owner.json'), JSON.stringify({ pid, host: os.hostname() }));
    const names = (): boolean => inspectFolder(options({})).some(({ message }) => /killed left \d+ temporary folder/.test(message));
    try {
      await note(DEAD);
      expect(names()).toBe(true);
    } finally {
      await rm(stray, { recursive: true });
    }
  });

  test('a temporary folder of a killed server that had neither a database nor a port', async () => {
    const left = await makeEphemeralFolder();
    try {
      const file = path.join(left, 'owner.json');
      expect(strayFolders()).not.toContain(left);
      await writeFile(file, JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), pid: DEAD }));
      expect(strayFolders()).toContain(left);
    } finally {
      await rm(left, { recursive: true });
    }
  });

  test('ports', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as net.AddressInfo;
    expect(await inspectPort(options({ port }))).toMatchObject({
      status: 'problem',
      message: `Port ${port} at 127.0.0.1 is in use by another program.`,
    });
    await new Promise((resolve) => taken.close(resolve));
    expect(await inspectPort(options({ port }))).toMatchObject({ status: 'ok' });
    expect(await inspectPort(options({ port: 0 }))).toMatchObject({ status: 'ok' });
    expect(await inspectPort(options({ host: '203.0.113.1' }))).toMatchObject({
      status: 'problem',
      message: 'Port 8080 at 203.0.113.1 is at no address of this machine.',
    });
  });

  test.each([
    ['http://127.0.0.1', 80],
    ['https://calendar.test', 443],
  ])('the port of a server at %s is its own', async (url, port) => {
    expect(await inspectPort(options({ port }), [url])).toMatchObject({
      status: 'ok',
      message: `Port ${port} is used by an Understudy server, ${url}.`,
    });
  });

  test('certificates', async () => {
    const { cert: tlsCert, key: tlsKey } = await ownCertificate(path.join(folder, 'tls'), []);
    const day = 24 * 3600 * 1000;
    const at = (days: number): Finding[] => inspectTls(options({ tlsCert, tlsKey }), Date.now() + days * day);
    expect(at(0)).toMatchObject([{ status: 'ok' }]);
    expect(at(800)).toMatchObject([{ status: 'warning', message: expect.stringContaining('expires on') as string }]);
    expect(at(900)).toMatchObject([{ status: 'problem', message: expect.stringContaining('expired on') as string }]);
    expect(at(-10)).toMatchObject([{ status: 'problem', message: expect.stringContaining('is not valid before') as string }]);
    expect(inspectTls(options({ tlsCert: path.join(folder, 'gone.pem'), tlsKey }))).toMatchObject([{ status: 'problem' }]);
    expect(inspectTls(options({ tlsCert: tlsKey, tlsKey }))).toMatchObject([
      { status: 'problem', message: expect.stringContaining('contains no certificate') as string },
    ]);
    expect(inspectTls(options({}))).toEqual([]);
  });
});

describe('a running server', () => {
  const server = startTestServer({ dataset: WORLD });

  test('is checked through its test API, while others write', async () => {
    const posts = Array.from({ length: 30 }, (_, i) =>
      fetch(`${server().url}/__qa/clock`).then(() =>
        server().site.store.posts.updateOne({ type: 'tribe_venue' }, { $set: { password: String(i) } }),
      ),
    );
    const { code, stdout } = await runCli(['doctor', '--url', server().url, '--json']);
    await Promise.all(posts);
    expect(code).toBe(0);
    expect(wrong((JSON.parse(stdout) as { findings: Finding[] }).findings)).toEqual([]);
  });
});
