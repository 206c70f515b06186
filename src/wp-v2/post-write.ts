import { intval, isEmpty } from '../php/cast.js';
import { invalidParams, RestError } from '../rest/error.js';
import { can, canWithPosts } from '../wp/capabilities.js';
import { savePostContent, savePostTitle } from '../wp/formatting/sanitize.js';
import { sanitizeTitle } from '../wp/formatting/slug.js';
import { phpTrim } from '../wp/formatting/strip-tags.js';
import { ATTACHMENT, EVENT, isDraftLike, metaValue, metaValues, withMeta, type MetaRow, type Post } from '../wp/model.js';
import { asData, freeSlug, type GivenDate, type PostData } from '../wp/post-save.js';
import { findPost } from '../wp/posts.js';
import { findTerms } from '../wp/terms.js';
import { toUtc } from '../wp/timezones.js';
import { readDate } from './dates.js';
import { writeMeta } from './post-meta.js';
import { refusal } from './rights.js';
import type { CorePostType } from './post-types.js';
import type { CallContext, Json } from '../rest/route.js';

/** A text as it is sent: plain, or its `raw` part. WP: anything else is no text; undefined when nothing is sent. */
export function sentText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value;
  const part = value !== null && typeof value === 'object' && !Array.isArray(value) ? value.raw : undefined;
  return typeof part === 'string' ? part : undefined;
}

/** WP: the core API keeps backslashes, which others take away once. */
export const kept = (text: string): string => text.replaceAll('\\', '\\\\');

function textOf({ request }: CallContext, name: 'title' | 'content' | 'excerpt'): string | undefined {
  const text = sentText(request.get(name));
  if (text === undefined) return undefined;
  const author = { unfilteredHtml: can(request.user, 'unfiltered_html') };
  return name === 'title' ? savePostTitle(kept(text), author) : savePostContent(kept(text), author);
}

/** @throws RestError for a status that takes the right to publish */
export function statusOf({ request }: CallContext): string | undefined {
  const status = request.get('status');
  if (typeof status !== 'string') return undefined;
  if (!['publish', 'future', 'private'].includes(status) || canWithPosts(request.user, 'publish')) return status;
  const what = status === 'private' ? 'create private posts' : 'publish posts';
  throw refusal(request.user, 'rest_cannot_publish', `Sorry, you are not allowed to ${what} in this post type.`);
}

/** The publication date that is sent, in either form. WP: the local one comes first. */
export function dateOf({ request, site }: CallContext): GivenDate | null {
  for (const name of ['date', 'date_gmt'] as const) {
    const given = request.get(name);
    if (typeof given === 'string' && given !== '') return { ...readDate(given, name === 'date_gmt', site), utcGiven: true };
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

/** @throws RestError for a template that there is not */
export function templateOf({ request }: CallContext, type: Pick<CorePostType, 'templates'>, current: string): string | undefined {
  const template = request.get('template');
  if (typeof template !== 'string') return undefined;
  if (template === '' || template === current || type.templates.includes(template)) return template;
  const message = `template is not one of ${type.templates.join(', ')}.`;
  throw invalidParams({ template: { code: 'rest_invalid_param', message } });
}

/** Rows of the featured image. WP: an unknown one is passed over, another kind of post takes the image away. */
export async function withImage(meta: MetaRow[], { request, site }: CallContext): Promise<MetaRow[]> {
  const given = request.get('featured_media');
  if (given === undefined) return meta;
  const id = intval(given);
  if (id === 0) return withMeta(meta, '_thumbnail_id', []);
  const image = await findPost(site.store, id);
  if (!image) return meta;
  return withMeta(meta, '_thumbnail_id', image.type === ATTACHMENT && image.image ? [String(id)] : []);
}

/** The terms after those that were sent; unknown ids are passed over (WP). */
async function termsAfter(
  terms: Record<string, number[]>,
  type: CorePostType,
  { request, site }: CallContext,
): Promise<Record<string, number[]>> {
  const next = { ...terms };
  for (const { name, base } of type.taxonomies) {
    const sent = request.get(base);
    if (!Array.isArray(sent)) continue;
    const wanted = [...new Set(sent.map(Number))];
    const known = new Set((await findTerms(site.store, wanted)).filter(({ taxonomy }) => taxonomy === name).map(({ _id }) => _id));
    next[name] = wanted.filter((id) => known.has(id));
  }
  return next;
}

/** What a write of a post says, all of it checked. What is undefined was not sent. */
interface Sent {
  title?: string | undefined;
  content?: string | undefined;
  excerpt?: string | undefined;
  status?: string | undefined;
  slug?: string | undefined;
  password?: string | undefined;
  author?: number | undefined;
  date: GivenDate | null;
}

const given = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

async function sentOf(context: CallContext): Promise<Sent> {
  return {
    title: textOf(context, 'title'),
    content: textOf(context, 'content'),
    excerpt: textOf(context, 'excerpt'),
    status: statusOf(context),
    slug: given(context.request.get('slug')),
    password: given(context.request.get('password')),
    author: await authorOf(context),
    date: dateOf(context),
  };
}

/** WP: what is private has no password. */
const withoutNeedlessPassword = (data: PostData): PostData => (data.status === 'private' ? { ...data, password: '' } : data);

/** WP: through the core API drafts too have a slug of their own. */
async function settledSlug(
  slug: string | undefined,
  status: string,
  type: CorePostType,
  id: number,
  { site }: CallContext,
): Promise<string | undefined> {
  if (slug === undefined || !isDraftLike(status)) return slug;
  return freeSlug(site, type.name, sanitizeTitle(slug), id, 'publish');
}

async function metaAfter(meta: MetaRow[], type: CorePostType, context: CallContext, template: string | undefined): Promise<MetaRow[]> {
  const withTemplate = template === undefined ? meta : withMeta(meta, '_wp_page_template', template === '' ? [] : [template]);
  return writeMeta(await withImage(withTemplate, context), context.request.get('meta'), type.meta);
}

/**
 * A new post of what was sent.
 * @throws RestError for what WordPress refuses
 */
export async function newPost(type: CorePostType, context: CallContext): Promise<PostData> {
  const { title = '', content = '', excerpt = '', status = 'draft', slug, password = '', author, date } = await sentOf(context);
  const template = templateOf(context, type, '');
  if (title === '' && content === '' && excerpt === '') throw new RestError('empty_content', 'Content, title, and excerpt are empty.', 400);
  return withoutNeedlessPassword({
    title,
    content,
    excerpt,
    status,
    slug: await settledSlug(slug, status, type, 0, context),
    date,
    author: author ?? context.request.user?._id ?? 0,
    password,
    menuOrder: 0,
    meta: await metaAfter([], type, context, template),
    terms: await termsAfter({}, type, context),
  });
}

/**
 * A change of a post by what was sent, to be applied to what is stored at the moment of writing.
 * @throws RestError for what WordPress refuses
 */
export async function changedPost(post: Post, type: CorePostType, context: CallContext): Promise<(current: Post) => PostData> {
  const { title, content, excerpt, status, slug, password, author, date } = await sentOf(context);
  const template = templateOf(context, type, post.meta.find(({ key }) => key === '_wp_page_template')?.value ?? '');
  const settled = await settledSlug(slug, status ?? post.status, type, post._id, context);
  const meta = await metaAfter(post.meta, type, context, template);
  const terms = await termsAfter(post.terms, type, context);
  return (current) => {
    const data = asData(current);
    const rows = changedRows(post.meta, meta, current.meta);
    const texts = { title: title ?? current.title, content: content ?? current.content, excerpt: excerpt ?? current.excerpt };
    if (texts.title === '' && texts.content === '' && texts.excerpt === '')
      throw new RestError('empty_content', 'Content, title, and excerpt are empty.', 400);
    return withoutNeedlessPassword({
      ...data,
      ...texts,
      status: status ?? current.status,
      ...(settled === undefined ? {} : { slug: settled }),
      password: password ?? current.password,
      author: author ?? current.author,
      date,
      meta: type.name === EVENT ? eventRowsAfterUpdate(current.meta, rows, context) : rows,
      terms: { ...current.terms, ...onlyChanged(post.terms, terms) },
      keepsOccurrence: true,
    });
  };
}

const UTC_ROWS = { _EventStartDate: '_EventStartDateUTC', _EventEndDate: '_EventEndDateUTC' };

/** TEC: every update of an event takes the symbol of its currency out of its cost, and computes anew the UTC of a date that has changed. */
function eventRowsAfterUpdate(before: MetaRow[], after: MetaRow[], { site }: CallContext): MetaRow[] {
  const symbol = metaValue({ meta: after }, '_EventCurrencySymbol') ?? '';
  const costs = metaValues({ meta: after }, '_EventCost').map((cost) => (symbol === '' ? cost : phpTrim(cost.replaceAll(symbol, ''))));
  const zone = metaValue({ meta: after }, '_EventTimezone') || site.options.timezone;
  return Object.entries(UTC_ROWS).reduce(
    (rows, [local, utc]) => {
      const [old, value] = [before, after].map((meta) => metaValue({ meta }, local));
      return old === undefined || !value || old === value ? rows : withMeta(rows, utc, [toUtc(value, zone)]);
    },
    withMeta(after, '_EventCost', costs),
  );
}

/** The keys whose rows a write has changed, applied to what is stored now: others may have changed other keys meanwhile. */
function changedRows(before: MetaRow[], after: MetaRow[], current: MetaRow[]): MetaRow[] {
  const values = (rows: MetaRow[], key: string): string[] => rows.filter((row) => row.key === key).map(({ value }) => value);
  const keys = new Set([...before, ...after].map(({ key }) => key));
  const changed = [...keys].filter((key) => JSON.stringify(values(before, key)) !== JSON.stringify(values(after, key)));
  return changed.reduce((rows, key) => withMeta(rows, key, values(after, key)), current);
}

const onlyChanged = (before: Record<string, number[]>, after: Record<string, number[]>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(after).filter(([name, ids]) => ids !== before[name]));
