import { MongoClient, type Db } from 'mongodb';
import { signIn, WORLD } from '../../support/api.js';
import { testDatabase } from '../../support/database.js';
import { EFFORT } from '../../support/effort.js';
import { http } from '../../support/http.js';
import { startTestServer } from '../../support/server.js';

/* Servers that share a database record their changes in it. The record does not grow with the number of changes. */

/** Several times the limit of the list. */
const WRITES = 300 * EFFORT;
const AT_ONCE = 8;
const MOST_DOCUMENTS = 30;
const MOST_BYTES = 64 * 1024;

const database = testDatabase();
const SHARED = { isShared: true, database };
const servers = [startTestServer({ dataset: WORLD }, SHARED), startTestServer({ dataset: WORLD }, SHARED)];
const HEADERS = { authorization: signIn('admin'), 'content-type': 'application/json' };
const EVENT = { start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' };

/** Mostly cheap writes, to save time, and some of all other kinds. */
function writeOf(n: number): [string, string, object] {
  if (n % 50 === 0) return ['POST', '/tribe/events/v1/events', { ...EVENT, title: `Event ${n}`, venue: { venue: `Hall ${n % 7}` } }];
  if (n % 20 === 1) return ['POST', '/tribe/events/v1/tags', { name: `Tag ${n}` }];
  if (n % 20 === 2) return ['POST', '/wp/v2/settings', { title: `Site ${n}` }];
  if (n % 20 === 3) return ['POST', '/wp/v2/users/3', { name: `User ${n}` }];
  return ['POST', '/wp/v2/tags/12', { description: `Text ${n}` }];
}

/** The size of a collection, computed from its documents. */
async function sizeOf(db: Db, name: string): Promise<{ documents: number; bytes: number }> {
  const [found] = await db
    .collection(name)
    .aggregate<{ documents: number; bytes: number }>([
      { $group: { _id: null, documents: { $sum: 1 }, bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
    ])
    .toArray();
  return found ?? { documents: 0, bytes: 0 };
}

test('the list of changes stays small, whatever the number of writes through two servers', async () => {
  const client = await MongoClient.connect(database.uri);
  const db = client.db(database.name);
  let largest = { documents: 0, bytes: 0 };
  try {
    let begun = 0;
    const write = async (): Promise<void> => {
      while (begun < WRITES) {
        const n = (begun += 1);
        const [method, path, body] = writeOf(n);
        const { status } = await http(method, servers[n % 2]().restUrl + path, HEADERS, JSON.stringify(body));
        expect([path, [200, 201].includes(status)]).toEqual([path, true]);
        if (n % 100 === 0) {
          const { documents, bytes } = await sizeOf(db, 'changes');
          largest = { documents: Math.max(largest.documents, documents), bytes: Math.max(largest.bytes, bytes) };
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, write));
    expect(largest.documents).toBeLessThanOrEqual(MOST_DOCUMENTS);
    expect(largest.bytes).toBeLessThanOrEqual(MOST_BYTES);
    // Records of work in progress do not accumulate either.
    expect((await sizeOf(db, 'underway')).documents).toBe(0);
  } finally {
    await client.close();
  }
}, 300_000);
