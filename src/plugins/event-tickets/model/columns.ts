import { columnsOf } from '../../../database/memory/table/rows.js';
import type { IndexExtension } from '../../../wordpress/indexes.js';
import type { Post } from '../../../wordpress/model.js';
import type { QueryExtension } from '../../../wordpress/query/clauses.js';
import { oneOrAny } from '../../../wordpress/query/clauses.js';
import type { DerivedColumns } from '../../../wordpress/types/post-type.js';
import { attendeeOf } from './attendee.js';
import { eventOf } from './ticket.js';

/** The columns of tickets and attendees. */
declare module '../../../wordpress/model.js' {
  interface Post {
    /** The event or page of a ticket, and of an attendee. */
    forEvent?: number;
    /** The ticket of an attendee. */
    forTicket?: number;
    checkedIn?: boolean;
    going?: boolean;
  }
}

declare module '../../../wordpress/query/post-query.js' {
  interface PostQuery {
    /** Tickets and attendees of these events. */
    forEvents?: readonly number[];
  }
}

export const TICKET_COLUMNS: DerivedColumns = { forEvent: eventOf };

export const ATTENDEE_COLUMNS: DerivedColumns = {
  forEvent: (post: Post) => attendeeOf(post).event,
  forTicket: (post: Post) => attendeeOf(post).ticket,
  checkedIn: (post: Post) => attendeeOf(post).isCheckedIn,
  going: (post: Post) => attendeeOf(post).isGoing,
};

export const INDEXES: IndexExtension = {
  carried: {},
  posts: [
    { key: { forEvent: 1, type: 1 }, name: 'tickets_by_event', partialFilterExpression: { forEvent: { $gt: 0 } } },
    { key: { forTicket: 1 }, name: 'attendees_by_ticket', partialFilterExpression: { forTicket: { $gt: 0 } } },
  ],
};

export const QUERIES: QueryExtension = {
  columns: columnsOf('value', ['forEvent']),
  clauses: { forEvents: (events) => [{ forEvent: oneOrAny(events) }] },
  sorts: {},
  isCounted: () => false,
  unboundedColumn: () => null,
};
