import { ATTENDEE_KEYS } from '../../model/attendee.js';
import { RSVP_ATTENDEE, TC_ATTENDEE, TC_ORDER } from '../../model/names.js';
import { COMPLETED } from '../../model/order.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/slug.js';
import type { MetaRow, Post } from '../../../../wordpress/model.js';
import type { Attendee, Ticket } from '../../../../sdk/types/responses.js';
import { attendeeRows, orderRows, orderTitle, type AttendeeFacts } from '../rows.js';

/** The columns that tickets, attendees and their orders share. */
export const columnsOf = ({
  id,
  author,
  status,
  date,
  date_utc,
  modified,
  modified_utc,
}: Ticket | Attendee): Omit<Post, 'type' | 'title' | 'slug' | 'meta'> => ({
  _id: id,
  status,
  author: Number(author),
  content: '',
  excerpt: '',
  password: '',
  parent: 0,
  menuOrder: 0,
  date,
  dateGmt: date_utc,
  modified,
  modifiedGmt: modified_utc,
  terms: {},
});

/** Who an attendee is in the copy. */
interface Person {
  name: string;
  email: string;
}

const factsOf = (attendee: Attendee, { name, email }: Person, price: string): AttendeeFacts => ({
  provider: attendee.provider === 'rsvp' ? 'rsvp' : 'tc',
  id: attendee.id,
  name,
  email,
  ticket: attendee.ticket_id,
  event: attendee.post_id,
  price,
  isOptedOut: attendee.optout,
  isCheckedIn: attendee.checked_in ?? false,
  isGoing: attendee.rsvp_going ?? true,
});

/** When an attendee was checked in, and by whom, if the site knows. */
function detailRows({ provider = 'tc', checkin_details: details }: Attendee): MetaRow[] {
  if (!details) return [];
  const { date, source, author } = details;
  return [{ key: ATTENDEE_KEYS[provider].details, value: JSON.stringify({ date, source, author }) }];
}

/**
 * Converts an attendee, as users who manage attendees get it.
 * @param price the price of the ticket
 * @param orderId id for the order of somebody who bought a ticket. TEC: the API shows no orders, but without one that is paid, others do not see
 * the attendee
 */
export function attendeePosts(attendee: Attendee, person: Person, price: string, orderId: number): Post[] {
  const facts = factsOf(attendee, person, price);
  const { name } = person;
  const columns = columnsOf(attendee);
  const shared = { ...columns, title: name, slug: sanitizeTitle(name), meta: [...attendeeRows(facts), ...detailRows(attendee)] };
  if (facts.provider === 'rsvp') return [{ ...shared, type: RSVP_ATTENDEE }];
  const title = orderTitle(`order of attendee ${attendee.id}`);
  return [
    { ...columns, _id: orderId, type: TC_ORDER, status: COMPLETED, title, slug: sanitizeTitle(title), meta: orderRows([facts]) },
    { ...shared, type: TC_ATTENDEE, parent: orderId },
  ];
}
