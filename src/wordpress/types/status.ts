/** A status of posts. WP: the arguments of `register_post_status`. */
export interface PostStatus {
  name: string;
  /** How it is called on the screen. */
  label: string;
  isPublic?: true;
  isPrivate?: true;
  isProtected?: true;
  /** Only for use within WordPress: the core API does not list it, and clients cannot set it. */
  isInternal?: true;
  /** Posts have pages that can be opened by address. */
  isQueryable?: true;
  /** Left out of the list of all posts in the administration. */
  isUnlisted?: true;
  /** Posts have no settled date. */
  hasFloatingDate?: true;
}

const internal = (name: string, label = name): PostStatus => ({ name, label, isInternal: true, isUnlisted: true });

/** Statuses of WordPress itself, in the order of their registration. */
export const CORE_STATUSES: readonly PostStatus[] = [
  { name: 'publish', label: 'Published', isPublic: true, isQueryable: true },
  { name: 'future', label: 'Scheduled', isProtected: true },
  { name: 'draft', label: 'Draft', isProtected: true, hasFloatingDate: true },
  { name: 'pending', label: 'Pending', isProtected: true, hasFloatingDate: true },
  { name: 'private', label: 'Private', isPrivate: true },
  internal('trash', 'Trash'),
  internal('auto-draft'),
  internal('inherit'),
  internal('request-pending', 'Pending'),
  internal('request-confirmed', 'Confirmed'),
  internal('request-failed', 'Failed'),
  internal('request-completed', 'Completed'),
];
