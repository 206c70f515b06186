import { isRecord, type Json } from '../../../../base/values/records.js';
import {
  ATTACHMENT,
  MENU,
  MENU_ITEM,
  type ImageMetadata,
  type ImageSize,
  type MetaRow,
  type Post,
  type Term,
} from '../../../../wordpress/model.js';
import { metaOfItem } from '../../../../wordpress/query/menus.js';
import { storedText } from '../../../../wordpress/rest/posts/post-types.js';
import type { Image } from '../../../../sdk/types/responses.js';
import { uploadPath } from '../image.js';
import { storedTexts } from '../unrender.js';
import { dateOf, idsOf, numberOf, recordOf, stringOf, textOf, type CoreItem } from './item.js';
import { coreTexts } from './texts.js';

/** Converts objects of `wp/v2` to documents. Ids are kept. */

/** Dependencies of the conversion of posts. */
export interface CoreContext {
  /** Address of the site. */
  home: string;
  /** URL of its uploads folder, with trailing slash. */
  uploadsUrl: string;
  /** The password of posts whose password is unknown. */
  lock: string;
  /** Taxonomies of a type by the member that has its terms. */
  taxonomies: (type: string) => Readonly<Record<string, string>>;
  /** Schemas of the registered meta of a type. */
  meta: (type: string) => Readonly<Record<string, Json>>;
  /** Rewrites links to the main address. */
  move: (text: string) => string;
}

const TEMPLATE = '_wp_page_template';
const SYNC = 'wp_pattern_sync_status';

/** The rows of registered meta that differ from what posts without them show. */
function metaRows(item: CoreItem, type: string, { meta }: CoreContext): MetaRow[] {
  const schemas = meta(type);
  return Object.entries(recordOf(item, 'meta')).flatMap(([key, value]): MetaRow[] => {
    const schema = schemas[key];
    const { default: preset, type: kind } = isRecord<Json>(schema) ? schema : {};
    const isMany = kind === 'array' && preset === undefined;
    if (isMany) return [value].flat().map((each) => ({ key, value: storedText(each) }));
    return value === null || JSON.stringify(value) === JSON.stringify(preset ?? '') ? [] : [{ key, value: storedText(value) }];
  });
}

/** WP: the address at creation, relative to the address of the site; null: it is another site's. */
export function guidOf(item: CoreItem, { home, move }: Pick<CoreContext, 'home' | 'move'>): string | null {
  const { rendered } = textOf(item, 'guid');
  const moved = rendered === undefined ? undefined : move(rendered);
  return moved?.startsWith(`${home}/`) ? moved.slice(home.length) : null;
}

/** Members of any post that `wp/v2` shows, and the calendar does not. */
export interface CoreExtra {
  columns: Partial<Post>;
  meta: MetaRow[];
  terms: Record<string, number[]>;
}

const thumbnailRows = (item: CoreItem): MetaRow[] => {
  const image = numberOf(item, 'featured_media');
  return image === 0 ? [] : [{ key: '_thumbnail_id', value: String(image) }];
};

/** WP: the format of posts without one. */
const STANDARD = 'standard';

export function extraOf(item: CoreItem, type: string, context: CoreContext): CoreExtra {
  const guid = guidOf(item, context);
  const [comments, pings, format, template, sync] = ['comment_status', 'ping_status', 'format', 'template', SYNC].map((name) =>
    stringOf(item, name),
  );
  const taxonomies = Object.entries(context.taxonomies(type));
  const terms = taxonomies.map(([member, name]) => [name, idsOf(item, member)] as const).filter(([, ids]) => ids.length > 0);
  return {
    columns: {
      ...(guid === null ? {} : { guid }),
      ...(comments === '' ? {} : { commentStatus: comments }),
      ...(pings === '' ? {} : { pingStatus: pings }),
      ...(item['sticky'] === true ? { sticky: true } : {}),
      ...(format === '' || format === STANDARD ? {} : { format }),
    },
    meta: [
      ...thumbnailRows(item),
      ...(template === '' ? [] : [{ key: TEMPLATE, value: template }]),
      ...(sync === '' ? [] : [{ key: SYNC, value: sync }]),
      ...metaRows(item, type, context),
    ],
    terms: Object.fromEntries(terms),
  };
}

/**
 * A protected post of the calendar, which shows placeholders, with its meta as `wp/v2` shows them (TEC: to everybody).
 * @param shown the keys that `wp/v2` shows
 */
export function withOpenMeta(post: Post, { meta }: CoreExtra, shown: ReadonlySet<string>): Post {
  if (post.password === '' || !meta.some(({ key }) => shown.has(key))) return post;
  return { ...post, meta: post.meta.filter(({ key }) => !shown.has(key)) };
}

/** A post with what `wp/v2` shows besides. What is known already stays. */
export function withExtra(post: Post, { columns, meta, terms }: CoreExtra): Post {
  const known = new Set(post.meta.map(({ key }) => key));
  return { ...post, ...columns, meta: [...post.meta, ...meta.filter(({ key }) => !known.has(key))], terms: { ...terms, ...post.terms } };
}

const dated = (item: CoreItem): Pick<Post, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'> => ({
  date: dateOf(item, 'date'),
  dateGmt: dateOf(item, 'date_gmt'),
  modified: dateOf(item, 'modified'),
  modifiedGmt: dateOf(item, 'modified_gmt'),
});

export function corePost(item: CoreItem, type: string, context: CoreContext): Post {
  const isProtected = ['content', 'excerpt'].some((name) => textOf(item, name).protected === true);
  const post: Post = {
    _id: item.id,
    type,
    status: stringOf(item, 'status') || 'publish',
    author: numberOf(item, 'author'),
    ...coreTexts(item, context.home),
    slug: stringOf(item, 'slug'),
    password: stringOf(item, 'password') || (isProtected ? context.lock : ''),
    parent: numberOf(item, 'parent'),
    menuOrder: numberOf(item, 'menu_order'),
    ...dated(item),
    meta: [],
    terms: {},
  };
  return withExtra(post, extraOf(item, type, context));
}

interface SizeOnSite {
  file: string;
  width: number;
  height: number;
  mime_type?: string;
  filesize?: number;
  source_url?: string;
}

const sizesOf = (item: CoreItem): Record<string, SizeOnSite> => {
  const sizes = recordOf(item, 'media_details')['sizes'];
  const all = Object.entries(isRecord(sizes) ? sizes : {}) as unknown as [string, SizeOnSite][];
  return Object.fromEntries(all.filter(([name]) => name !== 'full'));
};

const imageSize = ({ file, width, height, mime_type: type = '', filesize }: SizeOnSite): ImageSize => ({
  file,
  width,
  height,
  'mime-type': type,
  ...(filesize === undefined ? {} : { filesize }),
});

const given = <Value>(name: string, value: unknown, is: (value: unknown) => value is Value): Record<string, Value> =>
  is(value) ? { [name]: value } : {};
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

function metadataOf(item: CoreItem, file: string): ImageMetadata {
  const { width, height, filesize, image_meta: camera, original_image: original } = recordOf(item, 'media_details');
  return {
    width: isNumber(width) ? width : 0,
    height: isNumber(height) ? height : 0,
    file,
    ...given('filesize', filesize, isNumber),
    sizes: Object.fromEntries(Object.entries(sizesOf(item)).map(([name, size]) => [name, imageSize(size)])),
    ...given('original_image', original, isText),
    ...given('image_meta', camera, isRecord),
  };
}

const plainText = (html: string): string => html.replace(/<[^>]*>/g, '').trim();

/** WP: an attachment without a caption shows its description there, too. */
const shownCaption = (caption = '', description = ''): string =>
  plainText(caption) === plainText(description).replace(/\s+/g, ' ') ? '' : plainText(caption);

/** Whether an attachment has dimensions, as images do. */
const hasDimensions = (item: CoreItem): boolean => recordOf(item, 'media_details')['width'] !== undefined;

/** Converts an attachment of the media library. */
export function mediumPost(item: CoreItem, context: CoreContext): Post {
  const file = uploadPath(stringOf(item, 'source_url'), item.id, context.uploadsUrl);
  const [title, description, caption] = ['title', 'description', 'caption'].map((name) => textOf(item, name));
  // WP: the picture or a link is before the description.
  const [, ...shown] = (description.rendered ?? '').split('\n');
  const raw = {
    ...(title.raw === undefined ? {} : { title: title.raw }),
    ...(description.raw === undefined ? {} : { content: description.raw }),
  };
  const { title: storedTitle, content } = storedTexts(
    { title: title.rendered ?? '', description: shown.join('\n').trim(), excerpt: '' },
    raw,
  );
  const size = recordOf(item, 'media_details')['filesize'];
  const alt = stringOf(item, 'alt_text');
  const post: Post = {
    _id: item.id,
    type: ATTACHMENT,
    status: stringOf(item, 'status') || 'inherit',
    author: numberOf(item, 'author'),
    title: storedTitle,
    content,
    excerpt: caption.raw ?? shownCaption(caption.rendered, description.rendered),
    slug: stringOf(item, 'slug'),
    password: '',
    parent: numberOf(item, 'post'),
    menuOrder: 0,
    ...dated(item),
    mimeType: stringOf(item, 'mime_type'),
    file,
    ...(hasDimensions(item) ? { image: metadataOf(item, file) } : isNumber(size) ? { fileSize: size, image: null } : { image: null }),
    meta: alt === '' ? [] : [{ key: '_wp_attachment_image_alt', value: alt }],
    terms: {},
  };
  return withExtra(post, extraOf(item, ATTACHMENT, context));
}

/** An attachment as the calendar shows images: what its files are. */
export const imageOf = (item: CoreItem): Image => {
  const original = recordOf(item, 'media_details')['original_image'];
  const sizes = Object.entries(sizesOf(item)).flatMap(([name, size]) =>
    size.source_url === undefined
      ? []
      : [[name, { width: size.width, height: size.height, 'mime-type': size.mime_type ?? '', url: size.source_url }] as const],
  );
  return { id: item.id, url: stringOf(item, 'source_url'), sizes: Object.fromEntries(sizes), ...given('original_image', original, isText) };
};

/** Converts a term of `wp/v2`. @param use number of copied posts with it */
export const coreTerm = (item: CoreItem, use: number): Term => ({
  _id: item.id,
  taxonomy: stringOf(item, 'taxonomy'),
  name: stringOf(item, 'name'),
  slug: stringOf(item, 'slug'),
  description: stringOf(item, 'description'),
  parent: numberOf(item, 'parent'),
  termGroup: 0,
  termTaxonomyId: item.id,
  elsewhere: Math.max(0, numberOf(item, 'count') - use),
  count: 0,
  branchCount: 0,
  nameKey: '',
  search: '',
  ...(item['auto_add'] === true ? { autoAdd: true } : {}),
});

/** Converts a menu, which only users who manage the appearance see. */
export const menuTerm = (item: CoreItem): Term => ({ ...coreTerm(item, 0), taxonomy: MENU, elsewhere: 0 });

const texts = (item: CoreItem, name: string): string[] => {
  const value = item[name];
  return Array.isArray(value) ? value.filter(isText) : [];
};

export function menuItemPost(item: CoreItem): Post {
  const menu = numberOf(item, 'menus');
  const type = stringOf(item, 'type');
  const { raw, rendered = '' } = textOf(item, 'title');
  const own = {
    type,
    object: stringOf(item, 'object'),
    objectId: numberOf(item, 'object_id'),
    parent: numberOf(item, 'parent'),
    target: stringOf(item, 'target'),
    classes: texts(item, 'classes'),
    xfn: texts(item, 'xfn'),
    url: type === 'custom' ? stringOf(item, 'url') : '',
  };
  return {
    _id: item.id,
    type: MENU_ITEM,
    status: stringOf(item, 'status') || 'publish',
    author: 0,
    title: raw ?? rendered,
    content: stringOf(item, 'description'),
    excerpt: stringOf(item, 'attr_title'),
    slug: String(item.id),
    password: '',
    parent: 0,
    menuOrder: numberOf(item, 'menu_order'),
    ...NO_DATES,
    meta: metaOfItem(own, null),
    terms: menu === 0 ? {} : { [MENU]: [menu] },
  };
}

/** Items of menus show no dates. */
const UNKNOWN = '1970-01-01 00:00:00';
const NO_DATES = { date: UNKNOWN, dateGmt: UNKNOWN, modified: UNKNOWN, modifiedGmt: UNKNOWN };
