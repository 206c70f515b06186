import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { KnownJson } from '../../../../src/base/php/json.js';
import { Memory } from '../../../../src/database/memory/index.js';
import { FragmentCache, Dependencies } from '../../../../src/database/memory/fragments.js';
import { State } from '../../../../src/database/memory/state.js';

const write = (state: State, collection: string, id: number): void => {
  state.beginWrite(collection, [id]);
  state.endWrite(collection, [id]);
};

test('what a presenter looked at holds in each database by the versions that it has', () => {
  const [site, sandbox] = [new State(), new State()];
  sandbox.enter(site.mark()!);
  const uses = new Dependencies();
  uses.add('posts', 2, site);
  uses.add('terms', 5, site);
  expect([site, sandbox].map((state) => uses.areCurrentIn(state))).toEqual([true, true]);
  write(sandbox, 'terms', 2);
  expect(uses.areCurrentIn(sandbox)).toBe(true);
  write(sandbox, 'terms', 5);
  expect([site, sandbox].map((state) => uses.areCurrentIn(state))).toEqual([true, false]);
  sandbox.enter(site.mark()!);
  expect(uses.areCurrentIn(sandbox)).toBe(true);
});

test('all posts change with each of them', () => {
  const state = new State();
  const uses = new Dependencies();
  uses.addAllPosts(state);
  write(state, 'terms', 5);
  expect(uses.areCurrentIn(state)).toBe(true);
  write(state, 'posts', 7);
  expect(uses.areCurrentIn(state)).toBe(false);
});

test('a part that was found for a content is found again for it, and not while or after what it shows is written', () => {
  const [site, sandbox] = [new State(), new State()];
  sandbox.enter(site.mark()!);
  const memory = new Memory();
  const event = { collection: 'posts', id: 2 } as const;
  const partsOf = (state: State): FragmentCache => new FragmentCache(memory.fragments, state, 'view', state.revisionOf());
  const find = (state: State): unknown => partsOf(state).find(event, 'event')?.value;
  const uses = new Dependencies();
  uses.add('posts', 2, site);
  uses.add('posts', 7, site);
  partsOf(site).store(event, 'event', 'shown', uses, 5);
  expect([site, sandbox, site].map(find)).toEqual(['shown', 'shown', 'shown']);
  write(site, 'posts', 8);
  expect([find(site), find(site)]).toEqual(['shown', 'shown']);
  const before = site.mark()!;
  site.beginWrite('posts', [7]);
  expect([find(site), find(sandbox), find(site)]).toEqual([undefined, 'shown', undefined]);
  site.endWrite('posts', [7]);
  expect([find(site), find(sandbox), find(site)]).toEqual([undefined, 'shown', undefined]);
  site.enter(before);
  expect(find(site)).toBe('shown');
});

test('a part whose documents were loaded before a write is not stored', () => {
  const state = new State();
  const memory = new Memory();
  const event = { collection: 'posts', id: 2 } as const;
  const since = state.revisionOf();
  write(state, 'posts', 2);
  new FragmentCache(memory.fragments, state, 'view', since).store(event, 'event', 'old', new Dependencies(), 5);
  expect(new FragmentCache(memory.fragments, state, 'view', state.revisionOf()).find(event, 'event')).toBeUndefined();
});

test.each([100, 1_000, 3_000])('parts of %d bytes take the memory that is assumed', (length) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  /** Memory after all garbage is gone, also what earlier tests have left. */
  const used = (last = Infinity): number => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const now = heapUsed + arrayBuffers;
    return last - now < 10_000 ? now : used(now);
  };
  const state = new State();
  const { fragments } = new Memory();
  const cache = (): FragmentCache => new FragmentCache(fragments, state, 'view', state.revisionOf());
  const before = used();
  for (let id = 1; id <= 5_000; id += 1) {
    const uses = new Dependencies();
    for (let read = 0; read < 3; read += 1) uses.add('posts', id + read, state);
    const json = KnownJson.of({ text: 'a'.repeat(length) });
    cache().store({ collection: 'posts', id }, 'event', json, uses, json.size);
  }
  const taken = used() - before;
  expect(fragments.bytes / taken).toBeGreaterThan(0.8);
  expect(fragments.bytes / taken).toBeLessThan(1.3);
});
