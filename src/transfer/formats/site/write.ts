import { isDeepStrictEqual } from 'node:util';
import type { Comment, MetaRow, Post, Term, User } from '../../../wordpress/model.js';
import { CALENDAR_OPTION } from '../../../plugins/the-events-calendar/model/options.js';
import { POST_KINDS } from '../../kinds.js';
import { kindOfPost } from '../../writing.js';
import type { DatasetSource } from '../../source.js';
import { collect, writeFiles, rowsByKey } from '../collect.js';
import { writeValue } from '../dataset/output.js';
import type { Write, FormatWriteOptions } from '../format.js';
import { columnsOf, othersOf } from '../stored.js';
import { POST_LISTS } from './rows.js';
import { withoutUndefined } from '../../../base/values/records.js';

const rowsOf = (rows: Record<string, string[]>): MetaRow[] =>
  Object.entries(rows).flatMap(([key, values]) => values.map((value) => ({ key, value })));

/** Converts a post to the columns of WordPress; other columns go into `extra`. */
function postRow(post: Post): object {
  const { mimeType, file, image, meta, terms } = post;
  const extra = othersOf('post', post, ['mimeType', 'file', 'image', 'meta', 'terms']);
  const rows = rowsByKey(meta);
  // Grouping by key loses the order of rows whose keys alternate.
  const keepsOrder = isDeepStrictEqual(rowsOf(rows), meta);
  const more = { ...extra, ...(file === undefined && mimeType !== undefined ? { mimeType } : {}), ...(keepsOrder ? {} : { meta }) };
  return {
    ...columnsOf('post', post),
    ...(file === undefined ? {} : { post_mime_type: mimeType ?? '', file, attachment_metadata: image ?? null }),
    meta: rows,
    terms,
    ...(Object.keys(more).length > 0 ? { extra: more } : {}),
  };
}

function termRow(term: Term): object {
  const { parent, ...columns } = columnsOf('term', term);
  const { count, fields } = term;
  return { ...columns, parent, count, ...(fields === undefined ? {} : { extra: { fields } }) };
}

function userRow(user: User): object {
  const { passwordHash, applicationPasswords } = user;
  const extra = othersOf('user', user, ['passwordHash', 'applicationPasswords']);
  return {
    ...columnsOf('user', user),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    application_passwords: applicationPasswords,
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

function commentRow(comment: Comment): object {
  const { previous, noteStatus, fields } = comment;
  const extra = withoutUndefined({ previous, noteStatus, fields });
  return { ...columnsOf('comment', comment), ...(Object.keys(extra).length > 0 ? { extra } : {}) };
}

function listOf({ type }: Post): string {
  const { part = '', plugin } = POST_KINDS.get(type) ?? {};
  return plugin === undefined && POST_LISTS.some((name) => name === part) ? part : 'other_posts';
}

/** Converts a source to the format of recorded sites, marked as complete. */
async function siteOf(source: DatasetSource, options: FormatWriteOptions): Promise<object> {
  const { options: all, users, terms, posts, comments, files } = await collect(source);
  const { [CALENDAR_OPTION]: calendar, ...others } = all;
  const lists: Record<string, object[]> = Object.fromEntries(POST_LISTS.map((name) => [name, []]));
  for (const post of posts) options.wrote?.(kindOfPost(post));
  for (const kind of [...users.map(() => 'user'), ...terms.map(() => 'term')]) options.wrote?.(kind);
  for (const post of posts) lists[listOf(post)].push(postRow(post));
  await writeFiles(files, options);
  return {
    understudy: 'site',
    ...(source.clock === null ? {} : { clock: { utc: new Date(source.clock).toISOString() } }),
    site: { url: source.siteUrl, options: others, ...(calendar === undefined ? {} : { tec_options: calendar }) },
    ...(Object.keys(source.declarations ?? {}).length > 0 ? { declares: source.declarations } : {}),
    ...(source.nextIds ? { next_ids: { post: source.nextIds.posts, term: source.nextIds.terms } } : {}),
    users: users.map(userRow),
    terms: terms.map(termRow),
    ...lists,
    ...(comments.length > 0 ? { comments: comments.map(commentRow) } : {}),
  };
}

export const writeSiteFile: Write = async (source, out, options) => writeValue(await siteOf(source, options), out, options, 'json');
