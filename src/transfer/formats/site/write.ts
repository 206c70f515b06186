import { isDeepStrictEqual } from 'node:util';
import type { Comment, MetaRow, Post, Term, User } from '../../../wordpress/model.js';
import { CALENDAR_OPTION } from '../../../plugins/the-events-calendar/model/options.js';
import { POST_KINDS } from '../../kinds.js';
import { kindOfPost } from '../../writing.js';
import type { DatasetSource } from '../../source.js';
import { collect, writeFiles, rowsByKey } from '../collect.js';
import { writeValue } from '../dataset/output.js';
import type { Write, FormatWriteOptions } from '../format.js';
import { POST_LISTS } from './declaration.js';
import { withoutUndefined } from '../../../base/values/records.js';

const rowsOf = (rows: Record<string, string[]>): MetaRow[] =>
  Object.entries(rows).flatMap(([key, values]) => values.map((value) => ({ key, value })));

/** Converts a post to the columns of WordPress; other columns go into `extra`. */
function postRow(post: Post): object {
  const { _id, type, status, author, title, content, excerpt, slug, password, parent, menuOrder, ...rest } = post;
  const { date, dateGmt, modified, modifiedGmt, mimeType, file, image, meta, terms, ...extra } = rest;
  const rows = rowsByKey(meta);
  // Grouping by key loses the order of rows whose keys alternate.
  const keepsOrder = isDeepStrictEqual(rowsOf(rows), meta);
  const more = { ...extra, ...(file === undefined && mimeType !== undefined ? { mimeType } : {}), ...(keepsOrder ? {} : { meta }) };
  return {
    id: _id,
    post_type: type,
    post_status: status,
    post_author: author,
    post_title: title,
    post_content: content,
    post_excerpt: excerpt,
    post_name: slug,
    post_password: password,
    post_parent: parent,
    menu_order: menuOrder,
    post_date: date,
    post_date_gmt: dateGmt,
    post_modified: modified,
    post_modified_gmt: modifiedGmt,
    ...(file === undefined ? {} : { post_mime_type: mimeType ?? '', file, attachment_metadata: image ?? null }),
    meta: rows,
    terms,
    ...(Object.keys(more).length > 0 ? { extra: more } : {}),
  };
}

const termRow = ({ _id, taxonomy, name, slug, description, termGroup, termTaxonomyId, parent, count, fields }: Term): object => ({
  id: _id,
  taxonomy,
  name,
  slug,
  description,
  term_group: termGroup,
  term_taxonomy_id: termTaxonomyId,
  parent,
  count,
  ...(fields === undefined ? {} : { extra: { fields } }),
});

function userRow({ _id, login, email, displayName, nicename, url, role, passwordHash, applicationPasswords, ...extra }: User): object {
  return {
    id: _id,
    login,
    email,
    display_name: displayName,
    nicename,
    url,
    role,
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    application_passwords: applicationPasswords,
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

const extraOf = ({ previous, noteStatus, fields }: Comment): object => {
  const extra = withoutUndefined({ previous, noteStatus, fields });
  return Object.keys(extra).length > 0 ? { extra } : {};
};

const commentRow = (comment: Comment): object => ({
  id: comment._id,
  post: comment.post,
  parent: comment.parent,
  author: comment.author,
  author_name: comment.authorName,
  author_email: comment.authorEmail,
  author_url: comment.authorUrl,
  author_ip: comment.authorIp,
  author_agent: comment.agent,
  comment_date: comment.date,
  comment_date_gmt: comment.dateGmt,
  comment_content: comment.content,
  comment_approved: comment.approved,
  comment_type: comment.type,
  ...extraOf(comment),
});

/** The list of a post, by its type. */
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
