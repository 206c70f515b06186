import { readFileSync } from 'node:fs';
import path from 'node:path';
import { namesIds, routesOf, routingRows, routingTable } from '../../bench/routing.mjs';
import { tableIn } from '../../scripts/readme-tables.mjs';
import { createServer } from '../../src/index.js';
import { testDatabase } from '../support/database.js';
import { root } from '../support/documents.js';

/** Which commands a sharded cluster sends only to the relevant shards, and which to all of them. */

const database = testDatabase();

test.each([
  [{ _id: 5 }, true],
  [{ _id: { $in: [5, 6] } }, true],
  [{ _id: { $eq: 5 }, version: 2 }, true],
  [{ $and: [{ type: 'tribe_events' }, { _id: { $in: [5] } }] }, true],
  [{ _id: { $gt: 5 } }, false],
  [{ _id: { $nin: [5] } }, false],
  [{ $or: [{ _id: 5 }, { type: 'tribe_events' }] }, false],
  [{ type: 'tribe_events' }, false],
  [undefined, false],
])('%j names ids: %j', (filter, expected) => {
  expect(namesIds(filter)).toBe(expected);
});

test('commands by their shape', () => {
  const count = { aggregate: 'posts', pipeline: [{ $match: { type: 'a' } }, { $count: 'n' }] };
  expect(routesOf('insert', { insert: 'posts', documents: [{ _id: 1 }, { _id: 2 }] })).toEqual([{ shards: 'one', what: 'insert' }]);
  expect(routesOf('update', { update: 'posts', updates: [{ q: { _id: 1 } }, { q: { parent: 1 } }] })).toEqual([
    { shards: 'all', what: 'update' },
  ]);
  expect(routesOf('aggregate', count)).toEqual([{ shards: 'all', what: 'count' }]);
  expect(routesOf('find', { find: 'terms', filter: { slug: 'a' } })).toEqual([{ shards: 'unsharded', what: 'terms' }]);
  const nsInfo = [{ ns: 'site.posts' }, { ns: 'site.terms' }];
  const ops = [
    { insert: 0, document: { _id: 1 } },
    { update: 1, filter: { _id: 2 }, updateMods: {} },
    { delete: 0, filter: { parent: 1 } },
  ];
  expect(routesOf('bulkWrite', { bulkWrite: 1, ops, nsInfo })).toEqual([
    { shards: 'one', what: 'insert' },
    { shards: 'unsharded', what: 'terms' },
    { shards: 'all', what: 'delete' },
  ]);
  expect(routesOf('hello', { hello: 1 })).toEqual([]);
  expect(() => routesOf('mapReduce', { mapReduce: 'posts' })).toThrow('mapReduce');
});

test('docs/scale.md shows what the server sends: node bench/routing.mjs', async () => {
  const rows = await routingRows(createServer, database.address);
  expect(tableIn(readFileSync(path.join(root, 'docs/scale.md'), 'utf8'), 'routing')).toBe(routingTable(rows));
}, 90_000);
