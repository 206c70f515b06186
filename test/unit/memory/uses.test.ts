import { Uses } from '../../../src/memory/parts.js';
import { State } from '../../../src/memory/state.js';

const write = (state: State, collection: string, id: number): void => {
  state.change(collection, [id], false);
  state.change(collection, [id], true);
};

test('what a presenter looked at holds in each database by the versions that it has', () => {
  const [site, sandbox] = [new State(), new State()];
  sandbox.enter(site.mark()!);
  const uses = new Uses();
  uses.add('posts', 2, site);
  uses.add('terms', 5, site);
  expect([site, sandbox].map((state) => uses.holdIn(state))).toEqual([true, true]);
  write(sandbox, 'terms', 2);
  expect(uses.holdIn(sandbox)).toBe(true);
  write(sandbox, 'terms', 5);
  expect([site, sandbox].map((state) => uses.holdIn(state))).toEqual([true, false]);
  sandbox.enter(site.mark()!);
  expect(uses.holdIn(sandbox)).toBe(true);
});

test('all posts change with each of them', () => {
  const state = new State();
  const uses = new Uses();
  uses.addAllPosts(state);
  write(state, 'terms', 5);
  expect(uses.holdIn(state)).toBe(true);
  write(state, 'posts', 7);
  expect(uses.holdIn(state)).toBe(false);
});
