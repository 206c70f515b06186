import { isRecord } from '../../base/values/records.js';
import { messageOf } from '../../base/values/errors.js';
import type { Match, Stub } from '../../sdk/types/qa.js';
import { resolved, Unusable, type Node, type OpenApi } from './document.js';
import { responseOf } from './responses.js';

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
  return { stubs: stubs.toSorted((a, b) => wildcards(b) - wildcards(a)), skipped };
}
