import { explainPipeline, isCount, recordPipelines } from './plans.mjs';
import { AUTHORIZATION } from './servers.mjs';

const NAMESPACE = '/wp-json/tribe/events/v1';

/** Whole numbers for people. */
export const whole = (value) => Math.round(value).toLocaleString('en-US');
const ms = (value) => value.toFixed(value < 10 ? 2 : 1);
const ratio = (value) => value.toFixed(value >= 0.1 ? 2 : 3);

const perSecond = ({ count, seconds }) => count / seconds;
const speed = (result) => [whole(perSecond(result)), ms(result.p50), ms(result.p99)];

/** One request outside the measurement: its answer is what the yardstick sends, and it must be a good one. */
async function sample(url, headers = {}) {
  const response = await fetch(url, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${url}: ${response.status} ${bytes.toString().slice(0, 200)}`);
  return { response, bytes };
}

function mustSucceed(name, result) {
  const failures = Object.entries(result.statuses).filter(([status]) => !status.startsWith('2'));
  if (failures.length > 0) throw new Error(`${name}: ${failures.map(([status, count]) => `${count} times ${status}`).join(', ')}`);
  return result;
}

const SPEED = ['/s', 'p50 ms', 'p99 ms'];

export const READ_HEADER = [
  'request',
  'bytes',
  ...['fresh', 'again', 'bare'].flatMap((name) => [name + SPEED[0], ...SPEED.slice(1)]),
  'fresh/bare',
  'again/bare',
];

/** Reads: every address anew, one address again and again, and the same bytes from the yardstick. */
export async function measureReads(running, { load, yardstick, times }, cases) {
  const port = Number(new URL(running.server.url).port);
  const rows = [];
  let asked = 0;
  for (const { name, path } of cases) {
    const address = `${NAMESPACE}${path}`;
    const sampled = await sample(`${running.server.url}${address}`);
    yardstick.imitate(sampled);
    const measure = async (to, where, milliseconds) => {
      asked += 1_000_000;
      return mustSucceed(name, await load.run({ port: to, path: where, milliseconds, first: asked }));
    };
    await measure(port, `${address}&_={n}`, times.warm);
    const fresh = await measure(port, `${address}&_={n}`, times.fresh);
    const again = await measure(port, address, times.again);
    const bare = await measure(yardstick.port, address, times.bare);
    const ratios = [fresh, again].map((result) => ratio(perSecond(result) / perSecond(bare)));
    rows.push([name, whole(sampled.bytes.length), ...[fresh, again, bare].flatMap(speed), ...ratios]);
  }
  return rows;
}

export const WRITE_HEADER = ['request', 'requests', ...SPEED, `bare${SPEED[0]}`, ...SPEED.slice(1), 'ratio'];

/** Writes, each of which waits for the journal, and the bytes of an event from the yardstick. */
export async function measureWrites(running, { load, yardstick, times }, cases) {
  const port = Number(new URL(running.server.url).port);
  const headers = { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' };
  // The last but one is published, and no write gets as far.
  yardstick.imitate(await sample(`${running.server.url}${NAMESPACE}/events/${running.ids.events.at(-2)}`));
  const rows = [];
  for (const { name, method, path, body, limit, first } of cases) {
    const job = { method, path: `${NAMESPACE}${path}`, body, headers, milliseconds: times.write };
    const result = mustSucceed(name, await load.run({ ...job, port, limit, first }));
    const bare = await load.run({ ...job, port: yardstick.port, milliseconds: times.bare });
    rows.push([name, whole(result.count), ...speed(result), ...speed(bare), ratio(perSecond(result) / perSecond(bare))]);
  }
  return rows;
}

const perRow = (examined, rows) => (rows === 0 ? whole(examined) : (examined / rows).toFixed(1));

const notesOf = (page, count) =>
  [
    page.collscan && 'COLLECTION SCAN',
    page.blocking && 'sorts in memory',
    page.merged && 'merges',
    count?.collscan && 'count: COLLECTION SCAN',
    count && !count.collscan && count.index !== page.index && `count: ${count.index}`,
  ]
    .filter(Boolean)
    .join(', ');

export const PLAN_HEADER = ['list', 'rows', 'keys/row', 'docs/row', 'keys counted', 'docs counted', 'index', 'notes'];

/** Where nothing is counted, no page is asked for. */
const NO_PAGE = { rows: 0, keys: 0, docs: 0, index: '' };

/** What the database reads for each list: for its page, and once for its total. */
export async function explainReads(running, cases, headers = {}) {
  const { store } = running.server.site;
  const explain = (one) => one && explainPipeline(store.db.collection(one.collection), one.pipeline);
  const rows = [];
  for (const { name, path } of cases) {
    store.cache.invalidate();
    const pipelines = await recordPipelines(store, () => sample(`${running.server.url}${NAMESPACE}${path}`, headers));
    const page = (await explain(pipelines.find((one) => !isCount(one)))) ?? NO_PAGE;
    const count = await explain(pipelines.find(isCount));
    const counted = count ? [whole(count.keys), whole(count.docs)] : ['', ''];
    rows.push([name, page.rows, perRow(page.keys, page.rows), perRow(page.docs, page.rows), ...counted, page.index, notesOf(page, count)]);
  }
  return rows;
}
