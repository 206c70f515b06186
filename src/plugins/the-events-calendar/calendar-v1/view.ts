import { canEdit } from '../../../wordpress/users/capabilities.js';
import { thumbnail, type Related } from '../../../wordpress/posts/related.js';
import { metaValues, thumbnailOf, type Post, type User, type ImageSize as StoredSize, type Term } from '../../../wordpress/model.js';
import { EVENT_FIELDS } from '../model/event.js';
import type { KnownJson } from '../../../base/php/json.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { RestRequest } from '../../../wordpress/rest/request.js';
import type { PostOpener, PostPassword } from '../../../wordpress/users/post-password.js';
import type { Site } from '../../../wordpress/site.js';
import type { Image, ImageSize } from '../../../sdk/types/responses.js';
import { asJsonObject } from '../../../base/values/records.js';
import { restFieldsOf, withRestFields, fieldArgs, withSentFields } from '../../../wordpress/rest/rest-fields/shown.js';
import type { FieldView, RestField, RestObject } from '../../../wordpress/rest/rest-fields/shown.js';
import { type Args, type CallContext, canEditTerms } from '../../../wordpress/rest/route.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { CALENDAR_V1 } from '../model/index.js';

export { permalink } from '../../../wordpress/posts/permalinks.js';

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

/** The context of a presenter: caller, site and request. */
export interface View {
  site: Site;
  /** Namespace of the requested route, for self-links. */
  namespace: string;
  user: User | null;
  /** Opens password-protected posts; null: nothing does. */
  password: PostOpener | null;
  /** `context=edit`: users who may edit see password-protected content. */
  editing: boolean;
  /** Whether this is the response to a write. TEC: it shows password-protected content of an event to users who may edit it. */
  writing?: boolean;
  /** A single GET: with `json_ld`. */
  single: boolean;
  /** Whether what is shown is within another item. */
  isPart?: boolean;
  related: Related;
  /** Renders what several posts have in common, such as a venue or an image. Cached until something in it changes. */
  fragment?: Fragment;
  /** Result that `fragment` would return from the cache, if that is an object. */
  cachedFragment?: (...part: [collection: 'posts' | 'terms', id: number, name: string]) => KnownJson | undefined;
}

/**
 * @param name name of the fragment within the document
 * @param show must read the document only here, since it may not be loaded otherwise
 * @returns what `show` returns, or a value with the same JSON
 */
export type Fragment = <T extends object | string | false | null>(
  collection: 'posts' | 'terms',
  id: number,
  name: string,
  show: () => T,
) => T;

/** The name of a fragment that has `json_ld` in a single GET. */
export const fragmentName = (name: string, { single }: Pick<View, 'single'>): string => (single ? `${name} single` : name);

/** Renders without a cache. */
export const withoutCache: Fragment = (_collection, _id, _name, show) => show();

export function viewOf(request: RestRequest, site: Site, single: boolean): Omit<View, 'related'> & { password: PostPassword | null } {
  const password = request.get('password');
  return {
    site,
    namespace: request.namespace,
    user: request.user,
    password: sentPassword(request, site, typeof password === 'number' ? String(password) : password),
    editing: request.get('context') === 'edit',
    writing: request.method !== 'GET',
    single,
  };
}

/** Whether a password hides the content from this caller. TEC: in a GET even from administrators, unless `context=edit` is sent. */
export function isWithheldFrom(post: Post, { password, editing, user, site }: View): boolean {
  return post.password !== '' && !(editing && canEdit(user, post, site.registry)) && password?.opens(post) !== true;
}

function imageFragment<T extends Image | string | false>(post: Post, view: View, name: string, show: (image: Image | false) => T): T {
  const { site, related, fragment: share = withoutCache } = view;
  const make = (): T => show(presentImage(thumbnail(post, related), site.uploadsUrl));
  const id = thumbnailOf(post);
  return id > 0 ? share('posts', id, name, make) : make();
}

/** The image object of a post's featured image, or false. */
export const imageOf = (post: Post, view: View): Image | false => imageFragment(post, view, 'image', (image) => image);

/** The same image in JSON-LD: its address. */
export function imageJsonLd(post: Post, view: View): { image?: string } {
  const url = imageFragment(post, view, 'image url', (image) => (image ? image.url : ''));
  return url === '' ? {} : { image: url };
}

export const globalId = (post: Post, site: Site): string => `${site.globalIdBase}?id=${post._id}`;

/** TEC: the id, then the ids on the sites that the item was imported from. */
export const globalIdLineage = (post: Post, site: Site): string[] => [
  globalId(post, site),
  ...metaValues(post, EVENT_FIELDS.global_id_lineage.key),
];

/** Fields that other plugins add to the responses of the calendar (TEC: `tribe_rest_event_data` and the like), under every name of it. */

const addedFields = (registry: Registry, type: string): readonly RestField[] => restFieldsOf(registry, type, CALENDAR_V1);

/** Whether all fields of a type are behind what the calendar shows, so that what it has shown can be used again. */
export const areLast = (registry: Registry, type: string): boolean => addedFields(registry, type).every(({ after }) => after === undefined);

/** Who sees an item, and how. `isPart`: within another item. */
type Reader = Pick<View, 'related' | 'editing'> & { site: Site; user: User | null; isPart?: boolean };

/** Adds the fields to an item that is a post. @param shown its members, which this may change */
export function withAddedFields<Shown extends object>(shown: Shown, post: Post, reader: Reader): Shown {
  const { site, user, related, editing, isPart = false } = reader;
  const view: FieldView = { site, user, related, context: isPart ? 'embed' : editing ? 'edit' : 'view' };
  const mayEdit = (): boolean => canEdit(user, post, site.registry);
  return withRestFields(asJsonObject(shown), post, post.type, view, mayEdit, CALENDAR_V1) as Shown;
}

/**
 * Adds the fields to a term.
 * @param fields the requested ones; empty: all
 */
export function withAddedTermFields<Shown extends object>(
  shown: Shown,
  term: Term,
  { site, user, context, fields }: { site: Site; user: User | null; context: string; fields: readonly string[] },
): Shown {
  const added = addedFields(site.registry, term.taxonomy);
  if (added.length === 0) return shown;
  const view: FieldView = { site, user, context: context === 'embed' || context === 'edit' ? context : 'view' };
  const mayEdit = (): boolean => canEditTerms(user, term.taxonomy, site.registry);
  const whole = withRestFields(asJsonObject(shown), term, term.taxonomy, view, mayEdit, CALENDAR_V1);
  const isRequested = (name: string): boolean =>
    fields.length === 0 || fields.includes(name) || !added.some((field) => field.name === name);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isRequested(name))) as Shown;
}

/** The arguments of writes for the fields of a type. */
export const addedArgs = (registry: Registry, type: string): Args => fieldArgs(addedFields(registry, type));

/** Stores what a request sends for the fields. */
export const withAddedValues = <Stored extends RestObject>(object: Stored, type: string, call: CallContext): Promise<Stored> =>
  withSentFields(object, type, call, CALENDAR_V1);
