import { isEmpty } from '../../../base/php/cast.js';
import { sanitizeTitle } from '../../formatting/sanitize.js';
import { hasBlocks } from '../../formatting/blocks.js';
import { closedBy } from '../../formatting/block-parts/parse.js';
import { BLOCK, isDraftLike, NAVIGATION, PAGE, POST, withMeta, type MetaRow, type Post } from '../../model.js';
import { resaved, insertRevision, updatePost, type PostData } from '../../posts/post-save.js';
import { freeSlug } from '../../posts/slugs.js';
import { findPost, withDerivedColumns } from '../../posts/posts.js';
import {
  sentAuthor,
  dateOf,
  statusOf,
  sentTemplate,
  termsAfter,
  sentPostText,
  sentTitle,
  withImage,
} from '../../rest/posts/post-params.js';
import { shownTemplate, type RestType, writeMeta } from '../../rest/posts/post-types.js';
import { type CallContext, RestError } from '../../rest/route.js';
import type { Site } from '../../site.js';
import type { PostFields } from './post-args.js';
import { withoutUndefined } from '../../../base/values/records.js';
import { autosaveSlug, currentAutosave } from '../../query/autosaves.js';
import { invalidPostId } from './post-permissions.js';

/** Fields of blog posts and pages only. */
type Features = Partial<Pick<PostData, 'parent' | 'menuOrder' | 'commentStatus' | 'pingStatus' | 'sticky' | 'format'>>;

export type PostWrite = CallContext & { params: PostFields };

/** WP: a parent that would create a cycle becomes 0. @throws RestError for a missing parent */
async function parentOf(sent: number | undefined, current: Post | null, { store }: Site): Promise<number | undefined> {
  if (sent === undefined || sent === 0) return sent;
  const parent = await findPost(store, sent);
  if (!parent) throw new RestError('rest_post_invalid_id', 'Invalid post parent ID.', 400);
  const seen = new Set([current?._id]);
  for (let above: Post | null = parent; above; above = await findPost(store, above.parent)) {
    if (seen.has(above._id)) return 0;
    seen.add(above._id);
  }
  return parent._id;
}

/** WP: sticky posts have no password. @throws RestError */
function checkSticky({ supports }: RestType, { sticky = false, password = '' }: PostFields, current: Post | null): void {
  if (!supports.includes('sticky')) return;
  const refused = (message: string): RestError => new RestError('rest_invalid_field', message, 400);
  if (sticky && password !== '') throw refused('A post can not be sticky and have a password.');
  if (sticky && current && current.password !== '') throw refused('A password protected post can not be set to sticky.');
  if (password !== '' && current?.sticky) throw refused('A sticky post can not be password protected.');
}

/** The sent features of blog posts and pages. WP: null clears numbers and flags, and does not change choices. */
async function featuresOf(type: RestType, { params, site }: PostWrite, current: Post | null): Promise<Features> {
  checkSticky(type, params, current);
  const sent = {
    sticky: params.sticky,
    parent: await parentOf(params.parent, current, site),
    menuOrder: params.menu_order,
    commentStatus: params.comment_status || undefined,
    pingStatus: params.ping_status || undefined,
  };
  return {
    ...withoutUndefined(sent),
    ...(params.format ? { format: params.format === 'standard' ? undefined : params.format } : {}),
  };
}

/** The blocks that WordPress puts around the content of a post, by type, while it looks for blocks to insert. */
const AROUND = new Map([
  [POST, 'post-content'],
  [PAGE, 'post-content'],
  [BLOCK, 'block'],
  [NAVIGATION, 'navigation'],
]);

/** WP: content is parsed and written again. */
function parsedAndWritten(content: string | undefined, { name }: RestType): string | undefined {
  const around = AROUND.get(name);
  return content === undefined || around === undefined || !hasBlocks(content) ? content : closedBy(around, content);
}

/** @throws RestError if WordPress rejects it */
async function sentOf(type: RestType, call: PostWrite, current: Post | null) {
  const { params, request, site } = call;
  return {
    title: sentTitle(params.title, call),
    content: parsedAndWritten(sentPostText(params.content, call), type),
    excerpt: sentPostText(params.excerpt, call),
    status: statusOf(params.status, request.user, type),
    slug: params.slug,
    password: params.password,
    author: await sentAuthor(params.author, site),
    date: dateOf(params, call),
    more: await featuresOf(type, call, current),
  };
}

/** @throws RestError for a post without any text, of types that need one */
function checkText({ needsText }: RestType, { title, content, excerpt }: Pick<PostData, 'title' | 'content' | 'excerpt'>): void {
  // PHP: `0` is empty.
  if (needsText && [title, content, excerpt].every(isEmpty))
    throw new RestError('empty_content', 'Content, title, and excerpt are empty.', 400);
}

/** WP: private posts have no password. */
const withoutNeedlessPassword = (data: PostData): PostData => (data.status === 'private' ? { ...data, password: '' } : data);

/** WP: in the core API, drafts have a unique slug, too, among the siblings with the sent parent, or at the top level. */
async function settledSlug(
  slug: string | undefined,
  status: string,
  type: RestType,
  id: number,
  { site }: CallContext,
  parent?: number,
): Promise<string | undefined> {
  if (slug === undefined || !isDraftLike(status)) return slug;
  return freeSlug(site, type.name, sanitizeTitle(slug, site.quirks), id, 'publish', parent);
}

async function metaAfter(meta: MetaRow[], type: RestType, { params, site }: PostWrite, template: string | undefined): Promise<MetaRow[]> {
  const withTemplate = template === undefined ? meta : withMeta(meta, '_wp_page_template', template === '' ? [] : [template]);
  return writeMeta(await withImage(withTemplate, params.featured_media, site), params.meta, type.meta);
}

/**
 * A new post from the sent fields.
 * @throws RestError if WordPress rejects it
 */
export async function newPost(type: RestType, call: PostWrite): Promise<PostData> {
  if (call.request.get('id') !== undefined) throw new RestError('rest_post_invalid_id', 'Invalid post ID.', 404);
  const sent = await sentOf(type, call, null);
  const { title = '', content = '', excerpt = '', status, slug, password = '', author, date, more } = sent;
  const template = sentTemplate(call.params.template, type, '');
  checkText(type, { title, content, excerpt });
  return withoutNeedlessPassword({
    title,
    content,
    excerpt,
    status: status ?? 'draft',
    // WP: slugs of posts that become drafts by default are not checked for uniqueness.
    slug: status === undefined ? slug : await settledSlug(slug, status, type, 0, call, more.parent),
    date,
    author: author ?? call.request.user?._id ?? 0,
    password,
    menuOrder: 0,
    // WP: pings are open by default for blog posts only.
    ...(type.supports.includes('comments') && type.name !== POST ? { pingStatus: 'closed' } : {}),
    ...more,
    meta: await metaAfter([], type, call, template),
    terms: await termsAfter({}, type, call),
  });
}

/**
 * The changes to a post, to be applied to the version stored at the time of writing.
 * @throws RestError if WordPress rejects it
 */
export async function changedPost(post: Post, type: RestType, call: PostWrite): Promise<(current: Post) => PostData> {
  const { title, content, excerpt, status, slug, password, author, date, more } = await sentOf(type, call, post);
  const template = sentTemplate(call.params.template, type, shownTemplate(post));
  const settled = await settledSlug(slug, status ?? post.status, type, post._id, call, more.parent);
  const meta = await metaAfter(post.meta, type, call, template);
  const terms = await termsAfter(post.terms, type, call);
  return (current) => {
    const data = resaved(current, call.request.user, call.site);
    const rows = changedRows(post.meta, meta, current.meta);
    const texts = { title: title ?? data.title, content: content ?? data.content, excerpt: excerpt ?? data.excerpt };
    checkText(type, texts);
    // Checked again, since others may have written meanwhile.
    checkSticky(type, call.params, current);
    return withoutNeedlessPassword({
      ...data,
      ...texts,
      ...more,
      status: status ?? current.status,
      ...(settled === undefined ? {} : { slug: settled }),
      password: password ?? current.password,
      author: author ?? current.author,
      date,
      meta: type.afterCoreUpdate?.(current.meta, rows, { siteZone: call.site.options.timezone, zones: call.site.zones }) ?? rows,
      terms: { ...current.terms, ...onlyChanged(post.terms, terms) },
      keepsColumns: true,
    });
  };
}

/** The changed meta keys, applied to the stored version, since others may have changed other keys meanwhile. */
function changedRows(before: MetaRow[], after: MetaRow[], current: MetaRow[]): MetaRow[] {
  const values = (rows: MetaRow[], key: string): string[] => rows.filter((row) => row.key === key).map(({ value }) => value);
  const keys = new Set([...before, ...after].map(({ key }) => key));
  const changed = [...keys].filter((key) => JSON.stringify(values(before, key)) !== JSON.stringify(values(after, key)));
  return changed.reduce((rows, key) => withMeta(rows, key, values(after, key)), current);
}

const onlyChanged = (before: Record<string, number[]>, after: Record<string, number[]>): Record<string, number[]> =>
  Object.fromEntries(Object.entries(after).filter(([name, ids]) => ids !== before[name]));

/*
 * Unsaved changes of an editor, stored separately from the post, once for each user, and shown by previews. WP: a user's own draft is saved
 * directly.
 */

/** WP: the fields of an autosave. */
const TEXTS = ['title', 'content', 'excerpt'] as const;

type Texts = Partial<Pick<Post, (typeof TEXTS)[number]>>;

/** WP: texts that differ only in white space are equal. */
const normalized = (text: string): string =>
  text
    .trim()
    .replace(/\r/g, '\n')
    .replace(/\n+/g, '\n')
    .replace(/[ \t]+/g, ' ');

const isDifferent = (texts: Texts, post: Post): boolean =>
  TEXTS.some((name) => texts[name] !== undefined && normalized(texts[name]) !== normalized(post[name]));

/** The steps of an update after storing the columns. WP: not for the user's own draft. */
const MORE = ['featured_media', 'format', 'meta', 'sticky', 'template'];

const columnsOf = (call: PostWrite): PostWrite => {
  const columns = Object.entries(call.params).filter(([name]) => !MORE.includes(name));
  return { ...call, params: Object.fromEntries(columns) as unknown as PostWrite['params'] };
};

/** WP: footnotes are the only meta of a revision. */
function footnotesOf({ meta: known }: RestType, { params: { meta } }: PostWrite): Post['meta'] | undefined {
  const value = 'footnotes' in known && meta !== null && typeof meta === 'object' && 'footnotes' in meta ? meta.footnotes : undefined;
  return typeof value === 'string' ? [{ key: 'footnotes', value }] : undefined;
}

/** Stores an autosave of a post. @returns the autosave, or the updated draft @throws RestError if WordPress rejects it */
export async function saveBeside(post: Post, type: RestType, call: PostWrite): Promise<Post> {
  const { site, request } = call;
  const user = request.user?._id ?? 0;
  if (post.author === user && ['draft', 'auto-draft'].includes(post.status)) {
    const change = await changedPost(post, type, columnsOf(call));
    const stored = await updatePost(site, post._id, 'keep', (current) => ({ ...change(current), terms: current.terms }));
    if (!stored) throw invalidPostId();
    return stored;
  }
  const { title, content, excerpt } = await sentOf(type, call, post);
  const texts: Texts = withoutUndefined({ title, content, excerpt });
  const meta = footnotesOf(type, call);
  const earlier = await currentAutosave(post, site, user);
  if (!earlier) return insertRevision(site, post, autosaveSlug(post._id), { author: user, ...texts, meta: meta ?? [] });
  if (!isDifferent(texts, post) && meta === undefined) return earlier;
  const dates = { date: site.nowLocal, dateGmt: site.nowUtc, modified: site.nowLocal, modifiedGmt: site.nowUtc };
  const stored = await site.store.changePost(earlier._id, (current) =>
    withDerivedColumns({ ...current, ...texts, ...(meta && { meta }), ...dates }, site.registry),
  );
  if (!stored) throw invalidPostId();
  return stored.after;
}
