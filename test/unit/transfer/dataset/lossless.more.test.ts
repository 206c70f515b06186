import * as fc from 'fast-check';
import { inputFile, openFile } from '../../../../src/transfer/formats/open.js';
import { CONTENT_FORMATS } from '../../../../src/transfer/formats/registry.js';
import type { SourceItem } from '../../../../src/transfer/source.js';
import { type Comment, type Post, type Term, type User } from '../../../../src/wordpress/model.js';
import { comparable, plain, NOW, sourceOf, written, itemsOf } from './files.js';

// `unit: 'binary'` would take seconds to make.
const character = fc.nat(0x10_ff_ff).map((code) => String.fromCodePoint(code));
// Lone surrogates cannot be represented in UTF-8.
const text = fc.string({ unit: character, maxLength: 20 }).map((value) => Buffer.from(value).toString());
const id = fc.integer({ min: 1, max: 899 });
const date = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString().slice(0, 19).replace('T', ' '));
const below = fc.stringMatching(/^[a-z]{1,5}(\/[a-z0-9-]{1,5}){0,2}\.jpg$/);

const post: fc.Arbitrary<Post> = fc
  .record(
    {
      _id: id,
      type: fc.constantFrom('tribe_events', 'tribe_venue', 'tribe_organizer', 'page', 'post'),
      status: fc.constantFrom('publish', 'draft', 'trash', 'private'),
      author: fc.integer({ min: 0, max: 9 }),
      title: text,
      content: text,
      excerpt: text,
      slug: fc.stringMatching(/^[a-z0-9%-]{0,8}$/),
      password: text,
      parent: fc.nat(50),
      menuOrder: fc.integer({ min: -1, max: 3 }),
      date,
      dateGmt: date,
      modified: date,
      modifiedGmt: date,
      guid: text,
      version: fc.nat(9),
      meta: fc.array(fc.record({ key: fc.constantFrom('_a', 'b', '12', '7', '_EventCost'), value: text }), { maxLength: 5 }),
      terms: fc.dictionary(fc.constantFrom('tribe_events_cat', 'post_tag', 'category'), fc.array(id, { maxLength: 3 }), {
        noNullPrototype: true,
      }),
      fields: fc.dictionary(
        fc.constantFrom('wp/v2', 'tribe/events/v1'),
        fc.dictionary(text, fc.jsonValue()).map((values) => JSON.stringify(values)),
        {
          noNullPrototype: true,
        },
      ),
    },
    {
      requiredKeys: [
        '_id',
        'type',
        'status',
        'author',
        'title',
        'content',
        'excerpt',
        'slug',
        'password',
        'parent',
        'menuOrder',
        'date',
        'dateGmt',
        'modified',
        'modifiedGmt',
        'meta',
        'terms',
      ],
    },
  )
  .map((value) => ({ ...value, slug: value.slug === '' ? '' : `${value.slug}-${value._id}` }));

const attachment: fc.Arbitrary<Post> = fc
  .tuple(post, below, fc.option(fc.record({ width: fc.nat(4000), height: fc.nat(4000), filesize: fc.nat(9999) })))
  .map(([base, file, image]) => ({
    ...base,
    type: 'attachment',
    mimeType: 'image/jpeg',
    file,
    image: image && { ...image, file, sizes: { medium: { file: 'x-300x200.jpg', width: 300, height: 200, 'mime-type': 'image/jpeg' } } },
  }));

const term = fc
  .record({ _id: id, name: text, description: text, parent: fc.nat(20), termGroup: fc.nat(3), termTaxonomyId: id })
  .map(
    (value): Term => ({ ...value, taxonomy: value._id % 2 ? 'tribe_events_cat' : 'post_tag', slug: `t-${value._id}`, count: 0 }) as Term,
  );

const user = fc
  .record(
    {
      _id: id,
      email: text,
      displayName: text,
      nicename: text,
      url: text,
      role: fc.constantFrom('administrator', 'editor', ''),
      passwordHash: text.filter((hash) => hash !== ''),
      description: text,
    },
    { requiredKeys: ['_id', 'email', 'displayName', 'nicename', 'url', 'role'] },
  )
  .map((value): User => ({
    ...value,
    login: `user${value._id}`,
    applicationPasswords: [{ uuid: 'u', name: 'n', hash: 'a:b', created: value._id }],
  }));

const comment: fc.Arbitrary<Comment> = fc.record(
  {
    _id: id,
    post: fc.nat(50),
    parent: fc.nat(50),
    author: fc.nat(9),
    authorName: text,
    authorEmail: text,
    authorUrl: text,
    authorIp: text,
    agent: text,
    date,
    dateGmt: date,
    content: text,
    approved: fc.constantFrom('0', '1', 'spam', 'trash', 'post-trashed'),
    type: fc.constantFrom('comment', 'pingback'),
    previous: fc.constantFrom('0', '1'),
  },
  {
    requiredKeys: [
      '_id',
      'post',
      'parent',
      'author',
      'authorName',
      'authorEmail',
      'authorUrl',
      'authorIp',
      'agent',
      'date',
      'dateGmt',
      'content',
      'approved',
      'type',
    ],
  },
);

const byId = { selector: ({ _id }: { _id: number }) => _id, maxLength: 8 };
const items = fc
  .record({
    options: fc.dictionary(fc.constantFrom('blogname', 'posts_per_page', 'x'), fc.oneof(text, fc.nat(), fc.constant(null)), {
      noNullPrototype: true,
    }),
    users: fc.uniqueArray(user, byId),
    terms: fc.uniqueArray(term, byId),
    posts: fc.uniqueArray(fc.oneof(post, attachment), byId),
    comments: fc.uniqueArray(comment, byId),
  })
  .map((all): SourceItem[] => [
    { kind: 'options', options: all.options },
    ...all.users.map((value): SourceItem => ({ kind: 'user', user: value })),
    ...all.terms.map((value): SourceItem => ({ kind: 'term', term: value })),
    ...all.posts.map((value): SourceItem => ({ kind: 'post', post: value })),
    ...all.comments.map((value): SourceItem => ({ kind: 'comment', comment: value })),
  ]);

test.each(CONTENT_FORMATS.filter(({ lossless }) => lossless).map(({ name, extensions }) => [name, extensions] as const))(
  '%s round-trips every document',
  async (name, extensions) => {
    await fc.assert(
      fc.asyncProperty(items, fc.constantFrom(...extensions), async (given, extension) => {
        const { file } = await written(sourceOf(given), name, `identity${extension}`);
        const source = await openFile(inputFile(file), { now: NOW });
        expect(comparable(plain(await itemsOf(source)))).toEqual(comparable(plain(given)));
        expect(source).toMatchObject({ siteUrl: 'http://old.example', clock: NOW, keepsIds: true });
        expect(source.nextIds?.posts).toBeGreaterThanOrEqual(900);
      }),
      { numRuns: 40 },
    );
  },
);
