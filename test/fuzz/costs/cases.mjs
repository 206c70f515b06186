// Requests of anonymous callers that make a server work: every parameter of every route and page with large values, large headers and bodies.

/** The longest URL and the longest headers that Node accepts have together 16 KB. */
const URL_BYTES = 14_000;
/** The largest body that is received, and the largest that is read of everybody. */
const LARGEST_BODY = 8 * 1024 * 1024;
const PUBLIC_BODY = 256 * 1024;

const repeated = (part, size) => part.repeat(Math.ceil(size / part.length)).slice(0, size);

/** Different texts with a separator between them. */
function different(size, text, separator = ',') {
  const parts = [];
  for (let length = 0, i = 0; length < size; i += 1) {
    parts.push(text(i));
    length += parts[i].length + separator.length;
  }
  return parts.join(separator).slice(0, size);
}

/** Texts of a size, each of a kind that is cheap in small numbers. */
const TEXTS = (ids) => ({
  one: (size) => repeated('a', size),
  digits: (size) => repeated('9', size),
  ids: (size) => different(size, (i) => String(ids[i % ids.length] + Math.floor(i / ids.length))),
  numbers: (size) => different(size, (i) => String(i + 1)),
  words: (size) => different(size, (i) => `w${i}`, ' '),
  exclusions: (size) => different(size, (i) => `-w${i}`, ' '),
  slugs: (size) => different(size, (i) => `event-${i}`),
  fields: (size) => different(size, (i) => `f${i}.a.b`),
  quotes: (size) => repeated('"', size),
  'quoted words': (size) => repeated('"a" ', size),
  commas: (size) => repeated(',', size),
  spaces: (size) => repeated(' ', size),
  tags: (size) => repeated('<a ', size),
  brackets: (size) => repeated('[', size),
  entities: (size) => repeated('&amp;', size),
  ampersands: (size) => repeated('&', size),
  percents: (size) => repeated('%41', size),
  dots: (size) => repeated('.', size),
  slashes: (size) => repeated('/', size),
  dashes: (size) => repeated('-', size),
  accents: (size) => repeated('é', size / 2),
  'date with spaces': (size) => `2026-01-01${repeated(' ', size - 20)}+1 day`,
  'date words': (size) => repeated('+1 day ', size),
});

/** Other values with so many members, for JSON. */
const VALUES = {
  'list of numbers': (count) => Array.from({ length: count }, (_, i) => i + 1),
  'list of texts': (count) => Array.from({ length: count }, (_, i) => `event-${i}`),
  'list of lists': (count) => Array.from({ length: count }, () => []),
  object: (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])),
};

/** Parameters that every route reads. */
const EVERYWHERE = ['_fields', '_embed', '_envelope', '_jsonp', '_method', '_locale', '_pretty', '_wpnonce', 'context', 'password'];

/** Parameters that pages and feeds read. */
const OF_PAGES = [
  ...['s', 'p', 'page_id', 'post_type', 'paged', 'feed', 'eventDisplay', 'tribe-bar-date', 'tribe-bar-search', 'ical', 'outlook-ical'],
  ...[
    'cat',
    'category_name',
    'tag',
    'tribe_events_cat',
    'tribe_events',
    'name',
    'offset',
    'preview_id',
    'preview_nonce',
    'redirect_to',
    'action',
  ],
];

/** Paths that no page links to. */
const UNLINKED = [
  ...['/wp-login.php', '/wp-login.php?action=postpass', '/wp-admin/', '/wp-admin/authorize-application.php', '/xmlrpc.php', '/robots.txt'],
  ...[
    '/feed/',
    '/feed/atom/',
    '/feed/rdf/',
    '/comments/feed/',
    '/events/feed/',
    '/events/?ical=1',
    '/events/?ical=1&per_page=1000',
    '/events/month/?ical=1',
    '/events/list/?ical=1&eventDisplay=past',
  ],
  ...[
    '/wp-sitemap.xml',
    '/sitemap.xml',
    '/events/month/',
    '/events/today/',
    '/events/list/?eventDisplay=past',
    '/?s=garden',
    '/?feed=rss2&s=garden',
  ],
  ...['/wp-comments-post.php', '/wp-cron.php', '/nosuch/', '/author/admin/', '/2026/', '/2026/06/'],
];

/** Headers that a server reads, with a text for each. */
const HEADERS = {
  Cookie: (size) => different(size, (i) => `c${i}=1`, '; '),
  Authorization: (size) => `Basic ${Buffer.from(`${repeated('a', size / 2)}:${repeated('b', size / 4 - 10)}`).toString('base64')}`,
  'If-None-Match': (size) => different(size, (i) => `"e${i}"`, ', '),
  'If-Modified-Since': (size) => repeated('a', size),
  'Accept-Language': (size) => different(size, (i) => `x${i};q=0.${i % 10}`),
  'Accept-Encoding': (size) => different(size, (i) => `e${i};q=0.${i % 10}`),
  Accept: (size) => different(size, (i) => `a/${i}`),
  Range: (size) => `bytes=${different(size, (i) => `${i}-${i + 1}`)}`,
  Origin: (size) => `http://${repeated('a', size)}`,
  Referer: (size) => `http://${repeated('a', size)}`,
  'Content-Type': (size) => `multipart/form-data; ${different(size, (i) => `a${i}=1`, '; ')}`,
  'Content-Disposition': (size) => `attachment; filename="${repeated('a', size)}"`,
  'X-WP-Nonce': (size) => repeated('a', size),
  'X-HTTP-Method-Override': (size) => repeated('A', size),
  'X-Forwarded-For': (size) => different(size, (i) => `10.0.0.${i % 255}`, ', '),
  'X-Request-Id': (size) => repeated('a', size),
};

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** How bodies of a size are made of many parts. */
const BODIES = {
  'one text': (size) => ({ headers: { 'Content-Type': 'text/plain' }, body: repeated('a', size) }),
  'JSON, one text': (size) => ({ headers: JSON_TYPE, body: `{"title":"${repeated('a', size - 12)}"}` }),
  'JSON, many members': (size) => ({ headers: JSON_TYPE, body: `{${different(size - 20, (i) => `"k${i}":1`).replace(/,[^,]*$/, '')}}` }),
  'JSON, one list': (size) => ({
    headers: JSON_TYPE,
    body: `{"include":[${different(size - 20, (i) => String(i)).replace(/,[^,]*$/, '')}]}`,
  }),
  'JSON, lists in lists': (size) => ({ headers: JSON_TYPE, body: `{"include":${repeated('[[1],', size / 2)}` }),
  'form, one value': (size) => ({ headers: FORM_TYPE, body: `log=${repeated('a', size - 10)}&pwd=a` }),
  'form, a password': (size) => ({ headers: FORM_TYPE, body: `log=admin&post_password=a&pwd=${repeated('a', size - 40)}` }),
  'form, many keys': (size) => ({ headers: FORM_TYPE, body: different(size, (i) => `k${i}=1`, '&') }),
  'form, keys in a list': (size) => ({ headers: FORM_TYPE, body: different(size, () => 'a[]=1', '&') }),
  'form, escapes': (size) => ({ headers: FORM_TYPE, body: `log=${repeated('%41', size - 10)}` }),
  'multipart, many parts': (size) => ({
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: `${different(size, (i) => `--x\r\nContent-Disposition: form-data; name="k${i}"\r\n\r\n1\r\n`, '')}--x--\r\n`,
  }),
  'multipart, one file': (size) => ({
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n${repeated('a', size)}\r\n--x--\r\n`,
  }),
  batch: (size) => ({
    headers: JSON_TYPE,
    body: `{"requests":[${different(size - 30, (i) => `{"path":"/wp/v2/posts/${i}"}`).replace(/,[^,]*$/, '')}]}`,
  }),
};

/** A route, as far as requests are made of it. */
export const listed = ({ namespace, route }) => ({
  namespace,
  path: route.path,
  endpoints: route.endpoints.map(({ methods, args }) => ({
    methods,
    args: Object.fromEntries(Object.entries(args).map(([name, { enum: values, maximum }]) => [name, { enum: values, maximum }])),
  })),
});

const SAMPLES = {
  attendees: 'attendees',
  ticket: 'tickets',
  venue: 'venues',
  organizer: 'organizers',
  categor: 'categories',
  tags: 'tags',
  media: 'images',
};

/** The path of a route, its captures filled in with content of the site. */
export function pathOf(route, ids) {
  const kind = Object.entries(SAMPLES).find(([word]) => route.includes(word))?.[1] ?? 'events';
  let path = '';
  for (let at = 0; at < route.length;) {
    const open = route.indexOf('(?P<', at);
    if (open < 0) return path + route.slice(at);
    path += route.slice(at, open);
    let end = open;
    for (let depth = 0; ; end += 1) {
      if (route[end] === '\\') end += 1;
      else if (route[end] === '(') depth += 1;
      else if (route[end] === ')' && --depth === 0) break;
    }
    path += /^\(\?P<\w*id>/.test(route.slice(open)) ? ids[kind][0] : route.slice(open).startsWith('(?P<slug>') ? 'event-0' : 'post';
    at = end + 1;
  }
  return path;
}

const capturesOf = (route) => [...route.matchAll(/\(\?P<(\w+)>/g)].map(([, name]) => name);

const encoded = (text, size) => encodeURIComponent(text).slice(0, size).replace(/%.?$/, '');

const withQuery = (path, query) => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/**
 * A request that is only made when it is sent, since all of them together are large.
 * @typedef {{ name: string, make: () => { method: string, target: string, headers?: object, body?: string } }} Case
 */

/** @returns {Case} */
const made = (name, make) => ({ name, make });

/** A parameter in a query, and in JSON. */
function* parameterCases({ method, base, name, texts, hasBody }) {
  for (const [kind, text] of Object.entries(texts)) {
    yield made(`${method} ${base} ${name}: ${kind}`, () => ({
      method,
      target: withQuery(base, `${name}=${encoded(text(URL_BYTES), URL_BYTES)}`),
    }));
    if (!hasBody) continue;
    yield made(`${method} ${base} ${name}: ${kind}, in JSON`, () => ({
      method,
      target: base,
      headers: JSON_TYPE,
      body: JSON.stringify({ [name]: text(PUBLIC_BODY / 2) }),
    }));
  }
  if (!hasBody) return;
  for (const [kind, value] of Object.entries(VALUES))
    yield made(`${method} ${base} ${name}: ${kind}, in JSON`, () => ({
      method,
      target: base,
      headers: JSON_TYPE,
      body: JSON.stringify({ [name]: value(15_000) }),
    }));
}

function* bodyCases(path) {
  for (const [kind, make] of Object.entries(BODIES))
    for (const size of [PUBLIC_BODY, LARGEST_BODY])
      yield made(`POST ${path}, ${kind}, ${size} bytes`, () => ({ method: 'POST', target: path, ...make(size - 200) }));
}

/** Lists at their largest, with everything embedded, and in every order. */
function* listCases(base, { per_page: size, orderby, order }, texts) {
  for (const query of size ? ['per_page=50', 'per_page=100', 'per_page=50&_embed=1', 'per_page=100&_embed=1', 'per_page=50&page=20'] : [])
    yield made(`GET ${base}?${query}`, () => ({ method: 'GET', target: withQuery(base, query) }));
  for (const by of orderby?.enum ?? [])
    for (const way of order?.enum ?? ['asc'])
      yield made(`GET ${base}?orderby=${by}&order=${way}`, () => ({
        method: 'GET',
        target: withQuery(base, `orderby=${by}&order=${way}&search=garden&include=${texts.ids(8000)}&slug=${texts.slugs(3000)}`),
      }));
}

function* restCases(routes, ids) {
  const texts = TEXTS(ids.events);
  for (const { path, endpoints } of routes) {
    const base = `/wp-json${pathOf(path, ids)}`;
    const captures = capturesOf(path);
    yield made(`OPTIONS ${base}`, () => ({ method: 'OPTIONS', target: base }));
    for (const { methods, args } of endpoints) {
      const [method] = methods;
      const reads = method === 'GET';
      yield made(`${method} ${base}`, () => ({ method, target: base }));
      const names = [...Object.keys(args), ...(reads ? EVERYWHERE : [])].filter((name) => !captures.includes(name));
      for (const name of new Set(names)) yield* parameterCases({ method, base, name, texts, hasBody: true });
      if (reads) yield* listCases(base, args, texts);
      if (methods.includes('POST')) yield* bodyCases(base);
    }
  }
}

function* pageCases(paths, texts) {
  for (const path of paths) {
    yield made(`GET ${path}`, () => ({ method: 'GET', target: path }));
    for (const name of OF_PAGES) yield* parameterCases({ method: 'GET', base: path, name, texts, hasBody: false });
    yield* bodyCases(path);
  }
}

function* headerCases(paths) {
  for (const path of paths)
    for (const [header, make] of Object.entries(HEADERS))
      yield made(`GET ${path}, ${header}`, () => ({ method: 'GET', target: path, headers: { [header]: make(13_000) } }));
}

/** The pages of a site: those that can be reached by links, one of each kind, and those that no page links to. */
export async function pagesOf({ url, read }) {
  const kinds = new Map();
  const waiting = ['/', '/events/', ...UNLINKED];
  for (let path = waiting.shift(); path !== undefined && kinds.size < 80; path = waiting.shift()) {
    const kind = path
      .replaceAll('&amp;', '&')
      .replace(/\d+/g, '0')
      .replace(/(event|house|group|category|tag|picture)-0/g, '$1');
    if (kinds.has(kind)) continue;
    kinds.set(kind, path);
    const text = await read(path);
    for (const [, found] of text.matchAll(/(?:href="|<loc>)([^"<>]+)/g)) {
      const target = new URL(found.replaceAll('&amp;', '&').replaceAll('&#038;', '&'), url);
      if (target.origin === new URL(url).origin && !target.pathname.startsWith('/wp-json')) waiting.push(target.pathname + target.search);
    }
  }
  return [...kinds.values()];
}

const EVENTS = '/wp-json/tribe/events/v1/events';

/** The requests that are always sent: large headers, and every kind of body to a route that requires rights, one that does not, and a page. */
export function* mainCases() {
  yield* headerCases([EVENTS]);
  for (const path of [EVENTS, '/wp-json/batch/v1', '/wp-login.php']) yield* bodyCases(path);
  for (const path of UNLINKED.filter((each) => each.includes('ical'))) yield made(`GET ${path}`, () => ({ method: 'GET', target: path }));
}

/** All other requests, one of them for each thing that may be large. @param site `routes`, `ids` and `pages` of it */
export function* cases({ routes, ids, pages }) {
  yield* headerCases(['/wp-json/', '/events/', '/']);
  yield* pageCases(pages, TEXTS(ids.events));
  yield* restCases(routes, ids);
}
