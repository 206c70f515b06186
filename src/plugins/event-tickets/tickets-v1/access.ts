import type { Post } from '../../../wordpress/model.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { isManager } from '../model/rights.js';

/** The events of tickets or attendees, by id. */
export async function eventsOf({ site }: CallContext, items: readonly { event: number }[]): Promise<Map<number, Post>> {
  const wanted = [...new Set(items.map(({ event }) => event))].filter((id) => id > 0);
  return new Map((await findPosts(site.store, wanted)).map((post) => [post._id, post]));
}

/** Whether a caller may see that an event exists. */
export const mayReadEvent = (event: Post | undefined, { request, site }: CallContext): boolean =>
  event !== undefined && (isManager(request.user) || (event.status !== 'trash' && canRead(request.user, event, site.registry)));

/** Whether the password of an event hides its tickets from a caller. */
export const isWithheld = (event: Post | undefined, { request, site }: CallContext): boolean =>
  event !== undefined && event.password !== '' && !isManager(request.user) && sentPassword(request, site)?.opens(event) !== true;
