import type { Post, User } from '../../../wordpress/model.js';
import type { Store } from '../../../wordpress/store.js';
import { ATTENDEE_TYPES, RSVP_TICKET, TICKET_TYPES, inTicketOrder, ticketOf, type Ticket } from './ticket.js';
import { ticketedTypes } from './options.js';
import { isSame } from '../../../wordpress/users/secrets.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { can } from '../../../wordpress/users/capabilities.js';

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
