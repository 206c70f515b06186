// Damaged recordings, and the responses of a server that replays them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { barrage } from './barrage.mjs';
import { mangledFile } from './mangle.mjs';
import { connect } from './wire.mjs';

const TARGET = '/wp-json/acme/v1/things';

const ENTRY = {
  request: { method: 'GET', path: TARGET },
  response: {
    status: 200,
    headers: { 'content-type': 'application/json; charset=UTF-8', 'x-wp-total': '2', link: '<http://127.0.0.1:9/x>; rel="next"' },
    json: { things: [{ id: 1, name: 'Größe', link: 'http://127.0.0.1:9/things/one/' }] },
    spelling: 'php',
  },
};

/** Valid JSON, but invalid HTTP responses. */
const RESPONSES = [
  { status: 0, headers: {} },
  { status: 99, headers: {} },
  { status: 101, headers: {} },
  { status: 1000, headers: {} },
  { status: 200.5, headers: {} },
  { status: 204, headers: {}, json: {} },
  { status: 200, headers: [] },
  { status: 200, headers: { 'content-length': '5' }, json: {} },
  { status: 200, headers: { 'transfer-encoding': 'chunked' }, json: {} },
  { status: 200, headers: { 'content-encoding': 'gzip' }, json: {} },
  { status: 200, headers: { 'x-a': 'b\r\nc: d' }, json: {} },
  { status: 200, headers: { 'x a': 'b', '': 'c' }, json: {} },
  { status: 200, headers: { 'x-a': 5, 'x-b': null, 'x-c': ['d'] }, json: {} },
  { status: 200, headers: {}, json: {}, spelling: 'python' },
  { status: 200, headers: {}, json: {}, spelling: 'constructor' },
  { status: 200, headers: {}, file: 5 },
  { status: 200, headers: {}, file: '' },
  { status: 200, headers: {}, file: '..' },
  { status: 200, headers: {}, file: '../../etc/passwd' },
  { status: 200, headers: {}, file: 'a\0b' },
  { status: 200, headers: { 'content-type': '\u65e5' }, file: 'x'.repeat(300) },
  null,
];

const isExplained = (status, text) => status === 502 && /"code":\s*"understudy_/.test(text);

/** Allows any response except server errors, unless one was recorded or explains the damage. */
function problemsOf({ expects }, answer) {
  if (answer instanceof Error) return [`${answer.message}: ${expects.shown}`];
  const { status, text } = answer;
  const isRecorded = expects.statuses.includes(status);
  return status >= 500 && !isRecorded && !isExplained(status, text) ? [`status ${status}: ${text.slice(0, 200)}: ${expects.shown}`] : [];
}

/**
 * Requests damaged recordings from a server.
 * @param server a server that only replays
 * @param folder folder of its cassette, which is empty
 */
export async function fuzzCassettes({ server, folder, seed, runs }) {
  const { send, close } = connect(server.url);
  const request = { method: 'GET', target: TARGET, headers: {}, body: Buffer.alloc(0) };
  const [, name] = /\(([\w-]+\.json)\)/.exec((await send(request)).text);
  mkdirSync(folder, { recursive: true });
  const recordings = fc.oneof(
    { weight: 3, arbitrary: mangledFile(Buffer.from(JSON.stringify(ENTRY))) },
    { weight: 1, arbitrary: fc.constantFrom(...RESPONSES).map((response) => Buffer.from(JSON.stringify({ ...ENTRY, response }))) },
  );
  const statuses = {};
  const { round, close: endBarrage } = barrage({
    url: server.url,
    // The file is written just before the request, so that fast-check can shrink failures.
    send: (one) => {
      writeFileSync(path.join(folder, name), one.expects.bytes);
      return send(one);
    },
    requests: recordings.map((bytes) => {
      const shown = bytes.toString('utf8');
      const recorded = /"status":\s*(\d+)/.exec(shown);
      return { ...request, expects: { bytes, shown, statuses: recorded ? [Number(recorded[1])] : [] } };
    }),
    verdict: problemsOf,
    atOnce: 1,
    onAnswer: (_, { status }) => (statuses[status] = (statuses[status] ?? 0) + 1),
  });
  const failures = [...(await round(seed, 0, runs)), ...endBarrage()];
  close();
  return { statuses, failures };
}
