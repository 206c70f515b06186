import { deleteItemsOf } from '../query/menus.js';
import { deleteCommentsOf, trashCommentsOf } from '../query/comments.js';
import { isEmpty } from '../../base/php/cast.js';
import { withoutUndefined } from '../../base/values/records.js';
import { canWithPosts } from '../users/capabilities.js';
import { textAuthor } from '../users/text-author.js';
import { resavePostContent, resavePostTitle, sanitizeTitle, truncateSlug } from '../formatting/sanitize.js';
import { CATEGORY, POST, REVISION, ZERO_DATE, isDraftLike, metaValues, withMeta, type MetaRow, type Post, type User } from '../model.js';
import { guidAfterChange, initialGuid } from './permalinks.js';
import { withDerivedColumns, findPost, hasNestedSlugs, pagesAbove } from './posts.js';
import { renderedAfter } from './rendered.js';
import { freeSlug, slugHolders, withFreeSlug } from './slugs.js';
import { withLock } from '../../database/store/locks.js';
import { withCounts } from '../terms/term-save.js';
import { findTerm } from '../terms/terms.js';
import type { Site } from '../site.js';

declare module '../types/hooks.js' {
  interface Hooks {
    /** Called after an update of a post (WP: `save_post`). */
    savedPost: (site: Site, before: Post, after: Post) => Promise<void>;
  }
}

/** A publication date that was sent. */
export interface GivenDate {
  /** `YYYY-MM-DD HH:MM:SS` in site time and UTC. */
  date: string;
  dateGmt: string;
  /** Whether the UTC date was sent. */
  utcGiven: boolean;
}

/** The writable fields of a post. WordPress's rules determine the others. */
export interface PostData {
  status: string;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  /** Slug as sent. Undefined: the current slug, or one made from the title. */
  slug?: string;
  date: GivenDate | null;
  menuOrder: number;
  password: string;
  meta: MetaRow[];
  terms: Record<string, number[]>;
  /** Fields of blog posts and pages; absent ones are not changed. */
  parent?: number;
  commentStatus?: string;
  pingStatus?: string;
  sticky?: boolean;
  format?: string | undefined;
  /** Keeps derived columns that can no longer be derived, for writes that bypass the API of the type's plugin. */
  keepsColumns?: boolean;
  /** A new post is updated right away, and so modified now. */
  isUpdated?: boolean;
}

/**
 * The status that a caller may set. TEC: the default is `publish` for users who may publish, else `draft`; users who may not publish get
 * `pending` instead of `publish`.
 */
export function allowedStatus(user: User | null, wanted: string | undefined): string {
  if (canWithPosts(user, 'publish')) return wanted ?? 'publish';
  if (wanted === undefined) return 'draft';
  return wanted === 'publish' || wanted === 'future' ? 'pending' : wanted;
}

/** WP: users who may not publish cannot set the slug of pending posts. */
export const slugFor = (user: User | null, status: string, slug: string | undefined): string | undefined =>
  status === 'pending' && !canWithPosts(user, 'publish') ? '' : slug;

const MINUTE = 60;

const secondsOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`) / 1000;

/** WP: published posts with a future date become scheduled, scheduled posts with a past date become published. */
function scheduledStatus(status: string, dateGmt: string, site: Site): string {
  if (status !== 'publish' && status !== 'future') return status;
  return secondsOf(dateGmt) - site.clock.seconds() >= MINUTE ? 'future' : 'publish';
}

interface Dates {
  date: string;
  dateGmt: string;
}

function datesOf(status: string, given: GivenDate | null, site: Site): Dates {
  const date = given?.date ?? site.nowLocal;
  const dateGmt = given?.dateGmt ?? site.nowUtc;
  // WP: drafts have no publication date in UTC unless one was sent.
  return { date, dateGmt: isDraftLike(status) && !given?.utcGiven ? ZERO_DATE : dateGmt };
}

const fromTitle = (title: string, id: number, { quirks }: Site): string => sanitizeTitle(title, quirks) || String(id);

interface SlugSource {
  /** Slug as sent. */
  explicit: string | undefined;
  current: string;
  title: string;
  status: string;
  id: number;
}

/** WP: a slug that is empty after sanitizing (PHP: or `0`) is replaced by the title, except for drafts. */
function wantedSlug({ explicit, current, title, status, id }: SlugSource, site: Site): string {
  const sent = explicit === undefined ? current : sanitizeTitle(explicit, site.quirks);
  return !isEmpty(sent) || isDraftLike(status) ? sent : fromTitle(title, id, site);
}

const TRASHED = '__trashed';
const DESIRED_SLUG = '_wp_desired_post_slug';

interface WantedSlug {
  type: string;
  wanted: string;
  id: number;
  status: string;
  parent: number;
}

/** A free slug for a post. WP: a post in the trash that has kept its slug gives it up to another post. */
async function claimSlug(site: Site, { type, wanted, id, status, parent }: WantedSlug): Promise<string> {
  if (wanted === '') return wanted;
  const holders = await slugHolders(site, type, [wanted]);
  const isClaimed = status !== 'trash' && !wanted.endsWith(TRASHED);
  const trashed = isClaimed ? holders.found.filter((held) => held.type === type && held.status === 'trash' && held._id !== id) : [];
  for (const held of trashed) {
    await site.store.changePost(held._id, async (other) => {
      const slug = await freeSlug(site, type, truncateSlug(other.slug, TRASHED), held._id, 'trash', other.parent);
      return withDerivedColumns(
        {
          ...other,
          slug,
          meta: withMeta(other.meta, DESIRED_SLUG, [...metaValues(other, DESIRED_SLUG), other.slug]),
        },
        site.registry,
      );
    });
  }
  return freeSlug(site, type, wanted, id, status, parent, trashed.length === 0 ? holders : undefined);
}

/** Inserts a post. A single write, thus atomic. @param metaOf the meta of a post that names itself */
export async function insertPost(site: Site, type: string, data: PostData, metaOf?: (id: number) => MetaRow[]): Promise<Post> {
  const { id, steps } = await site.store.sequences.draw('posts');
  const { date: given, slug: explicit, keepsColumns: _keeps, isUpdated = false, parent = 0, ...fields } = data;
  // WP: the setting for new posts counts, and types of plugins have no pings.
  const isOpen = site.registry.findPostType(type)?.takesComments?.when(site.options) === true;
  const discussion = isOpen ? { commentStatus: site.options.discussion.comments, pingStatus: 'closed', ...withoutUndefined(fields) } : {};
  const dates = datesOf(data.status, given, site);
  const status = scheduledStatus(data.status, dates.dateGmt, site);
  const wanted = wantedSlug({ explicit, current: '', title: data.title, status, id }, site);
  const insert = (): Promise<Post> =>
    withFreeSlug(site.store, async () => {
      const slug = await claimSlug(site, { type, wanted, id, status, parent });
      const known = await pagesAbove(site.store, [{ type, parent }]);
      const fresh = withDerivedColumns(
        {
          _id: id,
          type,
          ...fields,
          ...discussion,
          ...(metaOf && { meta: metaOf(id) }),
          status,
          slug,
          guid: initialGuid({ _id: id, type, slug, status, parent, date: dates.date, author: fields.author }, site, known),
          parent,
          ...dates,
          modified: isUpdated ? site.nowLocal : dates.date,
          modifiedGmt: isUpdated ? site.nowUtc : dates.dateGmt,
          version: 1,
        },
        site.registry,
      );
      await withCounts(site.store, (send) => send({ before: null, after: fresh }, [...steps, { collection: 'posts', insert: fresh }]));
      site.store.onChange?.({ kind: 'post', before: null, after: fresh });
      return fresh;
    });
  // All but one of several posts with one title would fail, and try again.
  return wanted === '' ? insert() : withLock(site.store, `slug ${wanted}`, insert);
}

/**
 * Inserts a revision of a post.
 * @param kept who made it, and what it keeps; texts that are left out are empty (WP)
 */
export async function insertRevision(
  site: Site,
  parent: Post,
  slug: string,
  kept: Pick<Post, 'author' | 'meta'> & Partial<Pick<Post, 'title' | 'content' | 'excerpt'>>,
): Promise<Post> {
  const { id, steps } = await site.store.sequences.draw('posts');
  const { nowLocal, nowUtc } = site;
  const dates = { date: nowLocal, dateGmt: nowUtc, modified: nowLocal, modifiedGmt: nowUtc };
  const empty = { title: '', content: '', excerpt: '', password: '', menuOrder: 0, terms: {} };
  const fixed = { _id: id, type: REVISION, status: 'inherit', slug, parent: parent._id, guid: `/?p=${id}`, ...dates, version: 1 };
  const fresh = withDerivedColumns({ ...empty, ...kept, ...fixed }, site.registry);
  await site.store.writeTogether([...steps, { collection: 'posts', insert: fresh }]);
  return fresh;
}

/** The publication date after an update that does not send one: the current time (TEC: events), or unchanged. */
type DateRule = 'renew' | 'keep';

/** Whether a post is a draft without a date. WP: it gets one when it is published. */
export const isUndated = ({ status, dateGmt }: Post): boolean => isDraftLike(status) && dateGmt === ZERO_DATE;

function updatedDates(current: Post, status: string, given: GivenDate | null, rule: DateRule, site: Site): Dates {
  if (given || rule === 'renew') return datesOf(status, given, site);
  return isUndated(current) ? datesOf(status, null, site) : { date: current.date, dateGmt: current.dateGmt };
}

/** WP: trashing adds a suffix to the slug, restoring removes it. */
function slugThroughTrash(current: Post, status: string, slug: string): { slug: string; desired: string[] } {
  const kept = metaValues(current, DESIRED_SLUG);
  const isMarked = current.slug.endsWith(TRASHED);
  if (status === 'trash' && current.status !== 'trash' && !isMarked) {
    return { slug: truncateSlug(slug, TRASHED), desired: [...kept, slug] };
  }
  if (status !== 'trash' && current.status === 'trash' && kept[0]) return { slug: kept[0], desired: [] };
  return { slug, desired: kept };
}

/**
 * Updates a post. Optimistic locking: retries on a version conflict, so that concurrent changes of different fields are both applied.
 * @param change returns the new fields; may be called again with a newer version
 * @returns the stored post, or null if it no longer exists
 */
export async function updatePost(site: Site, id: number, rule: DateRule, change: (current: Post) => PostData): Promise<Post | null> {
  const { store } = site;
  const known = await findPost(store, id);
  if (!known) return null;
  const stored = await withCounts(store, (send) =>
    withFreeSlug(store, () => store.changePost(id, (current) => changed(site, current, change(current), rule), known, send)),
  );
  if (!stored) return null;
  for (const saved of site.registry.hooks('savedPost')) await saved(site, stored.before, stored.after);
  return stored.after;
}

async function changed(site: Site, current: Post, data: PostData, rule: DateRule): Promise<Post> {
  const { date: given, slug: explicit, meta, keepsColumns = false, isUpdated: _isUpdated, ...fields } = data;
  const dates = updatedDates(current, data.status, given, rule, site);
  const status = scheduledStatus(data.status, dates.dateGmt, site);
  const isTrashed = status === 'trash' && current.status !== 'trash';
  // WP: when a post is trashed, the sent slug is ignored.
  const asked = isTrashed
    ? current.slug
    : wantedSlug({ explicit, current: current.slug, title: data.title, status, id: current._id }, site);
  const { slug: wanted, desired } = slugThroughTrash(current, status, asked);
  const { parent = current.parent } = data;
  const slug = await claimSlug(site, { type: current.type, wanted, id: current._id, status, parent });
  return withDerivedColumns(
    {
      ...current,
      ...fields,
      meta: withMeta(meta, DESIRED_SLUG, desired),
      ...site.registry.findPostType(current.type)?.carry?.(current, meta, keepsColumns),
      guid: guidAfterChange(current, site),
      rendered: renderedAfter(current, fields),
      status,
      slug,
      ...dates,
      modified: site.nowLocal,
      modifiedGmt: site.nowUtc,
    },
    site.registry,
  );
}

/** The data of an update that changes nothing, not even as WordPress does on every save. */
export const asData = (post: Post): PostData => ({
  status: post.status,
  author: post.author,
  title: post.title,
  content: post.content,
  excerpt: post.excerpt,
  date: null,
  menuOrder: post.menuOrder,
  password: post.password,
  meta: post.meta,
  terms: post.terms,
});

/** The texts after an update by a user that does not send them. WP: they are cleaned once more, by the rights of that user. */
export function resavedTexts(
  { title, content, excerpt }: Post,
  user: User | null,
  site: Pick<Site, 'quirks'>,
): Pick<Post, 'title' | 'content' | 'excerpt'> {
  const author = textAuthor(user, site);
  return {
    title: resavePostTitle(title, author),
    content: resavePostContent(content, author),
    excerpt: resavePostContent(excerpt, author),
  };
}

/** The data of an update by a user that sends nothing. */
export const resaved = (post: Post, user: User | null, site: Pick<Site, 'quirks'>): PostData => ({
  ...asData(post),
  ...resavedTexts(post, user, site),
});

/** Ids of the default category; empty if it does not exist (WP). */
export async function defaultCategory({ store, options }: Site): Promise<number[]> {
  const term = await findTerm(store, CATEGORY, options.defaultCategory);
  return term ? [term._id] : [];
}

/** WP: every write to a blog post without a category assigns the default category. */
export const categorized = (type: string, terms: Record<string, number[]>, usual: number[]): Record<string, number[]> =>
  type === POST && (terms[CATEGORY] ?? []).length === 0 && usual.length > 0 ? { ...terms, [CATEGORY]: usual } : terms;

/** Publishes a post as it is: its dates and its slug stay (WP: `wp_publish_post`). */
export const publishPost = ({ store, registry }: Site, id: number): Promise<unknown> =>
  withCounts(store, (send) =>
    withFreeSlug(store, () =>
      store.changePost(id, (current) => withDerivedColumns({ ...current, status: 'publish' }, registry), null, send),
    ),
  );

/** Moves a post to the trash (WP). @param user who does so */
export async function trashPost(site: Site, id: number, user: User | null): Promise<Post | null> {
  const usual = await defaultCategory(site);
  await trashCommentsOf(site.store, id);
  return updatePost(site, id, 'keep', (current) => {
    const withStatus = withMeta(current.meta, '_wp_trash_meta_status', [current.status]);
    return {
      ...resaved(current, user, site),
      terms: categorized(current.type, current.terms, usual),
      keepsColumns: true,
      status: 'trash',
      // WP: posts in the trash are not sticky.
      ...(current.sticky ? { sticky: false } : {}),
      meta: withMeta(withStatus, '_wp_trash_meta_time', [String(site.clock.seconds())]),
    };
  });
}

/**
 * Moves the children of a deleted post to its parent, and deletes its autosaves. Pages get another slug if theirs is taken there; WordPress
 * does not do that.
 */
async function moveChildren(site: Site, { _id: id, parent }: Post): Promise<void> {
  const { store } = site;
  const below = await store.posts.find({ parent: id }, { projection: { type: 1 } }).toArray();
  const autosaves = below.filter(({ type }) => type === REVISION).map(({ _id }) => _id);
  if (autosaves.length > 0) await store.posts.deleteMany({ _id: { $in: autosaves } });
  const children = below.filter(({ type }) => type !== REVISION);
  const isNested = ({ type }: Pick<Post, 'type'>): boolean => hasNestedSlugs(type, site.registry);
  const others = children.filter((child) => !isNested(child)).map(({ _id }) => _id);
  if (others.length > 0) await store.posts.updateMany({ _id: { $in: others }, parent: id }, { $set: { parent }, $inc: { version: 1 } });
  for (const page of children.filter(isNested)) {
    await withFreeSlug(store, () =>
      store.changePost(page._id, async (current) => {
        const slug = await freeSlug(site, current.type, current.slug, current._id, current.status, parent);
        return withDerivedColumns({ ...current, parent, slug }, site.registry);
      }),
    );
  }
}

/**
 * Deletes a post permanently. WP: its children move to its parent.
 * @returns the deleted post, or null if it did not exist
 */
export const deletePost = (site: Site, id: number): Promise<Post | null> =>
  withCounts(site.store, async (send) => {
    const removed = await site.store.removePost(id, send);
    if (!removed) return null;
    await moveChildren(site, removed);
    await deleteCommentsOf(site.store, id);
    await deleteItemsOf(site.store, 'post_type', id);
    site.store.onChange?.({ kind: 'post', before: removed, after: null });
    return removed;
  });
