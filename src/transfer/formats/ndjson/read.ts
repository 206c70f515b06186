import { isRecord } from '../../../base/values/records.js';
import { releaseOption } from '../../../wordpress/quirks.js';
import { CALENDAR } from '../../../plugins/the-events-calendar/quirks/version.js';
import { pluginProblem } from '../../../plugins/register.js';
import { createReadStream } from 'node:fs';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { type SourceItem, type DatasetSource, type SourcePlace, DatasetError } from '../../source.js';
import { encoded, readUtf8, type TextFile } from '../encoding.js';
import type { Open } from '../format.js';
import type { Head } from './head.js';
import { documentProblems } from './item-checks.js';
import { messageOf } from '../../../base/values/errors.js';
import { chunksOf } from '../../../base/system/streams.js';
import { parseSentJson, TooDeep } from '../../../base/values/nesting.js';

/** A byte range of a file, by default all of it. */
interface Part extends TextFile {
  start?: number;
  end?: number;
}

/** Yields the non-blank lines of a file with their numbers. */
async function* linesOf({ start: from = 0, end: to, ...file }: Part, signal?: AbortSignal): AsyncGenerator<{ text: string; line: number }> {
  let rest: Buffer[] = [];
  let line = 0;
  const range = { start: from, ...(to === undefined ? {} : { end: to - 1 }) };
  for await (const chunk of readUtf8(file, { ...range, highWaterMark: 1 << 18, signal })) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      const text = rest.length === 0 ? piece.toString('utf8') : Buffer.concat([...rest, piece]).toString('utf8');
      rest = [];
      start = end + 1;
      line += 1;
      if (text.trim() !== '') yield { text, line };
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
  const text = Buffer.concat(rest).toString('utf8');
  if (text.trim() !== '') yield { text, line: line + 1 };
}

/** Parses the first line, whose other members are not checked. Returns null if it is not a head. */
function readHead(text: string): Partial<Head> | null {
  try {
    const head: unknown = parseSentJson(text.replace(/^\uFEFF/, ''));
    return isRecord(head) && head.understudy === 'dataset' ? head : null;
  } catch {
    return null;
  }
}

const KINDS = ['options', 'user', 'term', 'post', 'comment', 'file'] as const;
type Kind = (typeof KINDS)[number];

/** Validates the item of a line. Returns null if it has problems, which go to `problems`. */
function itemOf(value: unknown, at: SourcePlace, problems: (problem: string, at?: SourcePlace) => void): SourceItem | null {
  const kind = isRecord(value) ? KINDS.find((name) => name in value) : undefined;
  if (!isRecord(value) || kind === undefined) {
    problems(`must be an object with one of the keys ${KINDS.join(', ')}`, at);
    return null;
  }
  const found = documentProblems(kind, value[kind]);
  for (const { path, problem } of found) problems(problem, { ...at, path: path === '' ? kind : `${kind}.${path}` });
  return found.length > 0 ? null : asItem(kind, value, at);
}

/** Until Understudy knew several products, files had the release of the calendar as `plugin_version`. */
function withReleases({ plugin_version, ...options }: Record<string, unknown>): Record<string, unknown> {
  return plugin_version === undefined ? options : { ...options, [releaseOption(CALENDAR)]: plugin_version };
}

function asItem(kind: Kind, value: Record<string, unknown>, at: SourcePlace): SourceItem {
  if (kind === 'options') return { kind, options: withReleases(value.options as Record<string, unknown>) };
  if (kind !== 'file') return { ...value, kind, at } as unknown as SourceItem;
  const { target, data, image } = value.file as { target: string; data: string; image?: never };
  return { kind, file: { source: '', target, data: Buffer.from(data, 'base64'), ...(image ? { image } : {}) }, at };
}

async function* itemsOf(
  part: Part,
  problems: (problem: string, at?: SourcePlace) => void,
  signal: AbortSignal | undefined,
): AsyncGenerator<SourceItem> {
  let count = 0;
  let last = 1;
  let end: unknown;
  for await (const { text, line } of linesOf(part, signal)) {
    if (line === 1) continue;
    last = line;
    let value: unknown;
    try {
      value = parseSentJson(text);
    } catch (error) {
      problems(`invalid JSON: ${messageOf(error)}`, { line, ...(error instanceof TooDeep ? { column: error.column } : {}) });
      continue;
    }
    if (isRecord(value) && 'end' in value) {
      end = value.end;
      continue;
    }
    count += 1;
    const at = isRecord(value) && isRecord(value.at) ? (value.at as SourcePlace) : { line };
    const item = itemOf(value, at, problems);
    if (item) yield item;
  }
  if (end === undefined) problems('the file is truncated: its last line, with the number of items, is missing', { line: last });
  else if (end !== count) problems(`the file has ${count} items instead of ${JSON.stringify(end)}`, { line: last });
}

/** Most files declare nothing. */
const declarationsOf = async (value: unknown, name: string, plugins: readonly string[] | undefined): Promise<Declarations> =>
  (await import('../dataset/registered/check.js')).declarationsIn(value, name, plugins);

const NO_HEAD = { line: 1, message: 'must be {"understudy":"dataset",…}, as understudy export writes it' };

async function openPart(part: Part, name: string, signal: AbortSignal | undefined): Promise<DatasetSource> {
  const first = await linesOf(part).next();
  const head = first.done ? null : readHead(first.value.text);
  if (!head) throw new DatasetError(name, [NO_HEAD]);
  if (head.version !== 1)
    throw new DatasetError(name, [{ line: 1, message: `unsupported version ${String(head.version)}; the supported version is 1` }]);
  const plugins = Array.isArray(head.plugins) ? head.plugins.map(String).filter((each) => pluginProblem(each) === null) : undefined;
  const declarations = head.declares === undefined ? undefined : await declarationsOf(head.declares, name, plugins);
  const clock = typeof head.clock === 'string' ? Date.parse(head.clock) : Number.NaN;
  return {
    name: typeof head.name === 'string' ? head.name : name,
    siteUrl: typeof head.site_url === 'string' ? head.site_url : '',
    clock: Number.isNaN(clock) ? null : clock,
    keepsIds: head.keeps_ids === true,
    ...(plugins ? { plugins } : {}),
    ...(declarations ? { declarations } : {}),
    ...(isRecord(head.next_ids) ? { nextIds: head.next_ids } : {}),
    ...(typeof head.count === 'number' ? { count: head.count } : {}),
    items: (problems) => itemsOf(part, problems, signal),
  };
}

export const openNdjson: Open = ({ file, encoding, name }, { signal }) => openPart(encoded(file, encoding), name, signal);

const HEAD_START = Buffer.from('{"understudy":"dataset"');

/** Finds the offsets of heads at the start of a line. */
async function headsIn(file: string): Promise<{ heads: number[]; size: number }> {
  const heads: number[] = [];
  let before = Buffer.from('\n');
  let offset = -1;
  for await (const chunk of chunksOf(createReadStream(file, { highWaterMark: 1 << 20 }))) {
    const bytes = Buffer.concat([before, chunk]);
    for (let at = bytes.indexOf(HEAD_START); at >= 0; at = bytes.indexOf(HEAD_START, at + 1))
      if (bytes[at - 1] === 10) heads.push(offset + at);
    const kept = Math.min(bytes.length, HEAD_START.length);
    before = bytes.subarray(bytes.length - kept);
    offset += bytes.length - kept;
  }
  return { heads: [...new Set(heads)], size: offset + before.length };
}

/** Opens the sources of a file that contains several, one after the other. */
export async function openAll(file: string, name: string, signal?: AbortSignal): Promise<DatasetSource[]> {
  const { heads, size } = await headsIn(file);
  if (heads[0] !== 0) throw new DatasetError(name, [NO_HEAD]);
  return Promise.all(heads.map((start, index) => openPart({ file, start, end: heads[index + 1] ?? size }, name, signal)));
}
