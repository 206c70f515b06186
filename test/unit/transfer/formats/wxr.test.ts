import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { inputFile } from '../../../../src/transfer/formats/open.js';
import { openWxr } from '../../../../src/transfer/formats/wxr/read.js';
import { wxrChunks } from '../../../../src/transfer/formats/wxr/write.js';
import type { SourceItem, DatasetSource, SourcePlace } from '../../../../src/transfer/source.js';
import { metaValue, metaValues, type ImageMetadata, type Post, type Term, type User } from '../../../../src/wordpress/model.js';
import { deriveTerm } from '../../../../src/wordpress/terms/terms.js';

const SAMPLE = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../../fixtures/import/site.wxr.xml');

const folder = mkdtempSync(path.join(tmpdir(), 'understudy-wxr-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  source: DatasetSource;
  items: SourceItem[];
  posts: Post[];
  problems: string[];
  told: string[];
}

async function readFile(file: string, strict = false): Promise<Read> {
  const told: string[] = [];
  const warn = (line: string, at?: SourcePlace): void => void told.push([at?.line, at?.path, line].filter(Boolean).join(': '));
  const source = await openWxr(inputFile(file), { now: Date.parse('2026-06-15T12:00:00Z'), zone: 'Europe/Berlin', strict, warn });
  const problems: string[] = [];
  const items: SourceItem[] = [];
  for await (const item of source.items((text, at) => problems.push([at?.line, at?.path, text].filter(Boolean).join(': '))))
    items.push(item);
  return { source, items, posts: items.flatMap((item) => (item.kind === 'post' ? [item.post] : [])), problems, told };
}

const read = (text: string, strict = false): Promise<Read> => {
  const file = path.join(folder, 'site.xml');
  writeFileSync(file, text);
  return readFile(file, strict);
};

test('the sample', async () => {
  const { source, items, posts, problems, told } = await readFile(SAMPLE);
  expect(problems).toEqual([]);
  expect([source.siteUrl, source.keepsIds]).toEqual(['https://lakeside.example.org', true]);
  expect(items[0]).toEqual({
    kind: 'options',
    options: { blogname: 'Lakeside &amp; Friends', blogdescription: 'What is on by the lake', timezone_string: 'Europe/Berlin' },
  });
  expect(items.flatMap((item) => (item.kind === 'user' ? [`${item.user._id} ${item.user.login}`] : []))).toEqual(['2 greta', '5 tomasz']);
  const terms = items.flatMap((item) => (item.kind === 'term' ? [item.term] : []));
  expect(terms.map(({ _id, taxonomy, slug, name, parent }) => [_id, taxonomy, slug, name, parent])).toEqual([
    [1, 'category', 'uncategorized', 'Uncategorized', 0],
    [7, 'post_tag', 'family', 'Family', 0],
    [9, 'tribe_events_cat', 'swimming', 'Swimming', 8],
    [8, 'tribe_events_cat', 'sports', 'Sports &amp; Games', 0],
    [11, 'nav_menu', 'main', 'Main', 0],
    // Mentioned only by the event.
    [12, 'post_tag', 'cold', 'Cold', 0],
  ]);
  expect(posts.map(({ _id, type, author }) => [_id, type, author])).toEqual([
    [20, 'attachment', 5],
    [21, 'tribe_venue', 2],
    [22, 'tribe_events', 2],
    [23, 'post', 2],
    [24, 'nav_menu_item', 2],
  ]);
  const [pier, lido, swim, hello] = posts;
  expect([pier.file, pier.mimeType, pier.image?.sizes['thumbnail'].file, pier.guid, pier.commentStatus]).toEqual([
    '2027/01/pier.jpg',
    'image/jpeg',
    'pier-150x150.jpg',
    '/wp-content/uploads/2027/01/pier.jpg',
    'open',
  ]);
  expect(pier.meta).toEqual([{ key: '_wp_attachment_image_alt', value: 'A pier in mist' }]);
  expect(items.flatMap((item) => (item.kind === 'file' ? [item.file.target] : []))).toEqual([
    '2027/01/pier.jpg',
    '2027/01/pier-150x150.jpg',
  ]);
  expect(lido.modified).toBe('2027-01-03 10:00:00');
  expect([swim.content, swim.password, swim.menuOrder, swim.terms]).toEqual([
    'Bring a towel ]]> and courage.',
    'icy',
    -1,
    { tribe_events_cat: [9], post_tag: [7, 12] },
  ]);
  // Missing values are computed with the site's time zone. PHP values remain text.
  expect(
    ['_EventStartDateUTC', '_EventEndDateUTC', '_EventDuration', '_EventTimezone', '_EventTimezoneAbbr'].map((key) => metaValue(swim, key)),
  ).toEqual(['2027-02-14 07:00:00', '2027-02-14 08:30:00', '5400', 'Europe/Berlin', 'CET']);
  expect(metaValues(swim, '_tribe_modified_fields')).toEqual(['a:1:{s:10:"post_title";i:1801000000;}']);
  expect([hello.status, hello.dateGmt]).toEqual(['draft', '0000-00-00 00:00:00']);
  expect(told).toEqual([]);
});

const document = (...items: string[]): string =>
  `<rss xmlns:wp="w"><channel>\n<title>A</title>\n${items.map((item) => `<item>${item}</item>`).join('\n')}\n</channel></rss>`;
const element = (fields: Record<string, string | number>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<wp:${name}>${value}</wp:${name}>`)
    .join('');
const whole = { post_id: 5, post_type: 'page', post_date: '2027-01-01 10:00:00' };

test.each([
  ['no type', document(element({ ...whole, post_type: '' })), ['3:  "": the item has no wp:post_type']],
  ['an id twice', document(element(whole), element(whole)), ['4: page "": duplicate id 5, already used on line 3']],
  [
    'no date',
    document(element({ ...whole, post_date: 'soon' })),
    ['3: page "": invalid date "soon". Use a date such as 2026-08-01 19:30:00'],
  ],
  [
    'a file elsewhere',
    document(
      `${element({ ...whole, post_type: 'attachment' })}<wp:postmeta>${element({ meta_key: '_wp_attached_file', meta_value: '../x.jpg' })}</wp:postmeta>`,
    ),
    ['3: attachment "": the attachment: "../x.jpg" must be a path relative to the uploads folder'],
  ],
  [
    'no file',
    document(element({ ...whole, post_type: 'attachment' })),
    ['3: attachment "": the attachment has no file (wp:attachment_url)'],
  ],
  ['nothing in it', document(element({ ...whole, post_type: 'post' })), ['3: post "": title, content and excerpt are empty']],
  [
    'broken off',
    document(element(whole), element({ ...whole, post_id: 6 })).slice(0, -40),
    ['4: </item> is missing', '4: </wp:post_date> is missing', '4: the file is truncated: </channel> is missing'],
  ],
  ['wrong nesting', document(`<b></c>${element({ ...whole, post_id: 7 })}`, element(whole)), ['3: </b> is missing']],
  [
    'no end of an item',
    document(element(whole)).replace('</item>', `<item>${element({ ...whole, post_id: 7 })}</item>`),
    ['3: </item> is missing'],
  ],
])('left out, or refused: %s', async (_what, text, expected) => {
  const { problems, told } = await read(text);
  expect([problems, told]).toEqual([[], expected.map((line) => line.replace(/^(\d+: (?:\w* "": )?)/, '$1left out: '))]);
  expect((await read(text, true)).problems).toEqual(expected);
});

test('rejects other XML, and drops characters that XML does not allow', async () => {
  await expect(read('<html></html>')).rejects.toThrow('line 1: not a WordPress export');
  await expect(read('hello')).rejects.toThrow(/line 1/);
  const { posts } = await read(document(`<title>a\u000bb</title>${element(whole)}`));
  expect(posts[0].title).toBe('ab');
});

const word = fc
  .array(fc.constantFrom('a', 'Ö', ' ', ']]>', '<b>', '&amp;', '&', '"', '\n', '\r', '\t', '日', '😀', '\\', "'"), { maxLength: 8 })
  .map((parts) => parts.join(''));
const slug = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,5}[a-z0-9])?$/).filter((text) => !text.includes('--'));
const wall = fc.constantFrom('2026-01-02 03:04:05', '2027-12-31 23:59:59');
const image: fc.Arbitrary<ImageMetadata> = fc.record(
  {
    width: fc.nat(),
    height: fc.nat(),
    file: fc.constant('2026/01/Bäume.jpg'),
    sizes: fc.dictionary(
      slug,
      fc.record(
        { file: fc.constant('Bäume-1x1.jpg'), width: fc.nat(), height: fc.nat(), 'mime-type': fc.constant('image/jpeg') },
        { noNullPrototype: true },
      ),
      { noNullPrototype: true },
    ),
    filesize: fc.nat(),
    original_image: fc.constant('Bäume.jpg'),
    image_meta: fc.record({ caption: word, keywords: fc.array(word, { maxLength: 2 }) }, { noNullPrototype: true }),
  },
  { requiredKeys: ['width', 'height', 'file', 'sizes'], noNullPrototype: true },
);

const posts = fc.uniqueArray(
  fc.record({
    _id: fc.integer({ min: 1, max: 99 }),
    type: fc.constantFrom('tribe_events', 'tribe_venue', 'tribe_organizer', 'attachment', 'post', 'page'),
    status: fc.constantFrom('publish', 'draft', 'private', 'trash', 'inherit'),
    author: fc.constantFrom(3, 4),
    texts: fc.record({ title: word.map((title) => title || 'untitled'), content: word, excerpt: word, slug, password: word }),
    parent: fc.nat(9),
    menuOrder: fc.integer({ min: -1, max: 3 }),
    dates: fc.record({ date: wall, dateGmt: wall, modified: wall, modifiedGmt: wall }),
    more: fc.record(
      {
        commentStatus: fc.constantFrom('open', 'closed'),
        pingStatus: fc.constant('closed'),
        guid: fc.constant('/?p=1&x=2'),
        sticky: fc.constant(true),
        format: fc.constantFrom('aside', 'video'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    meta: fc.array(fc.record({ key: word.filter((key) => key !== ''), value: word }), { maxLength: 4 }),
    terms: fc.constantFrom<Record<string, number[]>>(
      { category: [14] },
      { tribe_events_cat: [12, 11], category: [14] },
      { post_tag: [13], category: [14] },
    ),
    image: fc.option(image),
  }),
  { selector: ({ _id }) => _id, maxLength: 5 },
);

const BARE: Omit<Post, '_id' | 'type'> = {
  ...{ status: 'publish', author: 0, title: '', content: '', excerpt: '', slug: '', password: '', parent: 0, menuOrder: 0 },
  ...{ date: '2026-01-02 03:04:05', dateGmt: '2026-01-02 03:04:05', modified: '2026-01-02 03:04:05', modifiedGmt: '2026-01-02 03:04:05' },
  ...{ meta: [], terms: {} },
};

const USERS: User[] = [3, 4].map((_id) => ({
  _id,
  login: `user${_id}`,
  email: `u${_id}@a.example`,
  displayName: `User & ${_id}`,
  nicename: `user${_id}`,
  url: _id === 3 ? 'https://u.example/?a=1&b' : '',
  ...(_id === 3 ? { firstName: 'Ada', lastName: 'B & C' } : {}),
  role: 'author',
  applicationPasswords: [],
}));
const term = (_id: number, taxonomy: string, name: string, parent = 0, description = ''): Term =>
  deriveTerm({ _id, taxonomy, name, slug: `t${_id}`, description, parent, termGroup: 0, termTaxonomyId: _id, count: 0 });
const TERMS = [
  term(12, 'tribe_events_cat', 'Rock &amp; Roll', 0, 'Loud ]]> <b>music</b>'),
  term(11, 'tribe_events_cat', 'Indie', 12),
  term(13, 'post_tag', '日本'),
  term(14, 'category', 'News'),
];

/** Exports always contain comment and ping status, so missing ones get the default of the post type. */
const talking = (item: SourceItem): SourceItem => {
  if (item.kind !== 'post') return item;
  const { commentStatus = item.post.type === 'post' ? 'open' : 'closed', pingStatus = 'open' } = item.post;
  return { ...item, post: { ...item.post, commentStatus, pingStatus } };
};

test('everything that WXR can represent round-trips', async () => {
  await fc.assert(
    fc.asyncProperty(posts, word, async (facts, name) => {
      const documents = facts.map(({ texts, dates, more, image: metadata, ...post }): Post => {
        const isFile = post.type === 'attachment';
        return {
          ...post,
          ...texts,
          ...dates,
          ...more,
          ...(isFile ? { file: '2026/01/Bäume.jpg', mimeType: 'image/jpeg', image: metadata } : {}),
        };
      });
      const expected: SourceItem[] = [
        { kind: 'options', options: { blogname: name.replaceAll('\r', '\n'), blogdescription: '' } },
        ...USERS.map((user): SourceItem => ({ kind: 'user', user })),
        ...TERMS.map((one): SourceItem => ({ kind: 'term', term: one })),
        ...documents.map((post): SourceItem => ({ kind: 'post', post })),
      ];
      const source: DatasetSource = {
        name: 'made up',
        siteUrl: 'https://a.example/sub',
        clock: null,
        keepsIds: true,
        async *items() {
          yield* expected;
        },
      };
      let text = '';
      for await (const chunk of wxrChunks(source)) text += chunk;
      const { items, problems } = await read(text);
      expect(problems).toEqual([]);
      const found = items.flatMap(({ at: _at, ...item }: SourceItem & { at?: unknown }) => (item.kind === 'file' ? [] : [item]));
      expect(found.map((item) => (item.kind === 'options' ? null : talking(item)))).toEqual(
        expected.map((item) => (item.kind === 'options' ? null : talking(item))),
      );
    }),
    { numRuns: 50 },
  );
});

test('an item has an identifier and says whether it takes comments, as WordPress exports do', async () => {
  const post: Post = { ...BARE, _id: 7, type: 'post' };
  const event: Post = { ...BARE, _id: 8, type: 'tribe_events', slug: 'fair' };
  const source: DatasetSource = {
    name: 'made up',
    siteUrl: 'https://a.example',
    clock: null,
    keepsIds: true,
    async *items() {
      yield* [post, event].map((one): SourceItem => ({ kind: 'post', post: one }));
    },
  };
  let text = '';
  for await (const chunk of wxrChunks(source)) text += chunk;
  expect(text.match(/<guid.*<\/guid>/g)).toEqual([
    '<guid isPermaLink="false">https://a.example/?p=7</guid>',
    '<guid isPermaLink="false">https://a.example/event/fair/</guid>',
  ]);
  expect(text.match(/(?<=<wp:(?:comment|ping)_status><!\[CDATA\[)\w+/g)).toEqual(['open', 'open', 'closed', 'open']);
});

test('without a time zone, an import says that it takes UTC', async () => {
  const told: string[] = [];
  await openWxr(inputFile(SAMPLE), { now: null, warn: (line) => told.push(line) });
  expect(told.join()).toMatch(/so UTC is used. Use --zone/);
  const silent: string[] = [];
  await openWxr(inputFile(SAMPLE), { now: null, zone: 'Europe/Berlin', warn: (line) => silent.push(line) });
  expect(silent).toEqual([]);
});

describe('ids of an export', () => {
  const event = { ...fc.sample(posts, { numRuns: 40, seed: 3 }).find((facts) => facts.length > 0)![0] };
  const post = ({ texts, dates, more, image: _image, ...facts }: typeof event, _id: number, parent: number, meta: Post['meta']): Post => ({
    ...facts,
    ...texts,
    ...dates,
    ...more,
    type: 'tribe_events',
    _id,
    parent,
    meta,
  });
  const meta = [
    { key: '_EventVenueID', value: '7' },
    { key: '_EventOrganizerID', value: '0' },
    { key: '_thumbnail_id', value: '9' },
    { key: '_EventCost', value: '7' },
  ];
  const source: DatasetSource = {
    name: 'made up',
    siteUrl: 'https://a.example',
    clock: null,
    keepsIds: true,
    async *items() {
      yield { kind: 'post', post: post(event, 2, 0, []) };
      yield { kind: 'post', post: post(event, 5, 2, meta) };
    },
  };

  test('move along with the first one, and so do links', async () => {
    let text = '';
    const warnings: string[] = [];
    for await (const chunk of wxrChunks(source, (line) => warnings.push(line), 1000)) text += chunk;
    const { items } = await read(text);
    const found = items.flatMap((item: SourceItem) => (item.kind === 'post' ? [item.post] : []));
    expect(found.map(({ _id, parent }: Post) => [_id, parent])).toEqual([
      [1000, 0],
      [1003, 1000],
    ]);
    expect(found[1].meta).toEqual([
      { key: '_EventVenueID', value: '1005' },
      { key: '_EventOrganizerID', value: '0' },
      { key: '_thumbnail_id', value: '1007' },
      { key: '_EventCost', value: '7' },
    ]);
    expect(warnings).toEqual([]);
  });

  test('that a new WordPress site uses are reported', async () => {
    const warnings: string[] = [];
    for await (const _ of wxrChunks(source, (line) => warnings.push(line)));
    expect(warnings).toEqual([expect.stringContaining('Use --first-id 1000')]);
  });
});
