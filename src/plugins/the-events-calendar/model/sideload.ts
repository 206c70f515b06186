import { randomInt } from 'node:crypto';
import path from 'node:path';
import { MediaError, headImage, unlessRejected } from '../../../wordpress/media/fetch.js';
import { fileNameFor, inspectImage, makeImageFiles, readUpload, type ReadyVersions } from '../../../wordpress/media/files.js';
import { fileNameOf, imageUrl, ownUpload, readImage } from '../../../wordpress/media/image-url.js';
import { derivedFileName } from '../../../wordpress/media/sizes.js';
import { IMAGE_TYPES, imageTypeOfName } from '../../../wordpress/media/types.js';
import { storeAttached, insertAttachment } from '../../../wordpress/media/upload.js';
import { ATTACHMENT } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import type { Store } from '../../../wordpress/store.js';

/** TEC: meta key of the URL that an image was downloaded from. */
const ORIGINAL_URL = '_tribe_importer_original_url';

const RANDOM_LENGTH = 6;
const RANDOM_CHARS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export async function isImageAttachment(store: Store, id: number): Promise<boolean> {
  const found = await store.posts.findOne({ _id: id, type: ATTACHMENT }, { projection: { mimeType: 1, file: 1 } });
  return Boolean(found?.file) && Boolean(found?.mimeType?.startsWith('image/'));
}

/**
 * Whether a URL leads to a usable image: an image file of this site's own uploads, or a foreign URL whose HEAD request gives 200 and
 * exactly an image type that may be uploaded. Own uploads are never requested over the network.
 * @param url absolute, http or https; others are not usable
 */
export async function isUsableImageUrl(site: Site, url: string): Promise<boolean> {
  const address = imageUrl(url);
  if (!address) return false;
  const { media } = site.chosen;
  const isUsable = await unlessRejected(media, async () => {
    const own = ownUpload(site, address);
    if (own !== undefined) return isOwnImage(site, own);
    const { status, contentType } = await headImage(url, media);
    if (status !== 200 || !Object.hasOwn(IMAGE_TYPES, contentType)) throw new MediaError(`${url}: HEAD gives ${status} ${contentType}`);
    return true;
  });
  return isUsable ?? false;
}

async function isOwnImage(site: Site, file: string | null): Promise<boolean> {
  if (file === null || imageTypeOfName(file) === undefined) return false;
  const bytes = await readUpload(site.uploads, file);
  return bytes !== null && Boolean(await inspectImage(bytes));
}

const underWay = new WeakMap<Store, Map<string, Promise<number>>>();

/**
 * The attachment of an image given by URL: the one whose `guid` that is, else the one that was copied from it, else a new copy in the folder
 * of the current month. Concurrent requests for the same URL get the same attachment.
 * @param authorId user that a new attachment belongs to
 * @returns id of the attachment
 * @throws MediaError if the image cannot be downloaded or stored; nothing is kept then
 */
export function attachImage(site: Site, url: string, authorId: number): Promise<number> {
  const running = underWay.get(site.store) ?? new Map<string, Promise<number>>();
  underWay.set(site.store, running);
  const known = running.get(url);
  if (known) return known;
  const attached = findOrAttach(site, url, authorId).finally(() => running.delete(url));
  running.set(url, attached);
  return attached;
}

async function findOrAttach(site: Site, url: string, authorId: number): Promise<number> {
  const base = site.ownUrls.find((own) => url.startsWith(`${own}/`));
  const conditions = [
    ...(base === undefined ? [] : [{ guid: url.slice(base.length) }]),
    { meta: { $elemMatch: { key: ORIGINAL_URL, value: url } } },
  ];
  for (const condition of conditions) {
    const found = await site.store.posts.findOne({ type: ATTACHMENT, ...condition }, { sort: { _id: 1 }, projection: { _id: 1 } });
    if (found) return found._id;
  }
  return attach(site, url, authorId);
}

async function attach(site: Site, url: string, authorId: number): Promise<number> {
  const address = imageUrl(url);
  if (!address) throw new MediaError(`${url} is not an http(s) URL`);
  const own = ownUpload(site, address);
  const bytes = await readImage(site, address);
  const facts = await inspectImage(bytes);
  const { stem, extension } = fileNameFor(fileNameOf(address), facts.mimeType);
  const name = `${stem}-${randomText()}.${extension}`;
  const made = await makeImageFiles(
    bytes,
    facts,
    name,
    site.options.imageSizes(site.registry.imageSizes),
    own ? await readyVersions(site, own) : undefined,
  );
  const month = site.nowLocal.slice(0, 7).replace('-', '/');
  const file = `${month}/${made.full}`;
  const stored = { file, mimeType: facts.mimeType, image: { ...made.metadata, file } };
  const { _id } = await storeAttached(site, month, made.files, () =>
    insertAttachment(site, stored, {
      title: path.posix.parse(name).name,
      content: '',
      excerpt: '',
      author: authorId,
      status: 'inherit',
      parent: 0,
      date: site.nowLocal,
      dateGmt: site.nowUtc,
      meta: [{ key: ORIGINAL_URL, value: url }],
      slug: undefined,
    }),
  );
  return _id;
}

const randomText = (): string => Array.from({ length: RANDOM_LENGTH }, () => RANDOM_CHARS[randomInt(RANDOM_CHARS.length)]).join('');

/** The versions of a file of the library, which is the full version or the original upload. */
async function readyVersions(site: Site, file: string): Promise<ReadyVersions | undefined> {
  const candidates = [file, derivedFileName(file, 'scaled'), derivedFileName(file, 'rotated')];
  const found = await site.store.posts.find({ type: ATTACHMENT, file: { $in: candidates } }).toArray();
  const source = found.find((post) => post.file === file) ?? found.find((post) => post.image?.original_image === path.posix.basename(file));
  if (!source?.image || !source.file) return undefined;
  const { image, file: full } = source;
  const folder = path.posix.dirname(full);
  return {
    imageMeta: image.image_meta,
    find: async (name, { width, height }) => {
      const version = name === 'full' ? { ...image, file: path.posix.basename(full) } : image.sizes[name];
      if (!version || version.width !== width || version.height !== height) return null;
      return readUpload(site.uploads, path.posix.join(folder, version.file));
    },
  };
}
