// Requests for every route of the table, with parameters, bodies, headers and spellings from harmless to hostile.
import fc from 'fast-check';
import { asJson, asMultipart, asQuery, SPELLINGS } from './encode.mjs';
import { uploads } from './uploads.mjs';
import { hostileName, hostileValue, meaningfulValues } from './values.mjs';

const pick = (...values) => fc.constantFrom(...values);
const nothing = fc.constant(undefined);
/** Generates a value with a probability of 1 in `n`. */
const sometimes = (n, arbitrary) => fc.oneof({ weight: n - 1, arbitrary: nothing }, { weight: 1, arbitrary });

const KINDS = ['events', 'venues', 'organizers', 'categories', 'tags'];

/** The calendar's newer API. */
const NEWER = 'tec/v1';

/**
 * The resource of a route: `events`, …, `doc` or `index`; `newer-events`, … for `tec/v1`; `core` for WordPress's own routes; `root` for the
 * main index.
 */
function kindOf({ namespace, route }) {
  if (namespace === '') return route.path === '/' ? 'root' : 'core';
  if (namespace === 'wp/v2' || namespace === 'oembed/1.0') return 'core';
  const [, first = 'index'] = route.path.slice(namespace.length + 1).split('/');
  return namespace === NEWER && first !== 'index' ? `newer-${first}` : first;
}

/** Values of an argument's declared type. */
function byType({ type, enum: values, items }) {
  const one = Array.isArray(type) ? type[0] : type;
  if (Array.isArray(values)) return fc.constantFrom(...values);
  switch (one) {
    case 'integer':
    case 'number':
      return pick(1, 2, 10, '3', 50, 100);
    case 'boolean':
      return pick(true, false, '1', '0');
    case 'array':
      return fc.array(byType(items ?? {}), { maxLength: 3 });
    case 'object':
      return fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), { maxKeys: 2 });
    default:
      return fc.string({ maxLength: 10 });
  }
}

/** Arguments of `tec/v1` that are new, or accept other values than in the older API. */
function newerByName(values, reads) {
  const wall = pick('2026-10-02 10:00:00', '2026-10-02 12:00:00', '2026-06-15 08:00:00', '1969-12-31 23:59:59', '9999-12-31 23:59:59');
  const list = (arbitrary) => arbitrary.map((value) => [value].flat());
  const terms = (kind) => list(values.id(kind));
  return {
    order: pick('ASC', 'DESC', 'asc'),
    orderby: pick('date', 'event_date', 'title', 'menu_order', 'modified', 'nosuch'),
    status: reads ? pick('publish', 'draft,private', ['future', 'pending'], 'any') : pick('publish', 'draft', 'private', 'future', 'trash'),
    cost: pick('5', '€10', 'Free', '', '10-20'),
    ...Object.fromEntries([
      ['categories', terms('categories')],
      ['tribe_events_cat', terms('categories')],
      ['tags', terms('tags')],
    ]),
    venues: list(values.id('venues')),
    organizers: list(values.id('organizers')),
    featured_media: pick(0, 4, 10, 99999),
    duration: pick(0, 60, 3600, -5, 999999999999, 1e300),
    content: values.text,
    email: pick('a@example.org', '', 'x'),
    date: pick('2026-05-01T10:00:00', '2026-05-01 10:00:00Z', '2027-05-01T10:00:00+02:00'),
    date_gmt: pick('2026-05-01T10:00:00', '0000-00-00 00:00:00'),
    ...(reads ? {} : Object.fromEntries(['start_date', 'start_date_utc', 'end_date', 'end_date_utc'].map((name) => [name, wall]))),
  };
}

/** Meaningful values of a calendar argument, by its name. Undefined for other names. */
function byName(name, kind, reads, values, isNewer) {
  const own = KINDS.includes(kind) ? kind : 'events';
  const newer = isNewer ? newerByName(values, reads) : {};
  const common = {
    id: values.id(own),
    slug: reads || !['categories', 'tags'].includes(kind) ? fc.oneof({ weight: 3, arbitrary: values.slug(own) }, values.text) : values.text,
    title: values.title(own),
    name: values.title(own),
    venue: kind === 'venues' ? values.title(own) : reads ? values.ids('venues') : values.linked.venue,
    organizer: kind === 'organizers' ? values.title(own) : reads ? values.ids('organizers') : values.linked.organizer,
    categories: values.terms('categories'),
    tags: values.terms('tags'),
    description: values.text,
    excerpt: values.text,
    author: values.user,
    timezone: values.zone,
    status: reads ? values.statuses : values.status,
    image: values.image,
    cost: values.cost,
    website: values.website,
    password: values.password,
    page: values.page,
    per_page: values.perPage,
    search: values.words,
    include: values.ids(own),
    exclude: values.ids(own),
    post: values.id('events'),
    event: values.id('events'),
    post_parent: values.id('events'),
    parent: values.id('categories'),
    geoloc_lat: values.latitude,
    geoloc_lng: values.longitude,
    order: pick('asc', 'desc', 'ASC', 'x'),
    orderby: pick('name', 'slug', 'id', 'count', 'description', 'include', 'parent', 'term_group', 'nosuch'),
    context: pick('view', 'edit', 'embed'),
    ...newer,
  };
  const dates = ['date', 'date_utc', 'start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
  const flags = [
    'all_day',
    'show_map',
    'show_map_link',
    'hide_from_listings',
    'sticky',
    'featured',
    'geoloc',
    'ticketed',
    'strict_dates',
    'has_events',
    'only_with_upcoming',
    'hide_empty',
  ];
  if (dates.includes(name) && !Object.hasOwn(newer, name)) return values.date;
  if (flags.includes(name)) return values.flag;
  return Object.hasOwn(common, name) ? common[name] : undefined;
}

const asDeclared = (arbitrary, { type }) =>
  type === 'string' ? arbitrary.map((value) => (typeof value === 'object' ? value : String(value))) : arbitrary;

/** Parameters of an endpoint as pairs. Most are meaningful, and some are not. */
function parametersOf({ args, methods }, captured, kind, values) {
  const reads = methods.includes('GET');
  // Captured values are seldom mangled, since most mangled paths match no route.
  const names = Object.keys(args).filter((name) => !captured.includes(name));
  const isCalendar = kind !== 'core';
  const isNewer = kind.startsWith('newer-');
  const sensible = Object.fromEntries(
    Object.entries(args).map(([name, arg]) => {
      const arbitrary = asDeclared((isCalendar && byName(name, kind.replace('newer-', ''), reads, values, isNewer)) || byType(arg), arg);
      return [name, arg.required ? fc.oneof({ weight: 19, arbitrary }, nothing) : sometimes(reads ? 8 : 4, arbitrary)];
    }),
  );
  const spoilable = fc.oneof(
    { weight: 5, arbitrary: names.length > 0 ? pick(...names) : hostileName },
    { weight: 2, arbitrary: hostileName },
    { weight: 1, arbitrary: pick('id', 'slug', ...captured) },
  );
  const spoilt = fc.tuple(spoilable, hostileValue);
  const spoils = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: spoilt.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(spoilt, { maxLength: 6 }) },
  );
  return fc.tuple(fc.record(sensible), spoils).map(([record, spoil]) => {
    const params = Object.entries(record).filter(([, value]) => value !== undefined);
    return [...params.filter(([name]) => !spoil.some(([other]) => other === name)), ...spoil];
  });
}

/** The parts of a route's path: literal texts, and captures by name. */
function partsOf(path) {
  const parts = [];
  for (let at = 0; at < path.length;) {
    const open = path.indexOf('(?P<', at);
    if (open < 0) return [...parts, { text: path.slice(at) }];
    if (open > at) parts.push({ text: path.slice(at, open) });
    let end = open;
    for (let depth = 0; ; end++) {
      if (path[end] === '\\') end++;
      else if (path[end] === '(') depth++;
      else if (path[end] === ')' && --depth === 0) break;
    }
    parts.push({ capture: path.slice(open + 4, path.indexOf('>', open)) });
    at = end + 1;
  }
  return parts;
}

const spelling = pick('usual', 'usual', 'usual', 'usual', 'usual', 'usual', 'plus', 'every', 'lower', 'twice', 'loose', 'broken').map(
  (name) => ({ name, spell: SPELLINGS[name] }),
);

/** Changes a path to a different one, or to an equivalent spelling. */
const MANGLED = {
  slashes: (path) => `${path}///`,
  doubled: (path) => path.replace(/\/(?=[^/]*$)/, '//'),
  upper: (path) => path.toUpperCase(),
  letters: (path) => path.replace(/e/g, '%65'),
  slash: (path) => path.replace(/\/(?=[^/]*$)/, '%2F'),
  nul: (path) => `${path}%00`,
  newline: (path) => `${path}%0A`,
  bytes: (path) => `${path}%ff%fe`,
  half: (path) => `${path}%ed%a0%80`,
  percent: (path) => `${path}%`,
  up: (path) => `${path}/../../events`,
  encodedUp: (path) => `${path}/%2e%2e/%2e%2e%2f`,
  question: (path) => `${path}?`,
  hash: (path) => `${path}#x`,
  matrix: (path) => `${path};a=b`,
  digits: (path) => path.replace(/\d+/, '0'.repeat(400) + '1'),
  big: (path) => path.replace(/\d+/, '9'.repeat(400)),
  long: (path) => `${path}/${'a'.repeat(8000)}`,
  backslash: (path) => path.replaceAll('/', '\\'),
  latin: (path) => `${path}\u00e9`,
};

/** Parameters that apply to all routes. */
function globalsOf(facts) {
  return fc.record({
    _fields: sometimes(
      12,
      pick(
        'id',
        'id,title,venue.id',
        'events.id',
        'events',
        'json_ld.name',
        'url,_links',
        'nosuch',
        '',
        ',',
        '.',
        'a..b',
        '__proto__',
        'constructor.name',
        'id.x',
        'code',
        ['id', 'slug'],
        [['id']],
        'routes,namespaces',
        'rest_url,total',
        ' id , title ',
        '0',
      ),
    ),
    _envelope: sometimes(20, pick('', '1', '0', ['x'])),
    _jsonp: sometimes(25, pick('cb', 'a.b', '0', '', 'a-b', '<script>', ['x'], '__proto__')),
    _embed: sometimes(20, pick('', '1', 'up', ['author'])),
    _pretty: sometimes(25, pick('', '1', ['x'])),
    _locale: sometimes(40, pick('user', 'de_DE', ['x'])),
    _method: sometimes(25, pick('GET', 'delete', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', '', 'x', ['GET'], '__proto__', 'constructor')),
    _wpnonce: sometimes(40, pick('abcdef0123', '', ['x'])),
    context: sometimes(15, pick('view', 'edit', 'embed', '', 'nosuch', ['edit'], { $gt: '' })),
    password: sometimes(20, fc.oneof(pick(...facts.passwords), pick('', ['x'], { $ne: null }))),
    rest_route: sometimes(60, pick('', '0', '/', '/wp/v2', '//', 'x', ['/'], '/tribe/events/v1/events/%')),
  });
}

const basic = (text) => `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;

function authorizationOf({ users }) {
  const right = users.map(({ login, application_password: password }) => basic(`${login}:${password}`));
  const [admin] = right;
  const broken = [
    'Basic',
    'Basic ',
    'Basic ???',
    'Basic OjpA',
    basic('admin:wrong'),
    basic('nobody:x'),
    basic('a@b.example:x'),
    basic('admin:'),
    basic(':x'),
    basic('\0:\0'),
    basic('$gt:x'),
    basic(`admin:${'x'.repeat(5000)}`),
    'Bearer x',
    'basic\u00e9',
    'Digest username="x"',
    `${admin}, ${admin}`,
    admin.replace(/=+$/, ''),
    `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
  ];
  return fc.oneof(
    { weight: 5, arbitrary: nothing },
    { weight: 10, arbitrary: fc.constant(admin) },
    { weight: 6, arbitrary: pick(...right) },
    { weight: 2, arbitrary: pick(...broken) },
  );
}

/** The acknowledgement that `tec/v1` requires. */
const ACKNOWLEDGEMENT =
  'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. ' +
  'I also understand that I am using this endpoint at my own risk, while support is not provided for it.';

const latin = pick('', 'x', 'null', '\u00e9\u00ff', '"', ',', ';;', '__proto__', 'x'.repeat(3000));

/** Headers that any request may have. */
const headersOf = (facts) =>
  fc.record({
    authorization: authorizationOf(facts),
    origin: sometimes(10, fc.oneof(pick('null', 'http://evil.example', 'https://a.example, https://b.example'), latin)),
    'x-http-method-override': sometimes(25, pick('GET', 'delete', 'PUT', 'PATCH', 'POST', 'HEAD', 'OPTIONS', '', 'x', 'constructor')),
    'x-wp-nonce': sometimes(40, fc.oneof(pick('abcdef0123'), latin)),
    accept: sometimes(30, pick('text/html', '*/*', 'application/json;q=0.1', '\u00ff')),
    'accept-encoding': sometimes(8, pick('gzip', 'deflate', 'br', 'identity', 'gzip, br;q=0', '*;q=0', 'gzip;q=x', 'nosuch')),
    'accept-language': sometimes(30, pick('de', 'nb-NO;q=0.9,*', 'x'.repeat(500), '\u00ff')),
    'if-none-match': sometimes(25, fc.oneof(pick('*', '"x"', 'W/"x"', '""'), latin)),
    'if-modified-since': sometimes(40, pick('Thu, 01 Jan 2099 00:00:00 GMT', 'x')),
    range: sometimes(60, pick('bytes=0-1', 'bytes=-', 'x')),
    host: sometimes(60, pick('evil.example', '', '[::1', 'a b', 'localhost:99999')),
    'x-tec-eea': fc.oneof({ weight: 12, arbitrary: fc.constant(ACKNOWLEDGEMENT) }, nothing, pick('', 'yes', 'x'.repeat(3000))),
    cookie: sometimes(60, pick('wordpress_logged_in_x=admin|1|x', '%', '=')),
    'x-forwarded-for': sometimes(60, pick('127.0.0.1', 'x')),
    'x-forwarded-proto': sometimes(60, pick('https', 'x')),
  });

const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'application/vnd.api+json',
  'APPLICATION/JSON',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary="',
  `multipart/form-data; boundary=${'b'.repeat(500)}`,
  'text/plain',
  'text/plain; charset=nosuch',
  'application/octet-stream',
  'application/xml',
  '',
  'json',
  '\u00ff',
  'a/b;'.repeat(50),
  'application/json, text/plain',
];

const RAW_BODIES = [
  '{',
  '{"a":',
  '[',
  '[1,2]',
  '"str"',
  'null',
  'true',
  '1e999',
  '-',
  '{}',
  '{"a":1}}',
  '{"title":"a","title":{"$gt":""}}',
  '{"__proto__":{"title":"x"},"title":"y"}',
  '{"constructor":{"prototype":{"x":1}}}',
  '\ufeff{"title":"x"}',
  '{"title":"\\ud800"}',
  '{"title":"\\u0000"}',
  "{'title':'x'}",
  '{"id":1e400,"page":-1e400,"title":123456789012345678901234567890}',
  '['.repeat(600) + ']'.repeat(600),
  '['.repeat(20000),
  '{"a":'.repeat(600),
  'a[b][c=1&d]=2&[x]=3&=4&&&%zz=%',
  'a[]=1&'.repeat(1500),
  `a${'[b]'.repeat(200)}=1`,
  '--b\r\n\r\n',
  '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
  '--b\r\nContent-Disposition: form-data; name="title"; filename="../../x.php"\r\nContent-Type: image/png\r\n\r\nx\r\n--b--',
  '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b--\r\n',
  '--b\r\nContent-Disposition\r\n\r\n--b\r\n\r\n\r\n--b--',
  `--b\r\nContent-Disposition: form-data; name="${'n'.repeat(3000)}"\r\nX: ${'y'.repeat(3000)}\r\n\r\nx\r\n--b--`,
  '\r\n\r\n\0\0\0',
].map((text) => Buffer.from(text, 'utf8'));

const rawBody = fc.oneof(
  { weight: 4, arbitrary: pick(...RAW_BODIES) },
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);

/** Damage to an encoded body. */
const damage = fc.oneof(
  { weight: 24, arbitrary: nothing },
  fc.record({ replace: rawBody, type: pick(...CONTENT_TYPES, 'multipart/form-data; boundary=b', 'multipart/form-data; boundary=b') }),
  fc.record({ cut: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ type: pick(...CONTENT_TYPES) }),
  fc.record({ encoding: pick('gzip', 'br', 'deflate', 'identity', 'nosuch', 'gzip, gzip') }),
);

const isWithBody = (method) => !['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method);

/** Distributes parameters between query and body. */
function distribute(params, carrier, method) {
  if (carrier === 'query' || (carrier !== 'json' && !isWithBody(method))) return { query: params, body: [] };
  if (carrier !== 'split') return { query: [], body: params };
  return { query: params.filter((_, i) => i % 2 === 0), body: params.filter((_, i) => i % 2 === 1) };
}

function writeBody(params, carrier, spell) {
  if (params.length === 0) return { body: Buffer.alloc(0) };
  if (carrier === 'multipart') return { body: asMultipart(params, 'understudy'), type: 'multipart/form-data; boundary=understudy' };
  if (carrier === 'form') return { body: Buffer.from(asQuery(params, spell), 'latin1'), type: 'application/x-www-form-urlencoded' };
  return { body: Buffer.from(asJson(params), 'utf8'), type: 'application/json' };
}

function harm({ body, type }, harmDone) {
  if (!harmDone) return { body, type };
  if (harmDone.replace) return { body: harmDone.replace, type: harmDone.type };
  if (harmDone.cut) return { body: body.subarray(0, Math.floor((body.length * harmDone.cut) / 100)), type };
  return harmDone.encoding ? { body, type, encoding: harmDone.encoding } : { body, type: harmDone.type };
}

const ENTRIES = {
  pretty: (path) => [`/wp-json${path}`, []],
  index: (path) => [`/index.php/wp-json${path}`, []],
  plain: (path) => ['/', [['rest_route', path]]],
  plainIndex: (path) => ['/index.php', [['rest_route', path]]],
};

const isGiven = ([, value]) => value !== undefined;

/** Encodes a plan as a request, with the expectations for its response. */
function write({ mounted, endpoint, kind }, plan) {
  const { params, globals, headers, method, carrier, harmDone, mangled, entry } = plan;
  const { spell, name: spelled } = plan.spelling;
  const captures = new Set();
  // An empty capture, or one with a slash, changes the path. An unencoded question mark or hash sign ends it.
  let isPlain = true;
  const path = partsOf(mounted.route.path)
    .map(({ text, capture }) => {
      if (capture === undefined) return text;
      captures.add(capture);
      const given = params.find(([name]) => name === capture)?.[1];
      const value = typeof given === 'object' || given === undefined || given === '' ? plan.capture : String(given);
      if (/[/\n]|^$/.test(value)) isPlain = false;
      if (entry.startsWith('plain')) return value;
      const spelt = spell(value);
      if (/[?#]/.test(spelt)) isPlain = false;
      return spelt;
    })
    .join('');
  // Captured parameters are already in the path. Sometimes they are also sent as parameters, which then take precedence.
  const sent = params.filter(([name]) => !captures.has(name) || plan.repeats);
  const { query, body } = distribute(sent, carrier, method);
  const [before, inQuery] = ENTRIES[entry](path);
  const target = MANGLED[mangled]?.(before) ?? before;
  const queryText = asQuery([...inQuery, ...Object.entries(globals).filter(isGiven), ...query], spell);
  const { body: bytes, type, encoding } = harm(writeBody(body, carrier, spell), harmDone);
  return {
    method,
    target: `${target}${queryText === '' ? '' : `?${queryText}`}`,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(isGiven)),
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: bytes,
    expects: {
      kind,
      isCollection: !mounted.route.path.includes('(?P<'),
      namespace: mounted.namespace,
      methods: endpoint.methods,
      /** False if the target of the request is ambiguous. */
      isExact: mangled === 'none' && isPlain && !['twice', 'broken'].includes(spelled) && globals.rest_route === undefined,
      globals,
      override: globals._method ?? headers['x-http-method-override'],
    },
  };
}

/** Relative frequency of a route. */
const WEIGHTS = {
  events: 12,
  venues: 6,
  organizers: 4,
  categories: 5,
  tags: 4,
  'newer-events': 5,
  'newer-venues': 2,
  'newer-organizers': 2,
};

/** Requests to one endpoint of a route. */
function endpointRequests(mounted, endpoint, facts, values) {
  const kind = kindOf(mounted);
  const captured = partsOf(mounted.route.path).flatMap(({ capture }) => (capture === undefined ? [] : [capture]));
  const plan = fc.record({
    params: parametersOf(endpoint, captured, kind, values),
    globals: globalsOf(facts),
    headers: headersOf(facts),
    method: fc.oneof(
      { weight: 20, arbitrary: pick(...endpoint.methods) },
      pick('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'),
    ),
    carrier: endpoint.methods.includes('GET')
      ? pick('query', 'query', 'query', 'query', 'query', 'json')
      : pick('json', 'json', 'json', 'form', 'form', 'multipart', 'query', 'split'),
    harmDone: endpoint.methods.includes('GET') ? sometimes(15, damage) : damage,
    spelling,
    capture: pick('1', '42', 'x', '0', 'nosuch', '99999999999999999999', 'sample-slug', '%2e', '日本'),
    repeats: fc.integer({ min: 0, max: 11 }).map((n) => n === 0),
    mangled: fc.oneof({ weight: 24, arbitrary: fc.constant('none') }, pick(...Object.keys(MANGLED))),
    entry: pick('pretty', 'pretty', 'pretty', 'pretty', 'pretty', 'pretty', 'pretty', 'pretty', 'index', 'plain', 'plainIndex'),
  });
  return plan.map((made) => write({ mounted, endpoint, kind }, made));
}

const STRAY_TARGETS = [
  '/',
  '//',
  '/favicon.ico',
  '/index.php',
  '/wp-json',
  '/wp-jsonx',
  '/wp-json/',
  '/wp-json//',
  '/wp-json/%',
  '/wp-json/%2e%2e',
  '/wp-json/wp/v2/../../x',
  '/wp-content/uploads/',
  '/wp-content/uploads/2026/05/logo.png',
  '/wp-content/uploads/%2e%2e/%2e%2e/package.json',
  '/wp-content/uploads/..%2f..%2fpackage.json',
  '/wp-content/uploads/%00',
  '/wp-content/uploads/%',
  '/wp-content/uploads//etc/passwd',
  '/wp-content/uploads/2026',
  '/wp-content/uploads/' + 'a/'.repeat(500),
  '/__qa',
  '/__qa/',
  '/__qa/health',
  '/__qa/clock',
  '/__qa/nosuch',
  '/__qa/%',
  '/wp-admin/',
  '/?rest_route',
  '/?rest_route[]=/',
  '/?%',
  '/?' + 'a=1&'.repeat(2000),
  '*',
  'x',
  'http://',
  'http://evil.example/wp-json/',
  '/\u00e9\u00ff',
  '/?rest_route=/%00',
  `/${'x'.repeat(15000)}`,
  `/${'x'.repeat(20000)}`,
];

const strayRequests = (facts) =>
  fc
    .record({
      target: pick(...STRAY_TARGETS),
      method: pick('GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE'),
      headers: headersOf(facts),
      body: rawBody,
    })
    .map(({ target, method, headers, body }) => ({
      method,
      target,
      headers: Object.fromEntries(Object.entries(headers).filter(isGiven)),
      body: isWithBody(method) && !target.startsWith('/__qa') ? body : Buffer.alloc(0),
      expects: { kind: 'stray', isExact: false, globals: {}, methods: [] },
    }));

/**
 * Requests to all routes of a table, most often to those of the calendar.
 * @param table mounted routes, as dispatched by the server
 * @param facts the existing content, from `factsOf`
 */
export function requests(table, facts, siteUrl) {
  const values = meaningfulValues(facts, siteUrl);
  const ours = table.filter((mounted) => kindOf(mounted) !== 'core');
  const core = table
    .filter((mounted) => kindOf(mounted) === 'core')
    .flatMap((mounted) => mounted.route.endpoints.map((endpoint) => endpointRequests(mounted, endpoint, facts, values)));
  const weighted = ours.flatMap((mounted) =>
    mounted.route.endpoints.map((endpoint) => ({
      weight: 4 * (WEIGHTS[kindOf(mounted)] ?? 1),
      arbitrary: endpointRequests(mounted, endpoint, facts, values),
    })),
  );
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const [{ login, application_password: password }] = facts.users;
  return fc.oneof(
    ...weighted,
    ...(core.length > 0
      ? [
          { weight: Math.ceil(total / 6) + 1, arbitrary: fc.oneof(...core) },
          { weight: Math.ceil(total / 40) + 1, arbitrary: uploads(basic(`${login}:${password}`)) },
        ]
      : []),
    { weight: Math.ceil(total / 40) + 1, arbitrary: strayRequests(facts) },
  );
}
