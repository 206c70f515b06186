import { toUtc } from '../../../wordpress/timezones.js';
import type { Comment, Post, User } from '../../../wordpress/model.js';
import { invalidDate, publicationDates, readDatasetDate, type DateBase } from '../../dates.js';
import type { Problems } from '../../source.js';
import type { DatasetFile, DatasetPostComment } from './declaration.js';
import { assignIds } from './names.js';
import { fieldsEntry, fieldsOfItem } from './rest-fields/declared.js';
import { withoutUndefined } from '../../../base/values/records.js';

/** Comments, on the entry of their post or in a separate list. */

/** The statuses, named as in `wp/v2`, and as they are stored. */
const COMMENT_STATUSES = { approved: '1', hold: '0', spam: 'spam', trash: 'trash', 'post-trashed': 'post-trashed' } as const;

type StatusName = keyof typeof COMMENT_STATUSES;

const isStatus = (name: string): name is StatusName => Object.hasOwn(COMMENT_STATUSES, name);
const nameOfStatus = (stored: string): StatusName | undefined =>
  Object.keys(COMMENT_STATUSES)
    .filter(isStatus)
    .find((name) => COMMENT_STATUSES[name] === stored);

/** The lists whose entries can have comments. */
const COMMENTED = ['events', 'posts', 'pages'] as const;

interface Entry {
  path: string;
  id?: number;
  name: string;
  item: DatasetPostComment;
  /** Id of the post; 0 for none. */
  post: number;
}

interface References {
  /** Posts by their slug and by their id. */
  postOf: (reference: string | number, path: string) => number;
  /** Id of the user with a login. */
  userOf: (login: string, path: string) => number;
  /** Ids of the entries of a list, in its order. */
  idsOf: (list: (typeof COMMENTED)[number]) => readonly number[];
  /** The same for a declared type. */
  idsOfItems: (type: string) => readonly number[];
}

function entriesOf(file: DatasetFile, { postOf, idsOf, idsOfItems }: References): Entry[] {
  const entriesIn = (list: string, items: readonly { comments?: readonly DatasetPostComment[] | undefined }[], ids: readonly number[]) =>
    items.flatMap(({ comments = [] }, index) =>
      comments.map((item, at): Entry => ({ path: `${list}[${index}].comments[${at}]`, id: item.id, name: '', item, post: ids[index] })),
    );
  const onEntries = [
    ...COMMENTED.flatMap((list) => entriesIn(list, file[list] ?? [], idsOf(list))),
    ...Object.entries(file.items ?? {}).flatMap(([type, items = []]) => entriesIn(`items.${type}`, items, idsOfItems(type))),
  ];
  const others = (file.comments ?? []).map((item, at): Entry => {
    const path = `comments[${at}]`;
    return { path, id: item.id, name: '', item, post: item.post === undefined ? 0 : postOf(item.post, `${path}.post`) };
  });
  return [...onEntries, ...others];
}

/** Converts the comments of a file to documents. Invalid references and dates are added to `problems`. */
export function readComments(
  file: DatasetFile,
  users: readonly User[],
  references: References,
  base: DateBase,
  problems: Problems,
): Comment[] {
  const entries = entriesOf(file, references);
  const ids = assignIds(entries, problems);
  const known = new Set(ids);
  const usersById = new Map(users.map((user) => [user._id, user]));
  return entries.map(({ path, item, post }, index): Comment => {
    const { author, parent = 0, date, status_before: before, note_status: noteStatus } = item;
    const user = author === undefined ? undefined : usersById.get(references.userOf(author, `${path}.author`));
    if (parent !== 0 && (!known.has(parent) || parent === ids[index]))
      problems.add(`${path}.parent`, `there is no other comment with the id ${parent}`);
    if (item.content.trim() === '' && noteStatus === undefined) problems.add(`${path}.content`, 'must not be empty');
    const given = date === undefined ? { epoch: base.now } : readDatasetDate(date, base);
    if (!given) problems.add(`${path}.date`, invalidDate(date ?? '', base));
    return {
      _id: ids[index],
      post,
      parent,
      author: user?._id ?? 0,
      authorName: item.author_name ?? user?.displayName ?? '',
      authorEmail: item.author_email ?? user?.email ?? '',
      authorUrl: item.author_url ?? user?.url ?? '',
      authorIp: item.author_ip ?? '',
      agent: item.author_user_agent ?? '',
      ...publicationDates(given?.epoch ?? base.now, base),
      content: item.content,
      approved: COMMENT_STATUSES[item.status ?? 'approved'],
      type: item.type || 'comment',
      ...(before === undefined ? {} : { previous: COMMENT_STATUSES[before] }),
      ...(noteStatus === undefined ? {} : { noteStatus }),
      ...fieldsOfItem(item, 'comment', path, problems),
    };
  });
}

/** The value to write for a field of an author: undefined if it equals the user's. */
const ownText = (text: string, ofUser = ''): string | undefined => (text === ofUser ? undefined : text);

/** A comment as it is written. @param omit receives what the format cannot express */
export function commentEntry(
  comment: Comment,
  user: User | undefined,
  { zone, zones }: Omit<DateBase, 'now'>,
  omit: (what: string) => void,
): DatasetPostComment {
  const { _id, parent, author, authorName, authorEmail, authorUrl, authorIp, agent, content, date, dateGmt, approved, type, previous } =
    comment;
  const status = nameOfStatus(approved);
  const before = previous === undefined ? undefined : nameOfStatus(previous);
  if (author !== 0 && !user) omit('author of a comment: not part of the content');
  if (status === undefined) omit(`status "${approved}" of a comment`);
  const fields: DatasetPostComment = {
    id: _id,
    parent: parent === 0 ? undefined : parent,
    author: user?.login,
    author_name: ownText(authorName, user?.displayName),
    author_email: ownText(authorEmail, user?.email),
    author_url: ownText(authorUrl, user?.url),
    author_ip: ownText(authorIp),
    author_user_agent: ownText(agent),
    // A local time that is not the UTC time of the comment is written in UTC.
    date: toUtc(zones, date, zone) === dateGmt ? date : `${dateGmt.replace(' ', 'T')}Z`,
    status: status === 'approved' ? undefined : status,
    status_before: before,
    type: type === 'comment' ? undefined : type,
    note_status: comment.noteStatus,
    fields: fieldsEntry(comment),
    content,
  };
  return withoutUndefined(fields);
}

export function byPost(comments: readonly Comment[]): Map<number, Comment[]> {
  const found = new Map<number, Comment[]>();
  for (const comment of comments) {
    const list = found.get(comment.post);
    if (list) list.push(comment);
    else found.set(comment.post, [comment]);
  }
  return found;
}

/** The comments of posts whose entries have no comments, for the separate list. */
export const otherComments = (comments: readonly Comment[], posts: ReadonlyMap<number, Post>, types: readonly string[]): Comment[] =>
  comments.filter(({ post }) => !types.includes(posts.get(post)?.type ?? ''));
