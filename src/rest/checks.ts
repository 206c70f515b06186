/** Checks that the plugin's interfaces share. */
import { intval, isNumeric } from '../php/cast.js';
import { phpTrim } from '../wp/formatting/strip-tags.js';
import { existingIds, findPosts } from '../wp/posts.js';
import { Resolved, type CallContext, type Check } from './route.js';
import type { Json } from './json.js';
import type { Post } from '../wp/model.js';

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

/** A list of ids of existing posts of a type, in every status. */
export const postIds =
  (type: string): Check =>
  async (value, { site }) => {
    const items = listOf(value);
    if (items.length === 0 || !items.every(isIntegral)) return false;
    const wanted = [...new Set(items.map(Number))];
    return (await existingIds(site.store, type, wanted)).size === wanted.length;
  };

/** Existing posts of a type by id, in every status. */
export const postList =
  (type: string) =>
  async (value: Json, { site }: CallContext): Promise<false | Resolved<Post[]>> => {
    const items = listOf(value);
    if (items.length === 0 || !items.every(isIntegral)) return false;
    const wanted = [...new Set(items.map(Number))];
    const posts = (await findPosts(site.store, wanted)).filter((post) => post.type === type);
    return posts.length === wanted.length && new Resolved(posts);
  };
