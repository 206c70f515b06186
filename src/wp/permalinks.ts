import { ATTACHMENT, metaValue, type Post } from './model.js';
import type { Site } from './site.js';

const PRETTY_BASE: Record<string, string> = { tribe_venue: 'venue', tribe_organizer: 'organizer' };

/** What the pretty address of an item of the calendar has before its slug. */
export const permalinkBase = (type: string, site: Site): string => PRETTY_BASE[type] ?? site.options.calendar.singleEventSlug;

function path(post: Pick<Post, '_id' | 'type' | 'slug'>, site: Site, pretty: boolean): string {
  return pretty ? `/${permalinkBase(post.type, site)}/${post.slug}/` : `/?post_type=${post.type}&p=${post._id}`;
}

/** WP: the pretty address of what this caller may see, a query form for everything else. */
export function permalink(post: Post, site: Site, readable: boolean): string {
  return `${site.url}${path(post, site, post.status === 'publish' || (post.status === 'private' && readable))}`;
}

/** The address that a post has when it is made, below that of the site (WP: its `guid`). */
export const guidWhenMade = (post: Pick<Post, '_id' | 'type' | 'slug' | 'status'>, site: Site): string =>
  path(post, site, post.status === 'publish' || post.status === 'private');

/** WP: what is in the trash was published under the slug that it will have back. */
function guidBefore(post: Post, site: Site): string {
  if (post.status !== 'trash') return guidWhenMade(post, site);
  const slug = metaValue(post, '_wp_desired_post_slug') ?? post.slug.replace(/__trashed$/, '');
  return guidWhenMade({ ...post, slug, status: metaValue(post, '_wp_trash_meta_status') ?? 'publish' }, site);
}

/** The `guid` of a post, below the address of the site. */
export const guidPath = (post: Post, site: Site): string =>
  post.guid ?? (post.type === ATTACHMENT ? `/${post.slug}/` : guidBefore(post, site));

/** The `guid` of a post after it was changed. WP: every change escapes it. */
export const guidAfterChange = (post: Post, site: Site): string => guidPath(post, site).replace(/&(?!#038;)/g, '&#038;');
