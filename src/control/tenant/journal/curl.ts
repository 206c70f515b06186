import { lookup } from '../../../base/values/records.js';
import { qaError } from '../api/route.js';
import { isLoopback } from '../../../base/text/hosts.js';
import type { Entry } from './journal.js';
import { isBodyMissing, requestUrl, type JournalPlace } from './request-url.js';
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
export function curlLineOf(entry: Entry, place: JournalPlace): string {
  const line = curlLine(entry, place);
  if (line === null)
    throw qaError(
      'entry_was_cut',
      `The journal does not have the body of entry ${entry.id}: it is too large, too old or confidential.`,
      409,
    );
  return line;
}
