import { metaValue } from '../../../wordpress/model.js';
import { membersOf, jsonOr } from '../../../base/values/records.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import { ATTENDEE_KEYS, type Attendee } from '../model/attendee.js';
import { amountOf, currentPrice, type Ticket } from '../model/ticket.js';
import { dateDetails } from './date-details.js';

type Item = Record<string, Json>;

interface AttendeeView {
  site: Site;
  manages: boolean;
  /** Whether it is shown with its ticket. */
  isNested?: boolean;
}

const day = (date: string): string | null => (date === '' ? null : date.slice(0, 10));

function ofTicket(ticket: Ticket, { site, isNested }: AttendeeView): Item {
  const price = currentPrice(ticket, site);
  const isRsvp = ticket.provider === 'rsvp';
  return {
    // The id of an RSVP is a text where it comes from the meta of the attendee.
    id: isRsvp && !isNested ? String(ticket.id) : ticket.id,
    title: ticket.post.title,
    description: ticket.post.excerpt,
    raw_price: price,
    formatted_price: amountOf(price),
    currency_config: {
      symbol: isRsvp ? '$' : '&#x24;',
      placement: 'prefix',
      decimal_point: '.',
      thousands_sep: ',',
      number_of_decimals: 2,
    },
    start_sale: day(ticket.startDate),
    end_sale: day(ticket.endDate),
  };
}

/** When an attendee was checked in, and by whom; false: unknown. */
function checkinDetails({ post, provider }: Attendee): Json {
  const stored = metaValue(post, ATTENDEE_KEYS[provider].details);
  // Datasets may contain any text.
  const details = stored === undefined ? null : membersOf(jsonOr(stored, null));
  if (typeof details?.date !== 'string') return false;
  const { date, source = null, author = null } = details as { date: string; source?: Json; author?: Json };
  return { date, date_details: dateDetails(date), source, author };
}

const payment = ({ post }: Attendee, ticket: Ticket, site: Site): Item => {
  const price = currentPrice(ticket, site);
  return {
    provider: 'tc',
    price: Number(price) === 0 ? '' : price,
    currency: '$',
    date: post.date,
    date_details: dateDetails(post.date),
  };
};

export function presentAttendee(attendee: Attendee, ticket: Ticket, view: AttendeeView): Item {
  const { post, id, provider } = attendee;
  const { site, manages } = view;
  const globalId = `${site.globalIdBase}?type=attendee&id=${id}`;
  return {
    id,
    post_id: attendee.event,
    ticket_id: attendee.ticket,
    global_id: globalId,
    global_id_lineage: [globalId],
    author: String(post.author),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    rest_url: site.restUrl(`/tribe/tickets/v1/attendees/${id}`),
    ticket: ofTicket(ticket, view),
    title: post.title,
    optout: attendee.isOptedOut,
    ...(manages
      ? {
          provider,
          order: provider === 'rsvp' ? id : '',
          sku: '',
          email: attendee.email,
          checked_in: attendee.isCheckedIn,
          checkin_details: checkinDetails(attendee),
          is_subscribed: false,
          is_purchaser: true,
          ...(provider === 'rsvp' ? { rsvp_going: attendee.isGoing } : { payment: payment(attendee, ticket, site) }),
        }
      : {}),
  };
}
