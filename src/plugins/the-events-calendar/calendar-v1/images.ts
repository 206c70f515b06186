import type { Image, ImageSize } from '../../../sdk/types/responses.js';
import type { ImageSize as StoredSize, Post } from '../../../wordpress/model.js';

/** The fields of an attachment that are needed to show it. */
export type ImageSource = Pick<Post, '_id' | 'file' | 'image' | 'mimeType'>;

/**
 * The image object of an attachment, or false when there is none or it is not an image.
 * `uploadsUrl` is the address of the uploads folder, with or without a slash at the end. TEC: members that are empty or zero are left out.
 */
export function presentImage(attachment: ImageSource | null | undefined, uploadsUrl: string): Image | false {
  if (!attachment?.file || !isImage(attachment)) return false;
  const { file, image } = attachment;
  const base = uploadsUrl.replace(/\/+$/, '');
  const folder = file.includes('/') ? `${base}/${file.slice(0, file.lastIndexOf('/'))}` : base;
  const sizes = Object.entries(image?.sizes ?? {}).map(([name, size]): [string, ImageSize] => [name, presentSize(size, folder)]);
  return withoutEmpty<Image>({
    url: `${base}/${file}`,
    id: attachment._id,
    extension: /\.([^./]+)$/.exec(file)?.[1],
    width: image?.width,
    height: image?.height,
    filesize: image?.filesize,
    sizes: sizes.length ? Object.fromEntries(sizes) : undefined,
    original_image: image?.original_image,
  });
}

const presentSize = (size: StoredSize, folder: string): ImageSize =>
  withoutEmpty<ImageSize>({
    width: size.width,
    height: size.height,
    'mime-type': size['mime-type'],
    filesize: size.filesize,
    url: `${folder}/${size.file}`,
  });

const isImage = ({ mimeType, image }: ImageSource): boolean => (mimeType ? mimeType.startsWith('image/') : Boolean(image));

const withoutEmpty = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => Boolean(value))) as T;
