import { buildQuery, parseQuery, scalarText, urlencode, type QueryValue } from '../../base/php/query-string.js';

// WP: an argument with an empty value has no equals sign.
const bareKeys = (query: string): string => (query.includes('=&') || query.endsWith('=') ? query.replace(/=(&|$)/g, '$1') : query);

function render(args: Map<string, QueryValue>): string {
  const parts: string[] = [];
  for (const [name, value] of args) {
    // WP: an empty list is an argument without name and value.
    if (typeof value === 'object' && value !== null) parts.push(buildQuery({ [name]: value }, { encode: false }));
    else if (value !== null && value !== undefined) parts.push(`${name}=${scalarText(value)}`);
  }
  return bareKeys(parts.join('&'));
}

const encodeDeep = (value: QueryValue): QueryValue => {
  if (Array.isArray(value)) return value.map(encodeDeep);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encodeDeep(item)]));
  return typeof value === 'string' ? urlencode(value) : value;
};

function split(url: string): { base: string; query: string; fragment: string } {
  const hash = url.indexOf('#');
  const [rest, fragment] = hash < 0 ? [url, ''] : [url.slice(0, hash), url.slice(hash)];
  const mark = rest.indexOf('?');
  return mark < 0 ? { base: rest, query: '', fragment } : { base: rest.slice(0, mark), query: rest.slice(mark + 1), fragment };
}

/**
 * Adds arguments to a URL (WP: `add_query_arg`). Existing arguments are encoded, added ones are not. `false` removes an argument, an
 * empty value leaves only the name. New arguments are appended.
 */
export function addQueryArgs(url: string, added: Record<string, QueryValue>): string {
  const { base, query, fragment } = split(url);
  const args = new Map<string, QueryValue>();
  for (const [name, value] of Object.entries(parseQuery(query))) args.set(name, encodeDeep(value));
  for (const [name, value] of Object.entries(added)) {
    if (value === false) args.delete(name);
    else if (value !== undefined) args.set(name, value);
  }
  const text = render(args);
  return `${base}${text === '' ? '' : `?${text}`}${fragment}`;
}
