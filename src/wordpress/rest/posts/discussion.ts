import { POST, type Post } from '../../model.js';
import type { Site } from '../../site.js';
import { supportsOf } from '../../types/registry.js';

/** Whether comments and pings of a post are `open` or `closed`. */
interface Discussion {
  comments: string;
  pings: string;
}

/** WP: settings for blog posts; closed if a setting gave the type comments later; of other types with comments, events follow the setting for comments, pages the default of the columns. */
function usualOf(type: string, { options, quirks, registry }: Site): Discussion {
  if (type === POST) return options.discussion;
  const registered = registry.findPostType(type);
  if (registered?.takesComments?.when(options)) return { comments: 'closed', pings: 'closed' };
  const isLate =
    registered !== undefined && !registered.supports.includes('comments') && supportsOf(registered, quirks).includes('comments');
  return isLate ? { comments: options.discussion.comments, pings: 'closed' } : { comments: 'closed', pings: 'open' };
}

/** The stored value of a post, or the default of its type. */
export function discussionOf({ type, commentStatus, pingStatus }: Post, site: Site): Discussion {
  const { comments, pings } = usualOf(type, site);
  return { comments: commentStatus ?? comments, pings: pingStatus ?? pings };
}
