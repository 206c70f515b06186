import type { ContentKind } from '../../plugin.js';
import { ATTENDEE_KEYS, ORDER_EVENTS, ORDER_TICKETS } from '../model/attendee.js';
import { RSVP_ATTENDEE, RSVP_TICKET, TC_ATTENDEE, TC_ORDER, TC_TICKET, KEYS } from '../model/ticket.js';

const kind = (type: string, noun: string, ...references: string[]): ContentKind => ({ type, noun, part: 'events', references });

const attendee = (type: string, { ticket, event }: { ticket: string; event: string }): ContentKind => kind(type, 'attendee', ticket, event);

/** The types of posts of the plugin. They go with the events. */
export const TICKET_KINDS: readonly ContentKind[] = [
  { ...kind(TC_TICKET, 'ticket', KEYS.tcEvent), hasDraftSlugs: false },
  { ...kind(RSVP_TICKET, 'ticket', KEYS.rsvpEvent), hasDraftSlugs: false },
  attendee(TC_ATTENDEE, ATTENDEE_KEYS.tc),
  attendee(RSVP_ATTENDEE, ATTENDEE_KEYS.rsvp),
  kind(TC_ORDER, 'order', ORDER_EVENTS, ORDER_TICKETS),
];
