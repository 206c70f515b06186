// Many requests in rounds, each on the world as it was, until one is answered as none may be.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { requests } from './requests.mjs';
import { factsOf } from './values.mjs';
import { judge } from './verdict.mjs';
import { asCurl, connect, DEADLINE } from './wire.mjs';

const COLLECTIONS = ['posts', 'terms', 'users', 'options', 'counters'];
const EVERY_STATUS = 'publish,future,draft,pending,private,trash';
const ALWAYS = '1970-01-01';

/** What an administrator can see of the world, page by page. */
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

/** Everything there is: stored documents, files, and lists as they are answered. */
const readWorld = async (site, send, authorization) =>
  new Map([...(await readStore(site)), ...readFiles(site), ...(await readLists(send, authorization))]);

/** Names of what is not the same in two worlds. */
const differences = (before, after) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name));

/** Errors that nobody caught, by what a process says of them. */
function watchProcess() {
  const found = [];
  const note = (error) => found.push(error?.stack ?? String(error));
  for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, note);
  const close = () => ['unhandledRejection', 'uncaughtException'].forEach((event) => process.off(event, note));
  return { found, close };
}

/** A request that was answered as none may be, with what is needed to see it again. */
function describeFailure(origin, request, problems, { seed, round, shrinks }) {
  return [
    `seed ${seed}, round ${round}, after ${shrinks} simplifications:`,
    ...problems.map((problem) => `  ${problem}`),
    asCurl(origin, request),
  ].join('\n');
}

/**
 * Sends requests to a server and judges every answer. The world is reset before each round and compared with what it was at first.
 * @param {object} options
 * @param options.server a running server with the dataset of `world`
 * @param options.table its routes
 * @param options.world the dataset, in WordPress's export form
 * @param options.profile `tec` or `standard`: which failures are right
 * @param options.requests how many in all
 * @param options.seed of the first round; the others follow on it
 * @param options.perRound how many until the next reset
 * @param options.atOnce how many are under way at a time; what depends on which is first may then differ from run to run
 * @param options.failuresAtMost after how many to give up
 * @param options.deadline longest time for a response, in ms
 * @param options.onProgress called with the number of requests sent so far, and counts by status
 * @returns {Promise<{ sent: number, statuses: Record<string, number>, failures: string[] }>} failures: a line or more for each
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
  const watch = watchProcess();
  const facts = factsOf(world);
  const admin = facts.users.find(({ role }) => role === 'administrator');
  const authorization = `Basic ${Buffer.from(`${admin.login}:${admin.application_password}`).toString('base64')}`;
  const arbitrary = requests(table, facts, server.url);
  const verdict = judge({ url: server.url, profile });
  const statuses = {};
  const failures = [];
  let sent = 0;

  /** What is wrong with the answer to a request. */
  const problemsOf = async (request) => {
    try {
      const answer = await send(request);
      const key = request.expects.kind === 'core' ? 'core' : String(answer.status);
      statuses[key] = (statuses[key] ?? 0) + 1;
      const uncaught = watch.found.splice(0);
      return [...verdict(request, answer), ...uncaught];
    } catch (error) {
      return [error.message, ...watch.found.splice(0)];
    }
  };

  const runRound = async (round, count) => {
    let last = { request: undefined, problems: [] };
    const property = fc.asyncProperty(...Array.from({ length: atOnce }, () => arbitrary), async (...burst) => {
      const verdicts = await Promise.all(burst.map(problemsOf));
      sent += burst.length;
      onProgress(sent, statuses);
      const bad = verdicts.findIndex((problems) => problems.length > 0);
      if (bad < 0) return;
      last = { request: burst[bad], problems: verdicts[bad] };
      throw new Error(last.problems[0]);
    });
    const details = await fc.check(property, { seed: seed + round, numRuns: Math.ceil(count / atOnce) });
    if (details.failed)
      failures.push(describeFailure(server.url, last.request, last.problems, { seed: seed + round, round, shrinks: details.numShrinks }));
  };

  const reset = async () => {
    await server.reset();
    const changed = differences(pristine, await readWorld(server.site, send, authorization));
    if (changed.length > 0)
      failures.push(`seed ${seed}: a reset does not bring back: ${changed.slice(0, 10).join(', ')}${changed.length > 10 ? ', …' : ''}`);
  };

  const checkHealth = async () => {
    const { status, text } = await send({ method: 'GET', target: '/__qa/health', headers: {}, body: Buffer.alloc(0) });
    if (status !== 200) failures.push(`seed ${seed}: the server is not well: ${text}`);
  };

  await server.reset();
  const pristine = await readWorld(server.site, send, authorization);
  for (let round = 0; sent < wanted && failures.length < failuresAtMost; round++) {
    await runRound(round, Math.min(perRound, wanted - sent));
    await checkHealth();
    await reset();
  }
  failures.push(...watch.found);
  watch.close();
  close();
  return { sent, statuses, failures };
}
