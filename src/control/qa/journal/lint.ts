import { isRecord, isOneOf, jsonOr } from '../../../base/values/records.js';
import { parseQuery } from '../../../base/php/query-string.js';
import { parseBody } from '../../../wordpress/rest/transport/body.js';
import { argsUnder } from '../../../wordpress/rest/schema.js';
import { findRoute, type MountedRoute } from '../../../wordpress/rest/table.js';
import { findRestPath, methodOf } from '../../../wordpress/rest/transport/transport.js';
import type { JournalWarning, SummedWarning } from '../../../sdk/types/qa.js';
import type { Params } from '../../../wordpress/rest/request.js';
import type { Json } from '../../../wordpress/rest/route.js';
import { requestHeaders, responseText, type Entry } from '../../tenant/journal/journal.js';
import { suggest } from '../../../base/text/suggest.js';
import type { Quirks } from '../../../wordpress/quirks.js';

/** WP: parameters that every route accepts. */
const GLOBAL = ['_fields', '_embed', '_envelope', '_jsonp', '_method', '_locale', '_pretty', '_wpnonce', 'rest_route'];

interface Call {
  route: string;
  method: string;
  args: readonly string[];
  query: Params;
  body: Params;
  /** Names of form fields with files. */
  files: readonly string[];
  namespace: string;
  /** Arguments of the route for writing, which are named like the fields of its items. */
  fields: readonly string[];
}

/** A request with its response, as far as it is read here. */
export type Sent = Pick<Entry, 'stub' | 'url' | 'method' | 'rawHeaders' | 'headers' | 'body' | 'status' | 'responseBody'>;

async function callOf(entry: Sent, table: MountedRoute[], quirks: Quirks): Promise<Call | null> {
  const cut = entry.url.indexOf('?');
  const query = cut < 0 ? {} : parseQuery(entry.url.slice(cut + 1));
  const path = findRestPath(cut < 0 ? entry.url : entry.url.slice(0, cut), query);
  const match = path === null ? null : findRoute(table, path, quirks);
  if (!match) return null;
  const headers = requestHeaders(entry);
  const sent = methodOf({ headers, method: entry.method }, query);
  const method = sent === 'HEAD' ? 'GET' : sent;
  const endpoint = match.mounted.route.endpoints.find(({ methods }) => isOneOf(methods, method));
  if (!endpoint) return null;
  const body = parseBody(entry.body ?? Buffer.alloc(0), headers, entry.method, method);
  const takesForm = method !== 'GET';
  return {
    route: match.mounted.route.path,
    method,
    namespace: match.mounted.namespace,
    args: [...Object.keys(argsUnder(quirks, endpoint.args)), ...Object.keys(match.path)],
    query,
    body: { ...(takesForm ? body.form : {}), ...body.json },
    files: body.files.map(({ field }) => field),
    fields: match.mounted.route.endpoints.filter(({ methods }) => methods.includes('POST')).flatMap(({ args }) => Object.keys(args)),
  };
}

/** The fields of a linked item: an object for `venue` may have the fields of a POST to `venues`, and an id. */
function fieldsOf(name: string, { namespace }: Call, table: MountedRoute[], quirks: Quirks): string[] | null {
  const collection = table.find(({ route }) => route.path === `/${namespace}/${name}s`);
  const create = collection?.route.endpoints.find(({ methods }) => methods.includes('POST'));
  return create ? ['id', ...Object.keys(argsUnder(quirks, create.args))] : null;
}

function warning(place: JournalWarning['in'], name: string, known: readonly string[], within = ''): JournalWarning {
  const meant = suggest(name, known);
  const what = place === 'query' ? 'parameter' : 'field';
  const full = within === '' ? name : `${within}.${name}`;
  const message = `"${full}" is not a ${what} here and is ignored${meant === undefined ? '.' : `: did you mean "${within === '' ? meant : `${within}.${meant}`}"?`}`;
  return { in: place, name: full, message, ...(meant === undefined ? {} : { suggestion: meant }) };
}

function membersOf(value: Json): Params[] {
  if (isRecord<Json>(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord<Json>) : [];
}

/** Fields that a response does not always have. */
const OPTIONAL = new Set(['next_rest_url', 'previous_rest_url', '_links', '_embedded']);

/** TEC: a list is an object with these fields, and its items under the name of the route. */
const LIST_FIELDS = ['rest_url', 'total', 'total_pages'];

function responseBody(entry: Sent): Json {
  const text = entry.status >= 200 && entry.status < 300 ? responseText(entry) : null;
  return jsonOr(text ?? 'null', null);
}

/** Fields in `_fields` that the response does not have. WP: silently omits them. */
function unknownFields(entry: Sent, { query, fields, route, args }: Call): JournalWarning[] {
  const wanted = [query['_fields']].flat().flatMap((names) => (typeof names === 'string' ? names.split(/[\s,]+/) : []));
  // Members of a field may be absent because the field is empty.
  const plain = wanted.filter((name) => name !== '' && !name.includes('.') && !OPTIONAL.has(name));
  const list = args.includes('per_page') ? route.slice(route.lastIndexOf('/') + 1) : '';
  const ofItems = list === '' ? [] : wanted.filter((name) => name.startsWith(`${list}.`));
  const body = plain.length + ofItems.length === 0 ? null : responseBody(entry);
  const isList = list !== '' && isRecord(body);
  const inItems = (isList ? ofItems : []).map((name): JournalWarning => {
    const message = `"${name}" in _fields leaves the list empty: WordPress does not look into items of lists. Write "${list}".`;
    return { in: 'query', name: `_fields.${name}`, message, suggestion: list };
  });
  const items = membersOf(body ?? null);
  if (items.length === 0) return inItems;
  const present = new Set(items.flatMap((item) => Object.keys(item)));
  const known = [...(isList ? [list, ...LIST_FIELDS] : fields), ...present, ...OPTIONAL];
  const absent = plain
    .filter((name) => !present.has(name))
    .map((name) => {
      const meant = suggest(name, known);
      const hint = meant === undefined ? '.' : `: did you mean "${meant}"?`;
      const message = `"${name}" in _fields is not a field of the response${hint}`;
      return { in: 'query' as const, name: `_fields.${name}`, message, ...(meant === undefined ? {} : { suggestion: meant }) };
    });
  return [...inItems, ...absent];
}

/** Only the media route accepts files. */
const ignoredFiles = ({ route, files }: Call): JournalWarning[] =>
  route === '/wp/v2/media'
    ? []
    : files.map((name) => ({
        in: 'body',
        name,
        message: `"${name}" is a file, and files are ignored here. Upload it to /wp/v2/media first, then send its id.`,
      }));

/** Finds parameters and fields that were ignored because the endpoint does not have them. Empty if no route matches. */
export async function lint(entry: Sent, table: MountedRoute[], quirks: Quirks): Promise<JournalWarning[]> {
  // The service has not seen what a stub responds to.
  const call = entry.stub === null ? await callOf(entry, table, quirks) : null;
  if (!call) return [];
  const known = new Set([...call.args, ...GLOBAL]);
  const isUnknown = (name: string): boolean => !known.has(name);
  const found: JournalWarning[] = [];
  for (const name of Object.keys(call.query).filter(isUnknown)) found.push(warning('query', name, [...call.args, ...GLOBAL]));
  for (const [name, value] of Object.entries(call.body)) {
    if (isUnknown(name)) found.push(warning('body', name, call.args));
    const fields = isUnknown(name) ? null : fieldsOf(name, call, table, quirks);
    if (!fields) continue;
    const members = new Set(membersOf(value).flatMap((member) => Object.keys(member)));
    for (const member of members) if (!fields.includes(member)) found.push(warning('body', member, fields, name));
  }
  return [...found, ...unknownFields(entry, call), ...ignoredFiles(call)];
}

const MAX_ENTRIES = 10;

/** Aggregates the warnings of requests, the most frequent first. */
export async function summarize(
  entries: readonly Entry[],
  table: MountedRoute[],
  quirks: Quirks,
  routeName: (path: string) => string,
): Promise<SummedWarning[]> {
  const sums = new Map<string, SummedWarning>();
  for (const entry of entries) {
    const warnings = await lint(entry, table, quirks);
    if (warnings.length === 0) continue;
    const call = await callOf(entry, table, quirks);
    if (!call) continue;
    for (const each of warnings) {
      const key = [call.method, call.route, each.in, each.name].join('\n');
      const sum = sums.get(key) ?? { ...each, method: call.method, route: routeName(call.route), count: 0, entries: [] };
      sum.count += 1;
      sum.entries = [...sum.entries, entry.id].slice(-MAX_ENTRIES);
      sums.set(key, sum);
    }
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}
