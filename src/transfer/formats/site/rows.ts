import path from 'node:path';
import { isRecord } from '../../../base/values/records.js';
import { CONTENTS, pluginProblem } from '../../../plugins/register.js';
import { PLUGINS_OPTION } from '../../../wordpress/releases.js';
import type { Comment, ImageMetadata, Post, Term, User } from '../../../wordpress/model.js';
import { CALENDAR_OPTION } from '../../../plugins/the-events-calendar/model/options.js';
import { slugKeyOf } from '../../../wordpress/posts/posts.js';
import { deriveTerm } from '../../../wordpress/terms/terms.js';
import { hashDatasetPassword, newApplicationPassword } from '../../../wordpress/users/users.js';
import { countTermUse, type DatasetContent, type SourceFile } from '../../dataset.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { DatasetError, type Problems } from '../../problems.js';
import { declarationsIn } from '../dataset/registered/check.js';
import { POST_LISTS, type RecordingFile, type StoredComment, type StoredImage, type StoredPost, type StoredUser } from './declaration.js';
import { readMoment } from '../../../base/text/moment.js';

/** WP: an option whose value is null or false is not set. */
const setOptions = (options: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== false && value !== undefined));

const imageOf = (stored: StoredImage): ImageMetadata => ({
  width: stored.width,
  height: stored.height,
  file: stored.file,
  ...(stored.filesize === undefined ? {} : { filesize: stored.filesize }),
  sizes: Array.isArray(stored.sizes) ? {} : stored.sizes,
  ...(stored.original_image === undefined ? {} : { original_image: stored.original_image }),
  ...(stored.image_meta === undefined ? {} : { image_meta: isRecord(stored.image_meta) ? stored.image_meta : {} }),
});

/** WP: a blog post without a category is in the default one. Recordings contain only the terms of the calendar. */
function withDefaultCategory(post: Post, defaultCategory: number | undefined): Post {
  const lacksOne = post.type === 'post' && post.terms['category'] === undefined && defaultCategory !== undefined;
  return lacksOne ? { ...post, terms: { ...post.terms, category: [defaultCategory] } } : post;
}

/** A recorded blog post has the defaults of the columns, not those that the settings have for new posts. */
function withOpenDiscussion(post: Post, { default_comment_status: comments, default_ping_status: pings }: Record<string, unknown>): Post {
  const hasOthers = [comments, pings].some((status) => typeof status === 'string' && status !== 'open');
  return hasOthers && post.type === 'post' ? { commentStatus: 'open', pingStatus: 'open', ...post } : post;
}

/** A value that was serialized is kept as JSON. */
const metaTextOf = (value: string | object): string => (typeof value === 'string' ? value : JSON.stringify(value));

function postOf(row: StoredPost): Post {
  const attachment =
    row.file === undefined
      ? {}
      : { file: row.file, mimeType: row.post_mime_type ?? '', image: row.attachment_metadata ? imageOf(row.attachment_metadata) : null };
  return {
    _id: row.id,
    type: row.post_type,
    status: row.post_status,
    author: row.post_author,
    title: row.post_title,
    content: row.post_content,
    excerpt: row.post_excerpt,
    slug: row.post_name,
    password: row.post_password,
    parent: row.post_parent,
    menuOrder: row.menu_order,
    date: row.post_date,
    dateGmt: row.post_date_gmt,
    modified: row.post_modified,
    modifiedGmt: row.post_modified_gmt,
    ...attachment,
    meta: Object.entries(row.meta).flatMap(([key, values]) => values.map((value) => ({ key, value: metaTextOf(value) }))),
    terms: row.terms,
    ...row.extra,
  };
}

const commentOf = (row: StoredComment): Comment => ({
  _id: row.id,
  post: row.post,
  parent: row.parent,
  author: row.author,
  authorName: row.author_name,
  authorEmail: row.author_email,
  authorUrl: row.author_url,
  authorIp: row.author_ip,
  agent: row.author_agent,
  date: row.comment_date,
  dateGmt: row.comment_date_gmt,
  content: row.comment_content,
  approved: row.comment_approved,
  type: row.comment_type,
  ...row.extra,
});

/**
 * Users of a recording are test users: their account password is in the file, or equals the login if they have an application password in
 * plain text. Users without either get no password.
 */
async function userOf(
  { id: userId, login, email, display_name, nicename, url, role, password, application_password, ...own }: StoredUser,
  now: number,
  registered: number | undefined,
): Promise<User> {
  const secret = password ?? (application_password ? login : undefined);
  return {
    _id: userId,
    login,
    email,
    displayName: display_name,
    nicename,
    url,
    role,
    ...(registered === undefined ? {} : { registered }),
    ...(own.password_hash === undefined ? {} : { passwordHash: own.password_hash }),
    ...(secret === undefined ? {} : { passwordHash: await hashDatasetPassword(login, secret) }),
    applicationPasswords: [
      ...(own.application_passwords ?? []),
      ...(application_password ? [newApplicationPassword('conformance', application_password, now)] : []),
    ],
    ...own.extra,
  };
}

function termsOf(rows: NonNullable<RecordingFile['terms']>, posts: Post[]): Term[] {
  const counts = countTermUse(posts);
  return rows.map((row) =>
    deriveTerm({
      _id: row.id,
      taxonomy: row.taxonomy,
      name: row.name,
      slug: row.slug,
      description: row.description,
      parent: row.parent,
      termGroup: row.term_group,
      termTaxonomyId: row.term_taxonomy_id,
      count: counts.get(row.id) ?? 0,
      ...row.extra,
    }),
  );
}

/** Files of an attachment: the full size, the other sizes, and the original if the full size is scaled down. */
function filesOf({ file, image: meta }: Post, folder: string): SourceFile[] {
  if (!file) return [];
  const besides = [...Object.values(meta?.sizes ?? {}).map((entry) => entry.file), ...(meta?.original_image ? [meta.original_image] : [])];
  const targets = [file, ...besides.map((name) => path.posix.join(path.posix.dirname(file), name))];
  return [...new Set(targets)].map((target) => ({ source: path.join(folder, target), within: folder, target, optional: true }));
}

/** Reports duplicate values. */
function checkUnique(values: readonly { at: string; value: string | number }[], what: string, problems: Problems): void {
  const owners = new Map<string | number, string>();
  for (const { at, value } of values) {
    const owner = owners.get(value);
    if (owner === undefined) owners.set(value, at);
    else problems.add(at, `has the same ${what} as ${owner}`);
  }
}

const nextId = (documents: readonly { _id: number }[], given: number | undefined): number =>
  documents.reduce((max, { _id }) => Math.max(max, _id + 1), given ?? 1);

const pluginsIn = (options: Record<string, unknown> = {}): string[] =>
  [options[PLUGINS_OPTION] ?? []]
    .flat()
    .map(String)
    .filter((name) => pluginProblem(name) === null);

async function declaredIn(value: object | undefined, plugins: readonly string[], problems: Problems): Promise<Declarations> {
  if (value === undefined) return {};
  try {
    return await declarationsIn(value, '', plugins);
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    for (const { path: at = 'declares', message } of error.located) problems.add(at, message);
    return {};
  }
}

/**
 * Converts a valid recording to documents.
 * @param uploads the media folder; missing files are skipped
 * @param now epoch seconds
 */
export async function readRecording(file: RecordingFile, uploads: string, now: number, problems: Problems): Promise<DatasetContent> {
  const { terms: termRows = [], users = [], comments = [], site } = file;
  const isComplete = file.understudy === 'site';
  // Accounts of a recording are registered at the time of the recording.
  const registered = Math.floor(((file.clock && readMoment(file.clock.utc)) ?? now * 1000) / 1000);
  const defaultCategory = isComplete ? undefined : termRows.find(({ taxonomy }) => taxonomy === 'category')?.id;
  const set: Record<string, unknown> = isComplete ? {} : (site.options ?? {});
  const rows = POST_LISTS.flatMap((name) =>
    (file[name] ?? []).map((row, index) => ({
      at: `${name}[${index}]`,
      post: withOpenDiscussion(withDefaultCategory(postOf(row), defaultCategory), set),
    })),
  );
  checkUnique(
    rows.map(({ at, post: { _id } }) => ({ at, value: _id })),
    'id',
    problems,
  );
  checkUnique(
    rows.flatMap(({ at, post }) => {
      const key = slugKeyOf(post);
      return key === undefined ? [] : [{ at, value: `${post.type} ${key}` }];
    }),
    'slug',
    problems,
  );
  checkUnique(
    termRows.map((row, index) => ({ at: `terms[${index}]`, value: row.id })),
    'id',
    problems,
  );
  checkUnique(
    termRows.map(({ taxonomy, slug }, index) => ({ at: `terms[${index}]`, value: `${taxonomy} ${slug}` })),
    'slug',
    problems,
  );
  checkUnique(
    users.map((row, index) => ({ at: `users[${index}]`, value: row.id })),
    'id',
    problems,
  );
  checkUnique(
    users.map(({ login }, index) => ({ at: `users[${index}]`, value: login.toLowerCase() })),
    'login',
    problems,
  );
  checkUnique(
    comments.map((row, index) => ({ at: `comments[${index}]`, value: row.id })),
    'id',
    problems,
  );
  const posts = rows.map(({ post: document }) => document);
  const terms = termsOf(termRows, posts);
  const needed = CONTENTS.flatMap(({ name, plugin }) => ((file[name as 'events'] ?? []).length > 0 ? [plugin.name] : []));
  const withPlugins = needed.length > 0 ? { [PLUGINS_OPTION]: needed } : {};
  const named = {
    blogname: site.name,
    blogdescription: site.description,
    admin_email: site.admin_email,
    siteurl: site.siteurl,
    rest_url_prefix: site.rest_prefix,
  };
  return {
    posts,
    terms,
    comments: comments.map(commentOf),
    users: await Promise.all(users.map((row) => userOf(row, now, isComplete ? undefined : registered))),
    options: isComplete
      ? { ...site.options, ...(site.tec_options === undefined ? {} : { [CALENDAR_OPTION]: site.tec_options }) }
      : { ...setOptions(site.options), ...setOptions(named), [CALENDAR_OPTION]: setOptions(site.tec_options), ...withPlugins },
    declarations: await declaredIn(file.declares, pluginsIn(site.options), problems),
    nextIds: { posts: nextId(posts, file.next_ids?.post), terms: nextId(terms, file.next_ids?.term) },
    clock: file.clock ? readMoment(file.clock.utc) : null,
    siteUrl: site.url.replace(/\/+$/, ''),
    files: posts.flatMap((document) => filesOf(document, uploads)),
  };
}
