import type { Db } from 'mongodb';
import { Finder } from '../../../src/store/finder.js';

interface Command {
  filter: { _id: { $in: number[] } };
}

/** A database with the documents 1 to 9, which tells what it is asked. @param most documents in a reply */
function database(most = 100, fail = (_ids: number[]): boolean => false) {
  const asked: number[][] = [];
  const command = async ({ filter }: Command) => {
    const ids = filter._id.$in;
    asked.push(ids);
    await Promise.resolve();
    if (fail(ids)) throw new Error('gone');
    const found = ids.filter((id) => id < 10).slice(0, most);
    return { cursor: { firstBatch: found.toReversed().map((_id) => ({ _id })) } };
  };
  return { asked, finder: new Finder<{ _id: number }>({ command } as unknown as Db, 'posts', {}) };
}

const idsOf = async (found: Promise<{ _id: number }[]>): Promise<number[]> => (await found).map(({ _id }) => _id);

test('finds documents in the order in which they were asked for, and leaves out what does not exist', async () => {
  const { finder } = database();
  expect(await idsOf(finder.find([3, 12, 1]))).toEqual([3, 1]);
  expect(await idsOf(finder.find([12]))).toEqual([]);
});

test('calls that come meanwhile are one command', async () => {
  const { finder, asked } = database();
  const calls = [[1], [2, 3], [3, 4], [5]].map((ids) => idsOf(finder.find(ids)));
  expect(await Promise.all(calls)).toEqual([[1], [2, 3], [3, 4], [5]]);
  expect(asked).toEqual([[1], [2, 3, 4, 5]]);
});

test('asks again for what a reply had no room for', async () => {
  const { finder, asked } = database(2);
  expect(await idsOf(finder.find([1, 2, 12, 3]))).toEqual([1, 2, 3]);
  expect(asked).toEqual([[1, 2, 12, 3], [12, 3], [12]]);
});

test('a failure is that of the calls that were waiting for it, and of no other', async () => {
  const { finder } = database(100, (ids) => ids.includes(2));
  const calls = [[1], [2], [3]].map((ids) => idsOf(finder.find(ids)));
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await idsOf(finder.find([4]))).toEqual([4]);
});
