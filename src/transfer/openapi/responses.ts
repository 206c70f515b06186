import { isRecord, type Json, jsonOr } from '../../base/values/records.js';
import { sample } from 'openapi-sampler';
import { messageOf } from '../../base/values/errors.js';
import type { StubResponse, Match, Stub } from '../../sdk/types/qa.js';
import { parse } from '../formats/dataset/parse.js';
import { DatasetError } from '../source.js';

/** An object of a document, whose members are not checked yet. */
type Node = Readonly<Record<string, unknown>>;

/** A document of OpenAPI 3.0 or 3.1, or of Swagger 2.0. */
type OpenApi = Node & { paths: Node };

/** Why there is no stub for an operation. */
class Unusable extends Error {}

/** The longest text that is made for a schema, however long it has to be, in characters. */
const MAX_LENGTH = 1_000;

/** Members of a schema that contain values. */
const EXAMPLES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Shortens the texts that schemas ask for; examples stay as they are. */
function clampLengths(node: unknown, name = ''): void {
  if (node === null || typeof node !== 'object') return;
  const members = node as Record<string, unknown>;
  for (const [key, value] of Object.entries(members)) {
    if (key === 'minLength' && Number(value) > MAX_LENGTH) members[key] = MAX_LENGTH;
    else if (name === 'properties' || !EXAMPLES.has(key)) clampLengths(value, key);
  }
}

/** Reads a document, as JSON or YAML. @throws DatasetError if it is not one */
export function readOpenApi(text: string, name: string): OpenApi {
  const { value } = parse(text, name, /^\s*[{[]/.test(text) ? 'json' : 'yaml');
  const version = isRecord(value) ? (value['openapi'] ?? value['swagger']) : undefined;
  if (!isRecord(value) || !/^(?:2\.0|3\.[0-9])/.test(String(version)))
    throw new DatasetError(name, ['is not an OpenAPI document. It needs "openapi": "3.0.0" or later']);
  const { paths = {} } = value;
  if (!isRecord(paths)) throw new DatasetError(name, [{ path: 'paths', message: 'must be an object' }]);
  clampLengths(value);
  return { ...value, paths };
}

/** How many references may lead to each other. */
const MAX_STEPS = 20;

const unescaped = (step: string): string => {
  const text = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function pointedTo(reference: string, doc: OpenApi): unknown {
  if (!reference.startsWith('#'))
    throw new Unusable(`it refers to another file: ${reference}. Bundle the files into one first, for instance with redocly bundle`);
  let found: unknown = doc;
  for (const step of reference.split('/').slice(1))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, unescaped(step))
        ? Reflect.get(found, unescaped(step))
        : undefined;
  if (found === undefined) throw new Unusable(`${reference} does not exist`);
  return found;
}

/** An object that may be a reference. @throws Unusable if the reference leads nowhere */
export function resolved(node: unknown, doc: OpenApi): Node {
  let found = node;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const reference = isRecord(found) ? found['$ref'] : undefined;
    if (typeof reference !== 'string') return isRecord(found) ? found : {};
    found = pointedTo(reference, doc);
  }
  throw new Unusable('its references lead to each other');
}

/** How deep values by schema are nested. Recursion ends before. */
const MAX_DEPTH = 8;

/** Headers that the server sets itself. */
const OWN_HEADERS = /^(?:connection|content-(?:encoding|length|type)|date|etag|set-cookie|transfer-encoding)$/i;

const isPlain = (value: unknown): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value);

const isJson = (type: string): boolean => /[/+]json\b/i.test(type);

/** Whether a body of a type is a text. A range of all types may be one. */
const isTextType = (type: string): boolean => isJson(type) || isXml(type) || /^(?:text|\*)\/|javascript|graphql|x-www-form/i.test(type);

const isXml = (type: string): boolean => /[/+]xml\b/i.test(type);

/** The value of the first of some examples that has one. */
function firstExample(examples: unknown, doc: OpenApi): unknown {
  if (!isRecord(examples)) return undefined;
  // OpenAPI: an `externalValue` is an address.
  return Object.values(examples)
    .map((example) => resolved(example, doc))
    .find((example) => example['value'] !== undefined)?.['value'];
}

/** The example of a media type, a header or a parameter; else one of `examples`; else undefined. */
const exampleOf = (node: Node, doc: OpenApi): unknown => node['example'] ?? firstExample(node['examples'], doc);

/** How many values are made by a schema, and by all schemas of a document. References in several places multiply them. */
const MAX_VALUES = { schema: 10_000, document: 500_000 };

const made = new WeakMap<OpenApi, number>();

/** The limit of depth, which the sampler compares with for each value that it makes. @throws Unusable for too many values */
function countedDepth(doc: OpenApi): number {
  let count = 0;
  const valueOf = (): number => {
    count += 1;
    const all = (made.get(doc) ?? 0) + 1;
    made.set(doc, all);
    if (count > MAX_VALUES.schema) throw new Unusable(`it makes more than ${MAX_VALUES.schema} values. Add an example to the response`);
    if (all > MAX_VALUES.document)
      throw new Unusable(`the schemas of the file make more than ${MAX_VALUES.document} values. Split the file`);
    return MAX_DEPTH;
  };
  return { valueOf } as unknown as number;
}

/** Keywords of schemas that a made value need not fit. */
const IGNORED = ['pattern', 'multipleOf', 'uniqueItems', 'minProperties'];

/** Members of a schema that say its value. */
const GIVEN = ['example', 'examples', 'default', 'enum', 'const'];

const ignored = new WeakMap<OpenApi, Set<string>>();

/** Notes the keywords of a schema, and of those below it, that its value need not fit. */
function noteIgnored(node: unknown, doc: OpenApi, seen = new Set<unknown>()): void {
  const at = isRecord(node) ? resolved(node, doc) : {};
  if (seen.has(at) || GIVEN.some((name) => name in at)) return;
  seen.add(at);
  // An object is a property of that name.
  for (const name of IGNORED) if (name in at && typeof at[name] !== 'object') ignored.set(doc, (ignored.get(doc) ?? new Set()).add(name));
  for (const each of Object.values(at)) for (const below of [each].flat()) noteIgnored(below, doc, seen);
}

/** A value by a schema: always the same. @throws Unusable for a schema that cannot be followed */
function bySchema(schema: unknown, doc: OpenApi, format: 'json' | 'xml'): unknown {
  try {
    const value = sample(schema as object, { skipWriteOnly: true, quiet: true, format, maxSampleDepth: countedDepth(doc) }, doc);
    noteIgnored(schema, doc);
    return value;
  } catch (error) {
    throw new Unusable(`its schema cannot be followed: ${messageOf(error)}`);
  }
}

/** The media type to respond with: JSON, else a text, else the first one. */
function preferred(content: Node): string | undefined {
  const types = Object.keys(content);
  return types.find(isJson) ?? types.find(isTextType) ?? types[0];
}

/** A body with its type. A text that is sent as JSON is written as JSON. */
function jsonBody(value: unknown, type: string): StubResponse {
  const given = typeof value === 'string' ? jsonOr(value, undefined) : value;
  const content = isRecord(given) || Array.isArray(given) ? (given as Json) : JSON.stringify(value);
  const isDefault = typeof content !== 'string' && /^application\/json$/i.test(type);
  return { ...(isDefault ? {} : { headers: { 'Content-Type': type } }), body: content };
}

function bodyOf(type: string, media: Node, doc: OpenApi): StubResponse {
  const { schema } = media;
  const example = exampleOf(media, doc);
  const headers = { 'Content-Type': type.includes('*') ? 'text/plain' : type };
  if (isJson(type)) {
    const value = example ?? (schema === undefined ? {} : bySchema(schema, doc, 'json'));
    return jsonBody(value, type);
  }
  if (typeof example === 'string') return { headers, body: example };
  if (isXml(type) && schema !== undefined) return { headers, body: String(bySchema(schema, doc, 'xml')) };
  if (!isTextType(type)) return { headers };
  const value = example ?? (schema === undefined ? '' : bySchema(schema, doc, 'json'));
  return { headers, body: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** The headers that have an example, or a value that they always have. */
function headersOf(headers: unknown, doc: OpenApi): Record<string, string> {
  if (!isRecord(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, given]) => {
      const header = resolved(given, doc);
      const schema = isRecord(header['schema']) ? resolved(header['schema'], doc) : header;
      const value = exampleOf(header, doc) ?? schema['example'] ?? schema['default'] ?? (schema['enum'] as unknown[] | undefined)?.[0];
      return OWN_HEADERS.test(name) || !isPlain(value) ? [] : [[name, String(value)]];
    }),
  );
}

/** The bodies of a response by media type. Swagger 2.0 has one schema for all types that it `produces`, and examples by type. */
function contentOf({ content, schema, examples }: Node, produces: unknown): Node {
  if (isRecord(content)) return content;
  const named = isRecord(examples) ? examples : {};
  const types = schema === undefined ? [] : Array.isArray(produces) ? produces.map(String) : ['application/json'];
  return Object.fromEntries([...Object.keys(named), ...types].map((type) => [type, { schema, example: named[type] }]));
}

/** The statuses of a response: `200`, `2XX`, `default`. The first that says success, else a redirection. */
function chosen(responses: Node): [status: number, response: unknown] | undefined {
  const rank = (key: string): number =>
    /^2\d\d$/.test(key) ? Number(key) : /^2xx$/i.test(key) ? 299.5 : key === 'default' ? 299.9 : Number(key);
  const [key] = Object.keys(responses)
    .filter((each) => /^[23]\d\d$|^2xx$|^default$/i.test(each))
    .sort((a, b) => rank(a) - rank(b));
  return key === undefined ? undefined : [/^\d+$/.test(key) ? Number(key) : 200, responses[key]];
}

/** The response of an operation. @param produces of Swagger 2.0 @throws Unusable if it has none */
function responseOf({ responses }: Node, produces: unknown, doc: OpenApi): StubResponse {
  if (!isRecord(responses) || Object.keys(responses).length === 0) throw new Unusable('it has no responses');
  const found = chosen(responses);
  if (found === undefined) throw new Unusable(`it has only responses with errors (${Object.keys(responses).join(', ')})`);
  const [status, given] = found;
  const response = resolved(given, doc);
  const content = contentOf(response, produces);
  const type = status === 204 || status === 304 ? undefined : preferred(content);
  const { headers, ...body } = type === undefined ? {} : bodyOf(type, resolved(content[type], doc), doc);
  const all = { ...headers, ...headersOf(response['headers'], doc) };
  return { ...(status === 200 ? {} : { status }), ...(Object.keys(all).length === 0 ? {} : { headers: all }), ...body };
}

/** An operation without a stub. */
interface Skipped {
  /** `POST /orders` */
  operation: string;
  why: string;
}

/** The stubs of a document, and what has none. */
export interface ImportedStubs {
  stubs: Stub[];
  skipped: Skipped[];
  /** Keywords of schemas that values need not fit. */
  ignored: string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head'];

/** Methods without a stub: the server responds to the preflights of browsers itself. */
const OTHERS = ['options', 'trace'];

/** A text or number as text; `''`: another value. */
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The address of a server with the defaults of its variables. */
function addressOf(server: Node): string {
  const variables = isRecord(server['variables']) ? server['variables'] : {};
  return textOf(server['url']).replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isRecord(variable) ? textOf(variable['default']) : whole;
  });
}

/** The address of a document, which relative addresses of servers refer to. */
const ANY_HOST = 'http://127.0.0.1/';

/** The path of the first server of a list, without a slash at the end; undefined: there is no list. */
function pathOfServers(servers: unknown): string | undefined {
  const [server] = Array.isArray(servers) ? (servers as unknown[]) : [];
  if (!isRecord(server)) return undefined;
  const address = addressOf(server);
  return URL.canParse(address, ANY_HOST) ? new URL(address, ANY_HOST).pathname.replace(/\/+$/, '') : '';
}

/** Where the paths of an operation begin. Swagger 2.0: `basePath`. */
const baseOf = (doc: OpenApi, item: Node, operation: Node): string =>
  pathOfServers(operation['servers']) ??
  pathOfServers(item['servers']) ??
  pathOfServers(doc['servers']) ??
  (typeof doc['basePath'] === 'string' ? doc['basePath'].replace(/\/+$/, '') : '');

/** The requests of an operation: parameters of the path may have any value. Some documents have a query in a path. */
function matchOf(method: string, base: string, path: string): Match {
  const [pathname, query = ''] = `${base}${path.startsWith('/') ? '' : '/'}${path}`.split('#')[0].split('?', 2);
  const given = Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, value.replace(/\{[^{}]*\}/g, '*')]));
  return {
    method: method.toUpperCase(),
    path: pathname.replace(/\{[^{}]*\}/g, '*'),
    ...(Object.keys(given).length === 0 ? {} : { query: given }),
  };
}

/** How many of its segments have any value: a stub for `/seats/best` comes before one for `/seats/*`. */
const wildcards = ({ match: { path = '', query = {} } = {} }: Stub): number => path.split('*').length - 1 - Object.keys(query).length;

/** Makes the stub of an operation. @throws Unusable */
function stubOf(method: string, path: string, item: Node, doc: OpenApi, base: string | undefined): Stub {
  const operation = resolved(item[method], doc);
  const respond = responseOf(operation, operation['produces'] ?? doc['produces'], doc);
  const stub = { match: matchOf(method, base ?? baseOf(doc, item, operation), path), respond };
  // Examples are sent as they are.
  return JSON.stringify(respond).includes('{{') ? { ...stub, template: false } : stub;
}

/**
 * The stubs for the operations of a document: its examples, else values by its schemas.
 * @param base where its paths begin. Default: as its servers say
 * @returns the stubs, of which later ones are more specific
 */
export function stubsOf(doc: OpenApi, base?: string): ImportedStubs {
  const stubs: Stub[] = [];
  const skipped: Skipped[] = [];
  const matched = new Set<string>();
  const add = (stub: Stub): void => {
    const match = JSON.stringify(stub.match);
    if (matched.has(match)) throw new Unusable('an earlier operation has the same requests');
    matched.add(match);
    stubs.push(stub);
  };
  const attempt = (operation: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      skipped.push({ operation, why: messageOf(error) });
    }
  };
  for (const [path, given] of Object.entries(doc.paths)) {
    // Extensions, such as `x-internal`.
    if (path.startsWith('x-')) continue;
    attempt(path, () => {
      const item = resolved(given, doc);
      for (const method of METHODS)
        if (item[method] !== undefined)
          attempt(`${method.toUpperCase()} ${path}`, () => add(stubOf(method, path, item, doc, base?.replace(/\/+$/, ''))));
      for (const method of OTHERS)
        if (item[method] !== undefined)
          skipped.push({ operation: `${method.toUpperCase()} ${path}`, why: 'no stub responds to this method' });
    });
  }
  for (const name of Object.keys(isRecord(doc['webhooks']) ? doc['webhooks'] : {}))
    skipped.push({ operation: `webhook ${name}`, why: 'it is a request that the API sends' });
  return { stubs: stubs.toSorted((a, b) => wildcards(b) - wildcards(a)), skipped, ignored: [...(ignored.get(doc) ?? [])] };
}
