// Kills or stops a server before or after each command of a write, and checks what another server on the same database shows.
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ANONYMOUS, clientOf } from './common/client.mjs';
import { MongoProxy } from './common/mongo-proxy.mjs';
import { randomOf } from './common/random.mjs';
import { datasetFor, KINDS, prepareSnapshots, summarize } from './common/step-kinds.mjs';
import { Tally } from './common/tally.mjs';
import { spawnServer } from './common/understudy.mjs';
import { noise } from './common/writers.mjs';

const HELP = `Kills or stops a server before and after each command of a write.

Usage: node test/torture/steps.mjs [options]

  --kind NAME      This kind of write only; repeatable
  --how HOW        kill or stop only
  --at SIDE        before or after only
  --short          A few kinds, an eighth of the cases; leases of killed servers are ended by hand
  --alone          The killed server is started again only after the other one has recovered: takes a lease each
  --strict         Counts must be right again before the killed server is started
  --list           List the kinds
  --help           Show this help

Exit status: 1 if anything was wrong.`;

const { values } = parseArgs({
  options: {
    kind: { type: 'string', multiple: true, default: [] },
    how: { type: 'string', multiple: true, default: [] },
    at: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const SHORT = ['create', 'reset'];
/**
 * A kill after a command has nearly the effect of one before the next command. So every second command is interrupted, alternately in one
 * of the two ways.
 */
const SHORT_SIDES = { kill: ['before'], stop: ['after'] };
const SHORT_STEP = 4;
const SHORT_FIRST = { kill: 1, stop: 3 };
const SIDES = { kill: ['before', 'after'], stop: ['before', 'after'] };
/** Time limit of work that needs no lease, in ms: less than a lease, on a busy machine, too. */
const PROMPT_MS = 15_000;
/** Another server takes over a few seconds after a lease of 20 s has ended; twice that on a busy machine. */
const TAKEN_OVER_MS = 45_000;
/** How long the other server is checked while one is stopped. */
const WATCHED_MS = 400;
const MOST_COMMANDS = 200;

/** The two servers, and the proxy between one of them and the database. */
class Rig {
  tally = new Tally();
  slowest = 0;
  turn = false;

  static async open(folder) {
    const rig = new Rig();
    const { startEngine } = await import('../../dist/database/engine/index.js');
    const { MongoClient } = await import('mongodb');
    rig.folder = folder;
    rig.engine = await startEngine({ directory: path.join(folder, 'db') });
    rig.mongo = await MongoClient.connect(rig.engine.uri);
    rig.proxy = await MongoProxy.open(rig.engine.uri);
    rig.client = clientOf(rig.tally, { deadline: 2 * TAKEN_OVER_MS });
    const { writeFileSync } = await import('node:fs');
    rig.dataset = path.join(folder, 'dataset.json');
    writeFileSync(rig.dataset, JSON.stringify(datasetFor('steps')));
    await rig.serveImage();
    rig.uri = `${rig.engine.uri.split('?')[0]}steps?${rig.engine.uri.split('?')[1] ?? ''}`;
    rig.other = await rig.#spawn(rig.uri).untilServing();
    rig.one = await rig.startOne();
    await prepareSnapshots(rig.send, rig.other);
    return rig;
  }

  #spawn(uri) {
    return spawnServer({ args: ['--ephemeral', '--dataset', this.dataset, '--mongodb-uri', uri, '--allow-private-urls'] });
  }

  /** Starts the server that uses the proxy. */
  startOne() {
    return this.#spawn(this.proxy.uriOf('steps')).untilServing();
  }

  /** Serves an image for events from a separate server. */
  async serveImage() {
    const bytes = noise(randomOf('image'), 8, 8);
    this.images = http.createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes));
    this.images.listen(0, '127.0.0.1');
    await once(this.images, 'listening');
    this.imageUrl = `http://127.0.0.1:${this.images.address().port}/step.png`;
  }

  /** Sends a request. Public reads are alternately anonymous and signed in. */
  send = async (url, method, body, headers) => {
    const started = performance.now();
    const isPublic = method === undefined && url.includes('/tribe/events/v1/') && !url.includes('status=');
    this.turn = !this.turn;
    const response = await this.client.send(url, method, body, isPublic && this.turn ? ANONYMOUS : headers);
    this.slowest = Math.max(this.slowest, performance.now() - started);
    return response;
  };

  /** Ends the leases of a killed server. */
  async endLeases() {
    await this.mongo
      .db('steps')
      .collection('underway')
      .updateMany({}, { $set: { until: new Date(0) } });
  }

  async close() {
    for (const server of [this.one, this.other]) {
      server?.signal('SIGCONT');
      server?.signal('SIGKILL');
    }
    this.client.close();
    this.images.close();
    await this.proxy.close();
    await this.mongo.close();
    await this.engine.close();
  }
}

const isDone = (response) => response !== null && response !== undefined && response.status < 300;

/** One interrupted write. */
class Case {
  problems = [];
  /** Stale counts and partial loads, which are allowed until the killed server has restarted. */
  stale = [];
  states = [];

  constructor(rig, kind, { n, side, how }) {
    Object.assign(this, { rig, kind, n, side, how });
    this.send = rig.send;
    this.limit = kind.isLarge ? TAKEN_OVER_MS : PROMPT_MS;
  }

  problem(text) {
    this.problems.push(text);
  }

  /** Runs work with the other server, within a time limit. */
  async promptly(what, work, limit = PROMPT_MS) {
    const started = performance.now();
    const result = await work();
    const ms = performance.now() - started;
    if (ms > limit) this.problem(`${what} took ${Math.round(ms)} ms`);
    return result;
  }

  /** Reads the state from the other server. The old state must not follow the new one, and mixtures are allowed only during a takeover. */
  async look({ mayMix = this.kind.isLarge } = {}) {
    const state = await this.promptly('a read', () => this.kind.see(this.send, this.rig.other, this.prepared));
    if (state !== this.states.at(-1)) {
      if (state === 'old' && this.states.includes('new')) this.problem(`old after ${this.states.join(', ')}`);
      if (state !== 'old' && state !== 'new' && !mayMix) this.problem(state);
      this.states.push(state);
    }
    return state;
  }

  async prepare() {
    const { rig, kind, send } = this;
    const reset = await send(`${rig.other.url}/__qa/reset`, 'POST');
    if (reset?.status !== 200) throw new Error(`A reset got ${reset?.status}: ${reset?.text}`);
    this.prepared = (await kind.prepare?.(send, rig.other, { imageUrl: rig.imageUrl, random: randomOf(`${this.n} ${this.side}`) })) ?? {};
    for (const server of [rig.one, rig.other]) {
      const state = await kind.see(send, server, this.prepared);
      if (state !== 'old') this.problem(`before the write, ${server === rig.one ? 'the interrupted' : 'the other'} server shows ${state}`);
    }
  }

  act(server) {
    return this.kind.act(this.send, server, this.prepared);
  }

  /** Repeats the write through the other server. */
  async again() {
    const response = await this.promptly('the same write', () => this.act(this.rig.other), this.limit);
    const isFine = isDone(response) || (this.kind.isRefused && response && response.status < 500);
    if (!isFine) this.problem(`the same write got ${response?.status}: ${response?.text?.slice(0, 200)}`);
    return isDone(response);
  }

  async isSettled() {
    const state = await this.look();
    return (state === 'old' || state === 'new') && (await summarize(this.send, this.rig.other)).stale.length === 0;
  }

  async untilSettled(patience) {
    for (const deadline = performance.now() + patience; performance.now() < deadline; await sleep(50))
      if (await this.isSettled()) return true;
    return false;
  }

  /** Checks that both servers show the same state, and that counts are correct. */
  async agree() {
    const { rig, send } = this;
    const [one, other] = [await summarize(send, rig.one), await summarize(send, rig.other)];
    if (one.text !== other.text) this.problem(`the servers differ:\n      ${one.text}\n      ${other.text}`);
    for (const text of new Set([...one.stale, ...other.stale])) this.problem(text);
    if (one.stale.join() !== other.stale.join()) this.problem('the servers differ in their counts');
  }

  /** @returns whether the command exists */
  async play() {
    const { rig } = this;
    await this.prepare();
    const reached = rig.proxy.arm(this.n, this.side);
    const acting = this.act(rig.one);
    const isReached = await Promise.race([reached, acting.then(() => false)]);
    if (!isReached) {
      rig.proxy.release();
      if (isDone(await acting)) await this.expectNew();
      else this.problem('the write failed undisturbed');
      await this.end();
      return false;
    }
    this.command = rig.proxy.commands[this.n - 1];
    const endFault = rig.tally.fault(this.how === 'kill' ? 'gone' : 'refusing');
    await (this.how === 'kill' ? this.playKill(acting) : this.playStop(acting));
    endFault();
    if (this.how === 'stop') await this.checkSnapshot();
    await this.end();
    return true;
  }

  /** Checks that the interrupted snapshot is either the old one or the new one. */
  async checkSnapshot() {
    const state = (await this.kind.restored?.(this.send, this.rig.other)) ?? 'old';
    if (state !== 'old' && state !== 'new') this.problem(`restored: ${state}`);
  }

  async playKill(acting) {
    const { rig, send } = this;
    rig.one.signal('SIGKILL');
    await rig.one.ended;
    rig.proxy.drop();
    await acting;
    await this.look();
    this.stale = (await summarize(send, rig.other)).stale;
    if (values.short) await rig.endLeases();
    if (values.alone || values.strict) {
      const isSettled = await this.untilSettled(TAKEN_OVER_MS);
      this.stale = (await summarize(send, rig.other)).stale;
      if (!isSettled && (values.strict || this.stale.length === 0))
        this.problem(`not recovered: ${this.states.at(-1)} ${this.stale.join()}`);
    }
    const starting = rig.startOne();
    // Reads repeatedly while the killed server restarts.
    let isStarted = false;
    const isStarting = () => !isStarted;
    const watching = (async () => {
      for (; isStarting(); await sleep(100)) await this.look();
    })();
    rig.one = await starting;
    isStarted = true;
    await watching;
    if (!(await this.untilSettled(TAKEN_OVER_MS))) {
      const { stale } = await summarize(send, rig.other);
      this.problem(`not recovered after the restart: ${this.states.at(-1)} ${stale.join()}`);
    }
    await this.checkSnapshot();
    if (await this.again()) await this.expectNew();
    await this.agree();
  }

  async playStop(acting) {
    const { rig, kind, send } = this;
    rig.one.signal('SIGSTOP');
    for (const end = performance.now() + WATCHED_MS; performance.now() < end; await sleep(20)) await this.look();
    if (await this.again()) await this.expectNew();
    rig.one.signal('SIGCONT');
    rig.proxy.release();
    const response = await this.promptly('the request of the stopped server', () => acting, TAKEN_OVER_MS);
    if (isDone(response)) await this.expectNew();
    const settled = await this.untilSettled(kind.isLarge ? TAKEN_OVER_MS : PROMPT_MS);
    if (!settled) {
      this.stale = (await summarize(send, rig.other)).stale;
      if (this.stale.length === 0) this.problem(`not settled: ${this.states.at(-1)}`);
    }
    await this.agree();
  }

  async expectNew() {
    if (this.kind.restored) return;
    for (const server of [this.rig.one, this.rig.other]) {
      // A stopped server cannot respond.
      if (server === this.rig.one && this.how === 'stop' && this.rig.proxy.isHolding) continue;
      const state = await this.kind.see(this.send, server, this.prepared);
      const name = server === this.rig.one ? 'the interrupted server' : 'the other server';
      if (state !== 'new') this.problem(`after the response, ${name} shows ${state}`);
    }
  }

  async end() {
    for (const server of [this.rig.one, this.rig.other]) await this.kind.end?.(this.send, server);
  }
}

/** Plays all cases of a kind. @returns a row of the table */
async function playKind(rig, name, log) {
  const kind = KINDS[name];
  const row = { kind: name, commands: [], cases: 0, problems: 0, stale: 0, seconds: 0, slowest: 0 };
  const started = performance.now();
  rig.slowest = 0;
  for (const how of ['kill', 'stop'].filter((each) => values.how.length === 0 || values.how.includes(each)))
    for (const side of (values.short ? SHORT_SIDES : SIDES)[how].filter((each) => values.at.length === 0 || values.at.includes(each)))
      for (let n = values.short ? SHORT_FIRST[how] : 1; n <= MOST_COMMANDS; n += values.short ? SHORT_STEP : 1) {
        const played = new Case(rig, kind, { n, side, how });
        const wasReached = await played.play();
        row.problems += played.problems.length;
        const where = `${name}, ${how} ${side} command ${n}${wasReached ? ` (${played.command})` : ' (none)'}`;
        for (const text of played.problems) log(`  ${where}: ${text} [seen: ${played.states.join(', ')}]`);
        if (played.problems.length > 0)
          log(`  the other server said: ${rig.other.stderr()}\n  the interrupted one, since: ${rig.one.stderr()}`);
        if (!wasReached) break;
        row.cases += 1;
        row.commands[n - 1] = played.command.replace(/\bsnapshot\.load\.[\w-]+/, 'load');
        if (played.stale.length > 0 && !kind.isLarge) {
          row.stale += 1;
          log(`  ${where}: until the next start, ${played.stale.join(', ')}`);
        }
      }
  row.seconds = Math.round((performance.now() - started) / 1000);
  row.slowest = Math.round(rig.slowest);
  return row;
}

function show(rows) {
  for (const { kind, commands, cases, problems, stale, seconds, slowest } of rows) {
    console.log(
      `${kind}: ${commands.length} commands, ${cases} cases, ${problems} problems, ${stale} with stale counts, ${seconds} s, slowest ${slowest} ms`,
    );
    console.log(`    ${commands.join(', ')}`);
  }
}

if (values.help || values.list) {
  console.log(values.help ? HELP : Object.keys(KINDS).join('\n'));
  process.exit(0);
}
const unknown = values.kind.find((name) => !(name in KINDS));
if (unknown) {
  console.error(`steps: unknown kind "${unknown}". Use one of: ${Object.keys(KINDS).join(', ')}.`);
  process.exit(2);
}
const chosen = values.kind.length > 0 ? values.kind : values.short ? SHORT : Object.keys(KINDS);
const folder = await mkdtemp(path.join(os.tmpdir(), 'understudy-torture-steps-'));
let rig;
const rows = [];
try {
  rig = await Rig.open(folder);
  for (const name of chosen) {
    rows.push(await playKind(rig, name, console.log));
    show(rows.slice(-1));
  }
} finally {
  await rig?.close();
  await rm(folder, { recursive: true, force: true });
}
const problems = rows.reduce((sum, row) => sum + row.problems, 0) + rig.tally.hangs + rig.tally.unexpected;
for (const text of rig.tally.failures) console.log(`  ${text}`);
console.log(problems === 0 ? 'steps: passed' : `steps: FAILED, ${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
