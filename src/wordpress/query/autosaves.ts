import { REVISION, type Post } from '../model.js';
import type { Site } from '../site.js';

/** The slug of all autosaves of a post (WP). */
export const autosaveSlug = (id: number): string => `${id}-autosave-v1`;

const latestFirst = (a: Post, b: Post): number => (a.date === b.date ? b._id - a._id : a.date < b.date ? 1 : -1);

/** The autosaves of a post, the latest first. */
export async function autosavesOf(parent: Post, { store }: Site): Promise<Post[]> {
  const found = await store.posts.find({ type: REVISION, slug: autosaveSlug(parent._id), parent: parent._id }).toArray();
  return found.toSorted(latestFirst);
}

/**
 * The autosave that previews show. WP: of several in one second, the one by the author with the lowest id (since 6.9; no order before).
 * @param author of this user alone
 */
export async function currentAutosave(parent: Post, site: Site, author?: number): Promise<Post | undefined> {
  const found = (await autosavesOf(parent, site)).filter((each) => author === undefined || each.author === author);
  const latest = found.filter(({ date }) => date === found[0].date);
  return latest.toSorted((a, b) => a.author - b.author || a._id - b._id).at(0);
}

/** The action of the nonce that lets a user see the autosaves of a post on its page (WP). */
export const previewAction = (id: number): string => `post_preview_${id}`;
