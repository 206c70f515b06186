import type { Dataset } from '../../src/sdk/types/dataset.js';

/** A generated site with other plugins: their fields, post types, taxonomies, image sizes, meta keys and routes. */

export const ADMIN = { login: 'admin', password: 'adminAppPassword00000000' };
const HOME = 'https://town.example';

const WORDS = 'river market lantern harbor maple orchard comet velvet copper meadow saffron willow cobalt ember thistle quartz'.split(' ');

/** A number that looks random, for an index. */
const mixed = (index: number, salt: number): number => {
  let value = Math.imul(index + 1, 2654435761) ^ Math.imul(salt + 7, 1597334677);
  value = Math.imul(value ^ (value >>> 15), 2246822519);
  return (value ^ (value >>> 13)) >>> 0;
};

const pick = <T>(list: readonly T[], index: number, salt: number): T => list[mixed(index, salt) % list.length];

const titleOf = (index: number): string => {
  const [one, other] = [pick(WORDS, index, 1), pick(WORDS, index, 2)];
  const marks = [
    `${one} & ${other}`,
    `${one}’s “${other}”`,
    `${one} – ${other}`,
    `The ${one} of ${other} <em>${index}</em>`,
    `${one} ${other} 3x4`,
  ];
  return `${pick(marks, index, 3)} ${index}`;
};

const sentences = (index: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `The ${pick(WORDS, index, at + 20)} "meets" the ${pick(WORDS, index, at + 50)} -- at ${at + 1} o'clock...`,
  ).join(' ');

/** Texts as people and block editors write them. */
const contentOf = (index: number): string =>
  pick(
    [
      '',
      `${sentences(index, 2)}\n\n${sentences(index + 1, 1)}`,
      `<!-- wp:paragraph -->\n<p>${sentences(index, 6)}</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:heading -->\n<h2 class="wp-block-heading">More</h2>\n<!-- /wp:heading -->`,
      `<!-- wp:paragraph -->\n<p>See <a href="${HOME}/hello/">this</a>.</p>\n<!-- /wp:paragraph -->`,
      `First line\nsecond line with <a href="${HOME}/about/?a=1&amp;b=2">a link</a>\n\n<ul>\n<li>One</li>\n<li>Two</li>\n</ul>`,
      sentences(index, 12),
    ],
    index,
    4,
  );

const two = (value: number): string => String(value).padStart(2, '0');
const dateOf = (index: number, hour = 9): string =>
  `2026-0${1 + (mixed(index, 5) % 5)}-${two(1 + (mixed(index, 6) % 28))} ${two(hour)}:${two(index % 60)}:07`;

/** What all posts share. */
const common = (index: number, id: number, slug: string) => ({
  id,
  slug,
  author: pick(['anna', 'ben', 'admin'], index, 8),
  date: dateOf(index),
  modified: dateOf(index, 17),
  ...(index % 11 === 5 ? { status: 'draft' as const } : index % 17 === 9 ? { status: 'private' as const } : {}),
});

const acfOf = (index: number): object | [] =>
  index % 4 === 0
    ? { doors: `${17 + (index % 4)}:30`, sponsor: null, gallery: [{ id: 5, url: `${HOME}/wp-content/uploads/2026/05/river-stage.jpg` }] }
    : index % 4 === 1
      ? { doors: '', html: `<a href="${HOME.replaceAll('/', '\\/')}\\/map\\/">` }
      : [];

/** Fields in `wp/v2`, of which a few are for editors. */
const fieldsOf = (index: number): Record<string, unknown> => ({
  ...(index % 4 < 2 ? { acf: acfOf(index) } : {}),
  yoast_head_json: { title: `${index} - Town`, canonical: `${HOME}/x/${index}/`, schema: { '@graph': [{ '@id': `${HOME}/#website` }] } },
  ...(index % 3 === 0 ? { internal_notes: `Ask ${pick(WORDS, index, 9)}` } : {}),
  views: index % 5,
});

const DECLARED: NonNullable<Dataset['fields']>[string] = {
  'wp/v2': {
    acf: { default: [], after: 'meta' },
    yoast_head_json: { contexts: ['view', 'edit', 'embed'] },
    internal_notes: { edit_only: true },
    views: { default: 0, contexts: ['view', 'edit'], writable: true, schema: { type: 'integer', description: 'Number of visits.' } },
  },
};

type Meta = NonNullable<NonNullable<Dataset['posts']>[number]['meta']>;

const metaIf = (isThere: boolean, meta: Meta): Meta => (isThere ? meta : {});

/** The types of the items. */
const PER_TYPE = ['post', 'page', 'recipe', 'tribe_events', 'tribe_venue', 'tribe_organizer'] as const;

/** @param size number of items of the six types */
export function siteWithPlugins(size: number): Dataset {
  const each = Math.floor(size / PER_TYPE.length);
  const indexes = Array.from({ length: each }, (_, index) => index);
  const excerpt = (index: number) => (index % 3 === 1 ? { excerpt: `Short & “sweet” ${index}` } : {});
  const image = (index: number) => (index % 3 === 0 ? { image: pick(['river-stage', 'logo', 'poster'], index, 10) } : {});
  const comments = (index: number) =>
    index % 4 === 2
      ? {
          comments: [
            {
              author_name: 'Visitor',
              author_email: `v${index}@example.org`,
              author_url: `${HOME}/about/`,
              date: dateOf(index, 18),
              content: `Nice -- see ${HOME}/hello/ "now"`,
            },
            {
              author: 'anna',
              date: dateOf(index, 19),
              content: 'Thanks',
              status: index % 8 === 2 ? ('hold' as const) : ('approved' as const),
            },
          ],
        }
      : {};
  return {
    site: {
      url: HOME,
      name: 'Town & Country',
      description: 'All “events”',
      timezone: 'America/New_York',
      currency: { symbol: '$', code: 'USD' },
    },
    clock: '2026-06-15T12:00:00.000Z',
    types: {
      recipe: {
        name: 'Recipes',
        singular_name: 'Recipe',
        rest_base: 'recipes',
        has_archive: 'cookbook',
        slug: 'cook',
        description: 'What we eat',
        icon: 'dashicons-food',
        supports: ['title', 'editor', 'author', 'thumbnail', 'excerpt', 'custom-fields', 'comments', 'revisions'],
        taxonomies: ['post_tag', 'course'],
        meta: {
          servings: { type: 'integer', default: 2 },
          steps: { type: 'array', schema: { items: { type: 'string' } } },
          sources: { single: false },
          is_vegan: { type: 'boolean' },
          nutrition: { type: 'object', schema: { properties: { kcal: { type: 'number' } } } },
        },
      },
      chapter: { name: 'Chapters', hierarchical: true, supports: ['title', 'editor', 'page-attributes'] },
    },
    taxonomies: {
      course: { name: 'Courses', rest_base: 'courses', hierarchical: true, types: ['recipe'], slug: 'course-of', nested_slugs: true },
      region: { name: 'Regions', types: ['tribe_events', 'post'] },
    },
    image_sizes: { card: { width: 320, height: 200, crop: true }, banner: { width: 1200, height: 400 } },
    meta: { tribe_events: { doors: {} }, post: { rating: { type: 'number', default: 1.5, description: 'From 0 to 5.' } } },
    fields: {
      ...Object.fromEntries(PER_TYPE.map((type) => [type, DECLARED])),
      tribe_events: {
        ...DECLARED,
        'tribe/events/v1': { is_virtual: { default: false }, stars: { after: 'title' } },
        'tec/v1': { extra: {} },
      },
      tribe_venue: { ...DECLARED, 'tribe/events/v1': { accessible: { contexts: ['view', 'edit'] }, level: {} } },
      attachment: { 'wp/v2': { focal_point: { default: null } } },
      course: { 'wp/v2': { color: { default: '' } } },
      user: { 'wp/v2': { twitter: { default: '' } } },
      comment: { 'wp/v2': { stars: {} } },
    },
    users: [
      {
        id: 1,
        login: 'admin',
        email: 'admin@town.example',
        name: 'Ada Admin',
        role: 'administrator',
        application_password: ADMIN.password,
      },
      {
        id: 2,
        login: 'anna',
        email: 'anna@town.example',
        name: 'Anna',
        url: `${HOME}/anna/`,
        role: 'editor',
        fields: { 'wp/v2': { twitter: '@anna' } },
      },
      { id: 3, login: 'ben', email: 'ben@town.example', name: 'Ben & Co', role: 'author' },
    ],
    categories: [
      { id: 2, slug: 'music', name: 'Music & More', description: `See ${HOME}/music/`, fields: { 'tribe/events/v1': { icon: 'note' } } },
      { id: 3, slug: 'jazz', name: 'Jazz', parent: 'music' },
    ],
    tags: [
      { id: 4, slug: 'free', name: 'Free' },
      { id: 5, slug: 'outdoor', name: 'Outdoor' },
    ],
    post_categories: [
      { id: 1, slug: 'uncategorized', name: 'Uncategorized' },
      { id: 6, slug: 'news', name: 'News & Notes', description: 'What is new' },
      { id: 7, slug: 'town', name: 'Town', parent: 'news' },
    ],
    terms: {
      course: [
        { id: 8, slug: 'main', name: 'Main', fields: { 'wp/v2': { color: 'red' } } },
        { id: 9, slug: 'soup', name: 'Soup', parent: 'main', description: 'Hot' },
      ],
      region: [{ id: 10, slug: 'north', name: 'North' }],
    },
    media: [
      {
        id: 5,
        slug: 'river-stage',
        author: 'anna',
        file: '2026/05/river-stage.jpg',
        title: 'River & stage',
        alt: 'A stage',
        caption: 'By the river',
        description: 'Taken at "night"',
        date: dateOf(1),
        modified: dateOf(1, 17),
        fields: { 'wp/v2': { focal_point: { x: 0.5, y: 0.2 } } },
      },
      { id: 6, slug: 'logo', author: 'ben', file: '2026/05/logo.png', title: 'Logo', date: dateOf(2), modified: dateOf(2, 17) },
      { id: 7, slug: 'poster', author: 'anna', file: '2026/06/poster.webp', title: 'Poster', date: dateOf(3), modified: dateOf(3, 17) },
      { id: 8, slug: 'programme', author: 'admin', file: 'programme.txt', title: 'Programme', date: dateOf(4), modified: dateOf(4, 17) },
    ],
    venues: indexes.map((index) => ({
      ...common(index, 1000 + index, `venue-${index}`),
      name: titleOf(index),
      description: contentOf(index + 1),
      ...excerpt(index),
      ...image(index),
      address: `${index} Water Street`,
      city: 'Albany',
      country: 'United States',
      state: 'NY',
      fields: { 'wp/v2': fieldsOf(index), 'tribe/events/v1': { ...(index % 2 === 0 ? { accessible: true } : {}), level: index } },
    })),
    organizers: indexes.map((index) => ({
      ...common(index, 2000 + index, `organizer-${index}`),
      name: titleOf(index + 3),
      description: contentOf(index + 2),
      ...excerpt(index),
      ...image(index),
      email: `o${index}@example.org`,
      fields: { 'wp/v2': fieldsOf(index + 1) },
    })),
    events: indexes.map((index) => ({
      ...common(index, 3000 + index, `event-${index}`),
      title: titleOf(index + 5),
      description: contentOf(index + 3),
      ...excerpt(index),
      ...image(index),
      start: `2026-0${1 + (index % 9)}-1${index % 9} 19:30`,
      duration: '2h',
      ...(index % 2 === 0 ? { cost: String(5 + index) } : {}),
      ...(index % 5 === 3 ? {} : { venue: `venue-${index}` }),
      organizers: [`organizer-${index}`],
      categories: index % 2 === 0 ? ['music'] : ['jazz'],
      tags: index % 3 === 0 ? ['free'] : [],
      terms: { region: index % 2 === 0 ? ['north'] : [] },
      meta: metaIf(index % 3 === 0, { doors: '18:30' }),
      ...comments(index),
      fields: {
        'wp/v2': fieldsOf(index + 2),
        'tribe/events/v1': { ...(index % 4 === 0 ? { is_virtual: true, virtual_url: `${HOME}/live/${index}/` } : {}), stars: index % 6 },
        'tec/v1': { extra: [index, { deep: true }] },
      },
    })),
    posts: indexes.map((index) => ({
      ...common(index, 4000 + index, index === 0 ? 'hello' : `post-${index}`),
      title: titleOf(index + 7),
      content: contentOf(index),
      ...excerpt(index),
      ...image(index),
      categories: index % 2 === 0 ? ['news'] : ['town'],
      tags: index % 2 === 1 ? ['outdoor'] : [],
      terms: { region: index % 5 === 0 ? ['north'] : [] },
      ...(index === 3 ? { sticky: true } : {}),
      ...(index === 2 ? { format: 'quote' as const } : {}),
      ...(index % 7 === 3 ? { comment_status: 'closed' as const } : {}),
      meta: metaIf(index % 2 === 0, { rating: 4 }),
      ...comments(index),
      fields: { 'wp/v2': fieldsOf(index) },
    })),
    pages: indexes.map((index) => ({
      ...common(index, 5000 + index, index === 0 ? 'about' : `page-${index}`),
      title: titleOf(index + 9),
      content: contentOf(index + 4),
      ...image(index),
      ...(index % 4 === 3 ? { parent: 'about' } : {}),
      menu_order: index % 3,
      ...comments(index),
      fields: { 'wp/v2': fieldsOf(index + 3) },
    })),
    navigation: [
      {
        id: 6000,
        slug: 'navigation',
        title: 'Navigation',
        content: `<!-- wp:navigation-link {"label":"About","url":"${HOME}/about/"} /-->`,
      },
    ],
    patterns: [{ id: 6001, slug: 'box', title: 'Box', content: '<!-- wp:paragraph -->\n<p>Box</p>\n<!-- /wp:paragraph -->' }],
    menus: [
      {
        id: 11,
        slug: 'main-menu',
        name: 'Main menu',
        items: [
          { id: 6010, title: 'Start', url: `${HOME}/` },
          { id: 6011, post: 5000 },
          { id: 6012, term: 6, parent: 6011 },
        ],
      },
    ],
    items: {
      recipe: indexes.map((index) => ({
        ...common(index, 7000 + index, `recipe-${index}`),
        title: titleOf(index + 11),
        content: contentOf(index + 5),
        ...excerpt(index),
        ...image(index),
        terms: { course: index % 2 === 0 ? ['main'] : ['soup'], post_tag: index % 3 === 0 ? ['free'] : [] },
        meta: metaIf(index % 2 === 0, {
          servings: index,
          steps: ['a', 'b'],
          sources: ['x', 'y'],
          is_vegan: true,
          nutrition: { kcal: index * 10.5 },
        }),
        ...comments(index),
        fields: { 'wp/v2': fieldsOf(index + 4) },
      })),
      chapter: [
        { id: 8000, slug: 'one', title: 'One', content: 'First', date: dateOf(1), modified: dateOf(1, 17) },
        { id: 8001, slug: 'two', title: 'Two', content: 'Second', parent: 'one', menu_order: 3, date: dateOf(2), modified: dateOf(2, 17) },
      ],
    },
    stubs: [
      {
        match: { method: 'GET', path: '/acme/v1/opening-hours' },
        respond: { body: { mon: ['09:00', '17:00'], sun: null, map: '{{site.url}}/map/' } },
      },
      { match: { method: 'GET', path: '/acme/v1/things' }, respond: { body: [{ id: 1, link: '{{site.url}}/things/1/' }] } },
    ],
  };
}
