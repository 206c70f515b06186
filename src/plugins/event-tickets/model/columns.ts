import { columnsOf } from '../../../database/memory/table/rows.js';
import type { IndexExtension } from '../../../wordpress/indexes.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import { oneOrAny, type QueryExtension } from '../../../wordpress/query/clauses.js';
import type { Stage } from '../../../wordpress/query/post-query.js';
import type { DerivedColumns } from '../../../wordpress/types/post-type.js';
import { attendeeOf } from './attendee.js';
import { TICKET_TYPES } from './names.js';
import { eventOf, KEYS, ticketOf } from './ticket.js';

/** The columns of tickets and attendees. */
declare module '../../../wordpress/model.js' {
  interface Post {
    /** The event or page of a ticket, and of an attendee. */
    forEvent?: number;
    /** The ticket of an attendee. */
    forTicket?: number;
    checkedIn?: boolean;
    going?: boolean;
    /** How many places of a ticket there are; absent: any number. */
    places?: number;
    /** The dates of its sale, as stored; absent: it always is on sale, or from or until some time. */
    saleStart?: string;
    saleEnd?: string;
  }
}

declare module '../../../wordpress/query/post-query.js' {
  interface PostQuery {
    /** Tickets and attendees of these events. */
    forEvents?: readonly number[];
    /** Tickets and attendees of other events than these. */
    notForEvents?: readonly number[];
    /** Tickets and attendees of any event. */
    forAnyEvent?: boolean;
    /** Tickets with some places, or with none. */
    hasPlaces?: boolean;
    /** Bounds of the number of places, inclusive. Without an upper one, tickets with any number of places, too. */
    places?: { min?: number; max?: number };
    /** Tickets on sale from this time or later, and until this time or earlier, or without such a date: site time, compared with what is stored as texts. */
    saleFrom?: string;
    saleUntil?: string;
  }
}

/** Columns in memory hold no other numbers. */
const whole = (value: number): number | undefined => (Number.isSafeInteger(value) && value >= 0 ? value : undefined);

function placesOf(post: Post): number | undefined {
  const { capacity, isManaged } = ticketOf(post);
  return isManaged ? whole(capacity) : undefined;
}

export const TICKET_COLUMNS: DerivedColumns = {
  forEvent: (post: Post) => whole(eventOf(post)) ?? 0,
  places: placesOf,
  saleStart: (post: Post) => metaValue(post, KEYS.startDate),
  saleEnd: (post: Post) => metaValue(post, KEYS.endDate),
};

export const ATTENDEE_COLUMNS: DerivedColumns = {
  forEvent: (post: Post) => whole(attendeeOf(post).event) ?? 0,
  forTicket: (post: Post) => attendeeOf(post).ticket,
  checkedIn: (post: Post) => attendeeOf(post).isCheckedIn,
  going: (post: Post) => attendeeOf(post).isGoing,
};

export const INDEXES: IndexExtension = {
  carried: {},
  posts: [
    { key: { forEvent: 1, type: 1 }, name: 'tickets_by_event', partialFilterExpression: { forEvent: { $gt: 0 } } },
    {
      key: { type: 1, status: 1, _id: 1, forEvent: 1, places: 1 },
      name: 'tickets_by_id',
      partialFilterExpression: { forEvent: { $gt: 0 }, type: { $in: [...TICKET_TYPES] } },
    },
    { key: { forTicket: 1 }, name: 'attendees_by_ticket', partialFilterExpression: { forTicket: { $gt: 0 } } },
  ],
};

/** A lower bound alone includes what has no bound. */
function placesCondition({ min, max }: { min?: number; max?: number }): Stage {
  if (max !== undefined) return { places: { $gte: Math.max(0, min ?? 0), $lte: max } };
  return { $or: [{ places: { $gte: min ?? 0 } }, { places: { $exists: false } }] };
}

export const QUERIES: QueryExtension = {
  columns: columnsOf('order', ['forEvent', 'places']),
  clauses: {
    forEvents: (events) => [{ forEvent: oneOrAny(events) }],
    notForEvents: (events) => [{ forEvent: { $nin: [...events] } }],
    forAnyEvent: (isWanted) => (isWanted ? [{ forEvent: { $gt: 0 } }] : []),
    hasPlaces: (isWanted) => [{ places: isWanted ? { $gt: 0 } : 0 }],
    places: (bounds) => [placesCondition(bounds)],
    saleFrom: (time) => [{ $or: [{ saleStart: { $gte: time } }, { saleStart: { $exists: false } }] }],
    saleUntil: (time) => [{ $or: [{ saleEnd: { $lte: time } }, { saleEnd: { $exists: false } }] }],
  },
  sorts: {},
  isCounted: () => false,
  unboundedColumn: () => null,
};
