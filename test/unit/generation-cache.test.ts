import { remembering } from '../../src/wp/formatting/memo.js';
import { GenerationCache } from '../../src/store/generation-cache.js';

describe('results of a generation', () => {
  const memoryOf = (limit: number, sizeOf?: (value: string, key: string) => number) => {
    const state = { generation: 1 };
    return { state, memory: new GenerationCache<string>(() => state.generation, limit, sizeOf) };
  };

  test('are there as long as it lasts', () => {
    const { memory, state } = memoryOf(10);
    memory.set('a', 'A', 1);
    expect(memory.get('a')).toBe('A');
    state.generation = 2;
    expect(memory.get('a')).toBeUndefined();
    state.generation = 1;
    expect(memory.get('a')).toBeUndefined();
  });

  test('are not kept when they belong to an earlier one', () => {
    const { memory, state } = memoryOf(10);
    state.generation = 2;
    memory.set('a', 'A', 1);
    expect(memory.get('a')).toBeUndefined();
  });

  test('make room, the oldest first', () => {
    const { memory } = memoryOf(2);
    for (const key of ['a', 'b', 'a', 'c']) memory.set(key, key.toUpperCase(), 1);
    expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual(['A', undefined, 'C']);
  });

  test('are measured with their keys, and one that is too large displaces nothing', () => {
    const { memory } = memoryOf(10, (value, key) => value.length + key.length);
    memory.set('a', '1234', 1);
    memory.set('b', '1234', 1);
    memory.set('large', '123456', 1);
    expect(['a', 'b', 'large'].map((key) => memory.get(key))).toEqual(['1234', '1234', undefined]);
    memory.set('c', '1', 1);
    expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([undefined, '1234', '1']);
  });

  test('leave their room behind when they are taken away', () => {
    const { memory } = memoryOf(2);
    memory.set('a', 'A', 1);
    memory.set('b', 'B', 1);
    memory.delete('a');
    memory.delete('a');
    memory.set('c', 'C', 1);
    expect(['a', 'b', 'c'].map((key) => memory.get(key))).toEqual([undefined, 'B', 'C']);
  });
});

describe('a function that remembers', () => {
  const counted = (limit: number) => {
    const calls: string[] = [];
    const render = remembering((text) => {
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
