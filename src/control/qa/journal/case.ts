import { responseText, requestHeaders, type Entry } from '../../tenant/journal/journal.js';
import { qaError } from '../../tenant/api/route.js';
import { isSecretName, maskHeader } from '../../../base/text/secrets.js';
import type { Json } from '../../../wordpress/rest/route.js';
import { parseJson } from '../../../base/values/records.js';

/** Response headers to compare; the others belong to the transport. */
const COMPARED =
  /^(?:access-control-|allow$|cache-control$|content-type$|expires$|link$|location$|retry-after$|vary$|www-authenticate$|x-content-type-options$|x-robots-tag$|x-tec-|x-wp-)/;

/** Request headers to omit, because they depend on the client or are represented in another way. */
const OMITTED =
  /^(?:accept-encoding|accept-language|authorization|connection|content-length|cookie|host|if-none-match|if-modified-since|priority|sec-.*|transfer-encoding|upgrade-insecure-requests|user-agent|x-forwarded-.*|x-understudy-.*)$/;

interface CaseOptions {
  name: string;
  /** URL of the site in the requests, and its replacement; without trailing slash. */
  from: string;
  to: string;
}

type PlaceholderNames = Map<number, string>;

/** Replaces ids of created items by placeholders, since they differ on other servers. */
function withPlaceholders(value: Json, names: PlaceholderNames): Json {
  if (typeof value === 'number') return names.has(value) ? `{{#${names.get(value)}}}` : value;
  if (typeof value === 'string') return textWithPlaceholders(value, names);
  if (Array.isArray(value)) return value.map((item) => withPlaceholders(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withPlaceholders(item, names)]));
}

function textWithPlaceholders(text: string, names: PlaceholderNames): string {
  return [...names].reduce((result, [id, name]) => result.replace(new RegExp(`(?<![\\d.])${id}(?![\\d.]*\\d)`, 'g'), `{{${name}}}`), text);
}

function parsed(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function requestBody(entry: Entry, type: string): Record<string, Json> {
  if (entry.body === null) return {};
  const text = entry.body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(entry.body)) return { base64: entry.body.toString('base64') };
  if (type === 'application/x-www-form-urlencoded') return { form: text };
  const value = type === 'application/json' ? parsed(text) : text;
  // JSON scalars and malformed JSON are stored raw.
  return typeof value !== 'string' ? { body: value } : { raw: text };
}

function restPath(url: string): { path: string } | { site_path: string } {
  const below = /^\/wp-json(\/.*)?$/s.exec(url);
  return below ? { path: below[1] ?? '/' } : { site_path: url };
}

/** Nonces are valid for a session of this server only. The users of a scenario sign in by password. */
function withoutNonces(url: string): string {
  const [path, ...query] = url.split('?');
  const pairs = query
    .join('?')
    .split('&')
    .filter((pair) => !pair.startsWith('_wpnonce='));
  return query.length === 0 || pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** The ids of items that a response has created. */
function newIds(entry: Entry, body: Json, names: PlaceholderNames): Record<string, string> {
  const isObject = body !== null && typeof body === 'object' && !Array.isArray(body);
  const id = isObject ? body.id : undefined;
  if (entry.status !== 201 || typeof id !== 'number' || names.has(id)) return {};
  const name = `new${names.size + 1}`;
  names.set(id, name);
  return { [name]: 'id' };
}

function stepOf(entry: Entry, names: PlaceholderNames, move: (text: string) => string): Json {
  if (entry.cut)
    throw qaError('entry_was_cut', `The bodies of entry ${entry.id} were dropped, because they were too large or too old.`, 409);
  if (entry.fault !== null)
    throw qaError('entry_is_fault', `The response of entry ${entry.id} is from fault ${entry.fault}, not from the service.`, 409);
  if (entry.stub !== null)
    throw qaError('entry_is_stub', `The response of entry ${entry.id} is from stub ${entry.stub}, not from the service.`, 409);
  const sent = requestHeaders(entry);
  const type = (sent['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  const body = requestBody(entry, type);
  const headers = Object.entries(sent).filter(([name]) => !OMITTED.test(name) && !(name === 'accept' && sent.accept === '*/*'));
  const kept = headers
    .filter(([name]) => !isSecretName(name) && (name !== 'content-type' || 'raw' in body || 'base64' in body))
    .map(([name, value]) => [name, maskHeader(name, value)] as const);
  const request = withPlaceholders(
    parsed(
      move(
        JSON.stringify({
          method: entry.method,
          ...restPath(withoutNonces(entry.url)),
          ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}),
          as: entry.user,
          ...body,
        }),
      ),
    ),
    names,
  );
  const responseBody = parsed(move(responseText(entry) ?? ''));
  const capture = newIds(entry, responseBody, names);
  const shown = Object.entries(entry.headers).filter(([name]) => COMPARED.test(name.toLowerCase()) && !isSecretName(name));
  const response = {
    status: entry.status,
    headers: Object.fromEntries(
      shown.map(([name, value]) => [name.toLowerCase(), textWithPlaceholders(move(maskHeader(name, [value].flat().join(', '))), names)]),
    ),
    body: withPlaceholders(responseBody, names),
  };
  return { request, response, ...(Object.keys(capture).length > 0 ? { capture } : {}) };
}

const WRITES = /^(?:POST|PUT|PATCH|DELETE)$/;

/** Converts journal entries to a scenario of the conformance tests, which `replay.mjs` can run against any server. */
export function conformanceCase(entries: readonly Entry[], { name, from, to }: CaseOptions): Json {
  const names: PlaceholderNames = new Map();
  const move = (text: string): string =>
    from === to ? text : text.replaceAll(from, to).replaceAll(from.replaceAll('/', '\\/'), to.replaceAll('/', '\\/'));
  return {
    name,
    description: `Saved from a journal: ${entries.map(({ method, url }) => `${method} ${url.split('?')[0]}`).join(', ')}`,
    writes: entries.some(({ method }) => WRITES.test(method)),
    steps: entries.map((entry) => stepOf(entry, names, move)),
  };
}
