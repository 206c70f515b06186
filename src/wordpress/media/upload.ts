import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { MediaError } from './fetch.js';
import * as mediaFiles from './files.js';
import { type ImageMetadata, type MetaRow, ATTACHMENT, withMeta, type Post } from '../model.js';
import type { Site } from '../site.js';
import { isUncertain } from '../../database/store/errors.js';
import { withLock } from '../../database/store/locks.js';
import type { SizeRule } from './sizes.js';
import { isAllowedExtension, isHarmlessInside, uploadType } from './upload-types.js';
import { sanitizeTitle } from '../formatting/sanitize.js';
import { guidPath } from '../posts/permalinks.js';
import { withDerivedColumns } from '../posts/posts.js';
import { freeSlug, withFreeSlug } from '../posts/slugs.js';

export interface Upload {
  name: string;
  bytes: Buffer;
  /** Whether to make the other versions of an image. Default: true. */
  makesSizes?: boolean;
}

/** A stored file, as in the fields of its attachment. */
export interface StoredUpload {
  /** Path relative to the uploads folder. */
  file: string;
  mimeType: string;
  image: ImageMetadata | null;
  /** In bytes; only for files that are not images. */
  fileSize?: number;
}

/** Splits a name at its last dot. */
function split(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? { stem: name, extension: '' } : { stem: name.slice(0, dot), extension: name.slice(dot + 1) };
}

/** WP: appends an underscore to extensions inside a name unless such files are allowed, since servers may interpret every extension. */
function disarm(name: string): string {
  const parts = name.split('.');
  const middle = parts.slice(1, -1).map((part) => (/^[a-z]{2,5}\d?$/i.test(part) && !isHarmlessInside(part) ? `${part}_` : part));
  return parts.length < 3 ? name : [parts[0], ...middle, parts[parts.length - 1]].join('.');
}

/** The name under which an upload is stored (WP: `sanitize_file_name`). */
function cleanFileName(name: string): string {
  const clean = mediaFiles.sanitizeFileName(name);
  const named = !clean.includes('.') && isAllowedExtension(clean) ? `unnamed-file.${clean}` : clean;
  return disarm(named);
}

const LIKE_A_SIZE = /-(?:\d+x\d+|scaled|rotated)$/;
const LIKE_A_SIZE_OR_SCALED = /-(?:\d+x\d+|scaled)$/;

/** Whether a name is taken by a file or collides with a generated size of one. Ignores case. */
function isTaken(names: readonly string[], stem: string, extension: string): boolean {
  const wanted = `${stem}.${extension}`.toLowerCase();
  return names.some((name) => {
    const known = name.toLowerCase();
    if (known === wanted) return true;
    const other = split(known);
    return (
      other.extension === extension.toLowerCase() &&
      LIKE_A_SIZE.test(other.stem) &&
      other.stem.replace(LIKE_A_SIZE, '') === stem.toLowerCase()
    );
  });
}

/** The first free name: the given one, or with `-1`, `-2`, … WP: names that end like a size always get a number. */
async function freeName(folder: string, name: string): Promise<string> {
  const names = await readdir(folder).catch(() => []);
  const { stem, extension } = split(name);
  const free = (number: number): string => (number === 0 ? stem : `${stem}-${number}`);
  let number = LIKE_A_SIZE.test(stem) ? 1 : 0;
  while (isTaken(names, free(number), extension)) number += 1;
  return `${free(number)}.${extension.toLowerCase()}`;
}

/** The files of an image. WP: an image that cannot be decoded is stored as sent, without other sizes. */
async function imageFiles(
  bytes: Buffer,
  facts: mediaFiles.ImageFacts,
  name: string,
  sizes: readonly SizeRule[],
): Promise<mediaFiles.ImageFiles> {
  return mediaFiles.makeImageFiles(bytes, facts, name, sizes).catch((error: unknown) => {
    if (!(error instanceof MediaError)) throw error;
    const { width, height } = facts;
    return { files: new Map([[name, bytes]]), full: name, metadata: { width, height, filesize: bytes.length, sizes: {} } };
  });
}

/** The files to store for an upload. @param nameIn the name of the file in the folder that is free */
async function prepare(
  { name, bytes, makesSizes = true }: Upload,
  { folder, sizes }: { folder: string; sizes: readonly SizeRule[] },
  nameIn = freeName,
): Promise<mediaFiles.ImageFiles & { mimeType: string; isImage: boolean }> {
  const rejected = new MediaError('Sorry, you are not allowed to upload this file type.');
  const clean = cleanFileName(name);
  const { stem, extension } = split(clean);
  // WP: the extension comes from the name as sent, before sanitizing.
  const sent = /\.([^.]*)$/s.exec(name)?.[1] ?? '';
  const mimeType = sent === '' || sent !== extension ? null : uploadType(extension, bytes);
  if (mimeType === null) throw rejected;
  if (!mimeType.startsWith('image/')) {
    const stored = await nameIn(folder, `${mediaFiles.cut(stem, mediaFiles.STEM_BYTES)}.${extension}`);
    const metadata = { width: 0, height: 0, filesize: bytes.length, sizes: {} };
    return { files: new Map([[stored, bytes]]), full: stored, metadata, mimeType, isImage: false };
  }
  const facts = await mediaFiles.inspectImage(bytes).catch(() => {
    throw rejected;
  });
  const fitting = mediaFiles.fileNameFor(clean, facts.mimeType);
  const stored = await nameIn(folder, `${fitting.stem}.${fitting.extension}`);
  const made = makesSizes ? await imageFiles(bytes, facts, stored, sizes) : mediaFiles.uploadItself(bytes, facts, stored);
  return { ...made, mimeType: facts.mimeType, isImage: true };
}

/**
 * Stores files, then their attachment, so that every attachment has its files. If the attachment cannot be stored, the files are removed,
 * even after a crash.
 * @param month folder, `YYYY/MM`
 * @param attach stores the attachment
 */
export async function storeAttached<T>(
  site: Site,
  month: string,
  files: ReadonlyMap<string, Buffer>,
  attach: () => Promise<T>,
): Promise<T> {
  const { workLog } = site.store;
  const folder = path.join(site.uploads, month);
  const entry = await workLog.begin({ files: [...files.keys()].map((name) => path.posix.join(month, name)) });
  let isUnsure = false;
  try {
    await mediaFiles.storeFiles(folder, files);
    return await attach().catch(async (error: unknown) => {
      isUnsure = isUncertain(error);
      if (!isUnsure) await mediaFiles.removeFiles(folder, files.keys());
      throw error;
    });
  } finally {
    // Recovery finds out whether there is an attachment.
    await (isUnsure ? workLog.abandon(entry) : workLog.end(entry));
  }
}

/**
 * Stores an upload.
 * @param usualMonth folder, `YYYY/MM`, unless the site has none for months
 * @param attach stores the attachment
 * @throws MediaError if the file type is not allowed
 */
export function storeUpload<T>(site: Site, upload: Upload, usualMonth: string, attach: (stored: StoredUpload) => Promise<T>): Promise<T> {
  const month = site.options.hasMonthFolders ? usualMonth : '';
  const folder = path.join(site.uploads, month);
  return withLock(site.store, `uploads ${month}`, async () => {
    const { files, full, metadata, mimeType, isImage } = await prepare(upload, {
      folder,
      sizes: site.options.imageSizes(site.registry.imageSizes),
    });
    const file = path.posix.join(month, full);
    const image = isImage ? { ...metadata, file } : null;
    return storeAttached(site, month, files, () => attach({ file, mimeType, image, ...(isImage ? {} : { fileSize: metadata.filesize }) }));
  });
}

/** A version of an image that its client made. */
export interface StoredVersion {
  /** Path relative to the uploads folder. */
  file: string;
  mimeType: string;
  /** 0: not an image. */
  width: number;
  height: number;
  /** In bytes. */
  size: number;
}

/**
 * Stores another version of an image in the folder of its full version. WP: it keeps the name of a size of that file, if that is free.
 * @param full path of the full version, relative to the uploads folder
 * @param attach stores that the attachment has it
 * @throws MediaError if the file type is not allowed
 */
export function storeVersion<T>(site: Site, upload: Upload, full: string, attach: (stored: StoredVersion) => Promise<T>): Promise<T> {
  if (mediaFiles.uploadAt(site.uploads, full) === null) throw new MediaError('The full version is not stored in the uploads directory.');
  const month = path.posix.dirname(full);
  const { stem: ofFull } = split(path.posix.basename(full));
  const nameIn = async (folder: string, name: string): Promise<string> => {
    const { stem, extension } = split(name);
    const isOfFull = LIKE_A_SIZE_OR_SCALED.test(stem) && stem.replace(LIKE_A_SIZE_OR_SCALED, '') === ofFull;
    const wanted = `${stem}.${extension.toLowerCase()}`;
    return isOfFull && !(await readdir(folder).catch((): string[] => [])).includes(wanted) ? wanted : freeName(folder, name);
  };
  return withLock(site.store, `uploads ${month}`, async () => {
    const {
      files,
      full: name,
      metadata,
      mimeType,
    } = await prepare({ ...upload, makesSizes: false }, { folder: path.join(site.uploads, month), sizes: [] }, nameIn);
    const { width, height } = metadata;
    const stored = { file: path.posix.join(month, name), mimeType, width, height, size: upload.bytes.length };
    return storeAttached(site, month, files, () => attach(stored));
  });
}

/** WP: post meta with the names of the files that clients made for an attachment, one row each, until it has them as sizes. */
export const MADE_BY_CLIENT = '_wp_sideloaded_file';

/** The names of the files that clients made for an attachment. */
export const madeByClient = (meta: readonly MetaRow[] = []): string[] =>
  meta.filter(({ key }) => key === MADE_BY_CLIENT).map(({ value }) => value);

interface AttachmentFiles {
  file?: string | undefined;
  image?: ImageMetadata | null | undefined;
  meta?: readonly MetaRow[];
}

/** All files of an attachment, relative to the uploads folder: the full version, its sizes, the original, and those that its client made. */
function filesOf({ file, image, meta }: AttachmentFiles): string[] {
  if (file === undefined || file === '') return [];
  const folder = path.posix.dirname(file);
  const others = [
    ...Object.values(image?.sizes ?? {}).map((size) => size.file),
    ...(image?.original_image ? [image.original_image] : []),
    ...madeByClient(meta),
  ];
  return [...new Set([file, ...others.map((name) => path.posix.join(folder, path.posix.basename(name)))])];
}

/** Deletes the files of an attachment. Ignores paths outside the uploads folder. */
async function removeUpload(site: Site, attachment: Parameters<typeof filesOf>[0]): Promise<void> {
  const inside = filesOf(attachment).flatMap((file) => mediaFiles.uploadAt(site.uploads, file) ?? []);
  await Promise.all(inside.map((file) => rm(file, { force: true })));
}

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
