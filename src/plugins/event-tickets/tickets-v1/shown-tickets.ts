import type { Post } from '../../../wordpress/model.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { attendeeOf, listsAttendees, type Attendee } from '../model/attendee.js';
import { ATTENDEE_TYPES } from '../model/names.js';
import { attendanceOf, ticketsOf, ticketsOfEvents, manages } from '../model/related.js';
import type { Ticket } from '../model/ticket.js';
import { withheldFrom } from './access.js';
import { presentTicket } from './present-ticket.js';

type Events = ReadonlyMap<number, Post>;

/**
 * The attendees that a caller sees with tickets, by id of the ticket, in the order of their ids: of events whose text lists them, those who
 * come and did not opt out; users who manage attendees see all.
 */
async function attendeesOf(context: CallContext, tickets: readonly Ticket[], events: Events): Promise<Map<number, Attendee[]>> {
  const { store, quirks } = context.site;
  const seesAll = manages(context);
  const isListed = ({ event }: Ticket): boolean => quirks.has('attendees-are-public') && listsAttendees(events.get(event));
  const wanted = tickets.filter((ticket) => seesAll || isListed(ticket)).map(({ id }) => id);
  const found = new Map<number, Attendee[]>();
  if (wanted.length === 0) return found;
  const status = seesAll ? { $ne: 'trash' } : 'publish';
  const rows = await store.posts
    .find({ forTicket: { $in: wanted }, type: { $in: [...ATTENDEE_TYPES] }, status })
    .sort({ _id: 1 })
    .toArray();
  for (const attendee of rows.map(attendeeOf))
    if (seesAll || (attendee.isGoing && !attendee.isOptedOut))
      found.set(attendee.ticket, [...(found.get(attendee.ticket) ?? []), attendee]);
  return found;
}

/** Reads at once what tickets are shown with. @returns shows one of them; `isDetailed`: as the only one, to a user who may edit it */
export async function ticketsFor(
  context: CallContext,
  tickets: readonly Ticket[],
  events: Events,
): Promise<(ticket: Ticket, isDetailed?: boolean) => Json> {
  const { site } = context;
  const isManaged = manages(context);
  const [found, attendees, isWithheld] = await Promise.all([
    ticketsOfEvents(site.store, isManaged ? [...events.keys()] : []),
    attendeesOf(context, tickets, events),
    withheldFrom(context),
  ]);
  return (ticket, isDetailed = false) =>
    presentTicket(ticket, {
      site,
      manages: isManaged,
      isDetailed,
      isWithheld: isWithheld(events.get(ticket.event)),
      attendees: attendees.get(ticket.id) ?? [],
      attendance: attendanceOf(ticket.id, ticketsOf(ticket.event, { tickets: found })),
    });
}
