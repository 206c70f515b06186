import { parseArgs } from 'node:util';
import { evidenceCases } from './evidence-cases.mjs';
import { explainLookup, explainPipeline, isCount, recordLookups, recordPipelines } from './plans.mjs';
import { startSite } from './evidence-site.mjs';
import { AUTHORIZATION } from './servers.mjs';

const HELP = `Shows what the database reads for each filter of each list, and whether that stays within the limits:

  no scan of a whole collection, no sort in memory,
  at most twice as many index keys as rows match,
  at most twice as many documents as rows are returned,
  and no count when the same list is asked for again.

Usage: npm run evidence -- [options]

  --events N    Number of events (default: 100000, about three minutes); with few, lists are so short that the one
                key more per status that is looked up breaks the limit
  --zone ZONE   Time zone of the site; in UTC other columns are compared (default: that of the events)
  --only TEXT   Only lists whose name holds this text
  --help        Shows this

Lists marked "apart" are shown, and not held to the limits of keys, documents and sorts: searches, which no index serves; two narrow
filters at once, of which an index serves one; and an order that no index has. The exit code is 1 when a limit is broken. "Looked up" is
what names and ids in the request stand for, and what is shown with the items of the page; lookups are held to: no scan of a collection,
and nothing found out twice.`;

const NAMESPACE = '/wp-json/tribe/events/v1';
const CALLERS = { anonymous: {}, editor: { Authorization: AUTHORIZATION } };

const whole = (value) => value.toLocaleString('en-US');

async function ask(url, headers) {
  const response = await fetch(url, { headers });
  const body = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(body).slice(0, 200)}`);
  return body;
}

/** The violations of a query of a list. `mostDocs`: how many documents it may read. */
function broken(plan, { matched, mostDocs, apart }) {
  return [
    plan.collscan && 'COLLECTION SCAN',
    !apart && plan.blocking && 'SORT IN MEMORY',
    !apart && plan.keys > 2 * matched && 'KEYS',
    !apart && plan.docs > 2 * mostDocs && 'DOCUMENTS',
  ].filter(Boolean);
}

/** Requests a list twice: records the data that its queries read, and whether the total is counted again. */
async function examine({ server }, { name, path, caller, apart }) {
  const { store } = server.site;
  const url = `${server.url}${NAMESPACE}${path}`;
  const headers = CALLERS[caller];
  store.cache.invalidate();
  let total = 0;
  let lookups = [];
  const first = await recordPipelines(store, async () => {
    lookups = await recordLookups(async () => {
      ({ total } = await ask(url, headers));
    });
  });
  // Another URL of the same list, so that the response is not cached.
  let lookupsAgain = [];
  const again = await recordPipelines(store, async () => {
    lookupsAgain = await recordLookups(() => ask(`${url}&_=again`, headers));
  });
  const explain = (one) => one && explainPipeline(store.db.collection(one.collection), one.pipeline);
  const page = await explain(first.find((one) => !isCount(one)));
  const counting = first.findLast(isCount);
  const count = await explain(counting);
  const beside = await Promise.all([
    ...lookups.map((command) => explainLookup(store.db, command)),
    ...first.filter((one) => isCount(one) && one !== counting).map(explain),
  ]);
  const looked = beside.reduce((sum, { keys, docs }) => ({ keys: sum.keys + keys, docs: sum.docs + docs }), { keys: 0, docs: 0 });
  const limits = { matched: total, apart };
  const wrong = [
    ...(page ? broken(page, { ...limits, mostDocs: page.rows }) : []),
    ...(count ? broken(count, { ...limits, mostDocs: total }).map((what) => `${what} (count)`) : []),
    ...(again.some(isCount) || lookupsAgain.some((command) => 'distinct' in command) ? ['COUNTED AGAIN'] : []),
    ...(beside.some(({ collscan }) => collscan) ? ['COLLECTION SCAN (lookup)'] : []),
    ...(total === 0 && !apart ? ['NOTHING FOUND'] : []),
  ];
  const cells = [page?.rows ?? 0, page?.keys ?? 0, page?.docs ?? 0, count?.keys ?? 0, count?.docs ?? 0, looked.keys, looked.docs].map(
    whole,
  );
  const index = [page?.index ?? '-', count && count.index !== page?.index && `count: ${count.index}`].filter(Boolean).join(', ');
  const notes = [apart && `apart: ${apart}`, apart && page?.blocking && 'sorts', page?.merged && 'merges', ...wrong]
    .filter(Boolean)
    .join(', ');
  return { cells: [name, caller, whole(total), ...cells, index, notes], failed: wrong.length > 0 };
}

const HEADER = [
  'list',
  'caller',
  'matched',
  'rows',
  'keys',
  'docs',
  'keys counted',
  'docs counted',
  'keys looked up',
  'docs looked up',
  'index',
  'notes',
];

function printTable(rows) {
  const widths = HEADER.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i].length)));
  const isText = (i) => i < 2 || i > 9;
  const line = (cells) => cells.map((cell, i) => (isText(i) ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  console.log(
    [line(HEADER), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].map((text) => text.trimEnd()).join('\n'),
  );
}

class UsageError extends Error {}

function readOptions() {
  const options = {
    events: { type: 'string', default: '100000' },
    zone: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  };
  try {
    const { values } = parseArgs({ options });
    const events = Number(values.events);
    if (!Number.isInteger(events) || events < 1000) throw new Error(`--events must be a whole number from 1000 on, not ${values.events}`);
    return { ...values, events };
  } catch (error) {
    throw new UsageError(error.message);
  }
}

async function main() {
  const { help, events, only, zone } = readOptions();
  if (help) {
    console.log(HELP);
    return;
  }
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} seconds`;
  const running = await startSite(events, zone);
  // Examines the queries of the database, which run if other processes write to it, too, or memory does not suffice.
  running.server.site.store.rows = null;
  try {
    console.log(`${whole(events)} events, database: ${running.server.engine}, stored after ${seconds()}\n`);
    // The first request does pending work, such as publishing scheduled events.
    await ask(`${running.server.url}${NAMESPACE}/events`, {});
    const results = [];
    for (const one of evidenceCases(running)) if (one.name.includes(only)) results.push(await examine(running, one));
    printTable(results.map(({ cells }) => cells));
    const failures = results.filter(({ failed }) => failed).length;
    console.log(`\n${results.length} lists, ${failures === 0 ? 'all within the limits' : `${failures} beyond the limits`}. ${seconds()}.`);
    if (failures > 0) process.exitCode = 1;
  } finally {
    await running.close();
  }
}

main().catch((error) => {
  console.error(error instanceof UsageError ? `${error.message}\nnpm run evidence -- --help shows the options.` : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
