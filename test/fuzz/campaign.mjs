// Sends many requests in rounds, each on the original content, until a response is invalid.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { barrage } from './barrage.mjs';
import { requests } from './requests.mjs';
import { factsOf } from './values.mjs';
import { judge } from './verdict.mjs';
import { connect, DEADLINE } from './wire.mjs';

const COLLECTIONS = ['posts', 'terms', 'users', 'options', 'counters'];
const EVERY_STATUS = 'publish,future,draft,pending,private,trash';
const ALWAYS = '1970-01-01';

/** Lists of everything that an administrator can see, page by page. */
const LISTS = [
  ...['events', 'venues', 'organizers'].map(
    (kind) => `${kind}?status=${EVERY_STATUS}&per_page=50${kind === 'events' ? `&ends_after=${ALWAYS}` : ''}`,
  ),
  ...['categories', 'tags'].map((kind) => `${kind}?hide_empty=0&per_page=50`),
];

async function readLists(send, authorization) {
  const texts = [];
  for (const list of LISTS) {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await send({
        method: 'GET',
        target: `/wp-json/tribe/events/v1/${list}&page=${page}`,
        headers: { authorization },
        body: Buffer.alloc(0),
      });
      texts.push([`${list} ${page}`, answer.text]);
      pages = JSON.parse(answer.text).total_pages;
    }
  }
  return texts;
}

const fingerprint = (bytes) => createHash('sha256').update(bytes).digest('hex');

async function readStore({ store }) {
  const all = [];
  for (const name of COLLECTIONS) {
    const documents = await store.db.collection(name).find({}, { raw: true }).sort({ _id: 1 }).toArray();
    documents.forEach((raw, i) => all.push([`${name} document ${i + 1} of ${documents.length}`, fingerprint(raw)]));
  }
  return all;
}

function readFiles({ uploads }) {
  const files = readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .map((file) => [path.relative(uploads, file), fingerprint(readFileSync(file))]);
}

/** The whole content: stored documents, files, and responses of lists. */
export const readWorld = async (site, send, authorization) =>
  new Map([...(await readStore(site)), ...readFiles(site), ...(await readLists(send, authorization))]);

/** Names of the parts that differ. */
export const differences = (before, after) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));

/** Problems that the health endpoint reports. */
export async function illnessOf(send) {
  const { status, text } = await send({ method: 'GET', target: '/__qa/health', headers: {}, body: Buffer.alloc(0) });
  return status === 200 ? [] : [`the server is not well: ${text}`];
}

/** Credentials of a dataset's administrator. */
export function adminOf({ users }) {
  const { login, application_password: password } = users.find(({ role }) => role === 'administrator');
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/**
 * Sends requests to a server and checks every response. The content is reset before each round and compared with the original. The dataset
 * has WordPress's export form.
 * @param {object} options
 * @param options.server a running server with the dataset
 * @param options.table its routes
 * @param options.profile `tec` or `standard`, which decides the valid errors
 * @param options.requests total number of requests
 * @param options.seed seed of the first round; the others follow from it
 * @param options.perRound number of requests until the next reset
 * @param options.atOnce number of concurrent requests; results that depend on their order may differ between runs
 * @param options.failuresAtMost number of failures after which to stop
 * @param options.deadline longest time for a response, in ms
 * @param options.onProgress called with the number of requests sent so far, and counts by status
 * @returns {Promise<{ sent: number, statuses: Record<string, number>, failures: string[] }>} failures: one or more lines for each
 */
export async function campaign({
  server,
  table,
  world,
  profile,
  requests: wanted,
  seed,
  perRound = 500,
  atOnce = 4,
  failuresAtMost = 1,
  deadline = DEADLINE,
  onProgress = () => {},
}) {
  const { send, close } = connect(server.url, deadline);
  const facts = factsOf(world);
  const authorization = adminOf(facts);
  const judged = judge({ url: server.url, profile });
  const statuses = {};
  const failures = [];
  let sent = 0;
  const { round: runRound, close: endBarrage } = barrage({
    send,
    url: server.url,
    requests: requests(table, facts, server.url),
    verdict: (request, answer) => (answer instanceof Error ? [answer.message] : judged(request, answer)),
    atOnce,
    onAnswer: ({ expects }, { status }) => {
      const key = expects.kind === 'core' ? 'core' : String(status);
      statuses[key] = (statuses[key] ?? 0) + 1;
      sent += 1;
      onProgress(sent, statuses);
    },
  });

  const reset = async () => {
    await server.reset();
    const changed = differences(pristine, await readWorld(server.site, send, authorization));
    if (changed.length > 0)
      failures.push(`seed ${seed}: a reset does not bring back: ${changed.slice(0, 10).join(', ')}${changed.length > 10 ? ', …' : ''}`);
  };

  await server.reset();
  const pristine = await readWorld(server.site, send, authorization);
  for (let round = 0; sent < wanted && failures.length < failuresAtMost; round++) {
    failures.push(...(await runRound(seed, round, Math.min(perRound, wanted - sent))));
    failures.push(...(await illnessOf(send)));
    await reset();
  }
  failures.push(...endBarrage());
  close();
  return { sent, statuses, failures };
}
