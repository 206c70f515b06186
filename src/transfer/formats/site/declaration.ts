import { isRecord } from '../../../base/values/records.js';
import * as yup from 'yup';
import { CONTENTS } from '../../../plugins/register.js';
import { LINKED, eachLinked, LINKED_KINDS, type LinkColumn } from '../../../plugins/the-events-calendar/model/event.js';
import type { Problems } from '../../source.js';
import { checkAgainst, filled, idRule, listRule, pathBelow, textRule } from '../schema.js';
import { storedRows } from '../stored.js';
import { readMoment } from '../../../base/text/moment.js';

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

const post = loose({
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
  media: listRule(post),
  ...eachLinked(() => listRule(post)),
  events: listRule(post),
  other_posts: listRule(post),
  tickets: listRule(post),
  comments: listRule(comment),
});

export type RecordingFile = yup.InferType<typeof recording>;
export type StoredPost = yup.InferType<typeof post>;
export type StoredImage = NonNullable<yup.InferType<typeof image>>;
export type StoredUser = yup.InferType<typeof user>;

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
