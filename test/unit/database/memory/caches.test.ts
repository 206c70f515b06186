import { Cache } from '../../../../src/database/memory/cache.js';
import { Lru } from '../../../../src/database/memory/lru.js';
import { resolveOptions } from '../../../../src/server/config/index.js';
import { DEFAULT_MEMORY, Memory } from '../../../../src/database/memory/index.js';
import { State } from '../../../../src/database/memory/state.js';
import { memoized } from '../../../../src/wordpress/formatting/memo.js';

/** Cost of an entry besides its value: a one-character key, and the overhead. */
const ENTRY = 101;

describe('a cache of bounded size', () => {
  test('drops what was not used for the longest time', () => {
    const cache = new Lru<string>(2 * (ENTRY + 1));
    for (const key of ['a', 'b']) cache.set(key, key.toUpperCase(), 1);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 1);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
  });

  test('keeps what is in use however much comes and goes, within its limit', () => {
    const limit = 20 * (ENTRY + 1);
    const cache = new Lru<number>(limit);
    for (let n = 0; n < 1_000; n += 1) {
      cache.set(`key ${n}`, n, 1);
      expect(cache.get('key 0')).toBe(0);
      expect(cache.bytes).toBeLessThanOrEqual(limit);
    }
  });

  test('keeps nothing that is larger than it, and displaces nothing for it', () => {
    const cache = new Lru<string>(2 * (ENTRY + 1));
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 2 * (ENTRY + 1));
    expect(['a', 'b'].map((key) => cache.get(key))).toEqual(['A', undefined]);
  });

  test('takes what is spare besides its limit, and gives it back', () => {
    let spare = ENTRY + 1;
    const cache = new Lru<string>(2 * (ENTRY + 1), () => spare);
    const keep = (...keys: string[]): void => keys.forEach((key) => cache.set(key, key, 1));
    keep('a', 'b', 'c');
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['a', 'b', 'c']);
    spare = 0;
    keep('d');
    expect(cache.bytes).toBe(2 * (ENTRY + 1));
    expect(cache.get('d')).toBe('d');
  });

  test('measures what replaces something, and frees what is deleted', () => {
    const cache = new Lru<string>(1_000);
    cache.set('a', 'A', 10);
    cache.set('a', 'B', 20);
    expect(cache.bytes).toBe(ENTRY + 20);
    cache.delete('a');
    cache.delete('a');
    expect(cache.bytes).toBe(0);
  });
});

describe('the names of states', () => {
  test('change with every write, before and after it', () => {
    const state = new State();
    const names = [state.generationOf()];
    state.beginWrite('posts', [1]);
    names.push(state.generationOf());
    state.endWrite('posts', [1]);
    names.push(state.generationOf());
    expect(new Set(names).size).toBe(3);
  });

  test('change for the documents that were written only', () => {
    const state = new State();
    const versions = (): number[] => [state.versionOf('posts', 1), state.versionOf('posts', 2), state.versionOf('terms', 1)];
    const [first, second, third] = versions();
    state.endWrite('posts', [1]);
    expect(versions()).toEqual([expect.any(Number), second, third]);
    expect(state.versionOf('posts', 1)).not.toBe(first);
    state.endWrite('posts', null);
    expect(versions()[1]).not.toBe(second);
    expect(versions()[2]).toBe(third);
    state.changeAll();
    expect(versions()[2]).not.toBe(third);
  });

  test('come back with a state, also to another database', () => {
    const [state, other] = [new State(), new State()];
    state.endWrite('posts', [1]);
    const [name, version] = [state.generationOf(), state.versionOf('posts', 1)];
    const mark = state.mark();
    state.endWrite('posts', [1, 2]);
    expect(state.generationOf()).not.toBe(name);
    for (const each of [state, other]) each.enter(mark!);
    expect([state.generationOf(), other.generationOf()]).toEqual([name, name]);
    expect([state.versionOf('posts', 1), other.versionOf('posts', 1)]).toEqual([version, version]);
    expect(other.versionOf('posts', 2)).toBe(state.versionOf('posts', 2));
    // A write separates the two states.
    state.endWrite('posts', [1]);
    expect(other.versionOf('posts', 1)).toBe(version);
    expect(mark!.content).toBe(other.mark()!.content);
  });

  test('are others for each reader of what is being written, until that is done', () => {
    const state = new State();
    state.beginWrite('posts', [1, 2]);
    state.beginWrite('posts', [2]);
    state.endWrite('posts', [1, 2]);
    const read = (): unknown[] => [
      state.generationOf(),
      state.generationOf('posts'),
      state.revisionOf(),
      state.revisionOf('posts'),
      state.versionOf('posts', 2),
      state.versionOf('posts', 1),
      state.generationOf('terms'),
      state.revisionOf('terms'),
      state.versionOf('terms', 2),
    ];
    const areSame = (): boolean[] => {
      const first = read();
      return read().map((name, i) => name === first[i]);
    };
    expect(areSame()).toEqual([false, false, false, false, false, true, true, true, true]);
    state.endWrite('posts', [2]);
    expect(areSame().every(Boolean)).toBe(true);
    state.beginWrite('posts', null);
    expect(state.versionOf('posts', 7)).not.toBe(state.versionOf('posts', 7));
    state.endWrite('posts', null);
    expect(areSame().every(Boolean)).toBe(true);
  });

  test('cannot be returned to while a write is under way', () => {
    const state = new State();
    state.beginWrite('posts', [1]);
    expect(state.mark()).toBeNull();
    state.endWrite('posts', [1]);
    expect(state.mark()).not.toBeNull();
  });

  test('contain the settings', () => {
    const state = new State();
    const [name, moment] = [state.generationOf(), state.revisionOf()];
    state.settings = 'others';
    expect(state.generationOf()).not.toBe(name);
    expect(state.revisionOf()).not.toBe(moment);
  });
});

describe('results of a state', () => {
  const world = () => {
    const state = new State();
    return { state, cache: new Cache(state, new Memory()), none: new Cache(state, new Memory(0)) };
  };

  test('are computed once, and hold again when the state is back', async () => {
    const { state, cache } = world();
    let count = 0;
    const read = (): Promise<number> => cache.remember('count', () => Promise.resolve((count += 1)));
    const mark = state.mark()!;
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    state.endWrite('posts', null);
    expect(await read()).toBe(2);
    state.enter(mark);
    expect(await read()).toBe(1);
  });

  test('are not kept when something was written meanwhile, even if the state is back', async () => {
    const { state, cache } = world();
    const mark = state.mark()!;
    const during = await cache.remember('x', () => {
      state.endWrite('posts', [1]);
      state.enter(mark);
      return Promise.resolve('mixed');
    });
    expect(during).toBe('mixed');
    expect(await cache.remember('x', () => Promise.resolve('whole'))).toBe('whole');
  });

  test('are not kept when they failed', async () => {
    const { cache } = world();
    await expect(cache.remember('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await cache.remember('x', () => Promise.resolve(1))).toBe(1);
  });

  test('are computed each time where nothing is kept', async () => {
    const { none } = world();
    let count = 0;
    for (const _ of [1, 2]) await none.remember('x', () => Promise.resolve((count += 1)));
    expect(count).toBe(2);
  });

  test('documents are loaded once per version, those that are missing too', async () => {
    const { state, cache } = world();
    const asked: number[][] = [];
    const read = (ids: number[]): Promise<{ _id: number }[]> =>
      cache.recall('posts', ids, (missing) => {
        asked.push(missing);
        return Promise.resolve(missing.filter((id) => id < 10).map((_id) => ({ _id })));
      });
    const mark = state.mark()!;
    await read([1, 2, 11]);
    expect((await read([1, 2, 3, 11])).map(({ _id }) => _id).toSorted()).toEqual([1, 2, 3]);
    state.endWrite('posts', [2]);
    await read([1, 2, 3]);
    state.enter(mark);
    await read([1, 2, 3, 11]);
    expect(asked).toEqual([[1, 2, 11], [3], [2]]);
  });

  test('while a document is written, nobody reads the old one after somebody has read the new one', async () => {
    const { state, cache } = world();
    let stored = { _id: 1, title: 'old' };
    const load = () => Promise.resolve([stored]);
    const titles = async () => {
      const [[{ title }], result] = [
        await cache.recall('posts', [1], load),
        await cache.remember('list', () => Promise.resolve(stored.title)),
      ];
      return [title, result];
    };
    state.beginWrite('posts', [1]);
    expect(await titles()).toEqual(['old', 'old']);
    // The write has happened, but the database has not responded yet.
    stored = { _id: 1, title: 'new' };
    expect(await titles()).toEqual(['new', 'new']);
    state.endWrite('posts', [1]);
    expect(await titles()).toEqual(['new', 'new']);
  });

  test('a document that is written while it is loaded is not kept', async () => {
    const { state, cache } = world();
    let made = 0;
    const read = (isWritten: boolean): Promise<{ _id: number; made: number }[]> =>
      cache.recall('posts', [1], () => {
        if (isWritten) state.endWrite('posts', [1]);
        return Promise.resolve([{ _id: 1, made: (made += 1) }]);
      });
    await read(true);
    expect(await read(false)).toEqual([{ _id: 1, made: 2 }]);
    expect(await read(false)).toEqual([{ _id: 1, made: 2 }]);
  });
});

describe('a function that remembers', () => {
  const counted = (limit: number) => {
    const calls: string[] = [];
    const render = memoized((text) => {
      calls.push(text);
      return text.toUpperCase();
    }, limit);
    return { calls, render };
  };

  test('works once for a text', () => {
    const { calls, render } = counted(100);
    expect(['a', 'b', 'a', 'a', ''].map(render)).toEqual(['A', 'B', 'A', 'A', '']);
    expect(calls).toEqual(['a', 'b', '']);
  });

  test('forgets the oldest texts beyond its limit', () => {
    const { calls, render } = counted(8);
    for (const text of ['aa', 'bb', 'cc', 'bb', 'cc', 'aa']) expect(render(text)).toBe(text.toUpperCase());
    expect(calls).toEqual(['aa', 'bb', 'cc', 'aa']);
  });

  test('does not keep what is larger than its limit', () => {
    const { calls, render } = counted(8);
    for (const text of ['aa', 'long text', 'long text', 'aa']) expect(render(text)).toBe(text.toUpperCase());
    expect(calls).toEqual(['aa', 'long text', 'long text']);
  });
});

test('the option for memory has the default of the caches', () => {
  expect(resolveOptions({}).cacheMemory).toBe(DEFAULT_MEMORY);
});
