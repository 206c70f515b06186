import { WORLD, apiOf, type Login, type Refusal } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';

/** Permissions of `wp/v2` reads and writes, from its specification. */

const server = startTestServer({ dataset: WORLD });
const { call, get, post, reset } = apiOf(server);

const CALLERS = ['admin', 'editor', 'author', 'contributor', 'subscriber', undefined] as const;

const outcome = async (method: string, route: string, as?: Login, body?: unknown): Promise<string> => {
  const answer = await call<Partial<Refusal>>(method, `/wp/v2/${route}`, { ...(as && { as }), ...(body !== undefined && { body }) });
  return answer.body.code === undefined ? String(answer.status) : `${answer.status} ${answer.body.code}`;
};

const hidden = '403 rest_forbidden';
const nobody = '401 rest_forbidden';

/**
 * Single items with restricted access: the response for each caller. Drafts 74 to 77 belong to the contributor, the admin and the author.
 */
const READING: [what: string, route: string, ...outcomes: string[]][] = [
  ['a draft of the contributor', 'tribe_events/74', '200', '200', hidden, '200', hidden, nobody],
  ['a draft of the admin', 'tribe_events/75', '200', '200', hidden, hidden, hidden, nobody],
  ['a draft of the author', 'tribe_events/76', '200', '200', '200', hidden, hidden, nobody],
  ['a pending one of the author', 'tribe_events/77', '200', '200', '200', hidden, hidden, nobody],
  ['a private event', 'tribe_events/78', '200', '200', hidden, hidden, hidden, nobody],
  ['a scheduled event', 'tribe_events/79', '200', '200', hidden, hidden, hidden, nobody],
  ['a trashed event', 'tribe_events/85', '200', '200', hidden, hidden, hidden, nobody],
  ['a draft of a venue', 'tribe_venue/18', '200', '200', hidden, hidden, hidden, nobody],
  ['a private venue', 'tribe_venue/21', '200', '200', hidden, hidden, hidden, nobody],
  ['a trashed organizer', 'tribe_organizer/30', '200', '200', hidden, hidden, hidden, nobody],
  ['an event that is hidden from listings', 'tribe_events/65', '200', '200', '200', '200', '200', '200'],
];

test.each(READING)('%s', async (_, route, ...outcomes) => {
  expect(await Promise.all(CALLERS.map((as) => outcome('GET', route, as)))).toEqual(outcomes);
});

interface Shown {
  id: number;
  content: { rendered: string; protected: boolean };
  excerpt: { rendered: string };
  class_list: string[];
}

describe('protected content', () => {
  const shown = async (query: string, as?: Login): Promise<string> =>
    (await get<Shown>(`/wp/v2/tribe_events/80${query}`, as)).body.content.rendered;

  test.each<[what: string, query: string, as: Login | undefined, seen: boolean]>([
    ['nobody', '', undefined, false],
    ['an admin who reads', '', 'admin', false],
    ['an admin who edits', '?context=edit', 'admin', true],
    ['who has the password', '?password=soiree', undefined, true],
  ])('is visible to %s: %#', async (_, query, as, seen) => {
    expect(await shown(query, as)).toBe(seen ? '<p>The secret programme</p>\n' : '');
  });

  test('is not found by anonymous searches, and is embedded without its texts', async () => {
    const found = async (as?: Login): Promise<number[]> =>
      (await get<Shown[]>('/wp/v2/tribe_events?search=programme', as)).body.map(({ id }) => id);
    expect([await found(), await found('subscriber')]).toEqual([[], [80]]);
    const { body } = await get<Shown>('/wp/v2/tribe_events/80?context=embed');
    expect(body.excerpt.rendered).toBe('');
  });
});

test('lists contain only what the user may read', async () => {
  const ids = async (query: string, as?: Login): Promise<number[]> =>
    (await get<Shown[]>(`/wp/v2/tribe_events?per_page=100&orderby=id&order=asc&${query}`, as)).body.map(({ id }) => id);
  const unpublished = [74, 75, 76, 77, 78, 79];
  const seen = async (as: Login): Promise<number[]> => (await ids('status=any', as)).filter((id) => unpublished.includes(id));
  expect(await seen('editor')).toEqual(unpublished);
  expect(await seen('author')).toEqual([76, 77]);
  expect(await seen('contributor')).toEqual([74]);
  expect(await ids('include=31,65,75,78,80,85')).toEqual([65, 80]);
  expect(await outcome('GET', 'tribe_events?status=private', 'subscriber')).toBe('400 rest_invalid_param');
});

test('terms of a post are visible only to users who may read it', async () => {
  const asked = (as?: Login): Promise<string> => outcome('GET', 'tags?post=75', as);
  expect([await asked('admin'), await asked('author'), await asked()]).toEqual([
    '200',
    '403 rest_forbidden_context',
    '401 rest_forbidden_context',
  ]);
});

/** Writes by role: admin, editor, author, contributor, subscriber, nobody. Each row starts from the recorded site. */
const WRITING: [what: string, method: string, route: string, body: unknown, ...outcomes: string[]][] = [
  ['a new draft', 'POST', 'tribe_events', { title: 'New' }, '201', '201', '201', '201', '403 rest_cannot_create', '401 rest_cannot_create'],
  [
    'a new published venue',
    'POST',
    'tribe_venue',
    { title: 'New', status: 'publish' },
    '201',
    '201',
    '201',
    '403 rest_cannot_publish',
    '403 rest_cannot_create',
    '401 rest_cannot_create',
  ],
  [
    'an organizer under another name',
    'POST',
    'tribe_organizer',
    { title: 'New', author: 2 },
    '201',
    '201',
    ...Array<string>(3).fill('403 rest_cannot_edit_others'),
    '401 rest_cannot_edit_others',
  ],
  [
    'the published event of the author',
    'PUT',
    'tribe_events/72',
    { title: 'Changed' },
    '200',
    '200',
    '200',
    '403 rest_cannot_edit',
    '403 rest_cannot_edit',
    '401 rest_cannot_edit',
  ],
  [
    'a draft of the contributor, put in the trash',
    'DELETE',
    'tribe_events/74',
    undefined,
    '200',
    '410 rest_already_trashed',
    '403 rest_cannot_delete',
    '410 rest_already_trashed',
    '403 rest_cannot_delete',
    '401 rest_cannot_delete',
  ],
  [
    'the settings',
    'POST',
    'settings',
    { description: 'Changed' },
    '200',
    ...Array<string>(4).fill('403 rest_forbidden'),
    '401 rest_forbidden',
  ],
  [
    'another user',
    'POST',
    'users/4',
    { description: 'Changed' },
    '200',
    '403 rest_cannot_edit',
    '403 rest_cannot_edit',
    '200',
    '403 rest_cannot_edit',
    '401 rest_cannot_edit',
  ],
  [
    'a role of their own',
    'POST',
    'users/me',
    { roles: ['administrator'] },
    '200',
    ...Array<string>(4).fill('403 rest_cannot_edit_roles'),
    '404 rest_user_invalid_id',
  ],
];

test.each(WRITING)('%s', async (_, method, route, body, ...outcomes) => {
  const found: string[] = [];
  for (const as of CALLERS) found.push(await outcome(method, route, as, body));
  expect(found).toEqual(outcomes);
  await reset();
});

/** Unusual input of clients. */
test('accepts numeric strings, lists in every form, repeated ids, stray separators and override headers', async () => {
  const { body: made } = await post<{ id: number; tags: number[] }>(
    '/wp/v2/tribe_events?&_locale=user&',
    {
      title: { raw: 'Sent oddly' },
      status: 'publish',
      tags: '14,11',
      tribe_events_cat: ['2'],
      featured_media: '4',
      unknown: { field: true },
    },
    'admin',
  );
  const { body: changed } = await call<Record<string, unknown>>('POST', `/wp/v2/tribe_events/${made.id}/`, {
    as: 'admin',
    headers: { 'X-HTTP-Method-Override': 'PATCH' },
    body: { id: String(made.id), featured_media: '5' },
  });
  expect(changed).toMatchObject({ id: made.id, tags: [11, 14], tribe_events_cat: [2], featured_media: 5, title: { raw: 'Sent oddly' } });
  const listed = async (query: string): Promise<number[]> => (await get<Shown[]>(`/wp/v2/tribe_events?${query}`)).body.map(({ id }) => id);
  expect(await listed('include=35,36')).toEqual(await listed('include[]=35&include[]=36&&'));
  const gone = await call<{ deleted: boolean; previous: { id: number } }>(
    'POST',
    `/wp/v2/tribe_events/${made.id}?_method=DELETE&force=true`,
    { as: 'admin' },
  );
  expect(gone.body).toMatchObject({ deleted: true, previous: { id: made.id } });
  await reset();
});

test('changed settings apply immediately', async () => {
  await post('/wp/v2/settings', { posts_per_page: '3', timezone: 'Europe/Berlin', title: null, language: 'xx' }, 'admin');
  const { body: settings } = await get<Record<string, unknown>>('/wp/v2/settings', 'admin');
  expect(settings).toMatchObject({ posts_per_page: 3, timezone: 'Europe/Berlin', title: null, language: 'en_US' });
  expect((await get<{ events: unknown[] }>('events')).body.events).toHaveLength(3);
  await post('/wp/v2/settings', { timezone: 'UTC+5' }, 'admin');
  expect((await get<Record<string, unknown>>('/')).body).toMatchObject({ timezone_string: 'Europe/Berlin' });
  await reset();
});

test('an event keeps its place in lists while its dates are inconsistent', async () => {
  const dates = { _EventStartDate: '2026-09-17 09:30:00' };
  const placed = async (): Promise<boolean> =>
    (await get<{ events: { id: number }[] }>('events?start_date=2026-06-16&end_date=2026-06-16&per_page=50')).body.events.some(
      ({ id }) => id === 39,
    );
  await post('/wp/v2/tribe_events/39', { meta: dates }, 'admin');
  expect(await placed()).toBe(true);
  await post('/wp/v2/tribe_events/39', { meta: { _EventEndDate: '2026-09-17 10:30:00' } }, 'admin');
  expect(await placed()).toBe(false);
  await reset();
});
