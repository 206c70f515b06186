// Values for parameters: valid ones for handlers, and invalid ones that validation should reject.
import fc from 'fast-check';

const pick = (...values) => fc.constantFrom(...values);

/** Ids, slugs and names in a dataset (WordPress's export form), plus ids that new items will get. */
export function factsOf(world) {
  const ids = (posts) => posts.map(({ id }) => id);
  const terms = (taxonomy) => world.terms.filter((term) => term.taxonomy === taxonomy);
  const upTo = (next) => Array.from({ length: 12 }, (_, i) => next + i);
  const [newPosts, newTerms] = [upTo(world.next_ids.post), upTo(world.next_ids.term)];
  const kind = (items, made) => ({
    ids: [...items.map(({ id }) => id), ...made],
    slugs: items.map((item) => item.slug ?? item.post_name).filter((slug) => slug !== ''),
    names: items.map((item) => item.name ?? item.post_title).filter((name) => name !== ''),
  });
  return {
    users: world.users,
    events: kind(world.events, newPosts),
    venues: kind(world.venues, newPosts),
    organizers: kind(world.organizers, newPosts),
    categories: kind(terms('tribe_events_cat'), newTerms),
    tags: kind(terms('post_tag'), newTerms),
    images: ids(world.media),
    files: world.media.map(({ file }) => file),
    passwords: [...new Set(world.events.concat(world.venues, world.organizers).map(({ post_password }) => post_password))].filter(
      (text) => text !== '',
    ),
  };
}

const HALF = '\ud83d';

/** Texts that break servers most often. */
const WORST_TEXTS = [
  '',
  '0',
  '\0',
  'a\0b',
  HALF,
  '$gt',
  '__proto__',
  '%00',
  '1e400',
  '9223372036854775808',
  '-1',
  '<',
  '\\',
  '+99999 years',
  ',',
];

/** Texts that often break servers. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '0',
  '00',
  '-0',
  'null',
  'undefined',
  'NaN',
  'Array',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  '$gt',
  '$where',
  '{"$gt":""}',
  '{"$ne":null}',
  "';return true;//",
  "' OR 1=1 --",
  '$[0].$**',
  'a.b.$c',
  '\0',
  'a\0b',
  'tab\there\nnew\rline\u0085\u2028\u2029',
  '\u0001\u0008\u001b[31m\u007f',
  '\ufeffbom',
  '\ufffe\uffff',
  HALF,
  `${HALF}x`,
  `x\udc00`,
  '\u{1f600}\u{10ffff}',
  'e\u0301\u0301\u0301',
  '\u202eright\u202c',
  'İıſßẞŁǅﬀ',
  '日本語のイベント',
  '%',
  '%%',
  '%zz',
  '%00',
  '%2f..%2f',
  '%u0041',
  '%E6%97',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/',
  '//',
  '?',
  '#',
  '&',
  '=',
  '+',
  ';',
  '*',
  '.',
  '..',
  '(',
  '[',
  ']',
  '\\',
  '\\\\',
  "\\'",
  '\\u0000',
  '(?P<id>\\d+)',
  '(a+)+$',
  '^(?=',
  '{{7*7}}',
  '${7*7}',
  '<%= 1 %>',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<svg/onload=1>',
  '<!--',
  '<![CDATA[',
  '<p',
  '</',
  '<>',
  '[gallery ids="1"]',
  '[[x]]',
  '[caption',
  '&amp;&#0;&#x110000;&#xd800;&nosuch;',
  'Infinity',
  '-Infinity',
  '1e400',
  '1e-400',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '18446744073709551616',
  '1e1000000',
  '0x10',
  '1_0',
  '٣',
  '１',
  '1,2,,3,',
  ',',
  ',,,',
  '-1',
  '1.5',
  ' 1',
  '1 ',
  'UTC+',
  'UTC+99',
  'UTC+1e9',
  'Europe',
  'Factory',
  'Etc/',
  '0000-00-00 00:00:00',
  '0000-00-00',
  '9999-12-31 23:59:59',
  '10000-01-01',
  '99999-12-31',
  '-0001-01-01',
  '-9999-01-01',
  '+275760-09-13',
  '@9223372036854775807',
  '@-9223372036854775808',
  '@8640000000001',
  '@99999999999999',
  '+99999 years',
  '-99999 years',
  '+999999999999999999999 days',
  'first monday of january 0',
  'last day of',
  '2026-06-15 24:00:00',
  '2026-06-31T25:61:61',
  '2026W99',
  '2026.366',
  'now now now',
  'Thu, 1 Jan 1970 00:00:00 +9999',
  'midnight noon',
];

/** HTML fragments, some of them broken, for descriptions and titles. */
const HTML = [
  'Plain',
  '<p>One</p>',
  '<b>bold',
  'a < b & c > d',
  '<div><p>x</div></p>',
  '"quotes" \'n\' such -- and --- more...',
  '<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->',
  '<!-- wp:list {"a":{"b":[1]}} /-->',
  '<iframe src="https://www.youtube.com/embed/x"></iframe>',
  '<img src="/x.png" alt=\'"\' style="width:1px;position:fixed">',
  '<a href="https://example.org/?a=1&b=2" target="_blank" onclick="x()">link</a>',
  '<table><tr><td>1<td>2</table>',
  '<pre>\n  x\n\n</pre>',
  '[audio src="x.mp3"]',
  '[caption id="a" width="1"]x[/caption]',
  'https://example.org/video.mp4',
  ':-) 8-O :mrgreen:',
  'line\n\nline\r\n\r\n\tline\n',
  '<style>p{}</style><script>1</script>after',
  '\\backslash \\\\ \\\' \\"',
  'Ünïcödé — “dashes” … × ½ ™',
  '&lt;b&gt; &#038; &hellip; &copy;',
  '%20 %E6%97%A5 100%',
];

/** Any character, common ones more often. */
const character = fc
  .oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code));

const htmlText = fc.oneof(
  pick(...HTML),
  fc
    .array(pick(...HTML, '<p>', '</p>', '<br>', '\n', '\n\n', ' ', '<ul><li>', '"', "'", '&', '<', '>', '[', ']', '--'), { maxLength: 12 })
    .map((parts) => parts.join('')),
);

export const hostileText = fc.oneof(
  { weight: 5, arbitrary: pick(...HOSTILE_TEXTS) },
  { weight: 2, arbitrary: pick(...WORST_TEXTS) },
  { weight: 2, arbitrary: fc.array(character, { maxLength: 30 }).map((characters) => characters.join('')) },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.array(pick(...HOSTILE_TEXTS), { minLength: 2, maxLength: 5 }).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        pick('a', '<', '(', '[', '&', '"', ' ', '\n', '0', '%41', 'é', '\u{1f600}', '<b>', '[a]', 'a ', '&#'),
        fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 50, max: 3000 }) }, fc.integer({ min: 3000, max: 40000 })),
      )
      .map(([unit, count]) => unit.repeat(count)),
  },
);

const hostileNumber = pick(
  0,
  -0,
  -1,
  1.5,
  0.1,
  -1e-7,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  2 ** 64,
  Number.MIN_VALUE,
);

const OPERATORS = [
  '$gt',
  '$ne',
  '$in',
  '$regex',
  '$where',
  '$expr',
  '$function',
  '__proto__',
  'constructor',
  'prototype',
  'length',
  '',
  '0',
  'id',
  'a.b',
  '$',
  '\0',
  'toJSON',
  'valueOf',
];

const deep = (depth, open, leaf) => {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = open(value);
  return value;
};

/** An object with the given keys as own properties, even `__proto__`. */
const keyed = (pairs) => {
  const object = Object.create(null);
  for (const [key, value] of pairs) object[key] = value;
  return object;
};

const hostileLeaf = fc.oneof({ weight: 4, arbitrary: hostileText }, hostileNumber, pick(null, true, false));

const hostileTree = fc.oneof(
  fc.array(hostileLeaf, { maxLength: 4 }),
  fc.array(fc.tuple(pick(...OPERATORS), hostileLeaf), { maxLength: 3 }).map(keyed),
  fc.tuple(pick(...OPERATORS), fc.array(hostileLeaf, { maxLength: 3 })).map(([key, list]) => keyed([[key, list]])),
  fc.integer({ min: 2, max: 400 }).map((depth) => deep(depth, (value) => [value], 1)),
  fc.tuple(pick(...OPERATORS), fc.integer({ min: 2, max: 200 })).map(([key, depth]) => deep(depth, (value) => keyed([[key, value]]), 'x')),
  fc.integer({ min: 50, max: 1500 }).map((length) => Array.from({ length }, (_, i) => i)),
  pick([], {}, [[]], [{}], [null], [[1, [2, [3]]]], [true, false]),
);

/** Any JSON value, preferably a harmful one. */
export const hostileValue = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 3, arbitrary: hostileTree },
  pick(null, true, false),
);

export const hostileName = pick(
  '',
  '0',
  '__proto__',
  'constructor',
  '__proto__[a]',
  'id[$gt]',
  'search[$regex]',
  'per page',
  'a.b',
  '[',
  ']',
  '[]',
  'a[',
  'a[b',
  'a]b[',
  '\0',
  'page\0',
  '$where',
  'a[][][]',
  'toString',
  '%',
  'é',
  HALF,
  'x'.repeat(300),
);

const two = (n) => String(n).padStart(2, '0');

const day = fc.tuple(
  pick(1970, 2024, 2025, 2026, 2026, 2026, 2027, 2027, 2028, 2100),
  fc.integer({ min: 1, max: 12 }),
  fc.integer({ min: 1, max: 31 }),
);
const hours = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 59 }));
const zoneSuffix = pick('', '', '', 'Z', '+02:00', '-0530', ' UTC', ' America/New_York', ' EST', ' Asia/Kathmandu');

/** Dates in the forms of PHP's grammar. */
const date = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(day, hours).map(([[y, m, d], [h, i, s]]) => `${y}-${two(m)}-${two(d)} ${two(h)}:${two(i)}:${two(s)}`) },
  { weight: 2, arbitrary: day.map(([y, m, d]) => `${y}-${two(m)}-${two(d)}`) },
  {
    weight: 2,
    arbitrary: fc.tuple(day, hours, zoneSuffix).map(([[y, m, d], [h, i], zone]) => `${y}-${two(m)}-${two(d)}T${two(h)}:${two(i)}${zone}`),
  },
  fc.tuple(day, hours, zoneSuffix).map(([[y, m, d], [h, i, s], zone]) => `${y}-${two(m)}-${two(d)} ${two(h)}:${two(i)}:${two(s)}${zone}`),
  day.map(([y, m, d]) => `${m}/${d}/${y}`),
  fc.integer({ min: 0, max: 4102444800 }).map(String),
  fc.integer({ min: 0, max: 4102444800 }),
  pick(
    'now',
    'tomorrow',
    'tomorrow 10am',
    'next wednesday 4pm',
    '+2 days',
    '-3 weeks noon',
    'last day of february 2028',
    'first monday of june 2026',
    'yesterday',
    '15 June 2026',
    'June 15, 2026 8:00 pm',
    '20260615T120000',
    '2026-W24-1',
    '2026-166',
    '10:30',
    'noon',
  ),
);

const ZONES = [
  '',
  'America/New_York',
  'Europe/Paris',
  'Asia/Tokyo',
  'asia/kathmandu',
  'Australia/Lord_Howe',
  'UTC',
  'utc',
  'UTC+3',
  'UTC-5:30',
  'UTC+5.75',
  'UTC+0',
  'EST',
  'CEST',
  'GMT+2',
  '+02:00',
  '-0530',
  '+2',
  'Z',
  'US/Eastern',
  'Pacific/Apia',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+5',
];

const COSTS = [
  '',
  '0',
  'Free',
  '10',
  '$10',
  '10.50',
  '10,50',
  '$10 - $20',
  '10-20-30',
  '5€',
  '€ 5,00 – 1.000,00',
  'Free - $5',
  5,
  0,
  12.5,
  -3,
  '1e3',
  '$',
  'a10b20',
  ['$5', '10'],
  [1, 2, 3],
  { a: '5' },
  ['Free', '0', ''],
];

const WEBSITES = [
  '',
  '0',
  'https://example.org/',
  'http://example.org/a?b=c&d=%20#e',
  'mailto:a@b.example',
  'x://y',
  'https://b_c.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '//host',
  '/path',
  'a.example',
  'https://日本.example/',
  'http://[::1]/',
  'http://',
  'http://a b',
  'https://example.org/%E6%97%A5',
];

const STATUSES = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
  'inherit',
  'in-progress',
  'tribe-ignored',
  'any',
  'nosuch',
];

const FLAGS = [true, false, 'true', 'false', '1', '0', 1, 0, 'TRUE', 'yes', 'on'];

const WORDS = [
  'gala',
  'river hall',
  '"river hall"',
  '-market',
  'the',
  'ü',
  'münchen',
  '555',
  'a,b+c',
  '50%',
  'jazz live music night',
  'x y z a b c d e f g h i',
  '<b>',
  '&amp;',
  '\\',
  '日本',
  "o'hara",
];

const csv = (list) => list.join(',');

/** Members as an array or as CSV, like clients send lists. */
const listOf = (member, maxLength = 3) => {
  const list = fc.array(member, { minLength: 1, maxLength });
  return fc.oneof(list, list.filter((items) => items.every((item) => typeof item !== 'object')).map(csv), member);
};

/**
 * Meaningful values for the calendar's routes, by purpose.
 * @param siteUrl address of the site, whose own images can be sideloaded by URL
 */
export function meaningfulValues(facts, siteUrl) {
  const idOf = (kind) => pick(...facts[kind].ids);
  const slugOf = (kind) => pick(...facts[kind].slugs);
  const nameOf = (kind) => pick(...facts[kind].names);
  const asText = (ids) => fc.oneof(ids, ids.map(String));
  const text = fc.oneof(
    { weight: 2, arbitrary: htmlText },
    { weight: 1, arbitrary: fc.array(character, { minLength: 1, maxLength: 20 }).map((characters) => characters.join('')) },
    { weight: 1, arbitrary: hostileText },
  );
  const title = (kind) => fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: nameOf(kind) });
  const image = fc.oneof(
    { weight: 6, arbitrary: pick(...facts.images).map(String) },
    { weight: 1, arbitrary: pick(...facts.files).map((file) => `${siteUrl}/wp-content/uploads/${file}`) },
    pick(
      '',
      '0',
      'http://127.0.0.1:9/x.png',
      'http://[::1]/x.png',
      'http://169.254.169.254/latest',
      `${siteUrl}/wp-content/uploads/%2e%2e/%2e%2e/etc/passwd.png`,
      'ftp://127.0.0.1/x.png',
      'http://127.0.0.1:99999/',
      'https://0/x.png',
    ),
  );
  const terms = (kind) => listOf(fc.oneof({ weight: 3, arbitrary: asText(idOf(kind)) }, slugOf(kind), nameOf(kind), text), 4);
  const flag = pick(...FLAGS);
  const data = (name, extra) =>
    fc.record(
      {
        [name]: fc.oneof(text, nameOf(name === 'venue' ? 'venues' : 'organizers')),
        description: text,
        phone: text,
        website: pick(...WEBSITES),
        image,
        status: pick(...STATUSES),
        author: pick(1, 2, '3', 99),
        date,
        ...extra,
      },
      { requiredKeys: [name] },
    );
  const linked = {
    venue: fc.oneof(
      { weight: 3, arbitrary: asText(idOf('venues')) },
      data('venue', { address: text, city: text, show_map: flag }),
      fc.array(asText(idOf('venues')), { maxLength: 2 }),
      idOf('venues').map((id) => ({ id })),
      pick('', 0, [], null),
    ),
    organizer: fc.oneof(
      { weight: 3, arbitrary: asText(idOf('organizers')) },
      fc.array(fc.oneof(asText(idOf('organizers')), data('organizer', { email: text })), { maxLength: 3 }),
      data('organizer', {}),
      pick('', 0, [], null),
    ),
  };
  const ids = (kind) => listOf(asText(idOf(kind)));
  return {
    ...{ id: (kind) => asText(idOf(kind)), slug: slugOf, title, ids, terms, nameOf, linked },
    ...{ text, date, image, flag },
    zone: pick(...ZONES),
    cost: pick(...COSTS),
    website: pick(...WEBSITES),
    status: pick(...STATUSES),
    statuses: listOf(pick(...STATUSES)),
    words: fc.oneof(pick(...WORDS), text),
    user: pick(1, 2, 3, 4, 5, '1', '3', 99),
    password: pick(...facts.passwords, 'wrong'),
    page: pick(1, 1, 1, 2, 3, '1', '2', 9, 1000000),
    perPage: pick(1, 2, 5, 10, 50, '3', 1000),
    latitude: pick(40.7, '40.71', -90, '90', 0, 59.9),
    longitude: pick(-74, '-73.9', 180, '-180', 0, 10.7),
  };
}
