import type { Post } from '../../../wordpress/model.js';
import { parseCookies, type Json } from '../../../wordpress/rest/request.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { attendeeOf, listsAttendees, type Attendee } from '../model/attendee.js';
import { ATTENDEE_TYPES, type Ticket } from '../model/ticket.js';
import { attendanceOf, ticketsOf, ticketsOfEvents, manages } from '../model/visible.js';
import { presentTicket } from './present-ticket.js';
import { canRead } from '../../../wordpress/users/capabilities.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { cookiePassword } from '../../../wordpress/pages/sign-in/passwords.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';

/** The events of tickets or attendees, by id. */
export async function eventsOf({ site }: CallContext, items: readonly { event: number }[]): Promise<Map<number, Post>> {
  const wanted = [...new Set(items.map(({ event }) => event))].filter((id) => id > 0);
  return new Map((await findPosts(site.store, wanted)).map((post) => [post._id, post]));
}

/** Whether a caller may see that an event exists. */
export const mayReadEvent = (event: Post | undefined, context: CallContext): boolean =>
  event !== undefined && (manages(context) || (event.status !== 'trash' && canRead(context.request.user, event, context.site.registry)));

/** Tells whether the password of an event hides its tickets and attendees from a caller, who may have it in a parameter or a cookie. */
export async function withheldFrom(context: CallContext): Promise<(event: Post | undefined) => boolean> {
  const { request, site } = context;
  const { address, headers } = request;
  const passwords = [sentPassword(request, site), await cookiePassword(site, { cookies: parseCookies(headers.cookie), address })];
  return (event) =>
    event !== undefined && event.password !== '' && !manages(context) && !passwords.some((password) => password?.opens(event));
}

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
