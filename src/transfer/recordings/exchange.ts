import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isRecord, membersOf } from '../../base/values/records.js';
import { readJson } from '../live/client/read-json.js';

/** A request with its response, as a file has it. A file that is a response alone has no URL. */
export interface Exchange {
  /** Name of the file, for messages. */
  file: string;
  method: string;
  /** Absolute, or a path; '' if unknown. */
  url: string;
  status: number;
  /** With names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined if it is none. */
  json: unknown;
  /** The start of a body that is not JSON. */
  text: string;
  /** When it was recorded, in ms since 1970 UTC. */
  time?: number;
  /** Whether the URL is what a mock answers any request below or with any query by, not that of a request. */
  isPartial?: boolean;
}

/** Reads a file beside a recording, which has a body; null if there is none. */
export type ReadBeside = (name: string) => Buffer | null;

/** Reads files in a folder and below, and in WireMock's folder for bodies next to it. */
export const filesBeside =
  (folder: string): ReadBeside =>
  (name) => {
    for (const base of [folder, path.join(folder, '..', '__files')]) {
      const file = path.join(base, name);
      if (!file.startsWith(base + path.sep)) continue;
      try {
        return readFileSync(file);
      } catch {
        // The other folder may have it.
      }
    }
    return null;
  };

type Item = Readonly<Record<string, unknown>>;

/** The first value at one of some paths, such as `response.status.code`. */
function first(value: unknown, ...places: readonly string[]): unknown {
  for (const place of places) {
    const found = place.split('.').reduce<unknown>((inner, name) => membersOf(inner)?.[name], value);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The largest body, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/** RFC 1952: the first bytes of gzip. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function unzipped(bytes: Buffer): Buffer {
  try {
    return isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: LARGEST }) : bytes;
  } catch {
    return Buffer.alloc(0);
  }
}

const HEX = /^(?:[0-9a-f]{2})+$/i;

/** The text of a body that is a text, bytes, or a description of them; undefined: it is JSON already. */
function bodyText(body: unknown, beside: ReadBeside): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return Buffer.from(body);
  // nock: compressed bodies, as a list of hexadecimal texts.
  if (Array.isArray(body) && body.length > 0 && body.every((part) => typeof part === 'string' && HEX.test(part)))
    return Buffer.from(body.join(''), 'hex');
  if (!isRecord(body)) return undefined;
  // Playwright: bodies in files beside the archive.
  const file = textOf(body['_file'] ?? body['bodyFileName']);
  if (file !== '') return beside(file) ?? '';
  const base64 = textOf(body['base64_string'] ?? body['base64Body']);
  if (base64 !== '') return Buffer.from(base64, 'base64');
  const inner = body['text'] ?? body['string'];
  if (body['encoding'] === 'base64') return Buffer.from(textOf(inner), 'base64');
  return inner === undefined ? ('mimeType' in body ? '' : undefined) : bodyText(inner, beside);
}

/** Headers as an object, as a list of objects, or as a list of names and values in turn. */
function headersOf(headers: unknown): Record<string, string> {
  const pairs: [unknown, unknown][] = !Array.isArray(headers)
    ? Object.entries(membersOf(headers) ?? {})
    : headers.every((each) => typeof each === 'string')
      ? headers.flatMap((name, index): [unknown, unknown][] => (index % 2 === 0 ? [[name, headers[index + 1]]] : []))
      : headers.map((each) => [first(each, 'name', 'key'), first(each, 'value')]);
  return Object.fromEntries(pairs.map(([name, value]) => [textOf(name).toLowerCase(), [value].flat().map(textOf).join(', ')]));
}

/** WireMock: a pattern up to where it no longer is plain text. */
function plainStart(pattern: string): string {
  const [, start = ''] =
    /^\^?((?:\\[^a-z]|[^\\*+([{?|$])*?)(?:(?:(?:\\.|[^\\])?[*+?{]|[([|$]|\\[a-z]).*)?$/is.exec(pattern.replace(/\.(?=[*+?])/g, '(')) ?? [];
  return start
    .replace(/\\(.)/g, '$1')
    .replace(/[?&][^?&=]*=?$/, (pair) => (pattern.length > start.length && pair.endsWith('=') ? '' : pair));
}

/** The pairs of parameters that have known values. Of WireMock's matchers, `equalTo` and `hasExactly` tell them. */
const pairsOf = (parameters: unknown): [string, string][] =>
  Object.entries(membersOf(parameters) ?? {}).flatMap(([name, rule]) =>
    [first(rule, 'hasExactly') ?? rule]
      .flat()
      .map((each): [string, string] => [name, textOf(first(each, 'equalTo') ?? each)])
      .filter(([, value]) => value !== ''),
  );

/** A path with the values of its parameters, up to the first that is unknown. */
const filled = (template: string, parameters: unknown): string =>
  pairsOf(parameters)
    .reduce((start, [name, value]) => start.replace(`{${name}}`, value), template)
    .replace(/\{.*$/, '');

function urlOf(entry: unknown): { url: string; isPartial: boolean } {
  const asked = textOf(first(entry, 'request.url', 'request.uri', 'request.path', 'path'));
  const url =
    asked ||
    textOf(first(entry, 'request.urlPath')) ||
    filled(textOf(first(entry, 'request.urlPathTemplate')), first(entry, 'request.pathParameters')) ||
    plainStart(textOf(first(entry, 'request.urlPattern', 'request.urlPathPattern')));
  const scope = textOf(first(entry, 'scope')).replace(/:(?:443|80)$/, '');
  const query = first(entry, 'request.queryParameters', 'request.query');
  const search = typeof query === 'string' ? query : new URLSearchParams(pairsOf(query)).toString();
  const whole = `${scope}${url}${search === '' ? '' : `${url.includes('?') ? '&' : '?'}${search}`}`;
  return { url: whole, isPartial: asked === '' && !whole.includes('?') };
}

const STATUS = ['response.status.code', 'response.code', 'response.status', 'status'];

const isEntry = (entry: unknown): boolean => urlOf(entry).url !== '' && first(entry, ...STATUS, 'response') !== undefined;

/** The exchange of an entry of HAR, VCR (Ruby, Python, Go, PHP), nock, WireMock, or a cassette of the proxy. */
function exchangeOf(entry: unknown, file: string, beside: ReadBeside): Exchange {
  const whole = first(entry, 'response.jsonBody', 'response.json');
  const response = first(entry, 'response');
  const inner = first(entry, 'response.content', 'response.body');
  const isNamed = isRecord(response) && ('bodyFileName' in response || 'base64Body' in response);
  // nock: the response is the body, which may have members with these names.
  const body = first(entry, 'request') === undefined ? response : (inner ?? (isNamed ? response : undefined));
  const bytes = whole === undefined ? bodyText(body, beside) : undefined;
  const text = Buffer.isBuffer(bytes) ? unzipped(bytes).toString('utf8') : bytes;
  const time = Date.parse(textOf(first(entry, 'startedDateTime', 'recorded_at')));
  const method = textOf(first(entry, 'request.method', 'method')).toUpperCase();
  const { url, isPartial } = urlOf(entry);
  return {
    file,
    method: method === '' || method === 'ANY' ? 'GET' : method,
    url,
    status: Number(textOf(first(entry, ...STATUS))) || 200,
    headers: headersOf(first(entry, 'response.headers', 'rawHeaders', 'headers')),
    json: text === undefined ? (whole ?? body) : readJson(text).json,
    text: (text ?? '').slice(0, 200),
    ...(Number.isNaN(time) ? {} : { time }),
    ...(isPartial ? { isPartial } : {}),
  };
}

/** Mockoon: the responses of the routes of an environment, as entries. */
function mockoonEntries(environment: Item): Item[] | null {
  const { routes, endpointPrefix: prefix, data } = environment;
  if (!Array.isArray(routes) || !routes.every((route) => isRecord(route) && 'endpoint' in route && Array.isArray(route['responses'])))
    return null;
  const buckets = new Map((Array.isArray(data) ? data : []).map((bucket) => [first(bucket, 'id'), first(bucket, 'value')]));
  return (routes as Item[]).flatMap(({ method, endpoint, responses }) =>
    (responses as Item[]).map(({ statusCode, headers, body, bodyType, filePath, databucketID, rules, rulesOperator }) => {
      const all = (Array.isArray(rules) ? (rules as Item[]) : []).filter(
        ({ operator = 'equals', invert = false }) => operator === 'equals' && invert === false,
      );
      // Mockoon: one rule of several is enough by default.
      const known = rulesOperator === 'AND' ? all : all.slice(0, 1);
      const valuesOf = (kind: string): Item =>
        Object.fromEntries(known.filter(({ target }) => target === kind).map(({ modifier, value }) => [textOf(modifier), textOf(value)]));
      const content = bodyType === 'FILE' ? { _file: filePath } : bodyType === 'DATABUCKET' ? buckets.get(databucketID) : body;
      const parts = [prefix, endpoint].map(textOf).filter((part) => part !== '');
      return {
        request: {
          method,
          urlPathTemplate: `/${parts.join('/').replace(/:(\w+)|\*/g, '{$1}')}`,
          pathParameters: valuesOf('params'),
          queryParameters: valuesOf('query'),
        },
        response: { status: statusCode, headers, body: content },
      };
    }),
  );
}

/** The entries of a container, by what it contains; null: it is none. */
function entriesOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isEntry) ? value : null;
  if (!isRecord(value)) return null;
  const mockoon = mockoonEntries(value);
  if (mockoon) return mockoon;
  const list = first(value, 'log.entries', 'http_interactions', 'interactions', 'mappings');
  if (Array.isArray(list)) return list.every(isEntry) ? list : null;
  return isRecord(value['request']) && isEntry(value) ? [value] : null;
}

export const isContainer = (value: unknown): boolean => entriesOf(value) !== null;

/** The requests with their responses of a file. One that is no container is a response itself. */
export const exchangesOf = (value: unknown, file: string, beside: ReadBeside): Exchange[] =>
  entriesOf(value)?.map((entry) => exchangeOf(entry, file, beside)) ?? [
    { file, method: 'GET', url: '', status: 200, headers: {}, json: value, text: '' },
  ];
