import { ANY_TEXT } from '../store/indexes.js';
import type { Store } from './store.js';

const NAME = 'next publication';

/** When the next scheduled post is due: UTC date and time; null: nothing is scheduled; undefined: unknown, call `nextPublication`. */
export const knownPublication = ({ cache }: Store): string | null | undefined => cache.peek<string | null>(NAME, 'posts');

/** When the next scheduled post is due: UTC date and time; null: nothing is scheduled. */
export const nextPublication = (store: Store): Promise<string | null> => store.cache.remember(NAME, () => ask(store), 'posts');

/** Most sites have no scheduled posts, which is found in memory. */
async function ask({ posts, rows }: Store): Promise<string | null> {
  const known = (await rows?.readIfPresent())?.find({ conditions: { status: 'future' }, order: { date: 1, _id: 1 }, offset: 0, limit: 0 });
  if (known?.total === 0) return null;
  const found = await posts.findOne({ status: 'future', dateGmt: ANY_TEXT }, { sort: { dateGmt: 1 }, projection: { dateGmt: 1 } });
  return found?.dateGmt ?? null;
}
