// A site of many events in a separate process, so that its processor time and memory belong to the requests. Run with `--expose-gc`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startSite } from '../../../bench/evidence-site.mjs';
import { siteRoutes } from '../../../dist/server/app/routes.js';
import { listed } from './cases.mjs';
import { addContent } from './content.mjs';

/** The process of the database in a data folder; undefined if the database is elsewhere. */
function databasePid(data) {
  const note = existsSync(data) && readdirSync(data, { recursive: true }).find((name) => name.endsWith('-owner.json'));
  return !note ? undefined : JSON.parse(readFileSync(path.join(data, note), 'utf8')).database;
}

/** What the same work takes on each machine: the processor time in ms of reading a text. */
function reference() {
  const text = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ id: i, title: `Event ${i}` })));
  const took = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    JSON.parse(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...took);
}

async function start({ events, profile, data }) {
  const plugins = ['event-tickets'];
  const { server, ids: own, close } = await startSite(events, undefined, { profile, data, ephemeral: false, plugins });
  const ids = { ...own, ...(await addContent(server.site.store, own.events)) };
  process.on('message', ({ collect }) => {
    if (collect) globalThis.gc();
    process.send({ done: true });
  });
  process.on('disconnect', () => void close().then(() => process.exit()));
  const routes = (await siteRoutes(server.namespaces)).tableOf(server.site.registry).map(listed);
  return { url: server.url, ids, routes, engine: databasePid(data), reference: reference() };
}

process.once('message', (job) => {
  start(job).then(
    (site) => process.send(site),
    (error) => process.send({ error: error.stack }),
  );
});
