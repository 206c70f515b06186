import type { Sequence } from '../../database/store/sequences.js';
import type { Staging } from '../../database/store/staging.js';
import type { Comment, Term, User } from '../../wordpress/model.js';
import type { Store } from '../../wordpress/store.js';
import { termKey, termName, userKey, type Inventory, type Keyed } from './inventory.js';

/** How many ids to look up at a time. */
const LOOKUP = 1_000;

/** Existing ids, with which those of a source must not collide. */
interface Before {
  store: Store;
  /** Whether the content of the store is kept. */
  keepsContent: boolean;
  /** The posts of earlier sources of this load, and the other items of these sources. */
  staging: Staging;
  users: ReadonlyMap<string, User>;
  terms: ReadonlyMap<string, Term>;
  comments: ReadonlyMap<number, Comment>;
}

/** New ids by the ids in the source. */
type Ids = ReadonlyMap<number, number>;

/** The ids of the items of a source on the site, and those of the items that exist already. */
export interface NewIds extends Record<Sequence, { ids: Ids; existing: Ids }> {
  /** The author of posts whose author is not known. */
  fallbackAuthor: number;
}

/** Finds the ids that are in use, out of some. */
type InUse = (ids: readonly number[]) => number[] | Promise<number[]>;

const ONLY_ID = { projection: { _id: 1 } };

const idsOf = (documents: Iterable<{ _id: number }>): number[] => Array.from(documents, ({ _id }) => _id);

/** The posts that are only mentioned and that exist. */
async function existingPosts({ mentioned }: Inventory, { store, keepsContent, staging }: Before): Promise<Ids> {
  const existing = new Map<number, number>();
  for (const { _id, type, titleKey, slug } of mentioned) {
    const either = slug === undefined ? { type, titleKey } : { type, $or: [{ titleKey }, { slug }] };
    const stored = keepsContent ? await store.posts.findOne(either, { sort: { _id: 1 }, ...ONLY_ID }) : null;
    const found = stored?._id ?? (await staging.find('posts', either));
    if (found !== undefined) existing.set(_id, found);
  }
  return existing;
}

const highestOf = (ids: Iterable<number>, least: number): number => [...ids].reduce((highest, id) => Math.max(highest, id), least);

/** Finds new ids for the items of a source whose ids are in use. @param keepsIds whether ids that are free are kept */
export async function assignIds(inventory: Inventory, keepsIds: boolean, before: Before): Promise<NewIds> {
  const { store, keepsContent, staging } = before;

  /** @param last the highest id in use */
  async function assign(sequence: Sequence, all: Iterable<number>, existing: Ids, last: number, inUse: InUse): Promise<NewIds[Sequence]> {
    const wanted = [...new Set(all)].filter((id) => !existing.has(id));
    if (wanted.length === 0) return { ids: existing, existing };
    const highest = highestOf(keepsIds ? wanted : [], last);
    // Prevents that these ids are assigned to other documents during the load.
    if (keepsContent) await store.sequences.reserve(sequence, highest + 1);
    const taken = new Set(keepsIds ? [] : wanted);
    for (let start = 0; keepsIds && start < wanted.length; start += LOOKUP)
      for (const id of await inUse(wanted.slice(start, start + LOOKUP))) taken.add(id);
    let next = keepsContent && taken.size > 0 ? await store.sequences.next(sequence, taken.size) : highest + 1;
    const ids = new Map(existing);
    for (const id of wanted) ids.set(id, taken.has(id) ? next++ : id);
    return { ids, existing };
  }

  /** The same for items that are identified by keys. @param holders the documents that exist, by their keys */
  function assignByKey(
    sequence: Sequence,
    items: readonly Keyed[],
    holders: ReadonlyMap<string, { _id: number }>,
  ): Promise<NewIds[Sequence]> {
    const existing = new Map(items.flatMap(({ _id, key }) => (holders.has(key) ? [[_id, holders.get(key)!._id]] : [])));
    const used = new Set(idsOf(holders.values()));
    return assign(sequence, idsOf(items), existing, highestOf(used, 0), (ids) => ids.filter((id) => used.has(id)));
  }

  const storedIds = async (collection: 'posts' | 'comments', ids: readonly number[]): Promise<number[]> =>
    keepsContent
      ? idsOf(
          await store.db
            .collection<{ _id: number }>(collection)
            .find({ _id: { $in: ids } }, ONLY_ID)
            .toArray(),
        )
      : [];
  const storedUsers = keepsContent ? await store.users.find({}).project<User>({ login: 1, role: 1 }).toArray() : [];
  const users = new Map([...storedUsers.map((user) => [userKey(user), user] as const), ...before.users]);
  const storedTerms = keepsContent ? await store.terms.find({}).project<Term>({ taxonomy: 1, slug: 1, nameKey: 1 }).toArray() : [];
  const terms = new Map([...storedTerms.map((term) => [termKey(term), term] as const), ...before.terms]);
  const keyOfName = new Map([...terms].map(([key, term]) => [termName(term), key]));
  const namedTerms = inventory.terms.map(({ _id, key, name = '' }) => ({ _id, key: keyOfName.get(name) ?? key }));
  const all = [...users.values()];
  return {
    users: await assignByKey('users', inventory.users, users),
    terms: await assignByKey('terms', namedTerms, terms),
    posts: await assign('posts', inventory.posts, await existingPosts(inventory, before), await staging.highest('posts'), async (ids) => [
      ...(await staging.present('posts', ids)),
      ...(await storedIds('posts', ids)),
    ]),
    comments: await assign('comments', inventory.comments, new Map(), highestOf(before.comments.keys(), 0), async (ids) => [
      ...ids.filter((id) => before.comments.has(id)),
      ...(await storedIds('comments', ids)),
    ]),
    fallbackAuthor: (all.find(({ role }) => role === 'administrator') ?? all.at(0))?._id ?? 1,
  };
}
