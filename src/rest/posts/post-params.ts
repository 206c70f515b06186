import { absint, intval, isEmpty, toStr } from '../../php/cast.js';
import { invalidParams, RestError } from '../error.js';
import { can, canWithPosts } from '../../wp/users/capabilities.js';
import { savePostContent, savePostTitle } from '../../wp/formatting/sanitize.js';
import { ATTACHMENT, POST, withMeta, type MetaRow } from '../../wp/model.js';
import { categorized, defaultCategory, type GivenDate } from '../../wp/post-save.js';
import { findPost } from '../../wp/posts.js';
import { findTerms } from '../../wp/terms.js';
import { readDate } from '../dates.js';
import { refusal } from '../permissions.js';
import { refusedTemplate } from './templates.js';
import type { PostType } from './post-types.js';
import type { CallContext, Json } from '../route.js';

/** A text as it is sent: plain, or its `raw` part. WP: anything else is no text; undefined when nothing is sent. */
export function sentText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const part = value !== null && typeof value === 'object' && !Array.isArray(value) ? value.raw : undefined;
  return part === undefined || part === null || typeof part === 'object' ? undefined : toStr(part);
}

/** A title as it is sent. WP: a `raw` part that comes to nothing is none. */
export function sentTitle(value: Json | undefined): string | undefined {
  const text = sentText(value);
  return typeof value === 'string' || !isEmpty(text) ? text : undefined;
}

/** WP: the core API keeps backslashes, which others take away once. */
export const kept = (text: string): string => text.replaceAll('\\', '\\\\');

/** A text of a post as it is stored; undefined when none is sent. */
export function textOf({ request }: CallContext, name: 'title' | 'content' | 'excerpt'): string | undefined {
  const text = name === 'title' ? sentTitle(request.get(name)) : sentText(request.get(name));
  if (text === undefined) return undefined;
  const author = { unfilteredHtml: can(request.user, 'unfiltered_html') };
  return name === 'title' ? savePostTitle(kept(text), author) : savePostContent(kept(text), author);
}

/** @param type post type whose capabilities count @throws RestError for a status that takes the right to publish */
export function statusOf({ request }: CallContext, type?: string): string | undefined {
  const status = request.get('status');
  if (typeof status !== 'string') return undefined;
  // WP: null, which has become an empty text, stands for a draft.
  if (status === '') return 'draft';
  if (!['publish', 'future', 'private'].includes(status) || canWithPosts(request.user, 'publish', type)) return status;
  const what = status === 'private' ? 'create private posts' : 'publish posts';
  throw refusal(request.user, 'rest_cannot_publish', `Sorry, you are not allowed to ${what} in this post type.`);
}

/** Whether a parameter is sent as null, and as nothing else. */
const isNull = ({ request }: CallContext, name: string): boolean =>
  request.get(name) === undefined && request.given().some((source) => Object.hasOwn(source, name));

/**
 * The publication date that is sent, in either form. WP: the local one comes first, and null for either stands for a post that was
 * never dated.
 * @throws RestError for a year that there is not
 */
export function dateOf(context: CallContext): GivenDate | null {
  const { request, site } = context;
  if (isNull(context, 'date') || isNull(context, 'date_gmt')) return { date: site.nowLocal, dateGmt: site.nowUtc, utcGiven: false };
  for (const name of ['date', 'date_gmt'] as const) {
    const given = request.get(name);
    if (typeof given !== 'string' || given === '') continue;
    const read = readDate(given, name === 'date_gmt', site);
    if (!/^(?!0000)\d{4}-/.test(read.date)) throw new RestError('invalid_date', 'Invalid date.', 400);
    return { ...read, utcGiven: true };
  }
  return null;
}

/** @throws RestError for somebody who does not exist */
export async function authorOf({ request, site }: CallContext): Promise<number | undefined> {
  const given = request.get('author');
  if (given === undefined || isEmpty(given)) return undefined;
  const id = intval(given);
  if (await site.store.users.findOne({ _id: id }, { projection: { _id: 1 } })) return id;
  throw new RestError('rest_invalid_author', 'Invalid author ID.', 400);
}

/** The template that is sent. @throws RestError for one that there is not, where the arguments did not say so before */
export function templateOf({ request }: CallContext, type: Pick<PostType, 'templates'>, current: string): string | undefined {
  const template = request.get('template');
  if (typeof template !== 'string') return undefined;
  const refused = refusedTemplate(template, type.templates, current);
  if (refused) throw invalidParams({ template: refused });
  return template;
}

/** Rows of the featured image. WP: an unknown one is passed over, another kind of post takes the image away. */
export async function withImage(meta: MetaRow[], { request, site }: CallContext): Promise<MetaRow[]> {
  const given = request.get('featured_media');
  if (given === undefined) return meta;
  const id = absint(given);
  if (id === 0) return withMeta(meta, '_thumbnail_id', []);
  const image = await findPost(site.store, id);
  if (!image) return meta;
  return withMeta(meta, '_thumbnail_id', image.type === ATTACHMENT && image.image ? [String(id)] : []);
}

/** The terms after those that were sent; unknown ids are passed over (WP). */
export async function termsAfter(
  terms: Record<string, number[]>,
  type: PostType,
  { request, site }: CallContext,
): Promise<Record<string, number[]>> {
  const next = { ...categorized(type.name, terms, type.name === POST ? await defaultCategory(site) : []) };
  for (const { name, base } of type.taxonomies) {
    const sent = request.get(base);
    if (!Array.isArray(sent)) continue;
    const wanted = [...new Set(sent.map(absint))];
    const known = new Set((await findTerms(site.store, wanted)).filter(({ taxonomy }) => taxonomy === name).map(({ _id }) => _id));
    next[name] = wanted.filter((id) => known.has(id));
  }
  return next;
}
