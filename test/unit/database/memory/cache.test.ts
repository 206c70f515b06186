import { Cache } from '../../../../src/database/memory/cache.js';
import { Memory } from '../../../../src/database/memory/index.js';
import { State } from '../../../../src/database/memory/state.js';

/** A cache, and a function that marks a write. Without a collection, everything has changed. */
function cacheOf() {
  const state = new State();
  const cache = new Cache(state, new Memory());
  const write = (changed?: string, ids: number[] | null = null): void =>
    changed === undefined ? state.changeAll() : state.endWrite(changed, ids);
  return { cache, write };
}

interface Row {
  _id: number;
  text: string;
}

/** A collection that counts its reads and can delay them. */
function collection(rows: Row[]) {
  const stored = new Map(rows.map((row) => [row._id, row]));
  const reads: number[][] = [];
  const load = async (ids: number[]): Promise<Row[]> => {
    reads.push(ids);
    const found = ids.flatMap((id) => stored.get(id) ?? []);
    await Promise.resolve();
    return found;
  };
  return { stored, reads, load };
}

const ROWS = [1, 2, 3].map((_id) => ({ _id, text: `text ${_id}` }));

test('lookups of a turn are one call, and a later one reads again', async () => {
  const { cache } = cacheOf();
  const { stored, reads, load } = collection(ROWS);
  const find = (id: number) => cache.lookUp('rows', id, async (ids) => new Map((await load(ids)).map((row) => [row._id, row])));
  const found = await Promise.all([find(1), find(2), Promise.resolve().then(() => find(1)), find(9)]);
  expect(found.map((row) => row?.text)).toEqual(['text 1', 'text 2', 'text 1', undefined]);
  stored.set(1, { _id: 1, text: 'changed' });
  expect((await find(1))?.text).toBe('changed');
  expect(reads).toEqual([[1, 2, 9], [1]]);
});

describe('cached documents', () => {
  test('a write discards only the documents that it names', async () => {
    const { cache, write } = cacheOf();
    const { stored, reads, load } = collection(ROWS);
    await cache.recall('rows', [1, 2], load);
    stored.set(2, { _id: 2, text: 'changed' });
    write('rows', [2]);
    expect((await cache.recall('rows', [1, 2], load)).map(({ text }) => text).sort()).toEqual(['changed', 'text 1']);
    expect(reads).toEqual([[1, 2], [2]]);
  });

  test('a write to another collection discards none, a write to any document all', async () => {
    const { cache, write } = cacheOf();
    const { reads, load } = collection(ROWS);
    await cache.recall('rows', [1], load);
    write('others', null);
    await cache.recall('rows', [1], load);
    expect(reads).toHaveLength(1);
    write('rows', null);
    await cache.recall('rows', [1], load);
    write();
    await cache.recall('rows', [1], load);
    expect(reads).toHaveLength(3);
  });

  test('a document that was read during a write is not cached', async () => {
    const { cache, write } = cacheOf();
    const { stored, load } = collection(ROWS);
    const reading = cache.recall('rows', [1], load);
    stored.set(1, { _id: 1, text: 'changed' });
    write('rows', [1]);
    await reading;
    expect(await cache.recall('rows', [1], load)).toEqual([{ _id: 1, text: 'changed' }]);
  });

  test('a document that did not exist is found after it was written', async () => {
    const { cache, write } = cacheOf();
    const { stored, load } = collection([]);
    expect(await cache.recall('rows', [7], load)).toEqual([]);
    stored.set(7, { _id: 7, text: 'new' });
    write('rows', [7]);
    expect(await cache.recall('rows', [7], load)).toHaveLength(1);
  });
});

describe('cached results', () => {
  test('a result of one collection outlasts writes to others only', async () => {
    const { cache, write } = cacheOf();
    let computed = 0;
    const ask = () => cache.remember('count', async () => (computed += 1), 'rows');
    expect([await ask(), await ask()]).toEqual([1, 1]);
    write('others', [1]);
    expect(await ask()).toBe(1);
    write('rows', [1]);
    expect(await ask()).toBe(2);
    write();
    expect(await ask()).toBe(3);
  });

  test('a result of everything lasts until the next write', async () => {
    const { cache, write } = cacheOf();
    let computed = 0;
    const ask = () => cache.remember('count', async () => (computed += 1));
    await ask();
    write('others', [1]);
    expect(await ask()).toBe(2);
  });

  test('a result computed during a write is not cached', async () => {
    const { cache, write } = cacheOf();
    const during = cache.remember(
      'count',
      async () => {
        write('rows', [1]);
        return 'old';
      },
      'rows',
    );
    await during;
    expect(await cache.remember('count', async () => 'new', 'rows')).toBe('new');
  });
});

test.each<[string, object]>([
  ['ids', new Set(Array.from({ length: 10_000 }, (_, id) => id))],
  ['names by id', new Map(Array.from({ length: 10_000 }, (_, id) => [id, `author-${id}`]))],
])('a result of 10,000 %s is kept', async (_, result) => {
  const { cache } = cacheOf();
  await cache.remember('result', () => Promise.resolve(result));
  expect(cache.peek('result')).toBe(result);
});
