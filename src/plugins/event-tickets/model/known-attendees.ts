import { isEmpty } from '../../../base/php/cast.js';
import { DocumentsInOrder, Mirror } from '../../../database/memory/mirror.js';
import { decode, sourceOf } from '../../../database/store/scan.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import { idsAmong } from '../../../wordpress/posts/posts.js';
import type { Store } from '../../../wordpress/store.js';
import { attendeeOf, HIDES_ATTENDEES, COMPLETED, type Attendee } from './attendee.js';
import { ATTENDEE_TYPES } from './ticket.js';

/* Attendees that are kept in memory, mapped, and in the orders of lists: a list shows a page of them, and has to look at all. */

/** More attendees than this are read for each list. */
const MOST = 50_000;

type Known = Attendee & { _id: number };

const knownOf = (post: Post): Known => ({ ...attendeeOf(post), _id: post._id });

/** Texts that no list compares or shows are not read. */
const FIELDS = { search: 0, slugKey: 0, content: 0, excerpt: 0 };
const ARE_ATTENDEES = { type: { $in: [...ATTENDEE_TYPES] } };

const mirrors = new WeakMap<Store, Mirror<Known, DocumentsInOrder<Known>>>();

function mirrorOf(store: Store): Mirror<Known, DocumentsInOrder<Known>> {
  const known = mirrors.get(store);
  if (known) return known;
  const source = sourceOf<Known>(store.db, 'posts', FIELDS, ARE_ATTENDEES, (bytes) => knownOf(decode<Post>(bytes)));
  const mirror = new Mirror(store.state, 'posts', source, () => new DocumentsInOrder<Known>(MOST));
  mirrors.set(store, mirror);
  return mirror;
}

/** The orders of lists, ascending. */
const ORDERS = {
  title: (a: Attendee, b: Attendee) => (a.post.titleKey ?? '').localeCompare(b.post.titleKey ?? '') || a.id - b.id,
  date: (a: Attendee, b: Attendee) => a.post.date.localeCompare(b.post.date) || a.id - b.id,
};

/** All attendees of a site, in an order. Callers do not modify them. */
export async function attendeesInOrder(store: Store, by: keyof typeof ORDERS, descending: boolean): Promise<Attendee[]> {
  const kept = store.memory.keepsNothing ? null : await mirrorOf(store).read();
  if (!kept) {
    const all = (await store.posts.find(ARE_ATTENDEES, { projection: FIELDS }).toArray()).map(attendeeOf).sort(ORDERS[by]);
    return descending ? all.toReversed() : all;
  }
  const { all } = kept;
  const ids = await store.cache.remember(
    `attendees by ${by}`,
    () => Promise.resolve([...all.values()].sort(ORDERS[by]).map(({ id }) => id)),
    'posts',
  );
  const found = ids.flatMap((id) => all.get(id) ?? []);
  return descending ? found.toReversed() : found;
}

/** Ids of what attendees are shown to visitors by. */
export interface ShownBy {
  /** Published events that do not hide their attendees: without a password, and with one. */
  open: number[];
  protected: number[];
  completed: number[];
}

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)].filter((id) => id > 0);

/** Finds what some attendees are shown by. */
export async function shownBy(store: Store, attendees: readonly Attendee[]): Promise<ShownBy> {
  const published = await idsAmong(store, distinct(attendees.map(({ event }) => event)), { status: 'publish' });
  const withKey = await store.posts.find({ _id: { $in: published }, 'meta.key': HIDES_ATTENDEES }, { projection: { meta: 1 } }).toArray();
  const hiding = new Set(withKey.filter((event) => !isEmpty(metaValue(event, HIDES_ATTENDEES))).map(({ _id }) => _id));
  const shown = published.filter((id) => !hiding.has(id));
  const open = await idsAmong(store, shown, { password: '' });
  const isOpen = new Set(open);
  return {
    open,
    protected: shown.filter((id) => !isOpen.has(id)),
    completed: await idsAmong(store, distinct(attendees.map(({ post }) => post.parent)), { status: COMPLETED }),
  };
}

/** The same of all attendees of a site. Read once after each write. */
export const shownByAll = (store: Store, attendees: readonly Attendee[]): Promise<ShownBy> =>
  store.cache.remember('what shows attendees', () => shownBy(store, attendees), 'posts');
