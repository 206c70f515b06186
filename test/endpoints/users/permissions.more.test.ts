import { type Post } from '../../../src/wordpress/model.js';
import { EVENT } from '../../../src/plugins/the-events-calendar/model/index.js';
import { userId } from '../../support/people.js';
import * as tables from './permissions.table.js';
import { ABSENCES, KEYS, LISTED, ROLES, SENT, STATES, type Key, type Row, type Sent, type State } from './permissions.table.js';
import {
  LATER,
  POST_PASSWORD,
  SOMEBODY,
  server,
  type Kind,
  EVENTS,
  VENUES,
  ORGANIZERS,
  put,
  ask,
  allow,
  summary,
  ownerOf,
  compare,
  describeRows,
  newItem,
  freshName,
  METHODS,
} from './permissions.js';

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

// Also by slug: `Allow` depends on the permissions for the item's id.
describe.each([
  { kind: EVENTS, read: tables.READ_EVENT, update: tables.UPDATE_EVENT_BY_ID },
  { kind: VENUES, read: tables.READ_LINKED, update: tables.UPDATE_LINKED_BY_ID },
  { kind: ORGANIZERS, read: tables.READ_LINKED, update: tables.UPDATE_LINKED_BY_ID },
])('the Allow header for $kind.path', ({ kind, read, update }) => {
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

/** Parameters for a word of the status table. */
function sentStatus(sent: Sent): { status?: string; date?: string } {
  const [word, date] = sent.split('+');
  const words: Record<string, string | undefined> = { absent: undefined, empty: '', unknown: 'nonsense' };
  const status = word in words ? words[word] : word;
  return { ...(status === undefined ? {} : { status }), ...(date ? { date: LATER } : {}) };
}

describe.each([EVENTS, VENUES, ORGANIZERS])('status of $path', (kind) => {
  test.each(describeRows(tables.STATUS_SCALING))('created: %s', async (_, row) => {
    await compare(SENT, row, { ...kind, good: '201' }, async (sent) =>
      summary(await ask(row.role, 'POST', kind.path, { ...newItem(kind, freshName()), ...sentStatus(sent) }), 'status'),
    );
  });

  test.each(describeRows(tables.STATUS_SCALING))('draft updated: %s', async (_, row) => {
    // TEC: a date for a venue or organizer does not change the UTC date, and so not the status.
    const { cells } = row;
    const expected = kind === EVENTS ? cells : { ...cells, 'publish+date': cells.publish, 'future+date': cells.future };
    await compare(SENT, { ...row, cells: expected }, kind, async (sent) => {
      const draft = await put(kind, 'draft', ownerOf(row));
      return summary(await ask(row.role, 'PUT', `${kind.path}/${draft._id}`, { [kind.title]: 'New', ...sentStatus(sent) }), 'status');
    });
  });

  test.each(ROLES.filter((role) => !['subscriber', 'anonymous'].includes(role)))('%s may set any author', async (role) => {
    const named = await ask(role, 'POST', kind.path, { ...newItem(kind, freshName()), author: SOMEBODY });
    expect([named.status, named.body.author]).toEqual([201, String(SOMEBODY)]);
    const unknown = await ask(role, 'POST', kind.path, { ...newItem(kind, freshName()), author: 99 });
    expect(summary(unknown, 'nothing')).toBe('400 rest_invalid_param');
  });

  test('the current user is the default author', async () => {
    const { body } = await ask('contributor', 'POST', kind.path, newItem(kind, freshName()));
    expect(body.author).toBe(String(userId('contributor')));
  });
});

describe.each([EVENTS, VENUES, ORGANIZERS])('list of $path', (kind) => {
  /** Ids of everyone's items by state. */
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

  test.each(ROLES)('items with a password are blank for %s without the password', async (role) => {
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

test.each(ROLES)('a search by %s for events with a password', async (role) => {
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
    // The parameter is declared only for ids. Elsewhere, an empty one is valid.
    const columns = KEYS.filter((key) => by === 'id' || key !== 'empty');
    await compare(columns, row, EVENTS, async (key) =>
      summary(await ask(row.role, 'GET', itemAddress(EVENTS, by, post) + QUERY[key]), 'nothing'),
    );
  });
});

describe.each([
  { kind: EVENTS, other: VENUES, rows: tables.ABSENT_EVENT },
  { kind: VENUES, other: EVENTS, rows: tables.ABSENT_LINKED },
  { kind: ORGANIZERS, other: VENUES, rows: tables.ABSENT_LINKED },
])('a missing item of $kind.path', ({ kind, other, rows }) => {
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
