/** Checks that the plugin's interfaces share. */
import { intval, isNumeric } from '../../base/php/cast.js';
import { phpTrim } from '../formatting/strip-tags.js';
import { findPosts } from '../posts/posts.js';
import { Resolved, type CallContext, type Check } from './route.js';
import type { Json } from './request.js';
import type { Post } from '../model.js';

/** PHP: a number that a cast to integer does not change; the cast caps larger ones. */
export const isIntegral = (value: Json): boolean => isNumeric(value) && Number(value) === intval(value);

export const positiveInt: Check = (value) => isIntegral(value) && Number(value) > 0;

/** Members of a list that came as CSV or as an array; texts trimmed, empty ones skipped (TEC). */
export function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  if (value !== null && typeof value === 'object') return Object.values(value);
  return typeof value === 'string'
    ? value
        .split(',')
        .map(phpTrim)
        .filter((part) => part !== '')
    : [value];
}

/** How many items of a list are looked up at a time. */
const PART = 500;

/**
 * Looks up the items of a list part by part, so that a long list costs no more than its items that exist.
 * @param lookUp returns what a part stands for; null if one of its items does not exist
 * @returns what all items stand for; null if one does not exist
 */
export async function lookUpAll<T, R>(items: Iterable<T>, lookUp: (part: T[]) => Promise<R[] | null>): Promise<R[] | null> {
  const wanted = [...new Set(items)];
  const found: R[] = [];
  for (let from = 0; from < wanted.length; from += PART) {
    const part = await lookUp(wanted.slice(from, from + PART));
    if (part === null) return null;
    for (const one of part) found.push(one);
  }
  return found;
}

/** Existing posts of a type by id, in every status. TEC: the ids may be in lists of their own. */
export const postList =
  (type: string) =>
  async (value: Json, { site }: CallContext): Promise<false | Resolved<Post[]>> => {
    const items = listOf(value).flatMap((item): Json[] => (item !== null && typeof item === 'object' ? Object.values(item) : [item]));
    if (items.length === 0 || !items.every(isIntegral)) return false;
    const posts = await lookUpAll(items.map(Number), async (ids) => {
      const found = (await findPosts(site.store, ids)).filter((post) => post.type === type);
      return found.length === ids.length ? found : null;
    });
    return posts !== null && new Resolved(posts);
  };
