import { TAG, ZERO_DATE, type MetaRow, type Post } from '../../../src/wp/model.js';
import { EVENT, EVENT_CATEGORY, ORGANIZER, VENUE } from '../../../src/tec/index.js';
import { derive } from '../../../src/wp/posts.js';
import { deriveTerm } from '../../../src/wp/terms.js';
import { PEOPLE, ask as send, userId, type Answer } from '../../support/people.js';
import { startTestServer } from '../../support/server.js';
import * as tables from './permissions.table.js';
import {
  ABSENCES,
  KEYS,
  LISTED,
  ROLES,
  SENT,
  STATES,
  TERM_OPERATIONS,
  type Key,
  type Role,
  type Row,
  type Sent,
  type State,
} from './permissions.table.js';

const LATER = '2026-09-01 10:00:00';
const POST_PASSWORD = 'sesame';
/** Somebody who owns what belongs to "others". */
const SOMEBODY = userId('somebody');

const server = startTestServer({ dataset: PEOPLE });

interface Kind {
  type: string;
  path: string;
  noun: string;
  /** Field that every write sends. */
  title: string;
}

const EVENTS: Kind = { type: EVENT, path: 'events', noun: 'event', title: 'title' };
const VENUES: Kind = { type: VENUE, path: 'venues', noun: 'venue', title: 'venue' };
const ORGANIZERS: Kind = { type: ORGANIZER, path: 'organizers', noun: 'organizer', title: 'organizer' };

const meta = (rows: Record<string, string>): MetaRow[] => Object.entries(rows).map(([key, value]) => ({ key, value }));

const EVENT_META = meta({
  _EventStartDate: '2026-07-01 10:00:00',
  _EventEndDate: '2026-07-01 11:00:00',
  _EventStartDateUTC: '2026-07-01 10:00:00',
  _EventEndDateUTC: '2026-07-01 11:00:00',
  _EventTimezone: 'UTC',
});

/** Ids far above those that the server hands out. */
let lastId = 1_000_000;

let batch: { posts: Post[]; stored: Promise<void> } | null = null;

/** What is put at the same moment is stored in one go. */
function store(post: Post): Promise<void> {
  batch ??= {
    posts: [],
    stored: Promise.resolve().then(() => {
      const posts = batch?.posts ?? [];
      batch = null;
      return server().site.store.insert('posts', posts);
    }),
  };
  batch.posts.push(post);
  return batch.stored;
}

/** An item in a state, put where it is without the help of the API. */
async function put(kind: Kind, state: State, author: number): Promise<Post> {
  const _id = (lastId += 1);
  const [status, before = 'publish'] = state.split('/');
  const isTrash = status === 'trash';
  const slug = `item-${_id}`;
  const date = state === 'future' ? LATER : '2026-06-01 10:00:00';
  const post = derive({
    _id,
    type: kind.type,
    status: status === 'password' ? 'publish' : status,
    author,
    title: `Item ${_id}`,
    content: '',
    excerpt: '',
    slug: isTrash ? `${slug}__trashed` : slug,
    password: state === 'password' ? POST_PASSWORD : '',
    parent: 0,
    menuOrder: 0,
    date,
    dateGmt: ['draft', 'pending'].includes(status) ? ZERO_DATE : date,
    modified: date,
    modifiedGmt: date,
    meta: [
      ...(kind.type === EVENT ? EVENT_META : []),
      ...(isTrash ? meta({ _wp_trash_meta_status: before, _wp_desired_post_slug: slug }) : []),
    ],
    terms: {},
    version: 1,
  });
  await store(post);
  return post;
}

const ask = (role: Role, method: string, address: string, body?: object): Promise<Answer> =>
  send(role, method, `${server().restUrl}/tribe/events/v1/${address}`, body);

const allow = ({ headers }: Answer): string | null => headers.get('allow');

/** What the words of the tables stand for, as status and code. */
const refusals = (noun: string): Record<string, string> => ({
  400: '400 rest_invalid_param',
  401: '401 rest_forbidden',
  403: '403 rest_forbidden',
  hidden: `403 ${noun}-not-accessible`,
  locked: '403 event-password-protected',
  bin: '403 event-no-longer-available',
  gone: `410 ${noun}-is-in-trash`,
  missing: '404 rest-event-not-found',
  'other-type': '400 rest-invalid-event-id',
  ok: '200',
  created: '201',
});

const expected = (cell: string, noun: string, good = '200'): string => refusals(noun)[cell] ?? `${good} ${cell}`;

/** An answer in the words of `expected`: status and code, or status and, for writes, the status of the item. */
function summary({ status, body }: Answer, shows: 'nothing' | 'status'): string {
  if (status < 400) return shows === 'status' ? `${status} ${String(body.status)}` : String(status);
  expect((body.data as { status: number }).status).toBe(status);
  return `${status} ${String(body.code)}`;
}

const ownerOf = ({ role, owner }: Row<string>): number => (owner === 'own' ? userId(role) : SOMEBODY);

/** Compares a whole row at once, so that a failure shows everything that is different in it. */
async function compare<Column extends string>(
  columns: readonly Column[],
  row: Row<Column>,
  { noun, good }: { noun: string; good?: string },
  actual: (column: Column) => Promise<string>,
): Promise<void> {
  const found = await Promise.all(columns.map(async (column) => [column, await actual(column)]));
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(columns.map((column) => [column, expected(row.cells[column], noun, good)])));
}

const describeRows = <Column extends string>(rows: Row<Column>[]): [string, Row<Column>][] =>
  rows.map((row) => [`${row.role}, ${row.owner}`, row]);

const itemAddress = (kind: Kind, by: 'id' | 'slug', { _id, slug }: Post): string =>
  by === 'id' ? `${kind.path}/${_id}` : `${kind.path}/by-slug/${slug}`;

const OPERATIONS: { kind: Kind; by: 'id' | 'slug'; read: Row<State>[]; update: Row<State>[]; remove: Row<State>[] }[] = [
  { kind: EVENTS, by: 'id', read: tables.READ_EVENT, update: tables.UPDATE_EVENT_BY_ID, remove: tables.DELETE_BY_ID },
  { kind: EVENTS, by: 'slug', read: tables.READ_EVENT, update: tables.UPDATE_EVENT_BY_SLUG, remove: tables.DELETE_BY_SLUG },
  ...[VENUES, ORGANIZERS].flatMap((kind) => [
    { kind, by: 'id' as const, read: tables.READ_LINKED, update: tables.UPDATE_LINKED_BY_ID, remove: tables.DELETE_BY_ID },
    { kind, by: 'slug' as const, read: tables.READ_LINKED, update: tables.UPDATE_LINKED_BY_SLUG, remove: tables.DELETE_BY_SLUG },
  ]),
];

describe.each(OPERATIONS)('$kind.path by $by', ({ kind, by, read, update, remove }) => {
  test.each(describeRows(read))('read: %s', async (_, row) => {
    await compare(STATES, row, kind, async (state) => {
      const post = await put(kind, state, ownerOf(row));
      return summary(await ask(row.role, 'GET', itemAddress(kind, by, post)), 'nothing');
    });
  });

  test.each(describeRows(update))('update: %s', async (_, row) => {
    await compare(STATES, row, kind, async (state) => {
      const post = await put(kind, state, ownerOf(row));
      return summary(await ask(row.role, 'POST', itemAddress(kind, by, post), { [kind.title]: 'New' }), 'status');
    });
  });

  test.each(describeRows(remove))('delete: %s', async (_, row) => {
    await compare(STATES, row, kind, async (state) => {
      const post = await put(kind, state, ownerOf(row));
      return summary(await ask(row.role, 'DELETE', itemAddress(kind, by, post)), 'status');
    });
  });
});

// Also by slug: once the item is found, what is allowed is what its id allows.
describe.each([
  { kind: EVENTS, read: tables.READ_EVENT, update: tables.UPDATE_EVENT_BY_ID },
  { kind: VENUES, read: tables.READ_LINKED, update: tables.UPDATE_LINKED_BY_ID },
  { kind: ORGANIZERS, read: tables.READ_LINKED, update: tables.UPDATE_LINKED_BY_ID },
])('what an answer about $kind.path allows', ({ kind, read, update }) => {
  test.each(describeRows(read))('%s', async (_, row) => {
    const mayNot = (rows: Row<State>[], state: State): boolean =>
      rows.some(({ role, owner, cells }) => role === row.role && owner === row.owner && ['401', '403'].includes(cells[state]));
    const allowed = (state: State): string =>
      ['GET', ...(mayNot(tables.DELETE_BY_ID, state) ? [] : ['DELETE']), ...(mayNot(update, state) ? [] : ['POST', 'PUT', 'PATCH'])].join(
        ', ',
      );
    const readable = STATES.filter((state) => row.cells[state] === 'ok');
    const found = await Promise.all(
      readable.map(async (state) => {
        const post = await put(kind, state, ownerOf(row));
        const [byId, bySlug] = [
          await ask(row.role, 'GET', itemAddress(kind, 'id', post)),
          await ask(row.role, 'GET', itemAddress(kind, 'slug', post)),
        ];
        return [state, allow(byId), allow(bySlug)];
      }),
    );
    expect(found).toEqual(readable.map((state) => [state, allowed(state), allowed(state)]));
  });
});

/** The parameters that a word of the status table stands for. */
function sentStatus(sent: Sent): { status?: string; date?: string } {
  const [word, date] = sent.split('+');
  const words: Record<string, string | undefined> = { absent: undefined, empty: '', unknown: 'nonsense' };
  const status = word in words ? words[word] : word;
  return { ...(status === undefined ? {} : { status }), ...(date ? { date: LATER } : {}) };
}

const newItem = (kind: Kind, name: string): object =>
  kind.type === EVENT ? { title: name, start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' } : { [kind.title]: name };

let names = 0;
const freshName = (): string => `Fresh ${(names += 1)}`;

describe.each([EVENTS, VENUES, ORGANIZERS])('status of $path', (kind) => {
  test.each(describeRows(tables.STATUS_SCALING))('created: %s', async (_, row) => {
    await compare(SENT, row, { ...kind, good: '201' }, async (sent) =>
      summary(await ask(row.role, 'POST', kind.path, { ...newItem(kind, freshName()), ...sentStatus(sent) }), 'status'),
    );
  });

  test.each(describeRows(tables.STATUS_SCALING))('draft updated: %s', async (_, row) => {
    await compare(SENT, row, kind, async (sent) => {
      const draft = await put(kind, 'draft', ownerOf(row));
      return summary(await ask(row.role, 'PUT', `${kind.path}/${draft._id}`, { [kind.title]: 'New', ...sentStatus(sent) }), 'status');
    });
  });

  test.each(ROLES.filter((role) => !['subscriber', 'anonymous'].includes(role)))('%s may name anybody as author', async (role) => {
    const named = await ask(role, 'POST', kind.path, { ...newItem(kind, freshName()), author: SOMEBODY });
    expect([named.status, named.body.author]).toEqual([201, String(SOMEBODY)]);
    const unknown = await ask(role, 'POST', kind.path, { ...newItem(kind, freshName()), author: 99 });
    expect(summary(unknown, 'nothing')).toBe('400 rest_invalid_param');
  });

  test('without an author the caller is it', async () => {
    const { body } = await ask('contributor', 'POST', kind.path, newItem(kind, freshName()));
    expect(body.author).toBe(String(userId('contributor')));
  });
});

describe.each([EVENTS, VENUES, ORGANIZERS])('list of $path', (kind) => {
  /** Ids of the items of each state, of everybody. */
  const ids = new Map<State, number[]>();

  beforeAll(async () => {
    const { store } = server().site;
    await store.posts.deleteMany({});
    for (const state of STATES) {
      const posts = [];
      for (const author of [...ROLES.filter((role) => role !== 'anonymous').map(userId), SOMEBODY])
        posts.push(await put(kind, state, author));
      ids.set(
        state,
        posts.map(({ _id }) => _id),
      );
    }
  });

  const PUBLIC: State[] = ['publish', 'password'];
  const SHOWN: Record<string, State[]> = {
    publish: PUBLIC,
    any: [...PUBLIC, 'future', 'draft', 'pending', 'private'],
    trash: ['trash', 'trash/draft'],
  };

  const shownIds = (cell: string): number[] =>
    cell
      .split(',')
      .flatMap((word) => SHOWN[word] ?? [word as State])
      .flatMap((state) => ids.get(state) ?? [])
      .sort((a, b) => a - b);

  test.each(describeRows(tables.LIST))('%s', async (_, row) => {
    for (const status of LISTED) {
      const cell = row.cells[status];
      const answer = await ask(row.role, 'GET', `${kind.path}?per_page=50${status === 'absent' ? '' : `&status=${status}`}`);
      const found =
        answer.status === 200
          ? (answer.body[kind.path] as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b)
          : summary(answer, 'nothing');
      expect([status, found]).toEqual([status, cell === '400' ? '400 rest_invalid_param' : shownIds(cell)]);
      if (cell !== '400') expect(answer.body.total).toBe(shownIds(cell).length);
    }
  });

  test.each(ROLES)('items with a password, blank to %s unless it is given', async (role) => {
    const flagOf = async (query: string): Promise<unknown> => {
      const { body } = await ask(role, 'GET', `${kind.path}?per_page=50&status=publish${query}`);
      const item = (body[kind.path] as Record<string, unknown>[]).find(({ id }) => id === ids.get('password')?.[0]);
      return kind.type === EVENT ? item?.all_day : item?.[kind.title];
    };
    const title = `Item ${ids.get('password')?.[0]}`;
    expect(await flagOf('')).toEqual(kind.type === EVENT ? null : []);
    expect(await flagOf('&password=wrong')).toEqual(kind.type === EVENT ? null : []);
    expect(await flagOf(`&password=${POST_PASSWORD}`)).toBe(kind.type === EVENT ? false : title);
  });
});

test.each(ROLES)('a search of %s for events with a password', async (role) => {
  const { _id } = await put(EVENTS, 'password', SOMEBODY);
  const { body } = await ask(role, 'GET', `events?search=${encodeURIComponent(`"Item ${_id}"`)}`);
  expect((body.events as { id: number }[]).map(({ id }) => id)).toEqual(role === 'anonymous' ? [] : [_id]);
});

describe.each(['id', 'slug'] as const)('event with a password by %s', (by) => {
  const QUERY: Record<Key, string> = {
    nothing: '',
    right: `?password=${POST_PASSWORD}`,
    wrong: '?password=Sesame',
    empty: '?password=',
    edit: '?context=edit',
  };

  test.each(describeRows(tables.PASSWORD))('%s', async (_, row) => {
    const post = await put(EVENTS, 'password', ownerOf(row));
    // The parameter is declared for ids only: an empty one is no mistake elsewhere.
    const columns = KEYS.filter((key) => by === 'id' || key !== 'empty');
    await compare(columns, row, EVENTS, async (key) =>
      summary(await ask(row.role, 'GET', itemAddress(EVENTS, by, post) + QUERY[key]), 'nothing'),
    );
  });
});

const METHODS: Record<string, string> = { read: 'GET', update: 'POST', delete: 'DELETE' };

describe.each([
  { kind: EVENTS, other: VENUES, rows: tables.ABSENT_EVENT },
  { kind: VENUES, other: EVENTS, rows: tables.ABSENT_LINKED },
  { kind: ORGANIZERS, other: VENUES, rows: tables.ABSENT_LINKED },
])('no such thing among $kind.path', ({ kind, other, rows }) => {
  test.each(describeRows(rows))('%s', async (_, row) => {
    const stranger = await put(other, 'publish', SOMEBODY);
    const last: Record<string, string> = { id: '99999', slug: 'by-slug/nobody-has-this', other: String(stranger._id) };
    await compare(ABSENCES, row, kind, async (absence) => {
      const [operation, where] = absence.split('-');
      const body = operation === 'update' ? { [kind.title]: 'New' } : undefined;
      return summary(await ask(row.role, METHODS[operation], `${kind.path}/${last[where]}`, body), 'nothing');
    });
  });
});

async function putTerm(taxonomy: string): Promise<number> {
  const _id = (lastId += 1);
  await server().site.store.insert('terms', [
    deriveTerm({
      _id,
      taxonomy,
      name: `Term ${_id}`,
      slug: `term-${_id}`,
      description: '',
      parent: 0,
      termGroup: 0,
      termTaxonomyId: _id,
      count: 0,
    }),
  ]);
  return _id;
}

describe.each([
  { path: 'categories', taxonomy: EVENT_CATEGORY, otherTaxonomy: TAG, rows: tables.CATEGORIES },
  { path: 'tags', taxonomy: TAG, otherTaxonomy: EVENT_CATEGORY, rows: tables.TAGS },
])('$path', ({ path: collection, taxonomy, otherTaxonomy, rows }) => {
  const noun = 'term';

  test.each(describeRows(rows))('%s', async (_, row) => {
    await compare(TERM_OPERATIONS, row, { noun }, async (operation) => {
      const [word, where] = operation.split('-');
      if (word === 'list') return summary(await ask(row.role, 'GET', collection), 'nothing');
      if (word === 'create') return summary(await ask(row.role, 'POST', collection, { name: freshName() }), 'nothing');
      const id = where === 'none' ? 99999 : await putTerm(where === 'other' ? otherTaxonomy : taxonomy);
      return summary(
        await ask(row.role, METHODS[word], `${collection}/${id}`, word === 'update' ? { description: 'New' } : undefined),
        'nothing',
      );
    });
  });

  test.each(ROLES)('what is wrong is said to %s before who may', async (role) => {
    expect(summary(await ask(role, 'POST', collection, {}), 'nothing')).toBe('400 rest_missing_callback_param');
    expect(summary(await ask(role, 'POST', collection, { name: '' }), 'nothing')).toBe('400 rest_invalid_param');
  });

  test.each(describeRows(rows))('Allow: %s', async (_, row) => {
    const mayCreate = row.cells.create === 'created';
    expect(allow(await ask(row.role, 'GET', collection))).toBe(mayCreate ? 'GET, POST' : 'GET');
    expect(allow(await ask(row.role, 'GET', `${collection}/${await putTerm(taxonomy)}`))).toBe(
      mayCreate ? 'GET, POST, PUT, PATCH, DELETE' : 'GET',
    );
  });
});

test.each(describeRows(tables.NAMING))('terms named in an event: %s', async (_, row) => {
  for (const [field, taxonomy] of [
    ['categories', EVENT_CATEGORY],
    ['tags', TAG],
  ] as const) {
    const name = freshName();
    const answer = await ask(row.role, 'POST', 'events', { ...newItem(EVENTS, freshName()), [field]: [name] });
    expect(summary(answer, 'nothing')).toBe(expected(row.cells[field], 'event'));
    const made = await server().site.store.terms.countDocuments({ taxonomy, name });
    expect(made).toBe(row.cells[field] === 'created' ? 1 : 0);
  }
});
