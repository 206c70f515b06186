import { sanitizeTitle } from '../formatting/slug.js';
import { ATTACHMENT, withMeta, type Post } from '../model.js';
import { guidPath } from '../permalinks.js';
import { derive } from '../posts.js';
import type { Site } from '../site.js';
import { freeSlug, withFreeSlug } from '../slugs.js';
import { filesOf, removeUpload, type StoredUpload } from './upload.js';

/** What a write decides of an attachment. */
export type AttachmentData = Pick<
  Post,
  'title' | 'content' | 'excerpt' | 'author' | 'status' | 'parent' | 'date' | 'dateGmt' | 'meta' | 'commentStatus' | 'pingStatus'
> & {
  /** As sent; undefined keeps the slug that there is, or makes one from the title. */
  slug: string | undefined;
};

/** Stores a new attachment for a file that lies in the library. */
export async function insertAttachment(site: Site, stored: StoredUpload, { slug: sent, ...data }: AttachmentData): Promise<Post> {
  const id = await site.store.sequences.next('posts');
  const wanted = sanitizeTitle(sent ?? '') || sanitizeTitle(data.title) || String(id);
  const post = await withFreeSlug(async () => {
    const fresh = derive({
      _id: id,
      type: ATTACHMENT,
      ...data,
      ...stored,
      slug: await freeSlug(site, ATTACHMENT, wanted, id, 'inherit'),
      password: '',
      menuOrder: 0,
      modified: data.date,
      modifiedGmt: data.dateGmt,
      guid: `/wp-content/uploads/${stored.file}`,
      terms: {},
      version: 1,
    });
    await site.store.posts.insertOne(fresh);
    return fresh;
  });
  return post;
}

/**
 * Changes an attachment, from what is stored at the moment of writing.
 * @returns it as stored, or null when it is gone
 */
export async function updateAttachment(site: Site, id: number, change: (current: Post) => AttachmentData): Promise<Post | null> {
  const written = await withFreeSlug(() =>
    site.store.changePost(id, async (current) => {
      const { slug: sent, ...data } = change(current);
      // WP: an empty explicit slug falls back to the title.
      const wanted = sent === undefined ? current.slug : sanitizeTitle(sent) || sanitizeTitle(data.title) || String(id);
      const slug = wanted === current.slug ? wanted : await freeSlug(site, ATTACHMENT, wanted, id, 'inherit');
      const times = { modified: site.nowLocal, modifiedGmt: site.nowUtc };
      return derive({ ...current, ...data, slug, ...times, guid: guidPath(current, site) });
    }),
  );
  return written?.after ?? null;
}

/** Takes an attachment away with its files, and from the posts that show it. */
export async function deleteAttachment(site: Site, post: Post): Promise<void> {
  const { store } = site;
  const isShared = await store.posts.findOne({ type: ATTACHMENT, file: post.file, _id: { $ne: post._id } }, { projection: { _id: 1 } });
  const note = await store.workLog.begin({ files: isShared ? [] : filesOf(post) });
  await store.posts.deleteOne({ _id: post._id });
  const row = { key: '_thumbnail_id', value: String(post._id) };
  const users = await store.posts.find({ meta: { $elemMatch: row } }, { projection: { _id: 1 } }).toArray();
  for (const { _id } of users) await store.changePost(_id, (current) => derive({ ...current, meta: withMeta(current.meta, row.key, []) }));
  if (!isShared) await removeUpload(site, post);
  await store.workLog.end(note);
}
