import { absint, isEmpty, toStr } from '../../../base/php/cast.js';
import { canWithPosts, type TypeRights } from '../../users/capabilities.js';
import { textAuthor } from '../../users/text-author.js';
import { savePostContent, savePostTitle } from '../../formatting/sanitize.js';
import { ATTACHMENT, POST, withMeta, type MetaRow, type User } from '../../model.js';
import { categorized, defaultCategory, type GivenDate } from '../../posts/post-save.js';
import { findPost } from '../../posts/posts.js';
import { findTerms } from '../../terms/terms.js';
import { readSentDate } from './dates.js';
import { isInRest } from '../../types/post-type.js';
import { refusedTemplate, type RestType } from './post-types.js';
import type { Site } from '../../site.js';
import { type CallContext, type Json, invalidParams, RestError, refusal } from '../route.js';

/** A text as it is sent: a string, or the member `raw`. WP: other values are ignored. Undefined if nothing is sent. */
function sentText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const part = value !== null && typeof value === 'object' && !Array.isArray(value) ? value.raw : undefined;
  return part === undefined || part === null || typeof part === 'object' ? undefined : toStr(part);
}

/** WP: the core API keeps backslashes, of which others remove one level. */
const kept = (text: string): string => text.replaceAll('\\', '\\\\');

export const storedTitle = (title: string, { request, site }: CallContext): string =>
  savePostTitle(kept(title), textAuthor(request.user, site));

/** A title as it is stored; undefined when none is sent. WP: an empty `raw` counts as not sent. */
export function sentTitle(sent: Json | undefined, call: CallContext): string | undefined {
  const text = sentText(sent);
  return text === undefined || (typeof sent !== 'string' && isEmpty(text)) ? undefined : storedTitle(text, call);
}

/** Any other text of a post as it is stored; undefined when none is sent. */
export function sentPostText(sent: Json | undefined, { request, site }: CallContext): string | undefined {
  const text = sentText(sent);
  return text === undefined ? undefined : savePostContent(kept(text), textAuthor(request.user, site));
}

/** @param type post type whose capabilities count @throws RestError for a status that needs the right to publish */
export function statusOf(status: string | undefined, user: User | null, type?: TypeRights): string | undefined {
  // WP: null, sanitized to an empty text, means a draft.
  if (status === '') return 'draft';
  if (status === undefined || !['publish', 'future', 'private'].includes(status) || canWithPosts(user, 'publish', type)) return status;
  const what = status === 'private' ? 'create private posts' : 'publish posts';
  throw refusal(user, 'rest_cannot_publish', `Sorry, you are not allowed to ${what} in this post type.`);
}

/** Whether a parameter is sent as null only. */
const isNull = ({ request }: CallContext, name: string): boolean =>
  request.get(name) === undefined && request.orderedSources.some((source) => Object.hasOwn(source, name));

interface SentDates {
  date?: string | undefined;
  date_gmt?: string | undefined;
}

/**
 * The publication date that is sent, in either form. WP: the local one takes precedence, and null for either means no date.
 * @throws RestError for an invalid year
 */
export function dateOf(params: SentDates, context: CallContext): GivenDate | null {
  const { site } = context;
  if (isNull(context, 'date') || isNull(context, 'date_gmt')) return { date: site.nowLocal, dateGmt: site.nowUtc, utcGiven: false };
  const sent = params.date || params.date_gmt;
  if (!sent) return null;
  const read = readSentDate(sent, !params.date, site);
  if (!/^(?!0000)\d{4}-/.test(read.date)) throw new RestError('invalid_date', 'Invalid date.', 400);
  return { ...read, utcGiven: true };
}

/** @throws RestError for a user who does not exist */
export async function sentAuthor(author: number | undefined, { store }: Site): Promise<number | undefined> {
  if (author === undefined || author === 0) return undefined;
  if (await store.users.findOne({ _id: author }, { projection: { _id: 1 } })) return author;
  throw new RestError('rest_invalid_author', 'Invalid author ID.', 400);
}

/** The template that is sent. @throws RestError for an unknown one, unless the arguments have rejected it */
export function sentTemplate(template: string | undefined, type: Pick<RestType, 'templates'>, current: string): string | undefined {
  if (template === undefined) return undefined;
  const refused = refusedTemplate(template, type.templates, current);
  if (refused) throw invalidParams({ template: refused });
  return template;
}

/** Rows of the featured image. WP: an unknown id is ignored, the id of another kind of post removes the image. */
export async function withImage(meta: MetaRow[], sent: number | undefined, { store }: Site): Promise<MetaRow[]> {
  if (sent === undefined) return meta;
  const id = absint(sent);
  if (id === 0) return withMeta(meta, '_thumbnail_id', []);
  const image = await findPost(store, id);
  if (!image) return meta;
  return withMeta(meta, '_thumbnail_id', image.type === ATTACHMENT && image.image ? [String(id)] : []);
}

/** The terms after an update; unknown ids are ignored (WP). */
export async function termsAfter(
  terms: Record<string, number[]>,
  type: RestType,
  { request, site }: CallContext,
): Promise<Record<string, number[]>> {
  const next = { ...categorized(type.name, terms, type.name === POST ? await defaultCategory(site) : []) };
  for (const { name, base } of type.taxonomies.filter((taxonomy) => isInRest(taxonomy, site))) {
    const sent = request.get(base);
    if (!Array.isArray(sent)) continue;
    const wanted = [...new Set(sent.map(absint))];
    const known = new Set((await findTerms(site.store, wanted)).filter(({ taxonomy }) => taxonomy === name).map(({ _id }) => _id));
    next[name] = wanted.filter((id) => known.has(id));
  }
  return next;
}
