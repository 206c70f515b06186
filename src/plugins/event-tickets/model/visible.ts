import { findPost, findPosts, idsAmong } from '../../../wordpress/posts/posts.js';
import type { Post } from '../../../wordpress/model.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { PostReaders } from '../../../wordpress/rest/posts/readers.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { ATTENDEE_TYPES, RSVP_TICKET, TICKET_TYPES } from './names.js';
import { ticketedIds } from './related.js';
import { manages } from './rights.js';
import { eventOf } from './ticket.js';

/* Tickets that callers may know of: those of events that they may read. */

/** Whether a caller may read an event, with its password if it has one. */
function isOpen(event: Post, { request, site }: CallContext): boolean {
  const { user } = request;
  if (!canRead(user, event, site.registry)) return false;
  return event.password === '' || canEdit(user, event, site.registry) || sentPassword(request, site)?.opens(event) === true;
}

/** The ids of the events with tickets that a caller may read. */
export async function openEvents(context: CallContext): Promise<number[]> {
  const { request, site } = context;
  const { store } = site;
  const all = await ticketedIds(store);
  const open = await idsAmong(store, all, { status: 'publish', password: '' });
  if (!request.user && !sentPassword(request, site)) return open;
  const known = new Set(open);
  const others = all.filter((id) => !known.has(id));
  const possible = request.user ? others : await idsAmong(store, others, { status: 'publish' });
  return [...open, ...(await findPosts(store, possible)).filter((event) => isOpen(event, context)).map(({ _id }) => _id)];
}

/** Whether a caller may see a ticket. */
async function isVisible(ticket: Post, context: CallContext): Promise<boolean> {
  const { request, site } = context;
  if (manages(context) || canEdit(request.user, ticket, site.registry)) return true;
  if (ticket.status !== 'publish') return false;
  const event = await findPost(site.store, eventOf(ticket));
  return event !== null && isOpen(event, context);
}

/** Who reads RSVPs in the core API: who may edit them, or read their events. */
export const rsvpReaders: PostReaders = {
  type: RSVP_TICKET,
  readable: async (context) => {
    const { request, site } = context;
    if (site.quirks.has('rsvps-of-hidden-events-are-public') || canWithPosts(request.user, 'edit_others')) return {};
    const open = { forEvent: { $in: await openEvents(context) } };
    return { where: [request.user ? { $or: [open, { author: request.user._id }] } : open] };
  },
  mayRead: async (ticket, context) => context.site.quirks.has('rsvps-of-hidden-events-are-public') || isVisible(ticket, context),
};

/** Whether a post counts as existing for a caller: one who may not see it learns nothing of it. */
async function isKnown(post: Post, context: CallContext): Promise<boolean> {
  const { request, site } = context;
  if ((TICKET_TYPES as readonly string[]).includes(post.type)) return isVisible(post, context);
  return site.registry.findPostType(post.type)?.viewable === true && canRead(request.user, post, site.registry);
}

/**
 * Filters ids to posts that the caller may know of. TEC: no filter.
 * @param types their types; absent: any
 */
export async function knownIds(ids: readonly number[], context: CallContext, types?: readonly string[]): Promise<number[]> {
  const { site } = context;
  const { store, registry } = site;
  const ofType = types ? { type: { $in: [...types] } } : {};
  if (site.quirks.has('ids-of-hidden-posts-are-told') || manages(context)) return idsAmong(store, ids, ofType);
  const viewable = registry.postTypes.filter((type) => type.viewable).map(({ name }) => name);
  const open = await idsAmong(store, ids, { type: { $in: viewable.filter((name) => types?.includes(name) ?? true) }, status: 'publish' });
  const known = new Set(open);
  const others = await idsAmong(
    store,
    ids.filter((id) => !known.has(id)),
    ofType,
  );
  for (const post of await findPosts(store, others)) if (await isKnown(post, context)) known.add(post._id);
  return ids.filter((id) => known.has(id));
}

/** The types of what the routes for codes accept. */
export const CODED_TYPES: readonly string[] = [...TICKET_TYPES, ...ATTENDEE_TYPES];
