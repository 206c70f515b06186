import { isNumeric } from '../../../base/php/cast.js';
import { metaValue } from '../../../wordpress/model.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import type { Attendee } from '../model/attendee.js';
import type { Attendance } from '../model/visible.js';
import { amountOf, availableFrom, availableUntil, isOnSale, KEYS, OWN_STOCK, saleOf, saleTimes, type Ticket } from '../model/ticket.js';
import { dateDetails } from './date-details.js';
import { presentAttendee } from './present-attendee.js';

type Item = Record<string, Json>;

export interface TicketView {
  site: Site;
  /** Whether the caller manages attendees. */
  manages: boolean;
  /** Whether it is the only one of the response, for a caller who may edit it. */
  isDetailed: boolean;
  /** Whether a password hides it. */
  isWithheld: boolean;
  /** Attendees that the caller sees. */
  attendees: readonly Attendee[];
  attendance: Attendance;
}

const LARGEST = 100;

function percentage({ available, capacity, isManaged }: Ticket): number {
  if (!isManaged) return LARGEST;
  return capacity <= 0 || available <= 0 ? 0 : Math.floor((available / capacity) * LARGEST);
}

const capacityDetails = (ticket: Ticket, manages: boolean): Item => ({
  available_percentage: percentage(ticket),
  available: ticket.available,
  ...(manages
    ? {
        max: Math.max(0, ticket.capacity),
        sold: ticket.sold,
        pending: 0,
        global_stock_mode: ticket.provider === 'rsvp' ? OWN_STOCK : ticket.mode,
      }
    : {}),
});

function saleData(ticket: Ticket): Json {
  if (ticket.provider === 'rsvp') return [];
  const { isChecked, price, start, end } = saleOf(ticket);
  return { enabled: isChecked ? '1' : '', sale_price: price === '' ? '' : amountOf(price, ''), start_date: start, end_date: end };
}

function checkin({ all, checkedIn }: Attendance): Item {
  const share = all === 0 ? LARGEST : Math.ceil((LARGEST * checkedIn) / all);
  return {
    checked_in: checkedIn,
    unchecked_in: all - checkedIn,
    checked_in_percentage: share,
    unchecked_in_percentage: LARGEST - share,
  };
}

export const FEES = { available_fees: [], automatic_fees: [], selected_fees: [] };

/** Fields of a single ticket for users who may edit it. */
const detailed = (ticket: Ticket): Item => ({
  capacity_type: ticket.isManaged ? ticket.mode || OWN_STOCK : 'unlimited',
  sku: ticket.provider === 'rsvp' ? null : (metaValue(ticket.post, KEYS.sku) ?? ''),
  available_from_start_time: saleTimes(ticket)[0],
  available_from_end_time: saleTimes(ticket)[1],
  totals: { stock: Math.max(0, ticket.available), sold: ticket.sold, pending: 0 },
});

function whole(ticket: Ticket, { site, manages, isDetailed, attendees, attendance }: TicketView): Item {
  const { post, id, provider, price } = ticket;
  const globalId = `${site.globalIdBase}?type=${provider}&id=${id}`;
  const [from, until] = [availableFrom(ticket), availableUntil(ticket)];
  return {
    description: post.excerpt,
    capacity: ticket.isManaged ? ticket.capacity : '',
    on_sale: provider === 'rsvp' ? null : isOnSale(ticket, site),
    iac: 'none',
    price_suffix: null,
    post_id: ticket.event,
    provider,
    id,
    type: metaValue(post, KEYS.type) ?? 'default',
    global_id: globalId,
    global_id_lineage: [globalId],
    author: String(post.author),
    status: post.status,
    date: post.date,
    date_utc: post.dateGmt,
    modified: post.modified,
    modified_utc: post.modifiedGmt,
    title: post.title,
    image: false,
    available_from: from,
    available_from_details: dateDetails(from),
    available_until: until,
    available_until_details: dateDetails(until),
    capacity_details: capacityDetails(ticket, manages),
    is_available: percentage(ticket) > 0,
    cost: `$${amountOf(price)}`,
    cost_details: {
      currency_symbol: '$',
      currency_position: 'prefix',
      values: [price],
      suffix: null,
      currency_decimal_separator: '.',
      currency_decimal_numbers: 2,
      currency_thousand_separator: ',',
    },
    sale_price_data: saleData(ticket),
    supports_attendee_information: false,
    attendees: attendees.map((attendee) => presentAttendee(attendee, ticket, { site, manages, isNested: true })),
    ...(manages && provider === 'rsvp'
      ? { rsvp: { rsvp_going: attendance.going, rsvp_not_going: attendance.all - attendance.going } }
      : {}),
    ...(manages ? { checkin: checkin(attendance) } : {}),
    rest_url: site.restUrl(`/tribe/tickets/v1/tickets/${id}`),
    ...(isDetailed ? detailed(ticket) : {}),
    ...(manages ? { fees: FEES } : {}),
  };
}

const NO_ACCESS = 'No Access';

/** A value that a password hides, by its type. */
function redacted(value: Json): Json {
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number' || (typeof value === 'string' && isNumeric(value))) return 0;
  if (Array.isArray(value)) return value.map(redacted);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redacted(member)]));
  return NO_ACCESS;
}

export function presentTicket(ticket: Ticket, view: TicketView): Json {
  const item = whole(ticket, view);
  return view.isWithheld ? redacted(item) : item;
}
