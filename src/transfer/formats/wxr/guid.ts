import { ATTACHMENT, PAGE, POST, type Post } from '../../../wordpress/model.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { POST_KINDS } from '../../kinds.js';

/** Base path of the pages of each post type. */
const PATHS: Readonly<Record<string, string>> = Object.fromEntries(
  [...POST_KINDS].flatMap(([type, { path }]) => (path === undefined ? [] : [[type, path] as const])),
);

/** The same for a site that declares types. */
export const pathsWith = ({ types = {} }: Declarations = {}): Readonly<Record<string, string>> => ({
  ...PATHS,
  ...Object.fromEntries(Object.entries(types).map(([name, { slug = name }]) => [name, `${slug}/`])),
});

type Identified = Pick<Post, '_id' | 'type' | 'slug' | 'status'>;

/** The identifier of a post without one, relative to the URL of the site. WP: the address that it had when it was made. */
export function usualGuid({ _id, type, slug, status }: Identified, paths = PATHS): string {
  if (type === PAGE) return `/?page_id=${_id}`;
  if (type === POST) return `/?p=${_id}`;
  if (type === ATTACHMENT) return `/${slug}/`;
  const isMade = ['publish', 'private'].includes(status) && slug !== '';
  return isMade ? `/${paths[type] ?? ''}${slug}/` : `/?post_type=${type}&p=${_id}`;
}
