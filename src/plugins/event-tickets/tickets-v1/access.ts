import type { Post } from '../../../wordpress/model.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { cookiePassword } from '../../../wordpress/pages/sign-in/passwords.js';
import { parseCookies } from '../../../wordpress/rest/request.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { manages } from '../model/related.js';

/** The events of tickets or attendees, by id. */
export async function eventsOf({ site }: CallContext, items: readonly { event: number }[]): Promise<Map<number, Post>> {
  const wanted = [...new Set(items.map(({ event }) => event))].filter((id) => id > 0);
  return new Map((await findPosts(site.store, wanted)).map((post) => [post._id, post]));
}

/** Whether a caller may see that an event exists. */
export const mayReadEvent = (event: Post | undefined, context: CallContext): boolean =>
  event !== undefined && (manages(context) || (event.status !== 'trash' && canRead(context.request.user, event, context.site.registry)));

/** Tells whether the password of an event hides its tickets and attendees from a caller, who may have it in a parameter or a cookie. */
export async function withheldFrom(context: CallContext): Promise<(event: Post | undefined) => boolean> {
  const { request, site } = context;
  const { address, headers } = request;
  const passwords = [sentPassword(request, site), await cookiePassword(site, { cookies: parseCookies(headers.cookie), address })];
  return (event) =>
    event !== undefined && event.password !== '' && !manages(context) && !passwords.some((password) => password?.opens(event));
}
