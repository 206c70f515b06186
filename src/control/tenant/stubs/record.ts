import { jsonOr } from '../../../base/values/records.js';
import { qaError } from '../api/route.js';
import { readRequestUrl, textOf } from '../match.js';
import { headerOf, responseBytes, type Entry } from '../journal/journal.js';
import { isSecretName } from '../../../base/text/secrets.js';
import type { RecordedStub, Stub, StubResponse } from '../../../sdk/types/qa.js';

/** Headers that each response sets, or that belong to the connection. */
const OMITTED =
  /^(?:accept-ranges|access-control-.*|age|alt-svc|connection|content-(?:encoding|length)|date|etag|keep-alive|last-modified|server|transfer-encoding|vary|x-understudy-.*)$/;

function recordedHeaders({ headers }: Entry): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !OMITTED.test(name.toLowerCase()) && !isSecretName(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])));
}

const isJson = (type: string): boolean => /\bjson\b/i.test(type);

/** The body of a response: JSON and texts can be read and changed. */
function recordedBody(entry: Entry): Pick<StubResponse, 'body' | 'bodyBase64'> {
  const bytes = responseBytes(entry);
  if (bytes === null || bytes.length === 0) return {};
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return { bodyBase64: bytes.toString('base64') };
  return { body: (isJson(String(headerOf(entry.headers, 'content-type') ?? '')) ? jsonOr(text, undefined) : undefined) ?? text };
}

/** The response of an entry as a stub for the same method, path and query. */
export function recordedStub(entry: Entry): Stub {
  const { pathname, query } = readRequestUrl(entry.url);
  // The journal does not have the values of secrets.
  const named = Object.entries(query).filter(([name]) => !isSecretName(name));
  const given = Object.fromEntries(named.map(([name, value]) => [name, textOf(value) ?? '']));
  return {
    match: { method: entry.method, path: pathname, ...(Object.keys(given).length > 0 ? { query: given } : {}) },
    respond: { status: entry.status < 200 ? 200 : entry.status, headers: recordedHeaders(entry), ...recordedBody(entry) },
    template: false,
  };
}

/** Why the journal does not have what an entry was responded with; null if it has. */
function missingResponse({ id, status, headers, responseBody }: Entry): string | null {
  if (status === 0) return `Entry ${id} has no response: the connection was dropped.`;
  if (status === 304) return `Entry ${id} has no body: the client had it already. Repeat the request without If-None-Match.`;
  if (responseBody !== null || Number(headerOf(headers, 'content-length') ?? 0) === 0) return null;
  return `The journal does not have the body of entry ${id}: it is a file, too large, too old or confidential.`;
}

/** A recorded stub with members that override it. @throws RestError if there is nothing to respond with */
export function stubFrom(entry: Entry, { from: _from, match, respond = {}, ...rest }: RecordedStub): Stub {
  const hasBody = respond.body !== undefined || respond.bodyBase64 !== undefined;
  const missing = hasBody ? null : missingResponse(entry);
  if (missing !== null) throw qaError('no_response', missing, 409);
  const stub = recordedStub(entry);
  const { body: _body, bodyBase64: _bytes, ...others } = stub.respond;
  return { ...stub, ...rest, match: { ...stub.match, ...match }, respond: { ...(hasBody ? others : stub.respond), ...respond } };
}
