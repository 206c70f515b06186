/** The name of the plugin. */
export const TICKETS = 'event-tickets';

/** Names of the plugin's post types: tickets that are sold (Tickets Commerce), and tickets to reply with (RSVP). */
export const TC_TICKET = 'tec_tc_ticket';
export const RSVP_TICKET = 'tribe_rsvp_tickets';
export const TC_ATTENDEE = 'tec_tc_attendee';
export const RSVP_ATTENDEE = 'tribe_rsvp_attendees';
export const TC_ORDER = 'tec_tc_order';

export const TICKET_TYPES = [TC_TICKET, RSVP_TICKET] as const;
export const ATTENDEE_TYPES = [TC_ATTENDEE, RSVP_ATTENDEE] as const;

/** The post type of the tickets of each provider. */
export const TYPE_OF = { tc: TC_TICKET, rsvp: RSVP_TICKET } as const;
