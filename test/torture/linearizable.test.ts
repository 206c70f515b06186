import fc from 'fast-check';
import { lasting, linearize, nameModel, recordModel, type Model, type Operation } from './common/linearizable.mjs';

const NEVER = Infinity;

const write = (invoked: number, responded: number, fields: Record<string, unknown>, output?: Record<string, unknown>): Operation => ({
  kind: 'write',
  invoked,
  responded,
  fields,
  output,
});
const read = (invoked: number, responded: number, output: Record<string, unknown>): Operation => ({
  kind: 'read',
  invoked,
  responded,
  output,
});
const on = (kind: 'take' | 'free', invoked: number, responded: number, id: number): Operation => ({ kind, invoked, responded, id });
const find = (invoked: number, responded: number, output: number | null): Operation => ({ kind: 'find', invoked, responded, output });

describe('the database was killed at 10', () => {
  test.each<[string, boolean, Operation[]]>([
    [
      'a read of a write without a response, which the kill undoes',
      true,
      [write(5, NEVER, { a: 1 }), read(6, 7, { a: 1 }), read(20, 21, { a: 0 })],
    ],
    ['the same, of a write with a response', false, [write(5, 6, { a: 1 }), read(7, 8, { a: 1 }), read(20, 21, { a: 0 })]],
    ['a read before the write', false, [read(1, 2, { a: 7 }), write(5, NEVER, { a: 1 }), read(20, 21, { a: 0 })]],
    ['a read after the kill', false, [write(5, NEVER, { a: 1 }), read(11, 12, { a: 1 }), read(20, 21, { a: 0 })]],
    ['a write that began after the kill', false, [write(11, NEVER, { a: 1 }), read(12, 13, { a: 1 }), read(20, 21, { a: 0 })]],
  ])('%s', (_, isExplained, history) => {
    expect(linearize(lasting(history, [10]), recordModel({ a: 0 })).isLinearizable).toBe(isExplained);
  });

  test('a deletion without a response that was seen, and undone', () => {
    const history = [on('take', 0, 1, 27), on('free', 2, NEVER, 27), find(3, 4, null), find(20, 21, 27)];
    expect(linearize(history, nameModel()).isLinearizable).toBe(false);
    expect(linearize(lasting(history, [10]), nameModel()).isLinearizable).toBe(true);
  });
});

describe('a record', () => {
  test.each<[string, boolean, Operation[]]>([
    ['no operations', true, []],
    ['a read of the first value', true, [read(0, 1, { a: 0 })]],
    ['a read of a value that nobody wrote', false, [read(0, 1, { a: 7 })]],
    ['a read after a write', true, [write(0, 1, { a: 1 }), read(2, 3, { a: 1 })]],
    ['a stale read after a write', false, [write(0, 1, { a: 1 }), read(2, 3, { a: 0 })]],
    ['a read of the old value during a write', true, [write(0, 5, { a: 1 }), read(1, 2, { a: 0 })]],
    ['a read of the new value during a write', true, [write(0, 5, { a: 1 }), read(1, 2, { a: 1 })]],
    ['new, then old, during one write', false, [write(0, 9, { a: 1 }), read(1, 2, { a: 1 }), read(3, 4, { a: 0 })]],
    ['old, then new, during one write', true, [write(0, 9, { a: 1 }), read(1, 2, { a: 0 }), read(3, 4, { a: 1 })]],
    [
      'two readers that see two writes in different orders',
      false,
      [write(0, 20, { a: 1 }), write(0, 20, { a: 2 }), read(1, 2, { a: 1 }), read(3, 4, { a: 2 }), read(5, 6, { a: 1 })],
    ],
    ['parallel writes of different fields', true, [write(0, 9, { a: 1 }), write(0, 9, { b: 1 }), read(10, 11, { a: 1, b: 1 })]],
    ['a write that another one undoes', false, [write(0, 9, { a: 1 }), write(0, 9, { b: 1 }), read(10, 11, { a: 0, b: 1 })]],
    ['a write that shows what it wrote', true, [write(0, 1, { a: 1 }, { a: 1, b: 0 })]],
    ['a write that shows an old value of another field', false, [write(0, 1, { b: 1 }), write(2, 3, { a: 1 }, { a: 1, b: 0 })]],
    ['a write without response that happened', true, [write(0, NEVER, { a: 1 }), read(2, 3, { a: 1 })]],
    ['a write without response that did not happen', true, [write(0, NEVER, { a: 1 }), read(2, 3, { a: 0 })]],
    ['a write without response that happened late', true, [write(0, NEVER, { a: 1 }), read(2, 3, { a: 0 }), read(4, 5, { a: 1 })]],
    [
      'a write without response that happened and was undone',
      false,
      [write(0, NEVER, { a: 1 }), read(2, 3, { a: 1 }), read(4, 5, { a: 0 })],
    ],
    ['a write seen before it was asked for', false, [read(0, 1, { a: 1 }), write(2, NEVER, { a: 1 })]],
  ])('%s: %s', (_, expected, history) => {
    expect(linearize(history, recordModel({ a: 0, b: 0 })).isLinearizable).toBe(expected);
  });
});

describe('a name', () => {
  test.each<[string, boolean, Operation[]]>([
    ['one takes it', true, [find(0, 1, null), on('take', 2, 3, 1), find(4, 5, 1)]],
    ['two take it', false, [on('take', 0, 9, 1), on('take', 0, 9, 2)]],
    ['it is free in between', true, [on('take', 0, 9, 1), on('free', 0, 9, 1), on('take', 0, 9, 2), find(10, 11, 2)]],
    ['taken and not found', false, [on('take', 0, 1, 1), find(2, 3, null)]],
    ['found before it is taken', false, [find(0, 1, 1), on('take', 2, 3, 1)]],
    ['found by the old owner', false, [on('take', 0, 1, 1), on('free', 2, 3, 1), find(4, 5, 1)]],
    ['taken without response', true, [on('take', 0, NEVER, 1), find(2, 3, null), find(4, 5, 1)]],
  ])('%s: %s', (_, expected, history) => {
    expect(linearize(history, nameModel()).isLinearizable).toBe(expected);
  });
});

/** All permutations of the operations. */
function* permutations(items: readonly Operation[]): Generator<Operation[]> {
  if (items.length === 0) yield [];
  for (const [i, item] of items.entries()) for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
}

/**
 * The definition, as brute force: some order of the completed operations and of any pending ones respects real time and explains all
 * responses.
 */
function canBeExplained<State>(history: readonly Operation[], model: Model<State>): boolean {
  const open = history.filter(({ responded }) => responded === NEVER);
  for (let chosen = 0; chosen < 2 ** open.length; chosen += 1) {
    const taken = history.filter((operation) => operation.responded !== NEVER || (chosen >> open.indexOf(operation)) & 1);
    for (const order of permutations(taken)) {
      const isInTime = order.every((operation, i) => order.slice(i + 1).every((later) => later.responded >= operation.invoked));
      if (!isInTime) continue;
      let state: State | undefined = model.initial;
      for (const operation of order) state = state === undefined ? undefined : model.step(state, operation);
      if (state !== undefined) return true;
    }
  }
  return false;
}

const aTime = fc.integer({ min: 0, max: 12 });
const aValue = fc.integer({ min: 0, max: 2 });
const fields = fc.oneof(
  aValue.map((a) => ({ a })),
  aValue.map((b) => ({ b })),
);
const anOperation = fc
  .record({ from: aTime, lasts: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(NEVER)), isWrite: fc.boolean(), fields })
  .map(({ from, lasts, isWrite, fields: of }) => (isWrite ? write(from, from + lasts, of) : read(from, from + lasts, of)));

test('histories of up to five operations are judged as by trying all orders', () => {
  const model = recordModel({ a: 0, b: 0 });
  fc.assert(
    fc.property(fc.array(anOperation, { maxLength: 5 }), (history) => {
      expect(linearize(history, model).isLinearizable).toBe(canBeExplained(history, model));
    }),
    { numRuns: 500 },
  );
});

/** Operations of several clients on a record. Each takes effect at one moment between request and response. */
const aTrueHistory = fc
  .array(fc.record({ client: fc.integer({ min: 0, max: 4 }), before: aTime, after: aTime, isWrite: fc.boolean() }), {
    minLength: 5,
    maxLength: 60,
  })
  .map((plans) => {
    const state: Record<string, number> = { a: 0, b: 0 };
    const free = new Map<number, number>();
    return plans.map(({ client, before, after, isWrite }, n) => {
      const moment = 10 * (n + 1);
      const invoked = Math.max(free.get(client) ?? 0, moment - before * 4);
      const responded = moment + 1 + after * 4;
      free.set(client, responded);
      const isLate = invoked > moment;
      const field = n % 2 ? 'a' : 'b';
      if (isWrite && !isLate) state[field] = n + 1;
      const at = isLate ? { invoked: moment, responded: moment + 1 } : { invoked, responded };
      return isWrite && !isLate
        ? write(at.invoked, at.responded, { [field]: n + 1 }, { ...state })
        : read(at.invoked, at.responded, { ...state });
    });
  });

test('what a record has really done is linearizable; with a value from before an earlier write it is not', () => {
  const model = recordModel({ a: 0, b: 0 });
  fc.assert(
    fc.property(aTrueHistory, (history) => {
      expect(linearize(history, model).isLinearizable).toBe(true);
      const writes = history.filter(({ kind }) => kind === 'write');
      if (writes.length === 0) return;
      const last = Math.max(...history.map(({ responded }) => responded));
      const [field] = Object.keys(writes.at(-1)?.fields ?? {});
      const stale = read(last + 1, last + 2, { [field]: 0 });
      expect(linearize([...history, stale], model).isLinearizable).toBe(false);
    }),
    { numRuns: 200 },
  );
});
