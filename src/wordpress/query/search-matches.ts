import type { Store } from '../store.js';
import type { PostQuery } from './post-query.js';
import type { Matches } from '../../database/memory/text-index.js';

/** Up to so many posts that a search has found in memory are handed to the database by id. */
const FEW = 200;

/**
 * Finds the matches of a search in the texts that are held in memory, regardless of all conditions but the types and `withoutPassword`. Null: the
 * texts are not in memory, or do not tell. Use it before the next `await`, since it changes.
 */
export async function matchesOf(store: Store, { type, search, withoutPassword = false }: PostQuery): Promise<Matches | null> {
  const { texts: all } = store;
  if (!search || !all) return null;
  const texts = await Promise.all([type].flat().map((each) => all.of(each)));
  const found = texts.map((each) => each?.find(search, withoutPassword) ?? null).filter((each) => each !== null);
  if (found.length < texts.length) return null;
  return {
    ids: () => (found.length === 1 ? found[0].ids() : Int32Array.from(found.flatMap(({ ids }) => [...ids()]))),
    isExact: found.every(({ isExact }) => isExact),
  };
}

/** Restricts a search that the database performs to the posts that were found in memory, if these are few. */
export async function narrowedToMatches(store: Store, query: PostQuery): Promise<PostQuery> {
  const found = await matchesOf(store, query);
  const all = found?.ids() ?? [];
  if (!found || all.length > FEW) return query;
  const few = [...all];
  const { ids } = query;
  return { ...query, ids: ids ? few.filter((id) => ids.includes(id)) : few };
}
