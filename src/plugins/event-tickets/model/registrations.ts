import type { DerivedColumns, PostType, RegisteredMeta, PostStatus } from '../../../wordpress/types/post-type.js';
import type { Registrations } from '../../../wordpress/types/registry.js';
import { calendarHooks } from '../calendar/hooks.js';
import {
  RSVP_ATTENDEE,
  RSVP_TICKET,
  TC_ATTENDEE,
  TC_ORDER,
  TC_TICKET,
  TICKET_TYPES,
  TICKETS_LIST,
  eventOf,
  KEYS,
  ticketOf,
} from './ticket.js';
import { readTicketOptions, USUAL_TYPES } from './options.js';
import { relatedTickets, restFields, shownMeta, rsvpReaders } from './visible.js';
import { columnsOf } from '../../../database/memory/table/rows.js';
import type { IndexExtension } from '../../../wordpress/indexes.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import { oneOrAny, type QueryExtension } from '../../../wordpress/query/clauses.js';
import type { Stage } from '../../../wordpress/query/post-query.js';
import { attendeeOf } from './attendee.js';

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

const TICKET_COLUMNS: DerivedColumns = {
  forEvent: (post: Post) => whole(eventOf(post)) ?? 0,
  places: placesOf,
  saleStart: (post: Post) => metaValue(post, KEYS.startDate),
  saleEnd: (post: Post) => metaValue(post, KEYS.endDate),
};

const ATTENDEE_COLUMNS: DerivedColumns = {
  forEvent: (post: Post) => whole(attendeeOf(post).event) ?? 0,
  forTicket: (post: Post) => attendeeOf(post).ticket,
  checkedIn: (post: Post) => attendeeOf(post).isCheckedIn,
  going: (post: Post) => attendeeOf(post).isGoing,
};

const INDEXES: IndexExtension = {
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

const QUERIES: QueryExtension = {
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

/** The properties that all its types have. */
const hidden = (name: string, label: string, singular: string, more: Partial<PostType> = {}): PostType => ({
  name,
  label,
  singular,
  base: name,
  capability: ['post', 'posts'],
  viewable: false,
  plainLinks: true,
  inMenus: false,
  inAdmin: false,
  supports: ['title', 'editor'],
  searched: [],
  ...more,
});

/** A type without routes. */
const internal = (name: string, label: string, singular: string, columns?: DerivedColumns): PostType =>
  hidden(name, label, singular, { isInternal: true, ...(columns ? { columns } : {}) });

const TYPES: readonly PostType[] = [
  hidden(RSVP_TICKET, 'RSVP Tickets', 'RSVP Ticket', {
    columns: TICKET_COLUMNS,
    hierarchical: true,
    supports: ['title', 'editor', 'author', 'thumbnail', 'excerpt', 'revisions', 'custom-fields', 'autosave'],
  }),
  internal(TC_TICKET, 'Tickets', 'Ticket', TICKET_COLUMNS),
  internal(TC_ORDER, 'Orders', 'Order'),
  internal(TC_ATTENDEE, 'Attendees', 'Attendee', ATTENDEE_COLUMNS),
  internal(RSVP_ATTENDEE, 'Attendees', 'Attendee', ATTENDEE_COLUMNS),
];

const order = (name: string, label: string, isPublic = false): PostStatus => ({
  name: `tec-tc-${name}`,
  label,
  ...(isPublic ? { isPublic: true, isQueryable: true } : {}),
});

const STATUSES: readonly PostStatus[] = [
  order('action-req', 'Action Required'),
  order('approved', 'Approved'),
  order('created', 'Created'),
  order('completed', 'Completed', true),
  order('denied', 'Denied', true),
  order('not-completed', 'Not Completed'),
  order('pending', 'Pending', true),
  order('refunded', 'Refunded', true),
  order('reversed', 'Reversed'),
  order('undefined', 'Undefined'),
  order('voided', 'Voided', true),
];

const text = (key: string): RegisteredMeta => ({ key, kind: 'text' });
const flag = (key: string): RegisteredMeta => ({ key, kind: 'flag' });

const META: readonly RegisteredMeta[] = [
  ...['_price', '_stock', '_tribe_ticket_header', '_tribe_default_ticket_provider', '_tribe_ticket_capacity'].map(text),
  ...['_ticket_start_date', '_ticket_end_date', '_tribe_ticket_show_description'].map(text),
  flag('_tribe_ticket_show_not_going'),
  ...['_tribe_ticket_use_global_stock', '_tribe_ticket_global_stock_level', '_global_stock_mode', '_global_stock_cap'].map(text),
  ...['_tribe_rsvp_for_event', '_tribe_ticket_going_count', '_tribe_ticket_not_going_count'].map(text),
  { ...text(TICKETS_LIST), description: 'Tickets of the post, as JSON.' },
  flag('_tribe_ticket_has_attendee_info_fields'),
  ...['_tec_slr_enabled', '_tec_slr_layout'].map((key) => ({ ...text(key), types: [...USUAL_TYPES, RSVP_TICKET] })),
];

export const REGISTRATIONS: Registrations = {
  header: {
    folder: 'event-tickets',
    title: 'Event Tickets',
    description: 'Tickets and RSVPs for events.',
    author: 'The Events Calendar',
    authorUrl: 'https://evnt.is/28',
  },
  types: {
    types: TYPES,
    taxonomies: [],
    statuses: STATUSES,
    hasLateStatuses: true,
    hiddenTypes: [TC_TICKET, TC_ORDER],
    families: [],
    meta: META,
    templates: [],
  },
  queries: QUERIES,
  indexes: INDEXES,
  blocks: {},
  options: { tickets: readTicketOptions },
  hooks: { related: relatedTickets, restFields, shownMeta, postReaders: rsvpReaders, ...calendarHooks },
};
