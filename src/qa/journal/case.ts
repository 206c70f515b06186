import { answerText, requestHeaders, type Entry } from './journal.js';
import { refuse } from '../route.js';
import type { Json } from '../../rest/route.js';

/** Headers of answers that tell something; the others are the transport's own. */
const COMPARED =
  /^(?:access-control-|allow$|cache-control$|content-type$|expires$|link$|location$|retry-after$|vary$|www-authenticate$|x-content-type-options$|x-robots-tag$|x-tec-|x-wp-)/;

/** Headers of requests that another client sends in its own way, or that are written down otherwise. */
const LEFT_OUT =
  /^(?:accept-encoding|accept-language|authorization|connection|content-length|cookie|host|if-none-match|if-modified-since|priority|sec-.*|transfer-encoding|upgrade-insecure-requests|user-agent|x-forwarded-.*|x-understudy-.*)$/;

export interface CaseOptions {
  name: string;
  /** Address of the site as the requests know it, and as it is to be written; without trailing slash. */
  from: string;
  to: string;
}

type Names = Map<number, string>;

/** Ids that the service handed out are not the same elsewhere: they become placeholders. */
function withPlaceholders(value: Json, names: Names): Json {
  if (typeof value === 'number') return names.has(value) ? `{{#${names.get(value)}}}` : value;
  if (typeof value === 'string') return textWithPlaceholders(value, names);
  if (Array.isArray(value)) return value.map((item) => withPlaceholders(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withPlaceholders(item, names)]));
}

function textWithPlaceholders(text: string, names: Names): string {
  return [...names].reduce((result, [id, name]) => result.replace(new RegExp(`(?<![\\d.])${id}(?![\\d.]*\\d)`, 'g'), `{{${name}}}`), text);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
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
  // Only what is written back as it was: numbers and spaces may be the point.
  return typeof value !== 'string' ? { body: value } : { raw: text };
}

function restPath(url: string): { path: string } | { site_path: string } {
  const below = /^\/wp-json(\/.*)?$/s.exec(url);
  return below ? { path: below[1] ?? '/' } : { site_path: url };
}

/** The ids that an answer hands out. */
function newIds(entry: Entry, answer: Json, names: Names): Record<string, string> {
  const isObject = answer !== null && typeof answer === 'object' && !Array.isArray(answer);
  const id = isObject ? answer.id : undefined;
  if (entry.status !== 201 || typeof id !== 'number' || names.has(id)) return {};
  const name = `new${names.size + 1}`;
  names.set(id, name);
  return { [name]: 'id' };
}

function stepOf(entry: Entry, names: Names, move: (text: string) => string): Json {
  if (entry.cut) throw refuse('entry_was_cut', `The bodies of entry ${entry.id} were not kept: they are too large, or too long ago.`, 409);
  if (entry.fault !== null)
    throw refuse('entry_is_fault', `Entry ${entry.id} was answered by fault ${entry.fault}, not by the service.`, 409);
  const sent = requestHeaders(entry);
  const type = (sent['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  const body = requestBody(entry, type);
  const headers = Object.entries(sent).filter(([name]) => !LEFT_OUT.test(name) && !(name === 'accept' && sent.accept === '*/*'));
  const kept = headers.filter(([name]) => name !== 'content-type' || 'raw' in body || 'base64' in body);
  const request = withPlaceholders(
    parsed(
      move(
        JSON.stringify({
          method: entry.method,
          ...restPath(entry.url),
          ...(kept.length > 0 ? { headers: Object.fromEntries(kept) } : {}),
          as: entry.user,
          ...body,
        }),
      ),
    ),
    names,
  );
  const answer = parsed(move(answerText(entry) ?? ''));
  const capture = newIds(entry, answer, names);
  const shown = Object.entries(entry.headers).filter(([name]) => COMPARED.test(name.toLowerCase()));
  const response = {
    status: entry.status,
    headers: Object.fromEntries(
      shown.map(([name, value]) => [name.toLowerCase(), textWithPlaceholders(move([value].flat().join(', ')), names)]),
    ),
    body: withPlaceholders(answer, names),
  };
  return { request, response, ...(Object.keys(capture).length > 0 ? { capture } : {}) };
}

const WRITES = /^(?:POST|PUT|PATCH|DELETE)$/;

/** Requests of a journal as a scenario of the conformance tests, which `replay.mjs` runs against any server. */
export function conformanceCase(entries: readonly Entry[], { name, from, to }: CaseOptions): Json {
  const names: Names = new Map();
  const move = (text: string): string =>
    from === to ? text : text.replaceAll(from, to).replaceAll(from.replaceAll('/', '\\/'), to.replaceAll('/', '\\/'));
  return {
    name,
    description: `Saved from a journal: ${entries.map(({ method, url }) => `${method} ${url.split('?')[0]}`).join(', ')}`,
    writes: entries.some(({ method }) => WRITES.test(method)),
    steps: entries.map((entry) => stepOf(entry, names, move)),
  };
}
