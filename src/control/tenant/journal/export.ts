import { matcher, NOTHING_SENT, readBody, type MatchedRequest } from '../match.js';
import { qaError, QaFile, get, type QaRoute } from '../api/route.js';
import type { ParamsOf } from '../../../wordpress/rest/params.js';
import type { Args, Json } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import type { Tenant } from '../tenant.js';
import { requestHeader, isBodyMissing, requestUrl, type Entry, type JournalPlace } from './journal.js';
import { httpArchive } from './har.js';
import { lookup, jsonOr } from '../../../base/values/records.js';
import { isLoopback } from '../../../base/text/hosts.js';
import { isSecretName, maskHeader } from '../../../base/text/secrets.js';

/** Headers that curl sets itself, or that belong to the connection. */
const OMITTED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
]);

/** Longer bodies are piped: Linux limits an argument to 128 KB. */
const MAX_ARGUMENT = 100_000;

/** Quotes a text for POSIX shells. */
const quoted = (text: string): string => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** Quotes a text that ends in a variable, since secrets are not in the journal. */
const withVariable = (text: string, variable: string): string => `"${text.replaceAll(/["$\\`]/g, String.raw`\$&`)}$${variable}"`;

/** The text of bytes that were read one character each, if they are UTF-8. */
function textOf(latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : latin1;
}

const variableOf = (header: string): string => header.toUpperCase().replaceAll(/\W/g, '_');

function authorization(value: string, user: string | null): string[] {
  const [scheme] = value.split(' ', 1);
  if (user !== null && /^basic$/i.test(scheme)) return ['-u', withVariable(`${user}:`, 'PASSWORD')];
  return [
    '-H',
    /^bearer$/i.test(scheme) ? withVariable('authorization: Bearer ', 'TOKEN') : withVariable('authorization: ', 'AUTHORIZATION'),
  ];
}

function headerArguments([name, value]: readonly [string, string], user: string | null): string[] {
  const lower = name.toLowerCase();
  if (OMITTED.has(lower)) return [];
  if (lower === 'authorization') return authorization(value, user);
  if (isSecretName(lower)) return ['-H', withVariable(`${name}: `, variableOf(name))];
  // curl: a semicolon sends a header without a value, a colon removes it.
  return ['-H', quoted(value === '' ? `${name};` : `${name}: ${textOf(maskHeader(name, value))}`)];
}

const pairs = (raw: readonly string[]): [string, string][] => raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]] as const] : []));

/** The bytes as a `printf` format, whose escapes every shell supports. */
function printfFormat(body: Buffer): string {
  const shown = (byte: number): string => {
    if (byte === 0x25) return '%%';
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  };
  return `'${Array.from(body, shown).join('')}'`;
}

const isText = (body: Buffer): boolean => !body.includes(0) && Buffer.from(body.toString('utf8')).equals(body);

/** Whether a server has a certificate that curl does not trust: the one of `--tls`, for this machine. */
const isOwnCertificate = (url: string): boolean =>
  url.startsWith('https:') && URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''));

const METHOD: Record<string, string[]> = lookup({ GET: [], HEAD: ['--head'] });

/**
 * A curl command for POSIX shells that repeats a request. Secrets in it are shell variables, since the journal does not have them:
 * `$PASSWORD` of HTTP Basic, `$TOKEN` of a bearer, and else the name of the header, such as `$X_API_KEY`.
 * @returns null if the journal no longer has the body of the request
 */
export function curlLine(entry: Entry, place: JournalPlace): string | null {
  if (isBodyMissing(entry)) return null;
  const { method, body, rawHeaders, user } = entry;
  const url = requestUrl(entry, place);
  const headers = pairs(rawHeaders);
  const has = (name: string): boolean => headers.some(([each]) => each.toLowerCase() === name);
  const isPiped = body !== null && (body.length > MAX_ARGUMENT || !isText(body));
  const given = [
    ...(METHOD[method] && body === null ? METHOD[method] : ['-X', method]),
    // curl: brackets and braces are patterns, dots are resolved.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(isOwnCertificate(url) ? ['--insecure'] : []),
    ...(url.includes('/.') ? ['--path-as-is'] : []),
    quoted(textOf(url)),
    ...(has('accept-encoding') ? ['--compressed'] : []),
    ...headers.flatMap((header) => headerArguments(header, user)),
    ...(body !== null && !has('content-type') ? ['-H', 'Content-Type:'] : []),
    ...(body === null ? [] : isPiped ? ['--data-binary', '@-'] : ['--data-raw', quoted(body.toString('utf8'))]),
  ];
  const line = ['curl', ...given].join(' ');
  return isPiped ? `printf ${printfFormat(body)} | ${line}` : line;
}

/** @throws RestError if the journal no longer has the body of the request */
function curlLineOf(entry: Entry, place: JournalPlace): string {
  const line = curlLine(entry, place);
  if (line === null)
    throw qaError(
      'entry_was_cut',
      `The journal does not have the body of entry ${entry.id}: it is too large, too old or confidential.`,
      409,
    );
  return line;
}

/** Which entries to return. */
export const FILTERS = {
  method: { type: 'string', description: 'Only requests with this method.' },
  path: {
    type: 'string',
    description: 'Only requests whose path, or route below the REST root, matches: `*` matches within a segment, `**` across segments.',
  },
  body: {
    type: 'string',
    description: 'Only requests with this body, with `*` as wildcard; or a JSON object of members that its JSON or form must have.',
  },
  status: {
    type: 'string',
    pattern: '^(?:\\d{1,3}|[1-5]xx)$',
    description: 'Only responses with this status or class of statuses: `404`, `4xx`. 0: connections dropped before the response.',
  },
  since: { type: 'string', description: 'Only entries after the entry with this ID, or since this time (ISO 8601, real time).' },
  user: { type: 'string', description: 'Only requests of this login; an empty string matches anonymous requests.' },
  stub: { type: 'integer', description: 'Only requests that the stub with this ID has responded to.' },
} satisfies Args;

function sinceTest(text: string): (entry: Entry) => boolean {
  if (/^\d+$/.test(text)) return ({ id }) => id > Number(text);
  const from = Date.parse(text);
  if (Number.isNaN(from))
    throw qaError(
      'invalid_filter',
      'Invalid "since". Use the number of an entry or an ISO 8601 date and time such as "2026-06-15T12:00:00Z".',
    );
  return ({ at }) => at >= from;
}

function statusTest(text: string): (entry: Entry) => boolean {
  if (text.endsWith('xx')) return ({ status }) => Math.floor(status / 100) === Number(text[0]);
  return ({ status }) => status === Number(text);
}

/** The request of an entry, as rules of a site see it. @param readsBody whether they look at its body */
export async function requestOf(entry: Entry, readsBody: boolean, { options: { rewrite } }: Site): Promise<MatchedRequest> {
  const header = (name: string): string | undefined => requestHeader(entry, name);
  const body = readsBody ? readBody(entry.body, header('content-type')) : NOTHING_SENT;
  return { method: entry.method, url: entry.url, header, body, rewrite };
}

function wantedBody(text: string): Json {
  const value = jsonOr(text, null);
  return value !== null && typeof value === 'object' ? value : text;
}

/** The entries that match, the oldest first. @throws RestError for an invalid filter */
export async function filteredEntries(
  { journal, site }: Tenant,
  { method, path, body, status, since, user, stub }: ParamsOf<typeof FILTERS>,
): Promise<Entry[]> {
  const tests: ((entry: Entry) => boolean)[] = [];
  const hasBody = body !== undefined;
  const matches = matcher({
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(hasBody ? { body: wantedBody(body) } : {}),
  });
  if (stub !== undefined) tests.push((entry) => entry.stub === stub);
  if (status !== undefined) tests.push(statusTest(status));
  if (since !== undefined) tests.push(sinceTest(since));
  if (user !== undefined) tests.push((entry) => (entry.user ?? '') === user);
  const found = journal.all().filter((entry) => tests.every((test) => test(entry)));
  if (method === undefined && path === undefined && !hasBody) return found;
  const differences = await Promise.all(found.map(async (entry) => matches(await requestOf(entry, hasBody, site))));
  return found.filter((_, index) => differences[index].length === 0);
}

/** The argument of routes for a single entry. */
export const NUMBERED = { id: { type: 'integer', required: true, description: 'ID of the entry.' } } satisfies Args;

/** @throws RestError if the entry does not exist */
export function entryOf({ journal }: Tenant, id: number): Entry {
  const entry = journal.find(id);
  if (!entry) throw qaError('no_entry', `Entry ${id} does not exist. It may have been replaced by newer entries.`, 404);
  return entry;
}

const LATEST = {
  ...FILTERS,
  limit: { type: 'integer', minimum: 1, description: 'Maximum number of entries: the latest ones. Default: all.' },
} satisfies Args;

const TEXT = 'text/plain; charset=utf-8';

/** Exports of the journal: as an HTTP Archive, and as curl commands. */
export const journalExportRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/journal\\.har', {
    summary: 'Get the journal as an HTTP Archive (HAR 1.2), for browsers and load generators',
    args: { ...LATEST, id: { type: 'integer', description: 'Only this entry.' } },
    handler: async ({ limit = Infinity, id, ...filters }) => {
      const entries = id === undefined ? (await filteredEntries(tenant, filters)).slice(-limit) : [entryOf(tenant, id)];
      const archive = httpArchive(entries, tenant);
      return new QaFile(`${JSON.stringify(archive, null, 1)}\n`, 'application/json; charset=utf-8', {
        'Content-Disposition': 'attachment; filename="journal.har"',
      });
    },
  }),
  get('/__qa/journal/curl', {
    summary: 'Get the requests as curl commands, one per line. Requests whose bodies were dropped are omitted.',
    args: LATEST,
    handler: async ({ limit = Infinity, ...filters }) => {
      const entries = (await filteredEntries(tenant, filters)).slice(-limit);
      const lines = entries.flatMap((entry) => curlLine(entry, tenant) ?? []);
      return new QaFile(lines.map((line) => `${line}\n`).join(''), TEXT);
    },
  }),
  get('/__qa/journal/(?P<id>\\d+)/curl', {
    summary: 'Get a curl command that repeats a request. Secrets are shell variables.',
    args: NUMBERED,
    handler: ({ id }) => new QaFile(`${curlLineOf(entryOf(tenant, id), tenant)}\n`, TEXT),
  }),
];
