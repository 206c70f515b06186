import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { apiOf, type Refusal } from '../support/api.js';
import { startTestServer } from '../support/server.js';
import type { Dataset } from '../../src/sdk/types/dataset.js';

/* Advanced Custom Fields: hand-made field groups, and what the recordings do not have. */

const START = { now: '2026-06-15T12:00:00Z', wordpress: '6.8' } as const;
const CHOICES = { '1': 'One', b: 'Bee' };
const SIGNED_IN = { authorization: `Basic ${Buffer.from('ann:applicationOfAnn00000000').toString('base64')}` };

const FIELDS = [
  { name: 'text', type: 'text', default_value: 'usual' },
  { name: 'lines', type: 'textarea', new_lines: 'br' },
  { name: 'number', type: 'number', default_value: '7' },
  { name: 'range', type: 'range' },
  { name: 'oembed', type: 'oembed' },
  { name: 'select', type: 'select', choices: CHOICES, return_format: 'label' },
  { name: 'several', type: 'select', choices: CHOICES, multiple: 1, return_format: 'array' },
  { name: 'boxes', type: 'checkbox', choices: CHOICES, return_format: 'label' },
  { name: 'free', type: 'checkbox', choices: CHOICES, allow_custom: 1 },
  { name: 'radio', type: 'radio', choices: CHOICES, return_format: 'array', allow_null: 1 },
  { name: 'buttons', type: 'button_group', choices: CHOICES, allow_null: 1 },
  { name: 'on', type: 'true_false', default_value: 1 },
  { name: 'color', type: 'color_picker', return_format: 'array' },
  { name: 'day', type: 'date_picker', return_format: 'F j, Y' },
  { name: 'link', type: 'link', return_format: 'url' },
  { name: 'posts', type: 'post_object', multiple: 1, return_format: 'id', post_type: ['post', 'page'] },
  { name: 'tagged', type: 'post_object', taxonomy: ['post_tag:news'] },
  { name: 'pages', type: 'page_link', multiple: 1 },
  { name: 'between', type: 'relationship', min: 2, return_format: 'id' },
  { name: 'term', type: 'taxonomy', taxonomy: 'post_tag', field_type: 'select', return_format: 'object' },
  { name: 'writers', type: 'user', role: ['author', 'editor'], multiple: 1, return_format: 'id' },
  { name: 'picture', type: 'image', min_width: 2000, max_size: '1KB', mime_types: 'png, gif' },
  { name: 'place', type: 'google_map' },
  { name: 'icon', type: 'icon_picker', return_format: 'string' },
  {
    name: 'group',
    type: 'group',
    sub_fields: [
      { name: 'inner', type: 'group', sub_fields: [{ name: 'n', type: 'number' }] },
      { name: 't', type: 'text' },
    ],
  },
  { name: 'note', type: 'message' },
];

const SITE = {
  site: { settings: { avatars: false } },
  users: [
    { id: 1, login: 'ann', role: 'administrator', application_password: 'applicationOfAnn00000000' },
    { id: 2, login: 'bob', role: 'author' },
  ],
  media: [{ id: 30, slug: 'dot', file: 'placeholder(1200x630)' }],
  acf_field_groups: [
    { title: 'Posts', location: 'post', fields: FIELDS },
    {
      title: 'Page two',
      location: [
        [
          { param: 'page', operator: '==', value: '21' },
          { param: 'post_type', operator: '==', value: 'page' },
        ],
      ],
      fields: [{ name: 'only', type: 'text' }],
    },
    {
      title: 'Authors',
      location: [[{ param: 'user_role', operator: '!=', value: 'administrator' }]],
      fields: [{ name: 'town', type: 'text' }],
    },
    { title: 'Others', location: ['category', 'comment'], fields: [{ name: 'stars', type: 'number' }] },
    { title: 'Hidden', location: 'post', show_in_rest: 0, fields: [{ name: 'hidden', type: 'text' }] },
    { title: 'Inactive', location: 'post', active: false, fields: [{ name: 'inactive', type: 'text' }] },
  ],
  post_categories: [{ name: 'Rated' }],
  pages: [
    { id: 20, title: 'One' },
    { id: 21, title: 'Two', fields: { 'wp/v2': { acf: { only: 'here' } } } },
  ],
  posts: [
    { id: 10, title: 'Written', comments: [{ content: 'Good', author_name: 'Eve', fields: { 'wp/v2': { acf: { stars: 4 } } } }] },
    { id: 11, title: 'Draft', status: 'draft' },
    {
      id: 12,
      title: 'Tagged',
      tags: ['news'],
      fields: { 'wp/v2': { acf: { text: 'given', on: false, number: null, boxes: ['b'], group: { inner: { n: 3 } } } } },
    },
  ],
};
const TAG = 'news';

type Fields = Record<string, unknown>;

describe('fields of a hand-made dataset', () => {
  const { media: _media, ...dataset } = SITE;
  const server = startTestServer({ ...START, dataset: dataset as Dataset }, { isInMemory: true });
  const api = apiOf(server);
  const acfOf = async (route: string): Promise<Fields> => (await api.call<{ acf: Fields }>('GET', `/wp/v2/${route}`)).body.acf;
  const write = (acf: Fields, id = 10): Promise<{ status: number; body: { acf: Fields } & Refusal }> =>
    api.call('POST', `/wp/v2/posts/${id}`, { body: { acf }, headers: SIGNED_IN });
  const tagId = async (): Promise<number> => (await api.call<{ id: number }[]>('GET', `/wp/v2/tags?slug=${TAG}`)).body[0].id;

  test('an empty object has the defaults of its fields, and those of types without values are left out', async () => {
    const { note, hidden, inactive, ...shown } = await acfOf('posts/10');
    expect([note, hidden, inactive]).toEqual([undefined, undefined, undefined]);
    expect(shown).toMatchObject({ text: 'usual', number: 7, range: '', on: true, select: false, several: [], posts: null, term: null });
    expect(shown['group']).toEqual({ inner: { n: '' }, t: '' });
    expect(shown['icon']).toEqual({ type: null, value: null });
  });

  test('values of the file are shown as they are typed', async () => {
    expect(await acfOf('posts/12')).toMatchObject({ text: 'given', on: false, number: 7, boxes: ['b'], group: { inner: { n: 3 }, t: '' } });
    expect((await acfOf('posts/12?acf_format=standard'))['boxes']).toEqual(['Bee']);
  });

  test.each<[string, unknown, unknown, unknown]>([
    ['lines', 'a\nb', 'a\nb', 'a<br />\nb'],
    ['number', '12.50', 12.5, '12.5'],
    ['number', 0, 0, '0'],
    ['range', '50', 50, '50'],
    [
      'oembed',
      'https://example.org/?a=1&b=2',
      'https://example.org/?a=1&b=2',
      '<a href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a>',
    ],
    ['select', ['b'], 'b', 'Bee'],
    ['several', 'b', ['b'], [{ value: 'b', label: 'Bee' }]],
    [
      'several',
      [1, 'b'],
      ['1', 'b'],
      [
        { value: '1', label: 'One' },
        { value: 'b', label: 'Bee' },
      ],
    ],
    ['boxes', 'b', 'b', ['Bee']],
    ['free', ['mine'], ['mine'], ['mine']],
    ['radio', null, '', ''],
    ['radio', '1', '1', { value: '1', label: 'One' }],
    ['buttons', '', '', ''],
    ['on', false, false, false],
    ['color', '#f80', '#f80', { red: 255, green: 136, blue: 0, alpha: 1 }],
    ['color', 'rgba(1,2,3,0.5)', 'rgba(1,2,3,0.5)', { red: 1, green: 2, blue: 3, alpha: 0.5 }],
    ['day', '20261224', '20261224', 'December 24, 2026'],
    ['link', { url: 'https://example.org/', title: 'T' }, { url: 'https://example.org/', title: 'T' }, 'https://example.org/'],
    ['posts', [10, 21], [10, 21], [10, 21]],
    ['posts', ['99'], [99], [99]],
    ['pages', ['https://example.org/list/'], ['https://example.org/list/'], ['https://example.org/list/']],
    ['between', [10, 12], [10, 12], [10, 12]],
    ['writers', 2, 2, [2]],
    ['place', { address: 'Main St' }, { address: 'Main St', lat: 0, lng: 0 }, { address: 'Main St', lat: 0, lng: 0 }],
    [
      'icon',
      { type: 'dashicons', value: 'dashicons-star-filled' },
      { type: 'dashicons', value: 'dashicons-star-filled' },
      'dashicons-star-filled',
    ],
    ['group', { t: 'x' }, { inner: { n: '' }, t: 'x' }, { inner: { n: '' }, t: 'x' }],
    ['group', { inner: { n: '4' } }, { inner: { n: 4 }, t: 'x' }, { inner: { n: '4' }, t: 'x' }],
    ['group', null, { inner: { n: '' }, t: '' }, { inner: { n: '' }, t: '' }],
  ])('%s: %j is %j, in PHP %j', async (name, sent, light, standard) => {
    const { status, body } = await write({ [name]: sent });
    expect([status, body.acf[name]]).toEqual([200, light]);
    expect((await acfOf('posts/10'))[name]).toEqual(light);
    expect((await acfOf('posts/10?acf_format=standard'))[name]).toEqual(standard);
  });

  test.each<[Fields, string, string]>([
    [{ select: 'c' }, 'rest_invalid_param', 'acf[select] is not one of 1, b'],
    [{ boxes: ['c'] }, 'rest_not_in_enum', 'acf[boxes][0] is not one of 1, b, and 1.'],
    [{ radio: 'c' }, 'rest_not_in_enum', 'acf[radio] is not one of 1, b, 1, and null.'],
    [{ range: 101 }, 'rest_out_of_bounds', 'acf[range] must be between 0 (inclusive) and 100 (inclusive)'],
    [{ between: [10] }, 'rest_too_few_items', 'acf[between] must contain at least 2 items.'],
    [{ posts: [99, 98] }, 'rest_invalid_param', 'acf[posts] must have a valid post ID.'],
    [{ posts: [1_000_000, 10] }, 'rest_invalid_param', 'acf[posts] must have a valid post ID.'],
    [{ tagged: 10 }, 'rest_invalid_param', 'acf[tagged] must have term post_tag:news.'],
    [{ writers: [1] }, 'rest_invalid_param', 'acf[writers] must have a user with one of the following roles: author, editor'],
    [{ picture: 10 }, 'rest_invalid_param', 'acf[picture] requires a valid attachment ID.'],
    [
      { icon: { type: 'media_library', value: 10 } },
      'rest_invalid_param',
      'acf[icon][value] requires a valid attachment ID when type is set to media_library.',
    ],
    [{ icon: { value: 'x' } }, 'rest_property_required', 'type is a required property of acf[icon].'],
    [{ group: { inner: { n: 'q' } } }, 'rest_invalid_type', 'acf[group][inner][n] is not of type number,null.'],
  ])('%j is refused', async (sent, code, message) => {
    const { status, body } = await write(sent);
    expect(status).toBe(400);
    expect(body.data).toMatchObject({ params: { acf: message }, details: { acf: { code, message } } });
  });

  test('a post with a term may be chosen, and a term is an object in PHP', async () => {
    const term = await tagId();
    expect((await write({ tagged: 12, term })).body.acf).toMatchObject({ tagged: 12, term });
    expect((await acfOf('posts/10?acf_format=standard'))['term']).toMatchObject({
      term_id: term,
      slug: TAG,
      taxonomy: 'post_tag',
      filter: 'raw',
    });
    expect((await write({ tagged: null, term: null })).body.acf).toMatchObject({ tagged: null, term: null });
  });

  test('values are changed where a dataset has them, and others stay', async () => {
    expect((await write({ text: 'new', group: { inner: { n: 5 } } }, 12)).body.acf).toMatchObject({
      text: 'new',
      boxes: ['b'],
      group: { inner: { n: 5 } },
    });
    expect((await write({ text: null }, 12)).body.acf['text']).toBe('usual');
  });

  test('rules of a group say which objects have it', async () => {
    expect(await acfOf('pages/20')).toEqual([]);
    expect(await acfOf('pages/21')).toEqual({ only: 'here' });
    expect(await acfOf('users/1')).toEqual([]);
    const { body: bob } = await api.call<{ acf: Fields }>('POST', '/wp/v2/users/2', {
      body: { acf: { town: 'Linz' } },
      headers: SIGNED_IN,
    });
    expect(bob.acf).toEqual({ town: 'Linz' });
    const [comment] = (await api.call<{ acf: Fields }[]>('GET', '/wp/v2/comments')).body;
    expect(comment.acf).toEqual({ stars: 4 });
    const [category] = (await api.call<{ acf: Fields; id: number }[]>('GET', '/wp/v2/categories')).body;
    expect(category.acf).toEqual({ stars: '' });
    const { body } = await api.call<{ acf: Fields }>('POST', `/wp/v2/categories/${category.id}`, {
      body: { acf: { stars: '5' } },
      headers: SIGNED_IN,
    });
    expect(body.acf).toEqual({ stars: 5 });
  });

  test('links lead to what fields refer to, once and the last first, and are embedded', async () => {
    await write({ posts: [10, 12, 11], pages: [21, 12], writers: [2] });
    const { body } = await api.call<{ _links: Fields; _embedded: Record<string, Fields[]> }>('GET', '/wp/v2/posts/10?_embed');
    const at = (route: string): object => ({ embeddable: true, href: `${server().url}/wp-json/wp/v2/${route}` });
    expect(body._links).toMatchObject({ 'acf:post': [at('pages/21'), at('posts/12'), at('posts/10')], 'acf:user': [at('users/2')] });
    expect(body._embedded['acf:post'].map(({ id }) => id)).toEqual([21, 12, 10]);
    const { body: some } = await api.call<Fields[]>('GET', '/wp/v2/posts?include=10&_fields=id,acf.text');
    expect(some).toEqual([{ id: 10, acf: { text: 'usual' } }]);
  });

  test('an index has no argument for them, nor the other namespaces a member', async () => {
    const { body } = await api.call<{ routes: Record<string, { endpoints: { args: Fields }[] }> }>('GET', '/wp/v2');
    expect(body.routes['/wp/v2/posts'].endpoints[1].args).not.toHaveProperty('acf');
    const { body: options } = await api.call<{ endpoints: { args: Fields }[] }>('OPTIONS', '/wp/v2/pages');
    expect(options.endpoints[1].args['acf']).toMatchObject({
      type: 'object',
      properties: { only: { type: ['string', 'null'], required: false } },
    });
    const { body: media } = await api.call<{ endpoints: { args: Fields }[] }>('OPTIONS', '/wp/v2/media');
    expect(media.endpoints[1].args['acf']).toMatchObject({ properties: [] });
  });
});

describe('where groups are', () => {
  const on = (...rules: [param: string, value: string, operator?: string][]): object[][] => [
    rules.map(([param, value, operator = '==']) => ({ param, operator, value })),
  ];
  const group = (name: string, location: object[][], more: object = {}): object => ({
    title: name,
    location,
    fields: [{ name, type: 'number', ...more }],
  });
  const server = startTestServer({
    ...START,
    dataset: {
      users: SITE.users,
      pages: [
        { id: 20, slug: 'above', title: 'Above' },
        { id: 21, title: 'Below', parent: 'above', template: 'wide' },
      ],
      posts: [{ id: 10, title: 'Post', format: 'aside' }],
      acf_field_groups: [
        group('top', on(['post_type', 'page'], ['page_type', 'top_level'])),
        group('child', on(['page_type', 'child'])),
        group('plain', on(['page_template', 'default'])),
        group('wide', on(['post_type', 'page'], ['page_template', 'wide']), { required: 1 }),
        group('aside', on(['post_format', 'aside'])),
        group('standard', on(['post_format', 'standard'])),
        group('other', on(['post_type', 'post', '!='], ['post_status', 'publish'])),
      ],
    } as Dataset,
    plugins: ['advanced-custom-fields'],
  });
  const api = apiOf(server);

  test.each([
    ['pages/20', ['other', 'plain', 'top']],
    ['pages/21', ['child', 'other', 'wide']],
    ['posts/10', ['aside']],
  ])('%s has the fields %j', async (route, names) => {
    const { body } = await api.call<{ acf: Fields }>('GET', `/wp/v2/${route}`);
    expect(Object.keys(body.acf)).toEqual(names);
  });

  test.each<[string, Fields, number, string]>([
    ['pages', {}, 400, 'wide is a required property of acf.'],
    ['pages/20', { top: 3 }, 200, ''],
    ['pages/20', { plain: 'x' }, 400, 'acf[plain] is not of type number,null.'],
    ['pages/21', { child: 1 }, 400, 'wide is a required property of acf.'],
    ['pages/21', { wide: 1, top: 'x' }, 200, ''],
  ])('a write of %s with %j is %i %s', async (route, acf, status, message) => {
    const sent = await api.call<Refusal>('POST', `/wp/v2/${route}`, { body: { title: 'Page', acf }, headers: SIGNED_IN });
    const { acf: fault = '' } = (sent.body.data?.params ?? {}) as Record<string, string>;
    expect([sent.status, fault]).toEqual([status, message]);
  });
});

describe('fields with media', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'understudy-acf-'));
  mkdirSync(path.join(folder, 'acf-json'));
  const group = {
    key: 'group_a',
    title: 'A',
    location: [[{ param: 'post_type', operator: '==', value: 'post' }]],
    fields: [
      { key: 'field_p', name: 'picture', type: 'image', min_width: 2000, mime_types: 'jpg, gif' },
      { key: 'field_f', name: 'flyer', type: 'image' },
    ],
  };
  writeFileSync(path.join(folder, 'acf-json', 'group_a.json'), JSON.stringify(group));
  const file = path.join(folder, 'site.json');
  const { acf_field_groups: _groups, ...site } = SITE;
  const events = [
    {
      id: 40,
      title: 'Fair',
      start: '2026-07-01 10:00',
      duration: '1h',
      image: 'placeholder(1200x630)',
      fields: { 'wp/v2': { acf: { flyer: 1 } } },
    },
  ];
  writeFileSync(
    file,
    JSON.stringify({
      ...site,
      media: [],
      events,
      acf_field_groups: 'acf-json',
      posts: [
        { id: 10, title: 'Post' },
        { id: 11, title: 'Draft', status: 'draft' },
      ],
    }),
  );
  const server = startTestServer({ ...START, dataset: file, profile: 'standard' }, { isInMemory: true });
  const api = apiOf(server);

  test('a picture is checked by its limits, and attached to the post that it is chosen for', async () => {
    const [medium] = (await api.call<{ id: number; post: number | null }[]>('GET', '/wp/v2/media')).body;
    const send = (acf: Fields): Promise<{ body: { acf: Fields } & Refusal }> =>
      api.call('POST', '/wp/v2/posts/10', { body: { acf }, headers: SIGNED_IN });
    const { body: refused } = await send({ picture: medium.id });
    expect(refused.data?.params).toEqual({ acf: 'acf[picture] - Image width must be at least 2000px. File type must be jpg or gif.' });
    expect((await send({ flyer: medium.id })).body.acf).toEqual({ picture: null, flyer: medium.id });
    const { body } = await api.call<{ post: number; meta: Fields }>('GET', `/wp/v2/media/${medium.id}`);
    expect([body.post, body.meta['_acf_changed']]).toEqual([10, false]);
    const { body: shown } = await api.call<{ acf: { flyer: Fields } }>('GET', '/wp/v2/posts/10?acf_format=standard');
    expect(shown.acf.flyer).toMatchObject({ ID: medium.id, width: 1200, uploaded_to: 10, sizes: { 'medium-width': 300 } });
  });
});
