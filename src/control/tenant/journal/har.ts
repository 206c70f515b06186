import { STATUS_CODES } from 'node:http';
import { requestHeader, responseBytes, isBodyMissing, requestUri, type Entry, type JournalPlace } from './journal.js';
import { maskHeader } from '../../../base/text/secrets.js';
import { packageVersion } from '../../../base/system/package-version.js';
import type { Json } from '../../../wordpress/rest/route.js';

/** HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/ */

type Pair = { name: string; value: string };
type Headers = Entry['headers'];

/** No server here speaks HTTP/2. */
const HTTP_VERSION = 'HTTP/1.1';

/** Unknown size. */
const UNKNOWN = -1;

/** Headers, masked, one member for each that was sent. */
const pairsOf = (headers: readonly (readonly [string, string])[]): Pair[] =>
  headers.map(([name, value]) => ({ name, value: maskHeader(name, value) }));

const sentHeaders = ({ rawHeaders }: Entry): [string, string][] =>
  rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1]] as const] : []));

const receivedHeaders = (headers: Headers): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
  );

/** Names of cookies. Their values are secret. */
const cookiesOf = (text: string): Pair[] =>
  text
    .split(';')
    .map((part) => part.split('=', 1)[0].trim())
    .filter((name) => name !== '')
    .map((name) => ({ name, value: '***' }));

const sizeOf = (firstLine: string, headers: readonly (readonly [string, string])[]): number =>
  headers.reduce((size, [name, value]) => size + name.length + value.length + 4, firstLine.length + 4);

/** Bytes as text, in base64 if they are not UTF-8. */
function textOf(bytes: Buffer): { text: string; encoding?: 'base64' } {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { text } : { text: bytes.toString('base64'), encoding: 'base64' };
}

function postData(entry: Entry): { postData?: Json } {
  if (entry.body === null) return {};
  const { text, encoding } = textOf(entry.body);
  const mimeType = requestHeader(entry, 'content-type') ?? 'application/octet-stream';
  // HAR: there is no member for the encoding of a request body.
  return { postData: { mimeType, text, ...(encoding === undefined ? {} : { _encoding: encoding }) } };
}

function requestOf(entry: Entry, place: JournalPlace): Json {
  const url = requestUri(entry, place);
  const headers = sentHeaders(entry);
  const length = Number(requestHeader(entry, 'content-length') ?? Number.NaN);
  const bodySize = Number.isNaN(length) ? (entry.body?.length ?? (isBodyMissing(entry) ? UNKNOWN : 0)) : length;
  return {
    method: entry.method,
    url,
    httpVersion: HTTP_VERSION,
    cookies: cookiesOf(requestHeader(entry, 'cookie') ?? ''),
    headers: pairsOf(headers),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    ...postData(entry),
    headersSize: sizeOf(`${entry.method} ${entry.url} ${HTTP_VERSION}`, headers),
    bodySize,
  };
}

function contentOf(entry: Entry, mimeType: string): Json {
  const bytes = responseBytes(entry);
  return bytes === null ? { size: 0, mimeType } : { size: bytes.length, mimeType, ...textOf(bytes) };
}

function responseOf(entry: Entry): Json {
  const headers = receivedHeaders(entry.headers);
  const header = (name: string): string | undefined => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const { status } = entry;
  const isBodiless = status === 0 || status === 204 || status === 304 || entry.method === 'HEAD';
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: HTTP_VERSION,
    cookies: headers.flatMap(([name, value]) => (name.toLowerCase() === 'set-cookie' ? cookiesOf(value).slice(0, 1) : [])),
    headers: pairsOf(headers),
    content: contentOf(entry, header('content-type') ?? ''),
    redirectURL: maskHeader('location', header('location') ?? ''),
    headersSize: status === 0 ? UNKNOWN : sizeOf(`${HTTP_VERSION} ${status} ${STATUS_CODES[status] ?? ''}`, headers),
    bodySize: isBodiless ? 0 : Number(header('content-length') ?? UNKNOWN),
  };
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

function entryOf(entry: Entry, place: JournalPlace): Json {
  const time = rounded(entry.ms);
  return {
    startedDateTime: new Date(entry.at - entry.ms).toISOString(),
    time,
    request: requestOf(entry, place),
    response: responseOf(entry),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    ...(entry.cut ? { comment: 'Bodies were dropped from the journal: too large, or too old.' } : {}),
    _id: entry.id,
    _clock: new Date(entry.clock).toISOString(),
    _user: entry.user,
    ...(entry.fault === null ? {} : { _fault: entry.fault }),
    ...(entry.stub === null ? {} : { _stub: entry.stub }),
    ...(place.name === '' ? {} : { _sandbox: place.name }),
  };
}

/** Entries as an HTTP Archive, which browsers, proxies and load generators read. Members that start with an underscore are ours. */
export const httpArchive = (entries: readonly Entry[], place: JournalPlace): Json => ({
  log: {
    version: '1.2',
    creator: { name: 'Understudy', version: packageVersion(), comment: `Time zone data ${place.site.zones.release}` },
    entries: entries.map((entry) => entryOf(entry, place)),
  },
});
