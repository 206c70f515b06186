import type { DerivedColumns, PostType, RegisteredMeta } from '../../../wordpress/types/post-type.js';
import type { Registrations } from '../../../wordpress/types/registry.js';
import type { PostStatus } from '../../../wordpress/types/status.js';
import { calendarHooks } from '../calendar/hooks.js';
import { ATTENDEE_COLUMNS, INDEXES, QUERIES, TICKET_COLUMNS } from './columns.js';
import { RSVP_ATTENDEE, RSVP_TICKET, TC_ATTENDEE, TC_ORDER, TC_TICKET } from './names.js';
import { readTicketOptions, USUAL_TYPES } from './options.js';
import { relatedTickets } from './related.js';
import { restFields, shownMeta } from './rest-fields.js';
import { TICKETS_LIST } from './ticket.js';
import { rsvpReaders } from './visible.js';

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

/** Registrations of the plugin. */
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
