import { curlLine, journalExportRoutes, entryOf, filteredEntries, FILTERS, NUMBERED, requestOf } from '../../tenant/journal/export.js';
import { responseText, requestHeaders, type Entry } from '../../tenant/journal/journal.js';
import { lint, summarize } from './lint.js';
import { isSecretName, maskHeader } from '../../../base/text/secrets.js';
import { MATCH_SCHEMA, matcher } from '../../tenant/match.js';
import { recordedStub } from '../../tenant/stubs/record.js';
import { json, qaError, readable, QaFile, get, remove, post, type QaRequest, type QaRoute } from '../../tenant/api/route.js';
import type { Expectation, Verdict } from '../../../sdk/types/qa.js';
import type { ParamsOf } from '../../../wordpress/rest/params.js';
import type { Args, Json } from '../../../wordpress/rest/route.js';
import type { QaHost } from '../host.js';
import type { Tenant } from '../../tenant/tenant.js';
import { asJson, jsonOr } from '../../../base/values/records.js';
import type { Site } from '../../../wordpress/site.js';

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

const parsed = (text: string): Json => jsonOr(text, text);

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
  const compared = Object.entries(entry.headers).filter(([name]) => COMPARED.test(name.toLowerCase()) && !isSecretName(name));
  const response = {
    status: entry.status,
    headers: Object.fromEntries(
      compared.map(([name, value]) => [name.toLowerCase(), textWithPlaceholders(move(maskHeader(name, [value].flat().join(', '))), names)]),
    ),
    body: withPlaceholders(responseBody, names),
  };
  return { request, response, ...(Object.keys(capture).length > 0 ? { capture } : {}) };
}

const WRITES = /^(?:POST|PUT|PATCH|DELETE)$/;

/** Converts journal entries to a scenario of the conformance tests, which `replay.mjs` can run against any server. */
function conformanceCase(entries: readonly Entry[], { name, from, to }: CaseOptions): Json {
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

const show = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

/** Returns a function for the differences of a request from an expectation; empty if it meets the expectation. */
function unmetBy({ status, user, stub, ...match }: Expectation, site: Site): (entry: Entry) => Promise<string[]> {
  const matches = matcher(match);
  const differs = (what: string, wanted: unknown, was: unknown): string[] =>
    wanted === undefined || wanted === was ? [] : [`${what}: expected ${JSON.stringify(wanted)}, was ${show(was)}`];
  return async (entry) => [
    ...matches(await requestOf(entry, match.body !== undefined, site)),
    ...differs('status', status, entry.status),
    ...differs('user', user, entry.user),
    ...differs('stub', stub, entry.stub ?? undefined),
  ];
}

function bounds({ count, atLeast, atMost }: Expectation): { low: number; high: number; text: string } {
  if (count !== undefined) return { low: count, high: count, text: `exactly ${count}` };
  const low = atLeast ?? (atMost === undefined ? 1 : 0);
  const high = atMost ?? Infinity;
  const text = [...(low > 0 ? [`at least ${low}`] : []), ...(high < Infinity ? [`at most ${high}`] : [])].join(' and ');
  return { low, high, text: text || 'any number' };
}

const MAX_NEAR_MISSES = 3;

/** Whether the journal has the expected number of matching requests; if too few, with the nearest misses. */
async function verify({ count, atLeast, atMost, ...wanted }: Expectation, { journal, site }: Tenant): Promise<Verdict> {
  const differ = unmetBy(wanted, site);
  const compared = await Promise.all(journal.all().map(async (entry) => ({ entry, differences: await differ(entry) })));
  const found = compared.filter((each) => each.differences.length === 0).map(({ entry }) => entry.id);
  const { low, high, text } = bounds({ count, atLeast, atMost });
  const near = found.length >= low ? [] : compared.filter((each) => each.differences.length > 0);
  const nearest = near.sort((a, b) => a.differences.length - b.differences.length || b.entry.id - a.entry.id).slice(0, MAX_NEAR_MISSES);
  return {
    verified: found.length >= low && found.length <= high,
    expected: text,
    found: found.length,
    entries: found,
    nearMisses: nearest.map(({ entry: { id, method, url }, differences: apart }) => ({ entry: id, method, url, differences: apart })),
  };
}

/** Maximum number of characters of a body in lists. */
const MAX_BODY = 2000;

function shownBody(text: string | null, isWhole: boolean): Json {
  if (text === null) return null;
  if (!isWhole && text.length > MAX_BODY) return `${text.slice(0, MAX_BODY)}… (${text.length} characters)`;
  return parsed(text);
}

/** How much of an entry to return. */
interface Detail {
  isWhole: boolean;
  /** Whether to omit headers and bodies. */
  brief?: boolean;
  /** Whether to add the curl command. */
  curl?: boolean;
}

const shownHeader = (name: string, value: string | number | string[]): Json => {
  if (isSecretName(name)) return maskHeader(name, String(value));
  return typeof value === 'number' ? value : Array.isArray(value) ? value.map((each) => maskHeader(name, each)) : maskHeader(name, value);
};

/** Headers with their secrets masked. */
const shownHeaders = (headers: Entry['headers']): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, Json][] => (value === undefined ? [] : [[name, shownHeader(name, value)]])),
  );

const exchange = (entry: Entry, isWhole: boolean): Record<string, Json> => ({
  request: { headers: shownHeaders(requestHeaders(entry)), body: shownBody(entry.body?.toString('utf8') ?? null, isWhole) },
  response: { headers: shownHeaders(entry.headers), body: shownBody(responseText(entry), isWhole) },
});

/** How many items a list has found, as its headers say. */
function foundBy({ headers }: Entry): { found?: number } {
  const [, total] = Object.entries(headers).find(([name]) => /^x-(?:tec|wp)-total$/i.test(name)) ?? [];
  return total === undefined ? {} : { found: Number(total) };
}

async function shown(entry: Entry, { table }: QaHost, tenant: Tenant, { isWhole, brief, curl }: Detail): Promise<Json> {
  const { name: sandbox, site } = tenant;
  const warnings = await lint(entry, table, site.quirks);
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    clock: new Date(entry.clock).toISOString(),
    ...(sandbox === '' ? {} : { sandbox }),
    method: entry.method,
    url: entry.url,
    user: entry.user,
    status: entry.status,
    ms: Math.round(entry.ms * 100) / 100,
    ...(entry.fault === null ? {} : { fault: entry.fault }),
    ...(entry.stub === null ? {} : { stub: entry.stub }),
    ...(entry.proxied === null ? {} : { proxied: entry.proxied }),
    ...(entry.cached ? { cached: true } : {}),
    ...foundBy(entry),
    ...(entry.cut ? { cut: true } : {}),
    ...(brief ? {} : exchange(entry, isWhole)),
    ...(warnings.length > 0 ? { warnings: warnings.map((each) => ({ ...each })) } : {}),
    ...(curl ? { curl: curlLine(entry, tenant) } : {}),
  };
}

/** @param warned whether to keep entries with warnings, or those without; all if undefined */
async function withWarnings(entries: Entry[], warned: boolean | undefined, { table }: QaHost, { site }: Tenant): Promise<Entry[]> {
  if (warned === undefined) return entries;
  const warnings = await Promise.all(entries.map((entry) => lint(entry, table, site.quirks)));
  return entries.filter((_, index) => warnings[index].length > 0 === warned);
}

const WITH_CURL = {
  curl: { type: 'boolean', description: 'Adds a curl command that repeats the request; null if its body was dropped.' },
} satisfies Args;

const SPAN = {
  ...NUMBERED,
  to: { type: 'integer', description: 'ID of the last entry of the test case.' },
  name: { type: 'string', pattern: '^[\\w.-]{1,80}$', description: 'Name of the test case.' },
  site: { type: 'string', description: 'URL of the site in the test case. Default: the recorded site, if a recording was loaded.' },
} satisfies Args;

function caseOf(tenant: Tenant, host: QaHost, params: ParamsOf<typeof SPAN>): QaFile {
  const first = entryOf(tenant, params.id);
  const last = entryOf(tenant, params.to ?? first.id);
  const entries = tenant.journal.all().filter(({ id }) => id >= first.id && id <= last.id);
  if (entries.length === 0) throw qaError('invalid_span', '"to" must not be before the first entry.');
  const name = params.name ?? `journal-${first.id}`;
  const from = tenant.site.url;
  const to = (params.site ?? host.recordedUrl ?? from).replace(/\/+$/, '');
  const text = JSON.stringify(conformanceCase(entries, { name, from, to }), null, 1);
  return new QaFile(`${text}\n`, 'application/json; charset=utf-8', { 'Content-Disposition': `attachment; filename="${name}.json"` });
}

const EXPECTATION: Args = {
  ...Object.fromEntries(
    Object.entries(MATCH_SCHEMA.properties).map(([name, schema]) => [name, { ...schema, description: `As in faults: \`${name}\`.` }]),
  ),
  status: { type: 'integer', description: 'Only responses with this status.' },
  user: { type: ['string', 'null'], sanitize: 'raw', description: 'Only requests of this login.' },
  stub: { type: 'integer', description: 'Only requests that the stub with this ID has responded to.' },
  count: { type: 'integer', minimum: 0, description: 'Exact number of requests.' },
  atLeast: { type: 'integer', minimum: 0, description: 'Minimum number of requests. Default: 1.' },
  atMost: { type: 'integer', minimum: 0, description: 'Maximum number of requests.' },
};

const expectationOf = (request: QaRequest): Expectation =>
  Object.fromEntries(Object.keys(EXPECTATION).flatMap((name) => (request.isGiven(name) ? [[name, request.get(name)]] : [])));

/** The journal. It does not contain requests to the test API itself. */
export const journalRoutes = (tenant: Tenant, host: QaHost): QaRoute[] => [
  ...journalExportRoutes(tenant),
  get('/__qa/journal', {
    summary: 'List the latest requests and responses, oldest first, and the requests that wait for a response',
    args: {
      ...FILTERS,
      warned: { type: 'boolean', description: 'Only requests with (true) or without (false) parameters or fields that were ignored.' },
      limit: { type: 'integer', minimum: 0, default: 100, description: 'Maximum number of entries: the latest ones.' },
      brief: { type: 'boolean', description: 'Omits headers and bodies.' },
      sandboxes: {
        type: 'boolean',
        description:
          "Adds the requests of all sandboxes to the main site's. Each sandbox numbers its own entries, so use a time in `since`.",
      },
      ...WITH_CURL,
    },
    handler: async ({ limit, brief, curl, warned, sandboxes, ...filters }) => {
      const places = [tenant, ...(sandboxes && tenant.name === '' ? await host.sandboxes.list() : [])];
      const found = await Promise.all(
        places.map(async (place) =>
          (await withWarnings(await filteredEntries(place, filters), warned, host, place)).map((entry) => ({ place, entry })),
        ),
      );
      const all = found.length === 1 ? found[0] : found.flat().sort((a, b) => a.entry.at - b.entry.at);
      const latest = limit === 0 ? [] : all.slice(-limit);
      return json({
        total: all.length,
        waiting: asJson(places.flatMap((place) => place.journal.waiting())),
        entries: await Promise.all(latest.map(({ place, entry }) => shown(entry, host, place, { isWhole: false, brief, curl }))),
      });
    },
  }),
  remove('/__qa/journal', {
    summary: 'Clear the journal',
    handler: () => {
      const deleted = tenant.journal.all().length;
      tenant.journal.clear();
      return json({ deleted });
    },
  }),
  get('/__qa/journal/lint', {
    summary: 'List parameters and fields that were ignored, with suggestions',
    args: FILTERS,
    handler: async (filters) =>
      json({
        warnings: (await summarize(await filteredEntries(tenant, filters), host.table, tenant.site.quirks, readable)).map((each) => ({
          ...each,
        })),
      }),
  }),
  post('/__qa/journal/verify', {
    summary: 'Verify that matching requests were made as often as expected. If not, the response contains the nearest misses.',
    args: EXPECTATION,
    handler: async (_params, request) => json(asJson(await verify(expectationOf(request), tenant))),
  }),
  get('/__qa/journal/(?P<id>\\d+)', {
    summary: 'Get a request and its response, with complete bodies',
    args: { ...NUMBERED, ...WITH_CURL },
    handler: async ({ id, curl }) => json(await shown(entryOf(tenant, id), host, tenant, { isWhole: true, curl })),
  }),
  get('/__qa/journal/(?P<id>\\d+)/stub', {
    summary: 'Get the response of an entry as a stub for the same method, path and query. It is not added.',
    args: NUMBERED,
    handler: ({ id }) => json(asJson(recordedStub(entryOf(tenant, id)))),
  }),
  get('/__qa/journal/(?P<id>\\d+)/case', {
    summary: 'Get an entry, or a range of entries, as a conformance test case',
    args: SPAN,
    handler: (params) => caseOf(tenant, host, params),
  }),
];
