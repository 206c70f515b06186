import { isEmpty } from '../php/cast.js';
import { canWithPosts } from './users/capabilities.js';
import { sanitizeTitle, truncateSlug } from './formatting/slug.js';
import { CATEGORY, PAGE, POST, ZERO_DATE, isDraftLike, metaValues, withMeta, type MetaRow, type Post, type User } from './model.js';
import { guidAfterChange, guidWhenMade } from './permalinks.js';
import { derive, pagesAbove } from './posts.js';
import { renderedAfter } from './rendered.js';
import { freeSlug, withFreeSlug } from './slugs.js';
import { findTerm, recountTerms } from './terms.js';
import type { Site } from './site.js';
import { findPostType } from './types/registry.js';

/** Publication date as given, `YYYY-MM-DD HH:MM:SS`; UTC only when it was given itself. */
export interface GivenDate {
  date: string;
  dateGmt: string;
  utcGiven: boolean;
}

/** What a write makes of a post: everything that it decides; what is not here is taken care of by WordPress's own rules. */
export interface PostData {
  status: string;
  author: number;
  title: string;
  content: string;
  excerpt: string;
  /** As sent; undefined keeps the slug that there is, or makes one. */
  slug?: string;
  date: GivenDate | null;
  menuOrder: number;
  password: string;
  meta: MetaRow[];
  terms: Record<string, number[]>;
  /** What only blog posts and pages have; what is absent stays as it is. */
  parent?: number;
  commentStatus?: string;
  pingStatus?: string;
  sticky?: boolean;
  format?: string | undefined;
  /** Derived columns that can no longer be made stay as they were: for writes past the interface of the plugin that brings the type. */
  keepsColumns?: boolean;
  /** A new post is updated right away, and so modified now. */
  isUpdated?: boolean;
}

/**
 * The status that a caller gets for what was asked. TEC: without the right to publish it becomes pending, and without being asked
 * for, a draft; with it, published.
 */
export function scaleStatus(user: User | null, wanted: string | undefined): string {
  if (canWithPosts(user, 'publish')) return wanted ?? 'publish';
  if (wanted === undefined) return 'draft';
  return wanted === 'publish' || wanted === 'future' ? 'pending' : wanted;
}

/** WP: who may not publish has no say in the slug of what waits for review. */
export const slugFor = (user: User | null, status: string, slug: string | undefined): string | undefined =>
  status === 'pending' && !canWithPosts(user, 'publish') ? '' : slug;

const MINUTE = 60;

const secondsOf = (utc: string): number => Date.parse(`${utc.replace(' ', 'T')}Z`) / 1000;

/** WP: what is to be published later is scheduled, and what was scheduled for a time gone by is published. */
function settleStatus(status: string, dateGmt: string, site: Site): string {
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
  // WP: as long as it is a draft, a post has no publication date in UTC, unless one was given.
  return { date, dateGmt: isDraftLike(status) && !given?.utcGiven ? ZERO_DATE : dateGmt };
}

const fromTitle = (title: string, id: number): string => sanitizeTitle(title) || String(id);

/** WP: an explicit slug that comes to nothing (PHP: `0` too) gives way to the title; drafts wait for theirs. */
function wantedSlug(explicit: string | undefined, current: string, title: string, status: string, id: number): string {
  const sent = explicit === undefined ? current : sanitizeTitle(explicit);
  return !isEmpty(sent) || isDraftLike(status) ? sent : fromTitle(title, id);
}

const TRASHED = '__trashed';
const DESIRED_SLUG = '_wp_desired_post_slug';

/** WP: what was put into the trash with its slug as it is, gives it up to the first that wants it. */
async function takeFromTrash(site: Site, type: string, wanted: string, id: number, status: string): Promise<void> {
  if (wanted === '' || status === 'trash' || wanted.endsWith(TRASHED)) return;
  const { posts } = site.store;
  const held = await posts.find({ type, slug: wanted, status: 'trash', _id: { $ne: id } }, { projection: { _id: 1 } }).toArray();
  for (const { _id } of held) {
    await site.store.changePost(_id, async (other) => {
      const slug = await freeSlug(site, type, truncateSlug(other.slug, TRASHED), _id, 'trash', other.parent);
      return derive({ ...other, slug, meta: withMeta(other.meta, DESIRED_SLUG, [...metaValues(other, DESIRED_SLUG), other.slug]) });
    });
  }
}

const termIds = (post: Pick<Post, 'terms'>): number[] => Object.values(post.terms).flat();

/** Terms whose number of published posts may be another than before. */
function touchedTerms(before: Post | null, after: Post): number[] {
  const [old, current] = [new Set(before ? termIds(before) : []), new Set(termIds(after))];
  const all = [...new Set([...old, ...current])];
  const stillCounts = before !== null && (before.status === 'publish') === (after.status === 'publish');
  return stillCounts ? all.filter((id) => old.has(id) !== current.has(id)) : all;
}

async function recount(site: Site, before: Post | null, after: Post): Promise<void> {
  const touched = touchedTerms(before, after);
  if (touched.length > 0) await recountTerms(site.store, touched);
}

/** Stores a new post. One document, one write: it is there whole or not at all. */
export async function insertPost(site: Site, type: string, data: PostData): Promise<Post> {
  const id = await site.store.sequences.next('posts');
  const { date: given, slug: explicit, keepsColumns: _keeps, isUpdated = false, parent = 0, ...fields } = data;
  const dates = datesOf(data.status, given, site);
  const status = settleStatus(data.status, dates.dateGmt, site);
  const post = await withFreeSlug(async () => {
    const wanted = wantedSlug(explicit, '', data.title, status, id);
    await takeFromTrash(site, type, wanted, id, status);
    const slug = await freeSlug(site, type, wanted, id, status, parent);
    const known = await pagesAbove(site.store, [{ type, parent }]);
    const fresh = derive({
      _id: id,
      type,
      ...fields,
      status,
      slug,
      guid: guidWhenMade({ _id: id, type, slug, status, parent }, site, known),
      parent,
      ...dates,
      modified: isUpdated ? site.nowLocal : dates.date,
      modifiedGmt: isUpdated ? site.nowUtc : dates.dateGmt,
      version: 1,
    });
    await site.store.posts.insertOne(fresh);
    return fresh;
  });
  await recount(site, null, post);
  return post;
}

/** How an update treats the publication date: stamped now unless given (TEC: events), or kept unless given. */
export type DateRule = 'renew' | 'keep';

function updatedDates(current: Post, status: string, given: GivenDate | null, rule: DateRule, site: Site): Dates {
  if (given || rule === 'renew') return datesOf(status, given, site);
  // WP: a draft that was never dated gets its date when it stops being one.
  const undated = isDraftLike(current.status) && current.dateGmt === ZERO_DATE;
  return undated ? datesOf(status, null, site) : { date: current.date, dateGmt: current.dateGmt };
}

/** WP: in the trash a slug makes room for others, and gets its place back when the post does. */
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
 * Changes a post. The change is made of what is stored at the moment of writing: when somebody else was quicker it is made anew,
 * so that two writers of different fields both have their way.
 * @param change what the post is to be, from what it is
 * @returns the post as stored, or null when it is gone
 */
export async function updatePost(site: Site, id: number, rule: DateRule, change: (current: Post) => PostData): Promise<Post | null> {
  const stored = await withFreeSlug(() => site.store.changePost(id, (current) => changed(site, current, change(current), rule)));
  if (!stored) return null;
  await recount(site, stored.before, stored.after);
  return stored.after;
}

async function changed(site: Site, current: Post, data: PostData, rule: DateRule): Promise<Post> {
  const { date: given, slug: explicit, meta, keepsColumns = false, isUpdated: _isUpdated, ...fields } = data;
  const dates = updatedDates(current, data.status, given, rule, site);
  const status = settleStatus(data.status, dates.dateGmt, site);
  const isTrashed = status === 'trash' && current.status !== 'trash';
  // WP: on the way to the trash a slug that is sent is not looked at.
  const asked = isTrashed ? current.slug : wantedSlug(explicit, current.slug, data.title, status, current._id);
  const { slug: wanted, desired } = slugThroughTrash(current, status, asked);
  const { parent = current.parent } = data;
  await takeFromTrash(site, current.type, wanted, current._id, status);
  const slug = await freeSlug(site, current.type, wanted, current._id, status, parent);
  return derive({
    ...current,
    ...fields,
    meta: withMeta(meta, DESIRED_SLUG, desired),
    ...findPostType(current.type)?.carry?.(current, meta, keepsColumns),
    guid: guidAfterChange(current, site),
    rendered: renderedAfter(current, fields),
    status,
    slug,
    ...dates,
    modified: site.nowLocal,
    modifiedGmt: site.nowUtc,
  });
}

/** A post as data for an update that changes nothing. */
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

/** The category of blog posts that have none, if there is it (WP). */
export async function defaultCategory({ store, options }: Site): Promise<number[]> {
  const term = await findTerm(store, CATEGORY, options.defaultCategory);
  return term ? [term._id] : [];
}

/** WP: whatever is done to a blog post that has no category, it gets the default one. */
export const categorized = (type: string, terms: Record<string, number[]>, usual: number[]): Record<string, number[]> =>
  type === POST && (terms[CATEGORY] ?? []).length === 0 && usual.length > 0 ? { ...terms, [CATEGORY]: usual } : terms;

/** Moves a post to the trash, from where it can come back (WP). */
export async function trashPost(site: Site, id: number): Promise<Post | null> {
  const usual = await defaultCategory(site);
  return updatePost(site, id, 'keep', (current) => {
    const withStatus = withMeta(current.meta, '_wp_trash_meta_status', [current.status]);
    return {
      ...asData(current),
      terms: categorized(current.type, current.terms, usual),
      keepsColumns: true,
      status: 'trash',
      // WP: what is in the trash does not stay at the top.
      ...(current.sticky ? { sticky: false } : {}),
      meta: withMeta(withStatus, '_wp_trash_meta_time', [String(site.clock.seconds())]),
    };
  });
}

/** Puts what hangs on a deleted post onto what that hung on itself. Pages get another slug where theirs is taken there, which WordPress lets be. */
async function moveChildren(site: Site, { _id: id, parent }: Post): Promise<void> {
  const { store } = site;
  await store.posts.updateMany({ parent: id, type: { $ne: PAGE } }, { $set: { parent }, $inc: { version: 1 } });
  const pages = await store.posts.find({ parent: id, type: PAGE }, { projection: { _id: 1 } }).toArray();
  for (const page of pages) {
    await withFreeSlug(() =>
      store.changePost(page._id, async (current) => {
        const slug = await freeSlug(site, PAGE, current.slug, current._id, current.status, parent);
        return derive({ ...current, parent, slug });
      }),
    );
  }
}

/**
 * Deletes a post for good. WP: what hangs on it hangs on what it hung on itself.
 * @returns the post as it was, or null when it was gone already
 */
export async function deletePost(site: Site, id: number): Promise<Post | null> {
  const { posts } = site.store;
  const removed = await posts.findOneAndDelete({ _id: id });
  if (!removed) return null;
  await moveChildren(site, removed);
  const terms = termIds(removed);
  if (terms.length > 0) await recountTerms(site.store, terms);
  return removed;
}
