import { withLock, withSharedLock } from '../../../../src/database/store/locks.js';

/** Runs what is given in this order. @returns the names of what starts and ends, and how to end each */
function record(owner: object) {
  const log: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (lock: typeof withLock, name: string): Promise<void> =>
    lock(owner, 'lock', () => {
      log.push(`+${name}`);
      return new Promise<void>((resolve, reject) => ends.set(name, (error) => (error ? reject(error) : resolve()))).finally(() =>
        log.push(`-${name}`),
      );
    });
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error);
    // All promises that are settled have had their effects.
    await new Promise(setImmediate);
  };
  return { log, start, end };
}

test('shared work runs together, exclusive work alone, in the order of the calls', async () => {
  const { log, start, end } = record({});
  const all = [
    start(withSharedLock, 'a'),
    start(withSharedLock, 'b'),
    start(withLock, 'C'),
    start(withLock, 'D'),
    start(withSharedLock, 'e'),
    start(withSharedLock, 'f'),
  ];
  await end('none');
  expect(log.splice(0)).toEqual(['+a', '+b']);
  await end('b');
  expect(log.splice(0)).toEqual(['-b']);
  await end('a');
  expect(log.splice(0)).toEqual(['-a', '+C']);
  await end('C');
  expect(log.splice(0)).toEqual(['-C', '+D']);
  await end('D');
  expect(log.splice(0)).toEqual(['-D', '+e', '+f']);
  all.push(start(withLock, 'G'));
  await end('f');
  expect(log.splice(0)).toEqual(['-f']);
  await end('e');
  await end('G');
  expect(log).toEqual(['-e', '+G', '-G']);
  await Promise.all(all);
});

test('work that fails holds up nothing', async () => {
  const { log, start, end } = record({});
  const failing = [start(withSharedLock, 'a'), start(withLock, 'B')].map((work) => expect(work).rejects.toThrow('broken'));
  const last = start(withSharedLock, 'c');
  await end('none');
  await end('a', new Error('broken'));
  await end('B', new Error('broken'));
  await end('c');
  await Promise.all([...failing, last]);
  expect(log).toEqual(['+a', '-a', '+B', '-B', '+c', '-c']);
});

test('other names and owners do not wait', async () => {
  const owner = {};
  const { start, end } = record(owner);
  const held = start(withLock, 'held');
  expect(await withLock(owner, 'other name', () => Promise.resolve(1))).toBe(1);
  expect(await withLock({}, 'lock', () => Promise.resolve(2))).toBe(2);
  await end('held');
  await held;
});
