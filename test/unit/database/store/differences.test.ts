import * as fc from 'fast-check';
import { MongoClient, type Collection } from 'mongodb';
import { differences } from '../../../../src/database/store/differences.js';
import { testDatabase } from '../../../support/database.js';

const { uri, name } = testDatabase();
const client = new MongoClient(uri);
afterAll(() => client.close());

interface Stored {
  _id: number | string;
  value?: unknown;
}

type Content = [id: number | string, value: unknown][];

async function filled(named: string, content: Content): Promise<Collection<Stored>> {
  const collection = client.db(name).collection<Stored>(named);
  await collection.deleteMany({});
  if (content.length > 0) await collection.insertMany(content.map(([_id, value]) => ({ _id, value })));
  return collection;
}

const id = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, 2 ** 31, 2 ** 40),
  fc.constantFrom('', 'a', 'ab', 'é', 'z', '😀', '\uFFFD'),
);
const content = fc.uniqueArray(fc.tuple(id, fc.constantFrom(1, 'text', null)), { selector: ([key]) => key, maxLength: 14 });

test('what differs between two collections, whatever their ids', async () => {
  await fc.assert(
    fc.asyncProperty(content, content, async (kept, current) => {
      const found = await differences(await filled('kept', kept), await filled('current', current));
      const isIn = (among: Content, [key, value]: Content[number]): boolean => among.some(([other, its]) => other === key && its === value);
      const expected = (from: Content, among: Content): unknown[] => from.filter((each) => !isIn(among, each)).map(([key]) => key);
      expect(new Set(found.missing)).toEqual(new Set(expected(kept, current)));
      expect(new Set(found.strays)).toEqual(new Set(expected(current, kept)));
    }),
    { numRuns: 60 },
  );
});

test('documents of the same id and length that are not the same', async () => {
  const found = await differences(
    await filled('kept', [
      [1, 'a'],
      [2, 'a'],
    ]),
    await filled('current', [
      [1, 'a'],
      [2, 'b'],
    ]),
  );
  expect(found).toEqual({ strays: [2], missing: [2] });
});
