import { absint } from '../../../base/php/cast.js';
import { lookup } from '../../../base/values/records.js';
import { sorted } from '../../../database/store/local/values.js';
import type { Comment } from '../../model.js';
import { pagingOf } from '../../rest/lists.js';
import type { EndpointCall } from '../../rest/params.js';
import { readSentDate } from '../../rest/posts/dates.js';
import { withoutNotes, type CommentFilter } from '../../query/comments.js';
import { holds, isLong } from '../../query/search-conditions.js';
import type { COMMENT_FILTERS } from './comment-args.js';

export type CommentListCall = EndpointCall<typeof COMMENT_FILTERS>;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** WP: the fields that a search covers. */
const SEARCHED = ['authorName', 'authorEmail', 'authorUrl', 'authorIp', 'content'];

/** Whether a field contains a text, in any case. A text that is too long for a pattern is compared without regard to case in ASCII only. */
function contains(field: string, text: string): CommentFilter {
  const pattern = escaped(text);
  if (!isLong(pattern)) return { [field]: { $regex: pattern, $options: 'i' } };
  return {
    $expr: holds(
      { $toLower: `$${field}` },
      text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    ),
  };
}

const STATUS: Record<string, string[]> = lookup({ approve: ['1'], hold: ['0'], all: ['0', '1'] });

function oneOf(field: string, wanted: number[] = [], unwanted: number[] = []): CommentFilter[] {
  const ids = (given: number[]): number[] => given.map(absint);
  return [
    ...(wanted.length > 0 ? [{ [field]: { $in: ids(wanted) } }] : []),
    ...(unwanted.length > 0 ? [{ [field]: { $nin: ids(unwanted) } }] : []),
  ];
}

/** The conditions of a list of comments. */
function filterOf({ params, site }: CommentListCall): CommentFilter {
  const { status, type, search, after, before, author_email: email } = params;
  const all: CommentFilter[] = [
    ...(status === 'any' ? [] : [{ approved: { $in: STATUS[status] ?? [status] } }]),
    ...(type === 'all' ? [] : [type === '' ? withoutNotes(site.quirks) : { type }]),
    ...oneOf('_id', params.include, params.exclude),
    ...oneOf('author', params.author, params.author_exclude),
    ...oneOf('parent', params.parent, params.parent_exclude),
    ...oneOf('post', params.post),
    ...(email ? [{ authorEmail: email }] : []),
    ...(after === undefined ? [] : [{ date: { $gt: readSentDate(after, false, site).date } }]),
    ...(before === undefined ? [] : [{ date: { $lt: readSentDate(before, false, site).date } }]),
    ...(search ? [{ $or: SEARCHED.map((field) => contains(field, search)) }] : []),
  ];
  return all.length > 0 ? { $and: all } : {};
}

const COLUMNS = { date: 'date', date_gmt: 'dateGmt', id: '_id', include: '_id', post: 'post', parent: 'parent', type: 'type' } as const;

function sortOf({ orderby, order }: CommentListCall['params']): Record<string, 1 | -1> {
  const direction = order === 'asc' ? 1 : -1;
  const column = COLUMNS[orderby];
  return column === '_id' ? { _id: direction } : { [column]: direction, _id: direction };
}

/** The most comments of several posts that are read together. */
const MOST = 2_000;

/** The comments on a page of a list, and the number of all. Lists of single posts that are embedded in a list of posts are one query. */
export async function pageOfComments(call: CommentListCall): Promise<{ found: Comment[]; total: number }> {
  const { params, site } = call;
  const { cache, comments } = site.store;
  const { perPage, offset } = pagingOf(params);
  const filter = filterOf(call);
  const ofPosts = (post: number[]): CommentFilter => filterOf({ ...call, params: { ...params, post } });
  const load = async (posts: number[]): Promise<ReadonlyMap<number, Comment[]>> => {
    if (posts.length === 1) return new Map();
    const read = await comments
      .find(ofPosts(posts))
      .limit(MOST + 1)
      .toArray();
    if (read.length > MOST) return new Map();
    const byPost = new Map(posts.map((id): [number, Comment[]] => [id, []]));
    for (const comment of read) byPost.get(comment.post)?.push(comment);
    return byPost;
  };
  const [post, ...others] = params.post ?? [];
  const isOfOne = post !== undefined && others.length === 0;
  const all = isOfOne ? await cache.lookUp(`comments ${JSON.stringify(ofPosts([]))}`, absint(post), load) : undefined;
  if (all) return { found: sorted(all, sortOf(params)).slice(offset, offset + perPage), total: all.length };
  const [found, total] = await Promise.all([
    comments.find(filter).sort(sortOf(params)).skip(offset).limit(perPage).toArray(),
    comments.countDocuments(filter),
  ]);
  return { found, total };
}
