// Damaged files for the readers in this process: datasets of every format, and backups.
import { createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { extract, pack } from 'tar-stream';
import { mangledBytes, mangledFile, mangledValue } from './mangle.mjs';
import { hostileText } from './values.mjs';
import { readScenarios } from '../conformance/replay-run.mjs';

/** Maximum CPU time of a reader for a file of about 100 kB, in ms. */
const MOST_MS = 3000;

/** Calls a reader with generated input until it misbehaves. @returns failures, and the outcomes of the runs */
async function read(what, arbitrary, run, { seed, runs, keep }) {
  const ends = {};
  let last;
  const property = fc.asyncProperty(arbitrary, async (made) => {
    last = made;
    const started = process.cpuUsage();
    const end = await run(made);
    const { user, system } = process.cpuUsage(started);
    if (user + system > 1000 * MOST_MS) throw new Error(`took ${(user + system) / 1000} ms of processor time`);
    ends[end] = (ends[end] ?? 0) + 1;
  });
  const { failed, errorInstance, numShrinks } = await fc.check(property, { seed, numRuns: runs });
  const failures = failed ? [`${what}, seed ${seed}, after ${numShrinks} simplifications: ${errorInstance?.stack}\n${keep(last)}`] : [];
  return { ends, failures };
}

const names = (error) => [error?.name, Object.getPrototypeOf(error ?? {})?.constructor?.name];

/** The outcome of work: `read`, or the name of an allowed error. @throws any other error */
const endOf = (work, allowed) =>
  work.then(
    () => 'read',
    (error) => {
      if (names(error).some((name) => allowed.includes(name))) return error.name;
      throw error;
    },
  );

/** Reads a whole dataset. Reported problems are valid outcomes. */
async function readDataset(openFile, input, format) {
  const notes = [];
  const source = await openFile(input, { now: null, warn: (line) => notes.push(line), notify: (line) => notes.push(line) }, format);
  for await (const item of source.items((problem) => notes.push(problem))) notes.push(item.kind);
}

/** Scenarios of the recorded site whose responses have whole events, venues, organizers and categories, or an error. */
const SAVED = ['events-combined', 'venue-single-bodies', 'organizers-default', 'categories-default', 'event-single-not-found'];
const ORIGIN = 'http://127.0.0.1:8100';

/** Responses of the recorded site in two forms of recorders, as pairs of extension and value: bodies are texts in HAR, and values in nock. */
function savedResponses() {
  const steps = readScenarios('cases').flatMap((scenario) => (SAVED.includes(scenario.name) ? scenario.steps : []));
  const entries = steps.map(({ request: { method, path: route }, response: { status, headers, body } }) => ({
    startedDateTime: '2026-06-15T12:00:00.000Z',
    request: { method, url: `${ORIGIN}/wp-json${route}`, headers: [] },
    response: {
      status,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      content: { mimeType: headers['content-type'], text: JSON.stringify(body) },
    },
  }));
  const nocks = steps.map(({ request: { method, path: route }, response: { status, body } }) => ({
    scope: ORIGIN,
    method,
    path: `/wp-json${route}`,
    body: '',
    status,
    response: body,
  }));
  return [
    ['.har', { log: { version: '1.2', entries } }],
    ['.json', nocks],
  ];
}

/**
 * A dataset in every format that can be written and read, and recorded responses, which are only read.
 * @param given.formats the table of formats
 * @param given.openFile opens a file of any format
 * @param given.dataset file to convert to each format
 * @param given.folder folder for the files
 */
export async function datasets({ formats, openFile, dataset, folder }) {
  const input = { file: dataset, name: path.basename(dataset), folder: path.dirname(dataset) };
  const all = [];
  for (const { name, extensions, read: reader, write } of formats) {
    if (name === 'responses')
      for (const [extension, value] of savedResponses()) all.push({ name, extension, bytes: Buffer.from(JSON.stringify(value)) });
    if (!reader || !write) continue;
    const valid = path.join(folder, `valid${extensions[0]}`);
    const chunks = [];
    const source = await openFile(input, { now: null });
    const out = new Writable({ write: (chunk, _encoding, done) => (chunks.push(Buffer.from(chunk)), done()) });
    await (
      await write()
    )(source, out, { file: null, warn: () => {}, settings: { kind: 'events' } });
    writeFileSync(valid, Buffer.concat(chunks));
    all.push({ name, extension: extensions[0], bytes: readFileSync(valid) });
  }
  return all;
}

/** Passes damaged datasets of a format to its reader. */
export function fuzzDataset({ name, extension, bytes }, { openFile, folder, seed, runs }) {
  const file = path.join(folder, `damaged${extension}`);
  const run = async (made) => {
    writeFileSync(file, made);
    return endOf(readDataset(openFile, { file, name: `damaged${extension}`, folder }, name), ['DatasetError']);
  };
  return read(`dataset ${name}`, mangledFile(bytes), run, { seed, runs, keep: (made) => made.toString('latin1').slice(0, 2000) });
}

/** The members of a backup. */
async function membersOf(file) {
  const members = [];
  const archive = createReadStream(file).pipe(createGunzip()).pipe(extract());
  for await (const entry of archive) {
    const chunks = [];
    for await (const chunk of entry) chunks.push(chunk);
    members.push({
      header: { name: entry.header.name, type: entry.header.type, linkname: entry.header.linkname },
      content: Buffer.concat(chunks),
    });
  }
  return members;
}

const MANIFEST = 'manifest.json';
const OUTSIDE = ['../outside', 'files/uploads/../../outside', '/outside', 'files/uploads/a/../../../outside', 'files/uploads/..\\outside'];

/** Edits of a backup's members. */
const memberEdit = fc.record({
  where: fc.integer({ min: 0, max: 9999 }),
  how: fc.constantFrom('name', 'outside', 'link', 'symlink', 'folder', 'content', 'remove', 'repeat', 'size'),
  text: hostileText,
  outside: fc.constantFrom(...OUTSIDE),
  bytes: fc.uint8Array({ maxLength: 200 }),
  size: fc.constantFrom(0, 1, 511, 2 ** 31, 2 ** 33 - 1),
});

function changed(members, { where, how, text, outside, bytes, size }) {
  const index = Math.floor((where * members.length) / 10_000);
  const { header, content } = members[index];
  const by = (member) => members.with(index, member);
  const tarName = text.replaceAll('\0', '').slice(0, 90) || 'x';
  switch (how) {
    case 'name':
      return by({ header: { ...header, name: tarName }, content });
    case 'outside':
      return by({ header: { ...header, name: outside }, content });
    case 'link':
    case 'symlink':
      return by({ header: { name: header.name, type: how, linkname: outside }, content: Buffer.alloc(0) });
    case 'folder':
      return by({ header: { ...header, type: 'directory' }, content: Buffer.alloc(0) });
    case 'content':
      return by({ header, content: Buffer.concat([content.subarray(0, content.length / 2), bytes]) });
    case 'size':
      return by({ header, content, size });
    case 'remove':
      return members.toSpliced(index, 1);
    default:
      return members.toSpliced(index, 0, members[index]);
  }
}

const digestOf = (content) => createHash('sha256').update(content).digest('hex');

/** Members with a manifest that matches them. */
function resealed(members, manifest) {
  const others = members.filter(({ header }) => header.name !== MANIFEST);
  const listed = others.map(({ header, content }) => ({ name: header.name, size: content.length, sha256: digestOf(content) }));
  return withManifest(members, { ...manifest, members: listed });
}

const withManifest = (members, manifest) =>
  members.map((member) => (member.header.name === MANIFEST ? { ...member, content: Buffer.from(JSON.stringify(manifest) ?? '') } : member));

/** Packs members. A declared size that differs from the content is written to the archive's header, with a valid checksum. */
async function packed(members) {
  const archive = pack();
  const chunks = [];
  const reading = (async () => {
    for await (const chunk of archive) chunks.push(chunk);
  })();
  const sizes = [];
  for (const { header, content, size } of members) {
    archive.entry({ ...header, mtime: new Date(0) }, ...(header.type === 'file' ? [content] : []));
    if (size !== undefined) sizes.push([header.name, size]);
  }
  archive.finalize();
  await reading;
  const bytes = Buffer.concat(chunks);
  for (const [name, size] of sizes) declareSize(bytes, name, size);
  return gzipSync(bytes, { level: 1 });
}

/** Changes the size in the header of the member with a name. */
function declareSize(bytes, name, size) {
  for (let start = 0; start < bytes.length; start += 512) {
    if (bytes.toString('utf8', start, start + name.length + 1) !== `${name}\0`) continue;
    bytes.write(`${size.toString(8).padStart(11, '0')} `, start + 124, 'latin1');
    bytes.fill(' ', start + 148, start + 156);
    const sum = bytes.subarray(start, start + 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, start + 148, 'latin1');
    return;
  }
}

/** Archives derived from a backup: with other members, listed or not, or with other bytes. */
function damagedBackup(bytes, members) {
  const manifest = JSON.parse(members.at(-1).content.toString('utf8'));
  const edits = fc.array(memberEdit, { minLength: 1, maxLength: 3 });
  const others = edits.map((all) => all.reduce((list, edit) => (list.length === 0 ? list : changed(list, edit)), members));
  return fc.oneof(
    { weight: 1, arbitrary: mangledBytes(bytes).map((made) => () => made) },
    { weight: 2, arbitrary: others.map((list) => () => packed(list)) },
    { weight: 4, arbitrary: others.map((list) => () => packed(resealed(list, manifest))) },
    { weight: 2, arbitrary: mangledValue(manifest).map((value) => () => packed(withManifest(members, value))) },
  );
}

/**
 * Passes damaged backups to a reader.
 * @param file a valid backup
 * @param given.use reads or restores it
 */
export async function fuzzBackup(file, { use, folder, seed, runs }) {
  const bytes = readFileSync(file);
  const members = await membersOf(file);
  mkdirSync(folder, { recursive: true });
  const damaged = path.join(folder, 'damaged.tar.gz');
  const run = async (make) => {
    writeFileSync(damaged, await make());
    if (existsSync(path.join(folder, '../outside')) || existsSync('/outside')) throw new Error('a file was written outside of the folder');
    return endOf(use(damaged), ['BackupError', 'EngineError']);
  };
  return read('backup', damagedBackup(bytes, members), run, { seed, runs, keep: () => `The file is ${damaged}.` });
}
