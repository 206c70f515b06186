import type { ImageSize, Post } from '../wp/model.js';

/** One derived size of an image as the API shows it. */
export interface PresentedSize {
  width: number;
  height: number;
  'mime-type': string;
  filesize?: number;
  url: string;
}

/** The `image` of an event, venue or organizer. */
export interface ImageObject {
  url: string;
  id: number;
  extension?: string;
  width?: number;
  height?: number;
  filesize?: number;
  sizes?: Record<string, PresentedSize>;
  original_image?: string;
}

/** What is needed of an attachment to show it. */
export type ImageSource = Pick<Post, '_id' | 'file' | 'image' | 'mimeType'>;

/**
 * The image object of an attachment, or false when there is none or it is no image.
 * `uploadsUrl` is the address of the uploads folder, with or without a slash at the end. TEC: members that are empty or zero are left out.
 */
export function presentImage(attachment: ImageSource | null | undefined, uploadsUrl: string): ImageObject | false {
  if (!attachment?.file || !isImage(attachment)) return false;
  const { file, image } = attachment;
  const base = uploadsUrl.replace(/\/+$/, '');
  const folder = file.includes('/') ? `${base}/${file.slice(0, file.lastIndexOf('/'))}` : base;
  const sizes = Object.entries(image?.sizes ?? {}).map(([name, size]): [string, PresentedSize] => [name, presentSize(size, folder)]);
  return withoutEmpty<ImageObject>({
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

const presentSize = (size: ImageSize, folder: string): PresentedSize =>
  withoutEmpty<PresentedSize>({
    width: size.width,
    height: size.height,
    'mime-type': size['mime-type'],
    filesize: size.filesize,
    url: `${folder}/${size.file}`,
  });

const isImage = ({ mimeType, image }: ImageSource): boolean => (mimeType ? mimeType.startsWith('image/') : Boolean(image));

const withoutEmpty = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => Boolean(value))) as T;
