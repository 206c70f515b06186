import path from 'node:path';
import { isRecord, type Json } from '../../../base/values/records.js';
import { CONTENTS, pluginProblem, pluginsDeclaring } from '../../../plugins/register.js';
import { PLUGINS_OPTION } from '../../../wordpress/quirks.js';
import type { ImageMetadata, Post, Term, User } from '../../../wordpress/model.js';
import { CALENDAR_OPTION } from '../../../plugins/the-events-calendar/model/options.js';
import { slugKeyOf } from '../../../wordpress/posts/posts.js';
import { deriveTerm } from '../../../wordpress/terms/terms.js';
import { hashDatasetPassword, newApplicationPassword } from '../../../wordpress/users/users.js';
import { countTermUse, type DatasetContent, type SourceFile, DatasetError, type Problems } from '../../source.js';
import { CORE } from '../../../wordpress/rest/rest-fields/shown.js';
import { storedFields, type HasFields } from '../../../wordpress/stored-fields.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { declarationsIn } from '../dataset/registered/check.js';
import { POST_LISTS, type RecordingFile, type StoredImage, type StoredPost, type StoredUser } from './declaration.js';
import { membersIn } from '../stored.js';
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
    ...membersIn('post', row),
    ...attachment,
    meta: Object.entries(row.meta).flatMap(([key, values]) => values.map((value) => ({ key, value: metaTextOf(value) }))),
    terms: row.terms,
    ...row.extra,
  };
}

/** ACF: the values of fields of objects that are no posts. A second row of meta has the key of the field. */
function fieldsInMeta(row: object): HasFields {
  const { meta } = row as { meta?: unknown };
  if (!isRecord<unknown[]>(meta)) return {};
  const values = Object.keys(meta)
    .filter((key) => Object.hasOwn(meta, `_${key}`))
    .map((key) => [key, [meta[key]].flat()[0] as Json] as const);
  return values.length === 0 ? {} : storedFields({ [CORE]: { acf: Object.fromEntries(values) } });
}

/**
 * Users of a recording are test users: their account password is in the file, or equals the login if they have an application password in
 * plain text. Users without either get no password.
 */
async function userOf(row: StoredUser, now: number, registered: number | undefined): Promise<User> {
  const { login, password, application_password, ...own } = row;
  const secret = password ?? (application_password ? login : undefined);
  return {
    ...membersIn('user', row),
    ...(registered === undefined ? {} : { registered }),
    ...(own.password_hash === undefined ? {} : { passwordHash: own.password_hash }),
    ...(secret === undefined ? {} : { passwordHash: await hashDatasetPassword(login, secret) }),
    applicationPasswords: [
      ...(own.application_passwords ?? []),
      ...(application_password ? [newApplicationPassword('conformance', application_password, now)] : []),
    ],
    ...fieldsInMeta(own),
    ...own.extra,
  };
}

function termsOf(rows: NonNullable<RecordingFile['terms']>, posts: Post[]): Term[] {
  const counts = countTermUse(posts);
  return rows.map((row) => deriveTerm({ ...membersIn('term', row), count: counts.get(row.id) ?? 0, ...fieldsInMeta(row), ...row.extra }));
}

/** Files of an attachment: the full size, the other sizes, and the original if the full size is scaled down. */
function filesOf({ file, image: meta }: Post, folder: string): SourceFile[] {
  if (!file) return [];
  const besides = [...Object.values(meta?.sizes ?? {}).map((entry) => entry.file), ...(meta?.original_image ? [meta.original_image] : [])];
  const targets = [file, ...besides.map((name) => path.posix.join(path.posix.dirname(file), name))];
  return [...new Set(targets)].map((target) => ({ source: path.join(folder, target), within: folder, target, optional: true }));
}

/** A row, and where it is. */
interface Placed<Row> {
  at: string;
  row: Row;
}

const placed = <Row>(list: string, rows: readonly Row[]): Placed<Row>[] => rows.map((row, index) => ({ at: `${list}[${index}]`, row }));

/** Reports duplicate values. @param valueOf undefined: none that others could have */
function checkUnique<Row>(rows: readonly Placed<Row>[], what: string, problems: Problems, valueOf: (row: Row) => unknown): void {
  const owners = new Map<unknown, string>();
  for (const { at, row } of rows) {
    const value = valueOf(row);
    const owner = owners.get(value);
    if (owner !== undefined) problems.add(at, `has the same ${what} as ${owner}`);
    else if (value !== undefined) owners.set(value, at);
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
  const rows = POST_LISTS.flatMap((name) => placed(name, file[name] ?? [])).map(({ at, row }) => ({
    at,
    row: withOpenDiscussion(withDefaultCategory(postOf(row), defaultCategory), set),
  }));
  checkUnique(rows, 'id', problems, ({ _id }) => _id);
  checkUnique(rows, 'slug', problems, (post) => {
    const key = slugKeyOf(post);
    return key === undefined ? undefined : `${post.type} ${key}`;
  });
  checkUnique(placed('terms', termRows), 'id', problems, ({ id }) => id);
  checkUnique(placed('terms', termRows), 'slug', problems, ({ taxonomy, slug }) => `${taxonomy} ${slug}`);
  checkUnique(placed('users', users), 'id', problems, ({ id }) => id);
  checkUnique(placed('users', users), 'login', problems, ({ login }) => login.toLowerCase());
  checkUnique(placed('comments', comments), 'id', problems, ({ id }) => id);
  const posts = rows.map(({ row }) => row);
  const terms = termsOf(termRows, posts);
  const { acf_field_groups: groups } = file as Declarations;
  const declarations = {
    ...(await declaredIn(file.declares, pluginsIn(site.options), problems)),
    ...(groups ? { acf_field_groups: groups } : {}),
  };
  const ofContent = CONTENTS.flatMap(({ name, plugin }) => ((file[name as 'events'] ?? []).length > 0 ? [plugin.name] : []));
  const needed = [...ofContent, ...pluginsDeclaring(declarations)];
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
    comments: comments.map((row) => ({ ...membersIn('comment', row), ...fieldsInMeta(row), ...row.extra })),
    users: await Promise.all(users.map((row) => userOf(row, now, isComplete ? undefined : registered))),
    options: isComplete
      ? { ...site.options, ...(site.tec_options === undefined ? {} : { [CALENDAR_OPTION]: site.tec_options }) }
      : { ...setOptions(site.options), ...setOptions(named), [CALENDAR_OPTION]: setOptions(site.tec_options), ...withPlugins },
    declarations,
    nextIds: { posts: nextId(posts, file.next_ids?.post), terms: nextId(terms, file.next_ids?.term) },
    clock: file.clock ? readMoment(file.clock.utc) : null,
    siteUrl: site.url.replace(/\/+$/, ''),
    files: posts.flatMap((document) => filesOf(document, uploads)),
  };
}
