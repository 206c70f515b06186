import { MongoClient, MongoNetworkError, type Db } from 'mongodb';
import { jest } from '@jest/globals';
import { ChangeLog, CHANGES, type WriteSet } from '../../../../src/database/store/change-log.js';
import { LostWork } from '../../../../src/database/store/work-log.js';
import { Writes, type Step } from '../../../../src/database/store/writes.js';
import { testDatabase } from '../../../support/database.js';

const { uri, name } = testDatabase();
const client = new MongoClient(uri, { monitorCommands: true });
let db: Db;
/** Names of the sent commands. */
let commands: string[] = [];
client.on('commandStarted', ({ commandName }) => commands.push(commandName));

/** A server, with its own clock and the changes that it has received. */
class Server {
  readonly writes = new Writes(db);
  /** Received changes, and whether each is the end of a change. */
  received: [WriteSet, boolean][] = [];
  invalidated = 0;
  time = 0;
  readonly changes = new ChangeLog(
    db,
    this.writes,
    {
      beginWrite: (writeSet) => this.received.push([writeSet, false]),
      endWrite: (writeSet) => this.received.push([writeSet, true]),
      collectionsReplaced: () => (this.invalidated += 1),
    },
    () => this.time,
  );

  /** Changes that it receives from the next check. */
  async ask(): Promise<WriteSet[]> {
    this.received = [];
    await this.changes.current();
    return this.received.filter(([, isDone]) => isDone).map(([writeSet]) => writeSet);
  }
}

const insert = (_id: number): Step => ({ collection: 'posts', insert: { _id } });
const writing = (...ids: number[]): WriteSet => [['posts', ids]];
const open: Server[] = [];

async function servers(count: number): Promise<Server[]> {
  const made = Array.from({ length: count }, () => new Server());
  open.push(...made);
  for (const each of made) await each.ask();
  return made;
}

beforeEach(async () => {
  db = client.db(name);
  await Promise.all([db.collection(CHANGES).deleteMany({}), db.collection('posts').deleteMany({})]);
  commands = [];
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const { changes } of open.splice(0)) changes.close();
});
afterAll(() => client.close());

test('a write is one command, and the next question of another server is one, too', async () => {
  const [one, other] = await servers(2);
  // Each read of the head is one below: none comes from a timer.
  for (const { changes } of [one, other]) changes.close();
  for (let id = 1; id <= 10; id += 1) {
    commands = [];
    await one.changes.write([insert(id)], writing(id));
    expect(await other.ask()).toEqual([writing(id)]);
    expect(await other.ask()).toEqual([]);
    expect(commands).toEqual(['bulkWrite', 'find', 'find']);
  }
});

test('a server does not follow its own writes', async () => {
  const [one] = await servers(1);
  await one.changes.write([insert(1)], writing(1));
  expect([await one.ask(), one.invalidated]).toEqual([[], 1]);
});

test('questions that are asked while one is under way share the next', async () => {
  const [one] = await servers(1);
  commands = [];
  const first = one.changes.current();
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, ...Array.from({ length: 20 }, () => one.changes.current())]);
  expect(commands.length).toBeLessThanOrEqual(2);
});

test('a write that fails is not left open, and says which step failed', async () => {
  const [one, other] = await servers(2);
  await one.changes.write([insert(1)], writing(1));
  const failed = one.changes.write([insert(2), insert(1), insert(3)], writing(2, 1, 3));
  await expect(failed).rejects.toMatchObject({ code: 11_000, idx: 1 });
  await other.ask();
  for (let left = 100; left > 0 && Object.keys((await db.collection(CHANGES).findOne({}))?.open as object).length > 0; left -= 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await other.ask();
  expect(await other.ask()).toEqual([]);
  expect(await db.collection('posts').countDocuments({})).toBe(2);
});

test.each([
  ['happens after all', true],
  ['never happens', false],
])('a write of which the answer is lost and that %s is followed, also by its own server', async (_, happens) => {
  const [one, other] = await servers(2);
  const send: Writes['send'] = Reflect.get(Writes.prototype, 'send');
  let happen: (() => Promise<unknown>) | undefined;
  jest.spyOn(one.writes, 'send').mockImplementationOnce((...args) => {
    if (happens) happen = () => send.apply(other.writes, args);
    return Promise.reject(new MongoNetworkError('The connection ended.'));
  });
  await expect(one.changes.write([insert(1)], writing(1))).rejects.toThrow('ended');
  expect(await one.ask()).toEqual([writing(1)]);
  await happen?.();
  expect(await one.ask()).toEqual(happens ? [writing(1)] : []);
  expect(await other.ask()).toEqual(happens ? [writing(1)] : []);
});

test('a head that was removed by hand invalidates everything, once', async () => {
  const [one, other] = await servers(2);
  await one.changes.write([insert(1)], writing(1));
  await other.ask();
  await db.collection(CHANGES).deleteMany({});
  await other.ask();
  await one.ask();
  expect([one.invalidated, other.invalidated]).toEqual([2, 2]);
  await one.changes.write([insert(2)], writing(2));
  expect(await other.ask()).toEqual([writing(2)]);
  expect(other.invalidated).toBe(2);
});

test('a server that slept through more changes than are listed forgets everything; the list stays short', async () => {
  const [one, other] = await servers(2);
  // Simulates sleep.
  other.changes.close();
  for (let id = 1; id <= 50; id += 1) await one.changes.write([insert(id)], writing(id));
  await other.ask();
  expect(other.invalidated).toBe(2);
  const all = await db.collection(CHANGES).find({}).toArray();
  expect([all.length, (all[0].recent as string[]).length]).toEqual([1, 32]);
  await one.changes.write([insert(51)], writing(51));
  expect(await other.ask()).toEqual([writing(51)]);
});

test('what may write many documents may write any', async () => {
  const [one, other] = await servers(2);
  await one.changes.write(
    [],
    [
      ['posts', Array.from({ length: 31 }, (_, id) => id)],
      ['terms', [1]],
    ],
  );
  expect(await other.ask()).toEqual([
    [
      ['posts', null],
      ['terms', [1]],
    ],
  ]);
});

test('work of several commands is open from its begin to its end', async () => {
  const [one, other] = await servers(2);
  await one.changes.during(writing(1), async (send) => {
    await other.ask();
    expect(other.received).toEqual([[writing(1), false]]);
    await send([insert(1)]);
    expect(await other.ask()).toEqual([]);
  });
  // Once for its end, and once for reads in the meantime.
  expect(await other.ask()).toEqual([writing(1), writing(1)]);
});

describe('a server that is gone', () => {
  const abandoned = async (server: Server): Promise<void> => {
    const never = server.changes.during(writing(1), () => new Promise(() => {}));
    never.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test('leaves what it had open to others, which close it when it has shown no life for long', async () => {
    const [one, other] = await servers(2);
    await abandoned(one);
    await other.ask();
    expect(other.received).toEqual([[writing(1), false]]);
    let seconds = 0;
    for (; seconds < 40 && (await other.ask()).length === 0; seconds += 1) other.time += 1_000;
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThan(25);
    expect(other.received).toEqual([[writing(1), true]]);
  });

  test('is not taken for gone where the database stood still, or whose clock is wrong', async () => {
    const [one, other] = await servers(2);
    await abandoned(one);
    await other.ask();
    for (const jump of [3_600_000, 3_600_000, 3_600_000]) {
      other.time += jump;
      expect(await other.ask()).toEqual([]);
    }
    const { open: stillOpen } = (await db.collection(CHANGES).findOne({})) as unknown as { open: object };
    expect(Object.keys(stillOpen)).toHaveLength(1);
  });

  test('and comes back writes nothing late', async () => {
    const [one, other] = await servers(2);
    const work = one.changes.during(writing(1), async (send) => {
      await db.collection<{ _id: string }>(CHANGES).updateOne({ _id: 'head' }, { $set: { open: {} } });
      await send([insert(1)]);
    });
    await expect(work).rejects.toThrow(LostWork);
    expect(await db.collection('posts').countDocuments({})).toBe(0);
    // Once for its start, and once for its possible earlier writes.
    expect(await other.ask()).toEqual([writing(1), writing(1)]);
  });
});

test.each<[string, number[], WriteSet]>([
  ['nothing', [], []],
  ['a document', [1], writing(1)],
  ['two', [1, 2], [...writing(1), ...writing(2)]],
])('what another server writes during work is known: %s', async (_, ids, written) => {
  const [one, other] = await servers(2);
  const write = async (): Promise<void> => {
    for (const id of ids) await other.changes.write([insert(id)], writing(id));
  };
  expect(await one.changes.collectConcurrentWrites(write)).toEqual(written);
});

test('what another server writes during work is not known if the list of changes was lost meanwhile', async () => {
  const [one] = await servers(1);
  const lose = async (): Promise<void> => void (await db.collection<{ _id: string }>(CHANGES).deleteOne({ _id: 'head' }));
  expect(await one.changes.collectConcurrentWrites(lose)).toBe('unknown');
});

test('what another server is writing when work begins counts as written during it', async () => {
  const [one, other] = await servers(2);
  const work = (): Promise<void> => Promise.resolve();
  await other.changes.during(writing(1), async () => {
    expect(await one.changes.collectConcurrentWrites(work)).toEqual(writing(1));
    expect(await one.changes.collectConcurrentWrites(work)).toEqual(writing(1));
  });
  await one.ask();
  expect(await one.changes.collectConcurrentWrites(work)).toEqual([]);
});
