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
import { membersIn, storedRows } from '../stored.js';
import { readMoment } from '../../../base/text/moment.js';
import * as yup from 'yup';
import { LINKED, eachLinked, LINKED_KINDS, type LinkColumn } from '../../../plugins/the-events-calendar/model/event.js';
import { checkAgainst, filled, idRule, listRule, pathBelow, textRule } from '../schema.js';

/** The format of recorded sites: the stored columns of WordPress, including ids. Unknown fields are ignored. */

const stored = () => textRule().defined('is missing');
/** A stored value of meta: a text, or a value that was serialized. */
const metaText = () =>
  yup
    .mixed<string | object>()
    .test('text', 'must be a text', (value) => typeof value === 'string' || typeof value === 'object')
    .defined('is missing');
const number = () => yup.number().strict().typeError('must be a number').integer('must be an integer').required('is missing');
const loose = <T extends yup.ObjectShape>(fields: T) => yup.object(fields).typeError('must be an object');

/** An object with arbitrary keys. */
const mapOf = <T>(value: yup.ISchema<T>) =>
  yup.lazy((given: unknown) => {
    const keys = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
    return loose(Object.fromEntries(keys.map((key) => [key, value]))).required('is missing');
  });

const size = loose({ file: pathBelow(), width: number(), height: number(), 'mime-type': filled(), filesize: yup.number().strict() });

const image = loose({
  width: number(),
  height: number(),
  file: pathBelow(),
  filesize: yup.number().strict(),
  // PHP: an empty map is encoded as an array.
  sizes: yup.lazy((given: unknown) => (Array.isArray(given) ? yup.array().max(0, 'must be an object').required() : mapOf(size))),
  original_image: pathBelow().optional(),
  image_meta: yup.mixed(),
})
  .nullable()
  .optional()
  .default(undefined);

const VALUES = { id: () => idRule().required('is missing'), whole: number, text: stored, filled };

/** The rules of the columns that all rows of a kind have. */
const columns = <Text extends string = never>(kind: Parameters<typeof storedRows>[0]) =>
  Object.fromEntries(storedRows(kind).map(([, column, value]) => [column, VALUES[value]()])) as { id: ReturnType<typeof number> } & Record<
    Text,
    ReturnType<typeof filled>
  >;

/** Members that WordPress has no columns for; written by `understudy export`. */
const extra = yup.object().optional().default(undefined);

const postRule = loose({
  ...columns('post'),
  post_mime_type: textRule(),
  file: pathBelow().optional(),
  attachment_metadata: image,
  meta: mapOf(listRule(metaText()).required('is missing')),
  terms: mapOf(listRule(number()).required('is missing')),
  extra,
});

const term = loose({ ...columns<'taxonomy' | 'slug'>('term'), extra });

const user = loose({
  ...columns<'login'>('user'),
  password: textRule(),
  application_password: textRule(),
  // Written by `understudy export`.
  password_hash: textRule(),
  application_passwords: listRule(loose({ uuid: filled(), name: stored(), hash: filled(), created: number() })),
  extra,
});

const comment = loose({ ...columns('comment'), extra });

const recording = loose({
  /** `site`: a complete export. A recording contains only what was recorded; the rest gets defaults. */
  understudy: textRule(),
  clock: loose({ utc: filled().test('clock', 'is not a date', (value) => value === undefined || readMoment(value) !== null) })
    .optional()
    .default(undefined),
  site: loose({
    url: stored(),
    name: textRule(),
    description: textRule(),
    admin_email: textRule(),
    /** Where WordPress is, if not at the root of the site: `/wp`. */
    siteurl: textRule(),
    /** The filter `rest_url_prefix`. */
    rest_prefix: textRule(),
    options: yup.object().optional().default(undefined),
    tec_options: yup.object().optional().default(undefined),
  }).required('is missing'),
  /** Declarations of the site; written by `understudy export`. */
  declares: yup.lazy(() => yup.object().optional().default(undefined)),
  next_ids: loose({ post: number(), term: number() }).optional().default(undefined),
  users: listRule(user),
  terms: listRule(term),
  media: listRule(postRule),
  ...eachLinked(() => listRule(postRule)),
  events: listRule(postRule),
  other_posts: listRule(postRule),
  tickets: listRule(postRule),
  comments: listRule(comment),
});

type RecordingFile = yup.InferType<typeof recording>;
type StoredPost = yup.InferType<typeof postRule>;
type StoredImage = NonNullable<yup.InferType<typeof image>>;
type StoredUser = yup.InferType<typeof user>;

/** The lists of posts, in output order. */
export const POST_LISTS = [
  'media',
  ...LINKED_KINDS.map((kind) => LINKED[kind].column),
  'events',
  'other_posts',
  ...CONTENTS.map(({ name }) => name),
] as readonly (LinkColumn | 'media' | 'events' | 'other_posts')[];

/** Whether a file is a recorded site rather than a dataset: it has the marker of a recording or an export, or stored columns. */
export function looksLikeRecording(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const posts = POST_LISTS.flatMap((name) => value[name] ?? []);
  return 'oracle' in value || value.understudy === 'site' || posts.some((item) => isRecord(item) && 'post_type' in item);
}

/** Whether a value is a valid recording. Adds errors to `problems`. */
export const isRecording = (value: unknown, problems: Problems): value is RecordingFile => checkAgainst(recording, value, problems);

/** WP: an option whose value is null or false is not set. */
const setOptions = (options: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== null && value !== false && value !== undefined));

const imageOf = ({ width, height, file, filesize, sizes, original_image, image_meta }: StoredImage): ImageMetadata => ({
  width,
  height,
  file,
  ...(filesize === undefined ? {} : { filesize }),
  sizes: Array.isArray(sizes) ? {} : sizes,
  ...(original_image === undefined ? {} : { original_image }),
  ...(image_meta === undefined ? {} : { image_meta: isRecord(image_meta) ? image_meta : {} }),
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
