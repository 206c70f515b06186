import path from 'node:path';
import { sanitizeTitle } from '../formatting/sanitize.js';
import { ATTACHMENT, withMeta, type Post } from '../model.js';
import { guidPath } from '../posts/permalinks.js';
import { withDerivedColumns } from '../posts/posts.js';
import type { Site } from '../site.js';
import { freeSlug, withFreeSlug } from '../posts/slugs.js';
import { filesOf, removeUpload, type StoredUpload } from './upload.js';

/** The writable fields of an attachment. */
export type AttachmentData = Pick<
  Post,
  'title' | 'content' | 'excerpt' | 'author' | 'status' | 'parent' | 'date' | 'dateGmt' | 'meta' | 'commentStatus' | 'pingStatus'
> & {
  /** Slug as sent. Undefined: the current slug, or one made from the title. */
  slug: string | undefined;
};

/** The name of a file as it was uploaded. WP: the `guid` keeps it, although the full version of a large or rotated image has another one. */
const uploadedName = ({ file, image }: StoredUpload): string => image?.original_image ?? path.posix.basename(file);

export async function insertAttachment(site: Site, stored: StoredUpload, { slug: sent, ...data }: AttachmentData): Promise<Post> {
  const id = await site.store.sequences.next('posts');
  const wanted = sanitizeTitle(sent ?? '', site.quirks) || sanitizeTitle(data.title, site.quirks) || String(id);
  const post = await withFreeSlug(site.store, async () => {
    const fresh = withDerivedColumns(
      {
        _id: id,
        type: ATTACHMENT,
        ...data,
        ...stored,
        slug: await freeSlug(site, ATTACHMENT, wanted, id, 'inherit'),
        password: '',
        menuOrder: 0,
        modified: data.date,
        modifiedGmt: data.dateGmt,
        guid: `${site.options.coreFolder}${site.options.uploadFolder}/${path.posix.join(path.posix.dirname(stored.file), uploadedName(stored))}`,
        terms: {},
        version: 1,
      },
      site.registry,
    );
    await site.store.posts.insertOne(fresh);
    return fresh;
  });
  site.store.onChange?.({ kind: 'post', before: null, after: post });
  return post;
}

/**
 * Updates an attachment. Optimistic locking: `change` may be called again with a newer version.
 * @returns the stored attachment, or null if it no longer exists
 */
export async function updateAttachment(site: Site, id: number, change: (current: Post) => AttachmentData): Promise<Post | null> {
  const written = await withFreeSlug(site.store, () =>
    site.store.changePost(id, async (current) => {
      const { slug: sent, ...data } = change(current);
      // WP: an empty explicit slug falls back to the title.
      const wanted =
        sent === undefined ? current.slug : sanitizeTitle(sent, site.quirks) || sanitizeTitle(data.title, site.quirks) || String(id);
      const slug = wanted === current.slug ? wanted : await freeSlug(site, ATTACHMENT, wanted, id, 'inherit');
      const times = { modified: site.nowLocal, modifiedGmt: site.nowUtc };
      return withDerivedColumns({ ...current, ...data, slug, ...times, guid: guidPath(current, site) }, site.registry);
    }),
  );
  return written?.after ?? null;
}

/** Deletes an attachment with its files and removes it as featured image. */
export async function deleteAttachment(site: Site, post: Post): Promise<void> {
  const { store } = site;
  const isShared = await store.posts.findOne({ type: ATTACHMENT, file: post.file, _id: { $ne: post._id } }, { projection: { _id: 1 } });
  const entry = await store.workLog.begin({ files: isShared ? [] : filesOf(post) });
  await store.posts.deleteOne({ _id: post._id });
  const row = { key: '_thumbnail_id', value: String(post._id) };
  const users = await store.posts.find({ meta: { $elemMatch: row } }, { projection: { _id: 1 } }).toArray();
  for (const { _id } of users)
    await store.changePost(_id, (current) => withDerivedColumns({ ...current, meta: withMeta(current.meta, row.key, []) }, site.registry));
  if (!isShared) await removeUpload(site, post);
  await store.workLog.end(entry);
  store.onChange?.({ kind: 'post', before: post, after: null });
}
