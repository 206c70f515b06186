import type { Quirk } from '../../../wordpress/quirks.js';

/** Differences of the plugin from its documented interface, in all releases. */
export const TICKETS_QUIRKS = {
  'attendees-ignore-stock': {
    kind: 'interface',
    off: 'A ticket without stock gets no further attendee.',
    on: 'Attendees of an RSVP may exceed its capacity. For a sold-out ticket nothing is created, and the response is the newest attendee of the site.',
  },
  'attendee-status-keeps-stock': {
    kind: 'interface',
    off: 'An attendee whose status changes takes a place, or gives it back.',
    on: 'The stock of an RSVP stays when the status of attendees changes.',
  },
  'ticket-updates-subtract-sold': {
    kind: 'interface',
    off: 'An update of a ticket through `tec/v1` changes what is sent. The stock is never more than the capacity less what is sold.',
    on: 'It also subtracts the number of sold tickets from the stock, and resets the times of sale. A stock above the capacity is stored.',
  },
  'title-updates-replace-cost': {
    kind: 'interface',
    off: 'An update of an event that sends no cost follows the rule of the calendar.',
    on: 'It replaces the cost of an event with tickets by their prices.',
  },
  'ticketed-keeps-indexes': {
    kind: 'interface',
    off: '`ticketed` is a list of providers.',
    on: 'It is an object with gaps if an event has several tickets of a provider.',
  },
  'ticketed-filter-counts-trash': {
    kind: 'interface',
    off: '`ticketed` filters by tickets that are not in the trash.',
    on: 'Tickets in the trash count.',
  },
  'ticket-status-shows-drafts': {
    kind: 'hole',
    off: '`post_status` never shows tickets of events that the caller may not read.',
    on: '`post_status=draft,publish` shows tickets of drafts to everybody.',
  },
  'attendees-are-public': {
    kind: 'hole',
    off: 'Only users who manage attendees see their names, and search their addresses.',
    on: 'Everybody sees the names of attendees who did not opt out, and may search by name and email address. Tickets of events whose text lists attendees have theirs.',
  },
  'attendees-pass-as-tickets': {
    kind: 'hole',
    off: 'The id of an attendee is not the id of a ticket.',
    on: '`tribe/tickets/v1/tickets/ID` responds to it as to a ticket.',
  },
  'tickets-for-any-event': {
    kind: 'hole',
    off: 'Tickets of an event require permission to edit it.',
    on: 'Contributors add tickets to events of others through `tec/v1`.',
  },
  'rsvps-of-hidden-events-are-public': {
    kind: 'hole',
    off: '`wp/v2/tribe_rsvp_tickets` shows RSVPs of events that the caller may read, with the password of those that have one.',
    on: 'It shows all published RSVPs to everybody, also of drafts, private events and events with a password.',
  },
  'tickets-list-shows-sold': {
    kind: 'hole',
    off: 'In the list of tickets in the meta of a post, only users who may edit it see how many there are, and how many are sold.',
    on: 'Everybody does.',
  },
  'ids-of-hidden-posts-are-told': {
    kind: 'hole',
    off: 'For `post_id`, `ticket_id`, `include_post`, `exclude_post`, `/cart` and `/qr/ID`, posts that the caller may not read do not exist.',
    on: 'These parameters and routes tell an id that exists from one that does not.',
  },
  'ticket-totals-count-hidden': {
    kind: 'hole',
    off: 'Totals of `tec/v1/tickets` count tickets of events that the caller may read.',
    on: 'They count all tickets, also those that the list leaves out.',
  },
  'zero-tickets-per-page-crashes': {
    kind: 'interface',
    off: '`per_page=0` is rejected.',
    on: 'It is a server error, with a page in HTML.',
  },
  'ticket-lists-ignore-parameters': {
    kind: 'interface',
    off: '`after`, `offset`, `order`, `orderby` and `currency` have their documented effect.',
    on: '`offset` and `order` are ignored, except that an offset beyond the results finds nothing; `after` is ignored beside `before`; `orderby` sorts by title or by date, and every `currency` finds nothing.',
  },
  'unknown-attendees-crash': {
    kind: 'interface',
    off: 'A write to an attendee that does not exist is an error 404.',
    on: 'It is a server error.',
  },
} as const satisfies Record<string, Quirk>;
