import { ATTENDEE_TYPES, TC_ORDER, TICKET_TYPES } from '../../../plugins/event-tickets/model/names.js';
import { LINKED, LINKED_KINDS } from '../../../plugins/the-events-calendar/model/linked.js';
import { ATTACHMENT, BLOCK, MENU_ITEM, NAVIGATION, PAGE, POST, type Post } from '../../../wordpress/model.js';
import type { Declarations } from '../../../wordpress/types/declared.js';
import { EVENT } from '../../../plugins/the-events-calendar/model/index.js';

/** Base path of the pages of each post type. */
const PATHS: Readonly<Record<string, string>> = {
  [EVENT]: 'event/',
  ...Object.fromEntries(LINKED_KINDS.map((kind) => [LINKED[kind].type, `${kind}/`])),
  [PAGE]: '',
  [POST]: '',
  // Without pages, but with the addresses of blog posts (WP).
  [BLOCK]: '',
  [NAVIGATION]: '',
  [MENU_ITEM]: '',
  ...Object.fromEntries([...TICKET_TYPES, ...ATTENDEE_TYPES, TC_ORDER].map((type) => [type, `${type}/`])),
};

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
