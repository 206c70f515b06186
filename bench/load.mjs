/**
 * Load from a process of its own, so that it takes no time from the server's: keep-alive connections, each sending its next request
 * when the last one is answered. Plain sockets, since an HTTP client would be the slower side.
 * Messages in: `Job`. Messages out: `Result`, or `{ error }`.
 *
 * @typedef {{ port: number, connections: number, milliseconds: number, limit: number, first: number, method: string, path: string,
 *   headers: Record<string, string>, body: string }} Job `{n}` in path and body is the number of the request, from `first`
 * @typedef {{ count: number, seconds: number, p50: number, p99: number, statuses: Record<string, number>, bytes: number }} Result
 *   latencies in milliseconds, bytes of the last body
 */
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

function requestBytes({ port, method, path, headers, body }, n) {
  const text = body.replaceAll('{n}', n);
  const length = text === '' ? {} : { 'Content-Length': Buffer.byteLength(text) };
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path.replaceAll('{n}', n)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** Length of the first complete answer in what has arrived, its status and the size of its body; null as long as it is not complete. */
function readAnswer(received) {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd < 0) return null;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (!length) throw new Error(`An answer without Content-Length: ${head.slice(0, 200)}`);
  const end = headEnd + HEAD_END.length + Number(length[1]);
  return received.length < end ? null : { end, status: head.slice(9, 12), bytes: Number(length[1]) };
}

/** Runs one connection until `next` has nothing more to send. */
function runConnection(job, next, done) {
  return new Promise((resolve, reject) => {
    const socket = connect(job.port, '127.0.0.1');
    let received = Buffer.alloc(0);
    let sentAt = 0;
    const send = () => {
      const n = next();
      if (n === null) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(requestBytes(job, String(n)));
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection.')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (!answer) return;
      received = received.subarray(answer.end);
      done(performance.now() - sentAt, answer);
      send();
    });
  });
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;

/** @param {Job} job @returns {Promise<Result>} */
async function run(job) {
  const latencies = [];
  const statuses = {};
  let bytes = 0;
  let sent = 0;
  const started = performance.now();
  const next = () => (sent < job.limit && performance.now() - started < job.milliseconds ? job.first + sent++ : null);
  const done = (milliseconds, answer) => {
    latencies.push(milliseconds);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    bytes = answer.bytes;
  };
  await Promise.all(Array.from({ length: job.connections }, () => runConnection(job, next, done)));
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  return { count: latencies.length, seconds, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), statuses, bytes };
}

process.on('message', (job) => {
  run(job).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
