/**
 * Load from a separate process, which takes no time from that of the server: keep-alive connections, each sending its next request after
 * the last response. Plain sockets, since an HTTP client would be slower than the server. Messages in: `Job`, and `{ stop: true }`, after
 * which no further task of it begins. Messages out: `Result`, or `{ error }`.
 *
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} Request
 * @typedef {{ ports: number[], connections: number, tasks: Request[][], every?: number }} Job connections are spread over the ports; each
 * task is a few requests, one after the other; `every`: a connection begins no more than one task in so many ms, and catches up when late
 * @typedef {{ count: number, seconds: number, p50: number, p99: number }} Result latencies of tasks in milliseconds
 */
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

function requestBytes(port, { method = 'GET', path, headers = {}, body = '' }) {
  const length = body === '' && method === 'GET' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** End of a chunked response; -1 if it is incomplete. */
function endOfChunks(received, start) {
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return -1;
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (at > received.length) return -1;
    if (size === 0) return at;
  }
}

/** Length and status of the first response in the received bytes; null if it is incomplete. */
function readAnswer(received) {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = received.toString('latin1', 0, headEnd);
  const start = headEnd + HEAD_END.length;
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  const end = length ? start + Number(length[1]) : endOfChunks(received, start);
  return end < 0 || received.length < end ? null : { end, status: head.slice(9, 12) };
}

/** Runs one connection until `next` has no further task. */
function runConnection(port, next, done, every) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    let started = 0;
    let task = [];
    let due = 0;
    const send = () => socket.write(requestBytes(port, task[0]));
    const begin = () => {
      task = [...(next() ?? [])];
      started = performance.now();
      due += every;
      if (task.length > 0) {
        send();
        return;
      }
      socket.destroy();
      resolve();
    };
    const beginWhenDue = () => {
      const wait = due - performance.now();
      if (wait > 0) setTimeout(begin, wait);
      else begin();
    };
    socket.setNoDelay(true);
    socket.on('connect', () => {
      due = performance.now();
      begin();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection.')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (!answer) return;
      const request = task.shift();
      if (!answer.status.startsWith('2')) reject(new Error(`${request.path}: ${answer.status} ${received.toString().slice(0, 1000)}`));
      received = received.subarray(answer.end);
      if (task.length > 0) {
        send();
        return;
      }
      done(performance.now() - started);
      beginWhenDue();
    });
  });
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

let isStopped = false;

/** @param {Job} job @returns {Promise<Result>} */
async function run({ ports, connections, tasks, every = 0 }) {
  isStopped = false;
  const latencies = [];
  let sent = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, i) =>
      runConnection(
        ports[i % ports.length],
        () => (isStopped ? undefined : tasks[sent++]),
        (ms) => latencies.push(ms),
        every,
      ),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return { count: latencies.length, seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

process.on('message', (job) => {
  if (job.stop) {
    isStopped = true;
    return;
  }
  run(job).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
