/** The filters of the journal, which the address of the page contains. */
export const NO_FILTERS = { q: '', method: '', status: '', mark: '', sandbox: '' };

/** Whether an entry is a picture, a style, a script or another asset of a page. */
const isAsset = ({ method, url }) =>
  ['GET', 'HEAD'].includes(method) && /\.(?:css|js|mjs|map|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf)(?:\?|$)/i.test(url);

/** The marks to filter entries by. Assets are shown only on request. A rare mark has a button only if an entry has the mark. */
export const MARKS = {
  warned: { label: 'Warned', has: ({ warnings }) => warnings !== undefined },
  faulted: { label: 'Faulted', has: ({ fault }) => fault !== undefined },
  stubbed: { label: 'Stubbed', isRare: true, has: ({ stub }) => stub !== undefined },
  cached: { label: 'Cached', has: ({ cached }) => cached === true },
  assets: { label: 'Assets', has: isAsset },
};

export const STATUSES = { '2xx': '2xx', '3xx': '3xx', '4xx': '4xx', '5xx': '5xx', failed: '4xx and 5xx', 0: 'dropped' };

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];

/** Reads filters from the query of an address. */
export function readFilters(search) {
  const query = new URLSearchParams(search);
  return Object.fromEntries(Object.keys(NO_FILTERS).map((name) => [name, query.get(name) ?? '']));
}

/** The query of an address with filters: `?method=GET`, or an empty string. */
export function writeFilters(filters) {
  const query = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query}`;
}

function hasStatus(status, wanted) {
  if (wanted === 'failed') return status >= 400;
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}

/** Whether an entry passes the filters. `q` may be several words, all of which have to occur. */
export function passes(entry, { q, method, status, mark, sandbox }) {
  if (method !== '' && entry.method !== method) return false;
  if (status !== '' && !hasStatus(entry.status, status)) return false;
  if (mark === '' && q === '' && isAsset(entry)) return false;
  if (mark !== '' && !(MARKS[mark]?.has(entry) ?? true)) return false;
  if (sandbox !== '' && (entry.sandbox ?? 'main') !== sandbox) return false;
  if (q === '') return true;
  const warned = (entry.warnings ?? []).map(({ name }) => name).join(' ');
  const text =
    `${entry.method} ${entry.url} ${decodeURIComponentOr(entry.url)} ${entry.status} ${entry.user ?? ''} ${entry.sandbox ?? ''} ${warned}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function decodeURIComponentOr(text) {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
