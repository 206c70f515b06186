import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MongoClient, type Document } from 'mongodb';
import { EngineError, startEngine, type Engine, type EngineCrash, type EngineOptions } from '../../src/database/engine/index.js';
import { thisMachine, unsupported } from '../../src/database/engine/native.js';
import { sweepSocketFolders } from '../../src/database/engine/socket-folder.js';

const here = path.dirname(fileURLToPath(import.meta.url));
const JOURNALED = { w: 1, journal: true } as const;
interface Thing {
  _id: number | string;
  name?: string;
}
const NO_MONGOD = '/nonexistent/mongod';

let directory: string;
let engines: Engine[];
let clients: MongoClient[];
let processes: ChildProcess[];
let databases: number[];

beforeEach(() => {
  directory = mkdtempSync(path.join(os.tmpdir(), 'understudy-engine-'));
  [engines, clients, processes, databases] = [[], [], [], []];
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const child of processes) child.kill('SIGKILL');
  await Promise.all(engines.map((engine) => engine.close()));
  await until(() => !databases.some(isRunning));
  rmSync(directory, { recursive: true, force: true });
});

const start = async (options: Partial<EngineOptions> = {}): Promise<Engine> => {
  const engine = await startEngine({ directory, mongod: NO_MONGOD, ...options });
  engines.push(engine);
  return engine;
};
const connect = ({ uri }: { uri: string }): MongoClient => {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
  clients.push(client);
  return client;
};
const failure = async (options: Partial<EngineOptions> = {}): Promise<EngineError> => {
  const error: unknown = await start(options).catch((reason: unknown) => reason);
  if (!(error instanceof EngineError)) throw new Error(`expected an EngineError, not ${String(error)}`);
  return error;
};
const until = async (condition: () => boolean, limitMs = 12_000): Promise<void> => {
  for (const deadline = performance.now() + limitMs; !condition(); await sleep(20)) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
  }
};
const socketOf = ({ uri }: { uri: string }): string => decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(uri)?.[1] ?? '');
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie counts as ended.
    return !(existsSync(`/proc/${pid}/stat`) && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
  } catch {
    return false;
  }
};

/** A Node.js process that starts the built engine, prints its pid and uri, and runs `more`. */
const startElsewhere = async (
  more = '',
  options: { detached?: boolean; cwd?: string } = {},
): Promise<{ owner: ChildProcess; pid: number; uri: string }> => {
  const built = pathToFileURL(path.resolve(here, '../../dist/database/engine/index.js')).href;
  const driver = pathToFileURL(path.resolve(here, '../../node_modules/mongodb/lib/index.js')).href;
  const script = `
    import { startEngine } from '${built}';
    import { MongoClient } from '${driver}';
    const engine = await startEngine({ directory: ${JSON.stringify(directory)}, mongod: '${NO_MONGOD}', onCrash: () => process.exit(3) });
    const client = new MongoClient(engine.uri);
    ${more}
    console.log(JSON.stringify({ pid: engine.pid, uri: engine.uri }));
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  processes.push(owner);
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const database = JSON.parse(line.toString()) as { pid: number; uri: string };
  databases.push(database.pid);
  return { owner, ...database };
};

test('the cache of the database is as large as asked for', async () => {
  const client = connect(await start({ memory: 64 }));
  const { wiredTiger } = (await client.db('admin').command({ serverStatus: 1 })) as { wiredTiger: { cache: Record<string, number> } };
  expect(wiredTiger.cache['maximum bytes configured']).toBe(64 * 1024 * 1024);
});

test('a MongoDB URI is used as is', async () => {
  const engine = await start({ uri: 'mongodb://db.example/x', directory: '/nonexistent/folder' });
  expect(engine).toMatchObject({ kind: 'uri', uri: 'mongodb://db.example/x' });
  expect(engine.pid).toBeUndefined();
});

const whenSupported = unsupported(thisMachine()) ? describe.skip : describe;

whenSupported('the embedded engine', () => {
  test('serves the driver on a socket that only this user can access, and leaves only data', async () => {
    const engine = await start();
    const socket = socketOf(engine);
    expect(engine.kind).toBe('embedded');
    expect(lstatSync(socket).mode & 0o777).toBe(0o600);
    expect(lstatSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    expect(lstatSync(path.join(directory, 'embedded')).mode & 0o777).toBe(0o700);
    await connect(engine).db('t').collection<Thing>('things').insertOne({ _id: 1, name: 'ä' }, { writeConcern: JOURNALED });
    const { pid } = engine;
    await Promise.all([engine.close(), engine.close()]);
    expect(isRunning(pid!)).toBe(false);
    expect(existsSync(path.dirname(socket))).toBe(false);
    expect(readdirSync(directory)).toEqual(['embedded']);
    expect(
      await connect(await start())
        .db('t')
        .collection('things')
        .find()
        .toArray(),
    ).toEqual([{ _id: 1, name: 'ä' }]);
  });

  test('does not keep the files of dropped collections open', async () => {
    const engine = await start();
    const client = connect(engine);
    const openFiles = (): number => readdirSync(`/proc/${engine.pid}/fd`).length;
    const before = openFiles();
    for (let i = 0; i < 20; i++) {
      const db = client.db(`t${i}`);
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      for (const name of names) await db.collection(name).createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
      await db.dropDatabase();
    }
    // The files stay on disk until the next start.
    expect(readdirSync(directory, { recursive: true }).length).toBeGreaterThan(400);
    await until(() => openFiles() < before + 100, 60_000);
  }, 90_000);

  test('outlives the folder that the server was started in', async () => {
    const folder = path.join(directory, 'started-here');
    mkdirSync(folder);
    const { uri } = await startElsewhere('', { cwd: folder });
    rmSync(folder, { recursive: true });
    const db = connect({ uri }).db('t');
    await db.collection<Thing>('things').insertOne({ _id: 1 }, { writeConcern: JOURNALED });
    await db.collection('things').createIndex({ name: 1 });
    expect(await db.collection('things').countDocuments()).toBe(1);
  });

  test('restarts after SIGKILL with every acknowledged write', async () => {
    const crashes: EngineCrash[] = [];
    const engine = await start({ onCrash: (crash) => crashes.push(crash) });
    const things = connect(engine).db('t').collection<Thing>('things', { writeConcern: JOURNALED });
    const before = engine.pid!;
    const acknowledged: number[] = [];
    for (let _id = 0; crashes.length === 0; _id++) {
      const ok = await things.insertOne({ _id }).catch(() => undefined);
      if (ok) acknowledged.push(_id);
      // Not awaited, so that the next write is pending when the process ends.
      if (_id === 20) setImmediate(() => process.kill(before, 'SIGKILL'));
    }
    expect(crashes).toEqual([{ reason: 'its process exited (SIGKILL)', restartInMs: 100, isLost: false }]);
    await connect(engine).db('t').command({ ping: 1 });
    expect(acknowledged.length).toBeGreaterThan(20);
    expect((await things.find().toArray()).map(({ _id }) => _id)).toEqual(expect.arrayContaining(acknowledged));
    expect(engine.pid).not.toBe(before);
    await things.insertOne({ _id: 'later' });
  });

  test('restarts after SIGKILL with writes that are larger than a file of the journal', async () => {
    const restarted = new Promise<void>((resolve) => void start({ onRestart: resolve }));
    await until(() => engines.length > 0);
    const [engine] = engines as [Engine];
    const journal = path.join(directory, 'embedded', 'journal');
    const sizes = readdirSync(journal).map((name) => lstatSync(path.join(journal, name)).size);
    expect(Math.max(...sizes)).toBe(512 * 1024);
    const things = connect(engine).db('t').collection<Thing>('things', { writeConcern: JOURNALED });
    // Random data, since the journal is compressed.
    const names = Array.from({ length: 9 }, (_, i) => randomBytes(i % 2 ? 1_500_000 : 200_000).toString('hex'));
    for (const [_id, name] of names.entries()) await things.insertOne({ _id, name });
    process.kill(engine.pid!, 'SIGKILL');
    await restarted;
    const kept = await things.find().sort({ _id: 1 }).toArray();
    expect(kept.map(({ name }) => name === names.shift())).toEqual(Array.from({ length: 9 }, () => true));
  });

  test('restarts after its process was ended', async () => {
    const crashed = new Promise((resolve) => void start({ onCrash: resolve }).then(({ pid }) => process.kill(pid!, 'SIGTERM')));
    expect(await crashed).toMatchObject({ reason: 'its process exited (0)' });
    await connect(engines[0]).db('t').command({ ping: 1 });
  });

  test('a second start on the same folder names the folder and the process that uses it', async () => {
    const engine = await start();
    const error = await failure();
    expect(error.summary).toBe(`${path.join(directory, 'embedded')} is in use by this process (${process.pid}).`);
    expect(error.attempts.map(({ what }) => what)).toEqual(['embedded engine']);
    await connect(engine).db('t').command({ ping: 1 });
    await engine.close();

    const { owner } = await startElsewhere();
    expect((await failure()).summary).toBe(`${path.join(directory, 'embedded')} is in use by process ${owner.pid}.`);
  });

  test('ends when its parent is killed, and the next start finds the data', async () => {
    const { owner, pid, uri } = await startElsewhere(
      "await client.db('t').collection('x').insertOne({ _id: 1 }, { writeConcern: { w: 1, journal: true } });",
    );
    owner.kill('SIGKILL');
    const engine = await start();
    expect(await connect(engine).db('t').collection('x').countDocuments()).toBe(1);
    await until(() => !isRunning(pid));
    expect(existsSync(path.dirname(socketOf({ uri })))).toBe(false);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s to the whole process group lets the parent close it', async (signal) => {
    const { owner, pid } = await startElsewhere(
      `process.on('${signal}', async () => {
         await new Promise((resolve) => setTimeout(resolve, 300));
         await client.db('t').collection('x').insertOne({ _id: 'last' }, { writeConcern: { w: 1, journal: true } });
         await client.close();
         await engine.close();
         process.exit(0);
       });`,
      { detached: true },
    );
    process.kill(-owner.pid!, signal);
    expect(await once(owner, 'exit')).toEqual([0, null]);
    expect(isRunning(pid)).toBe(false);
    expect(
      await connect(await start())
        .db('t')
        .collection('x')
        .countDocuments(),
    ).toBe(1);
  });

  test('does not keep its parent alive', async () => {
    const { owner } = await startElsewhere(
      'setTimeout(() => process.exit(7), 3000).unref(); setInterval = () => {}; await client.close();',
    );
    expect(await once(owner, 'exit')).toEqual([0, null]);
  });

  test('survives requests that crash the engine', async () => {
    const engine = await start();
    const db = connect(engine).db('t');
    const deep = (levels: number): Document => (levels === 0 ? {} : { a: deep(levels - 1) });
    await expect(db.admin().command({ startSession: 1 })).rejects.toMatchObject({ code: 59 });
    await expect(db.collection('x').insertOne(deep(3000))).rejects.toMatchObject({ code: 15 });
    for (let levels = 170; levels < 210; levels++)
      await expect(
        db
          .collection('x')
          .insertOne(deep(levels))
          .catch(({ name }) => name),
      ).resolves.not.toBe('MongoNetworkError');
    await expect(db.collection('x').findOne(deep(1500))).rejects.toMatchObject({ code: 15 });
    const { pid } = engine;
    await db.command({ ping: 1 });
    expect(engine.pid).toBe(pid);
  });
});

describe('when no engine is available', () => {
  test('one error lists all attempts', async () => {
    const lines: string[] = [];
    const error = await failure({ embedded: false, log: (line) => lines.push(line) });
    expect(error.message.split('\n')).toEqual([
      'Cannot start a MongoDB.',
      '  - embedded engine: it is disabled',
      expect.stringMatching(/^ {2}- mongodb-memory-server: .*\/nonexistent\/mongod/),
      'Set MONGODB_URI to a running MongoDB 6.0 or later.',
    ]);
    expect(lines).toContain('database: cannot use embedded engine: it is disabled');
  });

  test('a folder that the embedded engine cannot use leads to the next engine', async () => {
    writeFileSync(path.join(directory, 'embedded'), 'a file');
    expect((await failure()).attempts.map(({ what }) => what)).toEqual(['embedded engine', 'mongodb-memory-server']);
  });

  test('the error names the data folder', async () => {
    writeFileSync(path.join(directory, 'file'), '');
    expect((await failure({ directory: path.join(directory, 'file', 'data') })).summary).toContain(path.join(directory, 'file', 'data'));
  });
});

whenSupported('data that cannot be opened', () => {
  test('is an error, because another engine would show an empty site', async () => {
    await (await start()).close();
    writeFileSync(path.join(directory, 'embedded', 'WiredTiger.turtle'), 'nonsense');
    const error = await failure();
    expect(error.summary).toBe(`Cannot open the data in ${path.join(directory, 'embedded')}.`);
    expect(error.attempts).toHaveLength(1);
  });
});

describe('a mongod process', () => {
  /** A fake mongod that records its arguments, prints `line`, and keeps running. */
  const fakeMongod = (line: string): string => {
    const file = path.join(directory, 'fake-mongod');
    const script = `#!${process.execPath}
      if (process.argv.includes('--version')) { console.log('db version v8.2.6'); process.exit(0); }
      require('node:fs').writeFileSync('${directory}/arguments', process.argv.slice(2).join(' '));
      process.on('SIGINT', () => process.exit(0));
      console.log(${JSON.stringify(line)});
      setInterval(() => {}, 1000);`;
    writeFileSync(file, script, { mode: 0o755 });
    return file;
  };

  test('is started on its own folder when the embedded engine is disabled', async () => {
    const crashes: EngineCrash[] = [];
    const engine = await start({ embedded: false, mongod: fakeMongod('Waiting for connections'), onCrash: (crash) => crashes.push(crash) });
    expect(engine.kind).toBe('mongod');
    const port = /:(\d+)\//.exec(engine.uri)?.[1];
    const given = readFileSync(path.join(directory, 'arguments'), 'utf8');
    expect(given).toContain(`--port ${port} --dbpath ${path.join(directory, 'mongod')}`);
    expect(given).toContain('--bind_ip 127.0.0.1');
    const { pid } = engine;
    await engine.close();
    expect(isRunning(pid!)).toBe(false);
    expect(crashes).toEqual([]);
    expect(existsSync(path.join(directory, 'mongod-owner.json'))).toBe(false);
  });

  test('that exits is reported', async () => {
    const crashed = new Promise((resolve) => {
      void start({ embedded: false, mongod: fakeMongod('Waiting for connections'), onCrash: resolve }).then(({ pid }) =>
        process.kill(pid!, 'SIGKILL'),
      );
    });
    expect(await crashed).toEqual({ reason: 'mongod exited (SIGKILL)', isLost: true });
  });

  test('on a folder in use is an error', async () => {
    const line = 'exception in initAndListen: DBPathInUse: Unable to lock the lock file, terminating';
    const error = await failure({ embedded: false, mongod: fakeMongod(line) });
    expect(error.summary).toBe(`${path.join(directory, 'mongod')} is in use by another process.`);
  });
});

test('the sweep deletes only socket folders of ended processes', async () => {
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'exit');
  const make = (name: string, ...files: string[]): string => {
    mkdirSync(path.join(directory, name));
    for (const file of files) writeFileSync(path.join(directory, name, file), '');
    return path.join(directory, name);
  };
  make(`wp-understudy-${ended.pid}-aaaaaa`, 'db.sock');
  make(`wp-understudy-${ended.pid}-bbbbbb`);
  const kept = [
    make(`wp-understudy-${process.pid}-cccccc`, 'db.sock'),
    make(`wp-understudy-${ended.pid}-dddddd`, 'something'),
    make(`wp-understudy-${ended.pid}-eeeeee`),
    make(`wp-understudy-${ended.pid}-eeeeeee`),
    make(`other-${ended.pid}-ffffff`),
  ];
  const server = net.createServer().listen(path.join(kept[2], 'db.sock'));
  await once(server, 'listening');
  await sweepSocketFolders(directory);
  server.close();
  expect(readdirSync(directory).sort()).toEqual(kept.map((folder) => path.basename(folder)).sort());
  expect(readdirSync(kept[1])).toEqual(['something']);
});
