import { findPost, findPosts, idsAmong } from '../../../wordpress/posts/posts.js';
import type { Post, User } from '../../../wordpress/model.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { PostReaders } from '../../../wordpress/rest/posts/readers.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { canEdit, canRead, canWithPosts, can } from '../../../wordpress/users/capabilities.js';
import { ATTENDEE_TYPES, RSVP_TICKET, TICKET_TYPES, eventOf, OWN_STOCK, TICKETS_LIST, inTicketOrder, ticketOf } from './ticket.js';
import type { Ticket } from './ticket.js';
import type { MetaView } from '../../../wordpress/rest/posts/post-fields.js';
import type { RestField } from '../../../wordpress/rest/rest-fields/shown.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { Quirks } from '../../../wordpress/quirks.js';
import { USUAL_TYPES, ticketedTypes } from './options.js';
import type { Store } from '../../../wordpress/store.js';
import { isSame } from '../../../wordpress/users/secrets.js';

/** How many attendees there are. */
export interface Attendance {
  all: number;
  checkedIn: number;
  going: number;
}

/** The tickets of an event, with any status, and its attendees. */
export interface EventTickets {
  tickets: readonly Ticket[];
  attendance: Attendance;
  /** By id of the ticket, also of one that was deleted. */
  byTicket: ReadonlyMap<number, Attendance>;
}

declare module '../../../wordpress/posts/related.js' {
  interface Related {
    /** By id of the event or page. */
    tickets?: ReadonlyMap<number, EventTickets>;
  }
}

const NOBODY: Attendance = { all: 0, checkedIn: 0, going: 0 };
const NONE: EventTickets = { tickets: [], attendance: NOBODY, byTicket: new Map() };

const sum = (a: Attendance, b: Attendance): Attendance => ({
  all: a.all + b.all,
  checkedIn: a.checkedIn + b.checkedIn,
  going: a.going + b.going,
});

interface Grouped extends Attendance {
  _id: { event: number; ticket: number };
  post: Post | null;
}

const isOneOf = (types: readonly string[]) => ({ $in: ['$type', types] });

/** The tickets and the numbers of attendees of some events: one query, by the index of events. */
export async function ticketsOfEvents(store: Store, events: readonly number[]): Promise<Map<number, EventTickets>> {
  if (events.length === 0) return new Map();
  const counted = (condition: unknown) => ({ $sum: { $cond: [{ $and: [isOneOf(ATTENDEE_TYPES), condition] }, 1, 0] } });
  const rows = await store.aggregate<Grouped>('posts', [
    { $match: { forEvent: { $in: [...events] }, type: { $in: [...TICKET_TYPES, ...ATTENDEE_TYPES] } } },
    {
      $group: {
        _id: { event: '$forEvent', ticket: { $cond: [isOneOf(TICKET_TYPES), '$_id', { $ifNull: ['$forTicket', 0] }] } },
        // The ticket is the only post in its group of documents.
        post: { $max: { $cond: [isOneOf(TICKET_TYPES), '$$ROOT', null] } },
        all: counted({ $not: [{ $eq: ['$status', 'trash'] }] }),
        checkedIn: counted('$checkedIn'),
        going: counted('$going'),
      },
    },
  ]);
  const found = new Map<number, { tickets: Ticket[]; byTicket: Map<number, Attendance> }>();
  for (const { _id, post, all, checkedIn, going } of rows) {
    const event = found.get(_id.event) ?? { tickets: [], byTicket: new Map<number, Attendance>() };
    if (post) event.tickets.push(ticketOf(post));
    event.byTicket.set(_id.ticket, { all, checkedIn, going });
    found.set(_id.event, event);
  }
  return new Map(
    [...found].map(([event, { tickets, byTicket }]) => [
      event,
      { tickets: inTicketOrder(tickets), attendance: [...byTicket.values()].reduce(sum, NOBODY), byTicket },
    ]),
  );
}

/** The ids of all events that tickets point to, in the order of ids; the events may be gone. Read once after each write, by the index. */
export const ticketedIds = (store: Store): Promise<number[]> =>
  store.cache.remember(
    'ids of events with tickets',
    async () => (await store.posts.distinct('forEvent', { forEvent: { $gt: 0 }, type: { $in: [...TICKET_TYPES] } })) as number[],
    'posts',
  );

/** Loads the tickets of a page of events, other posts that may have tickets, and RSVPs. */
export async function relatedTickets(store: Store, page: readonly Post[]): Promise<{ tickets: ReadonlyMap<number, EventTickets> }> {
  const types = await ticketedTypes(store);
  const events = page.filter(({ type }) => types.includes(type)).map(({ _id }) => _id);
  const ofRsvps = page.filter(({ type }) => type === RSVP_TICKET).map((post) => ticketOf(post).event);
  return {
    tickets: await ticketsOfEvents(
      store,
      [...new Set([...events, ...ofRsvps])].filter((id) => id > 0),
    ),
  };
}

/** The tickets of an event that was loaded. */
export const ticketsOf = (event: number, { tickets }: { tickets?: ReadonlyMap<number, EventTickets> }): EventTickets =>
  tickets?.get(event) ?? NONE;

/** The tickets that are on offer: the published ones. */
export const published = ({ tickets }: EventTickets): Ticket[] => tickets.filter(({ post }) => post.status === 'publish');

export const attendanceOf = (ticket: number, { byTicket }: EventTickets): Attendance => byTicket.get(ticket) ?? NOBODY;

/** Whether a user manages attendees. By default only administrators do. */
export const isManager = (user: User | null): boolean => can(user, 'edit_users');

/** Whether a request has the key of the app that checks attendees in. */
export function hasAppKey({ request, site }: CallContext): boolean {
  const { appKey } = site.options.tickets;
  const sent = request.get('api_key');
  return appKey !== '' && typeof sent === 'string' && isSame(sent, appKey);
}

/** Whether a caller manages attendees: as a user, or as the app. */
export const manages = (context: CallContext): boolean => isManager(context.request.user) || hasAppKey(context);

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
