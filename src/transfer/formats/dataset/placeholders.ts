import { LINKED, LINKED_KINDS } from '../../../plugins/the-events-calendar/model/linked.js';
import { inspectImage } from '../../../wordpress/media/files.js';
import { drawPlaceholder, MAX_SIDE, meansPlaceholder, placeholderIn, placeholderName, type Placeholder } from '../../placeholder.js';
import type { Problems } from '../../problems.js';
import type { DatasetUpload } from '../../uploads.js';
import type { DatasetFile } from './declaration.js';

/** Images that are drawn: `image: placeholder(1200x630, "Jazz")`. */

const LISTS = ['events', 'posts', 'pages', ...LINKED_KINDS.map((kind) => LINKED[kind].column)] as const;

const FORMS = 'must be placeholder, placeholder(1200x630) or placeholder(1200x630, "Text")';

interface Shown {
  image?: string;
  title?: string;
  name?: string;
}

/** The placeholders of a file, by the name of their file. */
export type Placeholders = ReadonlyMap<string, Placeholder>;

/**
 * Adds the placeholders that items of a file have to its media, each once.
 * @returns the file, whose items then have the slugs of these media, and what is to be drawn
 */
export function withPlaceholders(file: DatasetFile, problems: Problems): { file: DatasetFile; placeholders: Placeholders } {
  const placeholders = new Map<string, Placeholder>();
  const media = [...(file.media ?? [])];
  // A slug of the file wins.
  const declared = new Set(media.map(({ slug }) => slug));
  const drawn = (item: Shown, at: string): Shown => {
    const wanted = item.image === undefined || declared.has(item.image) ? null : placeholderIn(item.image, item.title ?? item.name ?? '');
    if (!wanted && item.image !== undefined && !declared.has(item.image) && meansPlaceholder(item.image)) {
      problems.add(`${at}.image`, FORMS);
      return { ...item, image: undefined };
    }
    if (!wanted) return item;
    if ([wanted.width, wanted.height].some((side) => side < 1 || side > MAX_SIDE)) {
      problems.add(`${at}.image`, `a placeholder is from 1 to ${MAX_SIDE} pixels wide and high, not ${wanted.width}x${wanted.height}`);
      return { ...item, image: undefined };
    }
    const slug = placeholderName(wanted);
    const name = `${slug}.png`;
    if (!placeholders.has(name)) media.push({ slug, file: name, title: wanted.text || slug, alt: wanted.text });
    placeholders.set(name, wanted);
    return { ...item, image: slug };
  };
  const lists = LISTS.flatMap((list) => {
    const items = file[list] as readonly Shown[] | undefined;
    return items ? [[list, items.map((item, index) => drawn(item, `${list}[${index}]`))] as const] : [];
  });
  const items = Object.entries(file.items ?? {}).map(([type, all = []]) => [
    type,
    all.map((item, i) => drawn(item, `items.${type}[${i}]`)),
  ]);
  const own = file.items ? { items: Object.fromEntries(items) as DatasetFile['items'] } : {};
  return { file: { ...file, ...Object.fromEntries(lists), ...own, media }, placeholders };
}

/** Draws a placeholder as an upload. */
export async function placeholderUpload(name: string, placeholder: Placeholder): Promise<DatasetUpload> {
  const data = drawPlaceholder(placeholder);
  return { mimeType: 'image/png', file: { source: '', data, target: name, image: await inspectImage(data) } };
}
