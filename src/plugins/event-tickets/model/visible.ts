import { findPost, findPosts, idsAmong } from '../../../wordpress/posts/posts.js';
import type { Post } from '../../../wordpress/model.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { PostReaders } from '../../../wordpress/rest/posts/readers.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { ATTENDEE_TYPES, RSVP_TICKET, TICKET_TYPES, eventOf, OWN_STOCK, TICKETS_LIST, type Ticket } from './ticket.js';
import { ticketedIds, manages, attendanceOf, published, ticketsOf, isManager, type EventTickets } from './related.js';
import type { MetaView } from '../../../wordpress/rest/posts/post-fields.js';
import type { RestField } from '../../../wordpress/rest/rest-fields/shown.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { Quirks } from '../../../wordpress/quirks.js';
import { USUAL_TYPES } from './options.js';

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

/** The providers of the tickets of an event; false: it has none. PHP: duplicates are removed, but the others keep their index. */
export function ticketed(found: EventTickets, quirks: Quirks): Json {
  const providers = published(found).map(({ provider }) => provider);
  if (providers.length === 0) return false;
  const first = providers
    .map((provider, index) => [provider, index] as const)
    .filter(([provider, index]) => providers.indexOf(provider) === index);
  const isList = first.every(([, index], at) => index === at) || !quirks.has('ticketed-keeps-indexes');
  return isList ? first.map(([provider]) => provider) : Object.fromEntries(first.map(([provider, index]) => [index, provider]));
}

/** A field of posts of the types that may have tickets. */
const TICKETED: Omit<RestField, 'types'> = {
  name: 'ticketed',
  show: (object, { related = {}, site }) =>
    'type' in object && site.options.tickets.types.includes(object.type)
      ? ticketed(ticketsOf(object._id, related), site.quirks)
      : undefined,
};

export const restFields: readonly RestField[] = [
  {
    ...TICKETED,
    types: USUAL_TYPES,
    schema: {
      description: 'Providers of the tickets of the post.',
      type: ['array', 'boolean'],
      context: ['view', 'edit'],
      readonly: true,
    },
  },
  { ...TICKETED, types: ({ postTypes }) => postTypes.map(({ name }) => name).filter((name) => !USUAL_TYPES.includes(name)) },
];

/** Fields of tickets that are hidden from callers who may not edit the post. */
const COUNTS = ['capacity', 'sharedCapacity', 'sold', 'shareSold'];

/** A ticket as editors of events get it. */
function listed(ticket: Ticket): Record<string, Json> {
  const { post, id, isManaged, capacity, available, price, sold, mode } = ticket;
  const shownCapacity = isManaged ? capacity : '';
  return {
    id,
    type: 'default',
    title: post.title,
    description: post.excerpt,
    capacityType: isManaged ? mode : 'unlimited',
    price,
    capacity: shownCapacity,
    available,
    sharedCapacity: shownCapacity,
    sold,
    shareSold: sold,
    isShared: mode !== OWN_STOCK,
    currencyDecimalPoint: '.',
    currencyNumberOfDecimals: 2,
    currencyPosition: 'prefix',
    currencySymbol: '$',
    currencyThousandsSep: ',',
  };
}

const tcTickets = (post: Post, view: MetaView): Ticket[] =>
  view.site.options.tickets.types.includes(post.type)
    ? published(ticketsOf(post._id, view.related ?? {})).filter(({ provider }) => provider === 'tc')
    : [];

/** Meta that is computed when it is shown. */
export function shownMeta(shown: Record<string, Json>, post: Post, view: MetaView): Record<string, Json> {
  if (!(TICKETS_LIST in shown)) return shown;
  const { quirks, registry } = view.site;
  const seesCounts = quirks.has('tickets-list-shows-sold') || canEdit(view.user, post, registry);
  const isShown = ([name]: [string, Json]): boolean => seesCounts || !COUNTS.includes(name);
  const list = JSON.stringify(tcTickets(post, view).map((ticket) => Object.fromEntries(Object.entries(listed(ticket)).filter(isShown))));
  if (post.type !== RSVP_TICKET) return { ...shown, [TICKETS_LIST]: list };
  const { all, going } = attendanceOf(post._id, ticketsOf(post.forEvent ?? 0, view.related ?? {}));
  const counts = isManager(view.user) ? { going, not: all - going } : { going: 0, not: 0 };
  return {
    ...shown,
    [TICKETS_LIST]: list,
    _tribe_ticket_going_count: String(counts.going),
    _tribe_ticket_not_going_count: String(counts.not),
  };
}
