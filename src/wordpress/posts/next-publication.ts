import { ANY_TEXT } from '../../database/store/indexes.js';
import type { Store } from '../store.js';

const NAME = 'next publication';

/** When the next scheduled post is due: UTC date and time; null: nothing is scheduled; undefined: unknown, call `nextPublication`. */
export const knownPublication = ({ cache }: Store): string | null | undefined => cache.peek<string | null>(NAME, 'posts');

/** When the next scheduled post is due: UTC date and time; null: nothing is scheduled. */
export const nextPublication = (store: Store): Promise<string | null> => store.cache.remember(NAME, () => ask(store), 'posts');

async function ask({ posts, scheduled }: Store): Promise<string | null> {
  const known = await scheduled?.read();
  if (known) return [...known.all.values()].reduce<string | null>((next, { dateGmt }) => earlier(next, dateGmt), null);
  const found = await posts.findOne({ status: 'future', dateGmt: ANY_TEXT }, { sort: { dateGmt: 1 }, projection: { dateGmt: 1 } });
  return found?.dateGmt ?? null;
}

const earlier = (one: string | null, other: string): string => (one !== null && one < other ? one : other);
