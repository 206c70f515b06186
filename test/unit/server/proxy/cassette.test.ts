import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Cassette } from '../../../../src/server/proxy/cassette.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-cassette-'));
afterAll(() => rmSync(folder, { recursive: true }));

const cassette = new Cassette(folder);
const identity = { method: 'GET', path: '/x', query: '', body: '', name: 'get-x-1' };
const read = (response: unknown): ReturnType<Cassette['read']> => {
  writeFileSync(path.join(folder, 'get-x-1.json'), JSON.stringify({ request: { method: 'GET', path: '/x' }, response }));
  return cassette.read(identity);
};

test.each<[string, unknown]>([
  ['no response', null],
  ['no headers', { status: 200 }],
  ['a status that is none', { status: 99, headers: {} }],
  ['a status that is no whole number', { status: 200.5, headers: {} }],
  ['a list of headers', { status: 200, headers: [] }],
  ['a header whose name is none', { status: 200, headers: { 'x a': 'b' } }],
  ['a header of several lines', { status: 200, headers: { 'x-a': 'b\r\nc: d' } }],
  ['a header that is a number', { status: 200, headers: { 'x-a': 5 } }],
  ['a spelling that nobody knows', { status: 200, headers: {}, json: {}, spelling: 'constructor' }],
  ['a file that is a number', { status: 200, headers: {}, file: 5 }],
  ['a file in another folder', { status: 200, headers: {}, file: '../../etc/passwd' }],
  ['a file that is a folder', { status: 200, headers: {}, file: '..' }],
  ['a file that is missing', { status: 200, headers: {}, file: 'get-x-1.body.png' }],
  ['a file whose name is too long', { status: 200, headers: {}, file: 'x'.repeat(300) }],
])('a recording with %s is explained', async (_, response) => {
  await expect(read(response)).rejects.toMatchObject({
    status: 502,
    code: 'understudy_invalid_cassette',
    message: expect.stringMatching(/get-x-1\.json: .*\. Correct it or record it again\.$|Record the request again\.$/) as string,
  });
});

test('headers of the connection that a recording names are not sent', async () => {
  const headers = { 'x-a': 'b', 'content-length': '5', 'Transfer-Encoding': 'chunked', 'content-encoding': 'gzip' };
  expect(await read({ status: 999, headers, json: {} })).toEqual({ status: 999, headers: { 'x-a': 'b' }, body: Buffer.from('{}') });
});
