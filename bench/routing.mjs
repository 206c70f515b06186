/**
 * The shards that a request uses if the posts are sharded by `_id` (hashed): `node bench/routing.mjs` writes the table of docs/scale.md. It
 * is derived from the commands of the server, as by `mongos`: a command that names the ids of its documents goes to the shards that have
 * them, others to all.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownTable, withTable } from '../scripts/readme-tables.mjs';
import { AUTHORIZATION, PASSWORD } from './servers.mjs';

/** The collection that is sharded. All others are small and stay on one shard. */
export const SHARDED = 'posts';

const CALENDAR = '/wp-json/tribe/events/v1';
const NOW = '2026-06-15T12:00:00Z';
const HEADERS = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
const NEW = { title: 'Routing', start_date: '2026-09-01 10:00', end_date: '2026-09-01 11:00' };

const get = (at) => ({ path: at });
const send = (method, at, body) => ({ method, path: at, headers: HEADERS, body: body && JSON.stringify(body) });

/** The requests of the table. @param {{ event: { id: number, slug: string }, venue: number }} known ids of the content */
export const requests = ({ event, venue }) => ({
  'list of events': get(`${CALENDAR}/events`),
  'list from a date': get(`${CALENDAR}/events?start_date=2026-07-01`),
  'second page': get(`${CALENDAR}/events?start_date=2026-01-01&page=2&per_page=5`),
  'list by category': get(`${CALENDAR}/events?categories=music`),
  'list by venue': get(`${CALENDAR}/events?venue=${venue}`),
  'list by ids': get(`${CALENDAR}/events?include=${event.id}`),
  search: get(`${CALENDAR}/events?search=${event.slug.split('-')[0]}`),
  'event by id': get(`${CALENDAR}/events/${event.id}`),
  'event by slug': get(`${CALENDAR}/events/by-slug/${event.slug}`),
  venues: get(`${CALENDAR}/venues`),
  'venue by id': get(`${CALENDAR}/venues/${venue}`),
  categories: get(`${CALENDAR}/categories`),
  'page of an event': get(`/event/${event.slug}/`),
  'feed of all events': get('/events/?ical=1'),
  'create an event': send('POST', `${CALENDAR}/events`, NEW),
  'update an event': send('POST', `${CALENDAR}/events/${event.id}`, { title: 'Another title' }),
  'delete an event': send('DELETE', `${CALENDAR}/events/${event.id}`),
});

/** The conditions that all documents of a filter meet, by field. */
const conditions = (filter) =>
  Object.entries(filter ?? {}).flatMap(([key, value]) => (key === '$and' ? value.flatMap(conditions) : [[key, value]]));

const isValue = (value) => typeof value !== 'object' || value === null;

/** Whether a filter names the ids of its documents, so that the command goes to their shards only. */
export const namesIds = (filter) =>
  conditions(filter).some(([key, value]) => key === '_id' && (isValue(value) || Array.isArray(value.$in) || '$eq' in value));

/** The operation of a command, in a word or two, and the filters of its documents. */
const KINDS = {
  insert: ({ documents }) => ({ what: 'insert', filters: documents }),
  find: ({ filter, sort, limit }) => ({ what: sort && limit !== 1 ? 'page' : 'look-up', filters: [filter] }),
  aggregate: ({ pipeline }) => ({
    what: pipeline.some((stage) => '$count' in stage || '$group' in stage) ? 'count' : 'page',
    filters: [pipeline[0]?.$match],
  }),
  count: ({ query }) => ({ what: 'count', filters: [query] }),
  distinct: ({ query }) => ({ what: 'distinct values', filters: [query] }),
  update: ({ updates }) => ({ what: 'update', filters: updates.map(({ q }) => q) }),
  delete: ({ deletes }) => ({ what: 'delete', filters: deletes.map(({ q }) => q) }),
  findAndModify: ({ query }) => ({ what: 'update', filters: [query] }),
};

/** Commands without documents of a collection. */
const OTHERS = new Set(['hello', 'ping', 'endSessions', 'getMore', 'killCursors']);

/** The commands within a `bulkWrite` of several collections. */
const partsOf = ({ ops, nsInfo }) =>
  ops.map((op) => {
    const kind = Object.keys(op).find((key) => ['insert', 'update', 'delete'].includes(key));
    const collection = nsInfo[op[kind]].ns.replace(/^[^.]+\./, '');
    const part = { insert: { documents: [op.document] }, update: { updates: [{ q: op.filter }] }, delete: { deletes: [{ q: op.filter }] } };
    return [kind, { [kind]: collection, ...part[kind] }];
  });

/** Where a command goes: `one` (the shards that have the ids), `all`, or `unsharded`. */
export function routesOf(name, command) {
  if (name === 'bulkWrite') return partsOf(command).flatMap(([kind, part]) => routesOf(kind, part));
  if (OTHERS.has(name)) return [];
  if (!KINDS[name]) throw new Error(`Nothing is known of the command ${name}.`);
  const { what, filters } = KINDS[name](command);
  if (command[name] !== SHARDED) return [{ shards: 'unsharded', what: String(command[name]) }];
  return [{ shards: filters.every(namesIds) ? 'one' : 'all', what }];
}

/** Whether a command looks for scheduled posts or other servers' work, which a server does now and then, regardless of requests. */
const isRoutine = (command) => command.filter?.status === 'future' || Object.values(command)[0] === 'underway';

/** The targets of the commands that a server sends to the database during a request. */
async function routesDuring(server, request) {
  const { client } = server.site.store.db;
  const commands = [];
  const note = ({ commandName, command }) => commands.push([commandName, command]);
  client.on('commandStarted', note);
  try {
    const { path: at, ...init } = request;
    const response = await fetch(`${server.url}${at}`, init);
    await response.text();
    if (!response.ok) throw new Error(`${at}: ${response.status}`);
  } finally {
    client.off('commandStarted', note);
  }
  return commands.filter(([, command]) => !isRoutine(command)).flatMap(([name, command]) => routesOf(name, command));
}

/** The ids of the demo that the table needs. */
async function knownOf({ url }) {
  const read = async (at) => (await fetch(`${url}${CALENDAR}${at}`)).json();
  const [event] = (await read('/events')).events;
  const [venue] = (await read('/venues')).venues;
  return { event: { id: event.id, slug: event.slug }, venue: venue.id };
}

/**
 * One row per request, as the server of `build` sends them.
 * @param createServer of a build
 * @param uri of a database that may be filled
 */
export async function routingRows(createServer, uri) {
  const data = mkdtempSync(path.join(os.tmpdir(), 'understudy-routing-'));
  const options = { data, now: NOW, host: '127.0.0.1', port: 0, logLevel: 'error', adminPassword: PASSWORD };
  const monitored = `${uri}${uri.includes('?') ? '&' : '/?'}monitorCommands=true`;
  const server = await createServer({ ...options, mongodbUri: monitored, cacheMemory: 0 });
  try {
    const all = requests(await knownOf(server));
    const rows = [];
    for (const [name, request] of Object.entries(all)) {
      const routes = await routesDuring(server, request);
      const those = (shards) => [...new Set(routes.filter((route) => route.shards === shards).map(({ what }) => what))].sort().join(', ');
      rows.push([name, those('one'), those('all')]);
    }
    return rows;
  } finally {
    await server.close();
    rmSync(data, { recursive: true, force: true });
  }
}

/** The table of docs/scale.md: one row for the requests that use the posts of the same shards. Other collections are not sharded. */
export function routingTable(rows) {
  const merged = new Map();
  for (const [name, one, all] of rows) {
    const [names] = merged.get(`${one}|${all}`) ?? [[]];
    merged.set(`${one}|${all}`, [[...names, name], one, all]);
  }
  return markdownTable([
    ['Request', 'By id: one shard', 'All shards'],
    ...[...merged.values()].map(([names, ...used]) => [names.join(', '), ...used]),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [{ createServer }, { startEngine }] = await Promise.all([import('../dist/index.js'), import('../dist/database/engine/index.js')]);
  const directory = mkdtempSync(path.join(os.tmpdir(), 'understudy-routing-db-'));
  const engine = await startEngine({ directory });
  const table = routingTable(await routingRows(createServer, engine.uri.replace('/?', '/understudy_routing?')));
  await engine.close();
  rmSync(directory, { recursive: true });
  const file = fileURLToPath(new URL('../docs/scale.md', import.meta.url));
  console.log(table);
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), 'routing', table));
}
