import { ZERO_DATE, type MetaRow, type Post } from '../../../src/wordpress/model.js';
import { EVENT, ORGANIZER, VENUE } from '../../../src/plugins/the-events-calendar/model/index.js';
import { withDerivedColumns } from '../../../src/wordpress/posts/posts.js';
import { PEOPLE, ask as send, userId, type Answer } from '../../support/people.js';
import { startTestServer } from '../../support/server.js';
import { type Role, type Row, type State } from './permissions.table.js';
import { registry } from '../../support/registry.js';

export const LATER = '2026-09-01 10:00:00';
export const POST_PASSWORD = 'sesame';
/** Another user, who owns the items of "others". */
export const SOMEBODY = userId('somebody');

export const server = startTestServer({ dataset: PEOPLE });

export interface Kind {
  type: string;
  path: string;
  noun: string;
  /** Field that is required in every write. */
  title: string;
}

export const EVENTS: Kind = { type: EVENT, path: 'events', noun: 'event', title: 'title' };
export const VENUES: Kind = { type: VENUE, path: 'venues', noun: 'venue', title: 'venue' };
export const ORGANIZERS: Kind = { type: ORGANIZER, path: 'organizers', noun: 'organizer', title: 'organizer' };

const meta = (rows: Record<string, string>): MetaRow[] => Object.entries(rows).map(([key, value]) => ({ key, value }));

const EVENT_META = meta({
  _EventStartDate: '2026-07-01 10:00:00',
  _EventEndDate: '2026-07-01 11:00:00',
  _EventStartDateUTC: '2026-07-01 10:00:00',
  _EventEndDateUTC: '2026-07-01 11:00:00',
  _EventTimezone: 'UTC',
});

/** Ids far above those that the server generates. */
let lastId = 1_000_000;
export const nextId = (): number => (lastId += 1);

let batch: { posts: Post[]; stored: Promise<void> } | null = null;

/** Batches posts that are stored in the same tick. */
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

/** Stores an item in a state directly, without the API. */
export async function put(kind: Kind, state: State, author: number): Promise<Post> {
  const _id = nextId();
  const [status, before = 'publish'] = state.split('/');
  const isTrash = status === 'trash';
  const slug = `item-${_id}`;
  const date = state === 'future' ? LATER : '2026-06-01 10:00:00';
  const post = withDerivedColumns(
    {
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
    },
    registry,
  );
  await store(post);
  return post;
}

export const ask = (role: Role, method: string, address: string, body?: object): Promise<Answer> =>
  send(role, method, `${server().restUrl}/tribe/events/v1/${address}`, body);

export const allow = ({ headers }: Answer): string | null => headers.get('allow');

/** Status and code for the words of the tables. */
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

export const expected = (cell: string, noun: string, good = '200'): string => refusals(noun)[cell] ?? `${good} ${cell}`;

/** Summarizes a response in the format of `expected`: status and code, or for successful writes, status and the item's status. */
export function summary({ status, body }: Answer, shows: 'nothing' | 'status'): string {
  if (status < 400) return shows === 'status' ? `${status} ${String(body.status)}` : String(status);
  expect((body.data as { status: number }).status).toBe(status);
  return `${status} ${String(body.code)}`;
}

export const ownerOf = ({ role, owner }: Row<string>): number => (owner === 'own' ? userId(role) : SOMEBODY);

/** Compares a whole row at once, so that a failure shows all differences. */
export async function compare<Column extends string>(
  columns: readonly Column[],
  row: Row<Column>,
  { noun, good }: { noun: string; good?: string },
  actual: (column: Column) => Promise<string>,
): Promise<void> {
  const found = await Promise.all(columns.map(async (column) => [column, await actual(column)]));
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(columns.map((column) => [column, expected(row.cells[column], noun, good)])));
}

export const describeRows = <Column extends string>(rows: Row<Column>[]): [string, Row<Column>][] =>
  rows.map((row) => [`${row.role}, ${row.owner}`, row]);

export const newItem = (kind: Kind, name: string): object =>
  kind.type === EVENT ? { title: name, start_date: '2026-07-01 10:00:00', end_date: '2026-07-01 11:00:00' } : { [kind.title]: name };

let names = 0;
export const freshName = (): string => `Fresh ${(names += 1)}`;

export const METHODS: Record<string, string> = { read: 'GET', update: 'POST', delete: 'DELETE' };
