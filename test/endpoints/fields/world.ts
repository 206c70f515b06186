import type { Dataset } from '../../../src/sdk/types/dataset.js';
import { http } from '../../support/http.js';
import type { Server } from '../../../src/index.js';

/** A site whose other plugins add fields to items of all kinds, and requests to it. */

const PASSWORDS = {
  admin: 'adminAppPassword00000000',
  editor: 'editorAppPassword0000000',
  author: 'authorAppPassword0000000',
  subscriber: 'subscriberAppPassword0',
};

type Login = keyof typeof PASSWORDS;

/** The address of the site in the dataset. */
export const HOME = 'http://town.example';

const plugins = { color: 'red', notes: 'Ask Dana' };

/** The field `color` is shown everywhere, and `notes` only to whom the item belongs. */
const declared = {
  'wp/v2': { color: { default: 'gray', writable: true, schema: { type: 'string', maxLength: 9 } }, notes: { edit_only: true } },
};

const fields = { 'wp/v2': plugins };

/** The types of objects of `wp/v2`, with the path of the one that has fields, and of one without. */
export const OBJECTS: readonly (readonly [type: string, path: string, other: string | null])[] = [
  ['post', 'posts/20', 'posts/21'],
  ['page', 'pages/22', null],
  ['tribe_events', 'tribe_events/30', 'tribe_events/31'],
  ['tribe_venue', 'tribe_venue/40', null],
  ['tribe_organizer', 'tribe_organizer/41', null],
  ['attachment', 'media/50', null],
  ['wp_block', 'blocks/60', null],
  ['category', 'categories/4', 'categories/5'],
  ['post_tag', 'tags/6', null],
  ['tribe_events_cat', 'tribe_events_cat/7', null],
  ['user', 'users/1', 'users/2'],
  ['comment', 'comments/70', null],
];

export const DATASET: Dataset = {
  site: { url: HOME },
  clock: '2026-06-15T12:00:00.000Z',
  users: [
    { id: 1, login: 'admin', role: 'administrator', application_password: PASSWORDS.admin, fields },
    { id: 2, login: 'editor', role: 'editor', application_password: PASSWORDS.editor },
    { id: 3, login: 'author', role: 'author', application_password: PASSWORDS.author },
    { id: 8, login: 'subscriber', role: 'subscriber', application_password: PASSWORDS.subscriber },
  ],
  fields: {
    ...Object.fromEntries(OBJECTS.map(([type]) => [type, declared])),
    tribe_events: {
      'wp/v2': {
        ...declared['wp/v2'],
        acf: { default: [] },
        first: { after: 'id' },
        second: { after: 'id' },
        single: { contexts: ['view'] },
        raw: { contexts: ['edit'] },
        part: { contexts: ['embed'] },
      },
      'tribe/events/v1': {
        is_virtual: { default: false, writable: true, schema: { type: 'boolean' } },
        recurring: { default: false },
        stars: { after: 'title' },
      },
      'tec/v1': { extra: {} },
    },
  },
  media: [{ id: 50, slug: 'stage', file: '2026/05/logo-150x150.png', title: 'Stage', fields }],
  categories: [{ id: 7, slug: 'music', name: 'Music', fields: { ...fields, 'tribe/events/v1': { icon: 'note' } } }],
  tags: [{ id: 6, slug: 'free', name: 'Free', fields }],
  post_categories: [
    { id: 4, slug: 'news', name: 'News', fields },
    { id: 5, slug: 'town', name: 'Town' },
  ],
  venues: [{ id: 40, slug: 'hall', name: 'Hall', fields: { ...fields, 'tribe/events/v1': { accessible: true, map: `${HOME}/map/` } } }],
  organizers: [{ id: 41, slug: 'club', name: 'Club', fields }],
  events: [
    {
      id: 30,
      slug: 'jazz',
      title: 'Jazz',
      start: '2026-07-01 20:00',
      duration: '2h',
      venue: 'hall',
      organizers: ['club'],
      categories: ['music'],
      tags: ['free'],
      image: 'stage',
      fields: {
        'wp/v2': {
          ...plugins,
          acf: {
            doors: '18:30',
            link: `${HOME}/event/jazz/`,
            html: `<a href="${HOME.replaceAll('/', '\\/')}\\/x">`,
            other: `${HOME}.org/`,
            gallery: [50],
          },
          first: 1,
          second: null,
          single: { a: { b: 1, c: 2 } },
          raw: 'raw',
          part: 'part',
        },
        'tribe/events/v1': { is_virtual: true, virtual_url: 'https://meet.example.org/', stars: 5 },
        'tec/v1': { extra: [1, { deep: true }] },
      },
    },
    { id: 31, slug: 'blues', title: 'Blues', start: '2026-07-02 20:00', duration: '2h', venue: 'hall', author: 'author' },
  ],
  posts: [
    { id: 20, slug: 'hello', title: 'Hello', fields, comments: [{ id: 70, author: 'admin', content: 'Hi', fields }] },
    { id: 21, slug: 'bye', title: 'Bye' },
  ],
  pages: [{ id: 22, slug: 'about', title: 'About', fields }],
  patterns: [{ id: 60, slug: 'box', title: 'Box', content: '<p>Box</p>', fields }],
};

/** The dataset without its image, which needs a file. */
const { media: _media, ...rest } = DATASET;
export const SITE: Dataset = {
  ...rest,
  events: DATASET.events?.map(({ image: _image, ...event }) => event) ?? [],
  menus: [{ id: 9, slug: 'main', name: 'Main', items: [{ id: 80, title: 'Home', url: '/', fields: { 'wp/v2': { icon: 'house' } } }] }],
};

export type Body = Record<string, unknown>;

interface Answer {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

/** Requests to a server. @param base of the sandbox, if there is one */
export const requestsTo =
  (server: () => Server, base = '') =>
  async (method: string, route: string, { as, body }: { as?: Login; body?: object } = {}): Promise<Answer> => {
    const { status, headers, text } = await http(
      method,
      `${server().url}${base}/wp-json${route}`,
      {
        ...(as ? { authorization: `Basic ${Buffer.from(`${as}:${PASSWORDS[as]}`).toString('base64')}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        'x-tec-eea':
          'I understand that this endpoint is experimental and may change in a future release without maintaining backward compatibility. I also understand that I am using this endpoint at my own risk, while support is not provided for it.',
      },
      body === undefined ? undefined : JSON.stringify(body),
    );
    return { status, headers, text, body: (text === '' ? null : JSON.parse(text)) as Body };
  };
