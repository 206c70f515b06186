import { isEmpty, isNumeric } from '../../../base/php/cast.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';

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

export const KEYS = {
  tcEvent: '_tec_tickets_commerce_event',
  rsvpEvent: '_tribe_rsvp_for_event',
  type: '_type',
  price: '_price',
  managed: '_manage_stock',
  stock: '_stock',
  capacity: '_tribe_ticket_capacity',
  sold: 'total_sales',
  startDate: '_ticket_start_date',
  startTime: '_ticket_start_time',
  endDate: '_ticket_end_date',
  endTime: '_ticket_end_time',
  sku: '_sku',
  mode: '_global_stock_mode',
  isSale: '_sale_price_checked',
  salePrice: '_sale_price',
  saleStart: '_sale_price_start_date',
  saleEnd: '_sale_price_end_date',
  showsDescription: '_tribe_ticket_show_description',
  /** Whether an RSVP it also counts who does not come. */
  showsNotGoing: '_tribe_ticket_show_not_going',
  version: '_tribe_ticket_version',
  /** Fields that were changed by hand, and so no longer follow the event. */
  byHand: '_tribe_ticket_manual_updated',
} as const;

/** The meta of an event that shows its tickets that are sold, in their order: computed, as JSON. */
export const TICKETS_LIST = '_tribe_tickets_list';

/** Stored meta of events and pages that everybody sees in `wp/v2`. */
export const HOLDER_KEYS = [
  KEYS.capacity,
  '_tribe_default_ticket_provider',
  '_tribe_ticket_use_global_stock',
  '_tribe_ticket_global_stock_level',
] as const;

export const OWN_STOCK = 'own';
export const UNLIMITED = -1;

/** Whose tickets they are, in the API. */
export type Provider = 'tc' | 'rsvp';

export interface Ticket {
  post: Post;
  id: number;
  provider: Provider;
  /** The id of the event or page; 0: none. */
  event: number;
  /** Stored price: `25.5`. */
  price: string;
  /** Whether its stock is counted. */
  isManaged: boolean;
  /** How many are left; -1: any number. */
  available: number;
  /** How many there are; -1: any number. */
  capacity: number;
  sold: number;
  /** Stored date: with the time for an RSVP, mostly without it for other tickets. */
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  /** The stock that it uses: its own, or one that it shares. Empty: none. */
  mode: string;
}

const text = (post: Post, key: string): string => metaValue(post, key) ?? '';

const count = (value: string): number => (isNumeric(value) ? Math.trunc(Number(value)) : 0);

const providerOf = ({ type }: Pick<Post, 'type'>): Provider => (type === RSVP_TICKET ? 'rsvp' : 'tc');

export const eventOf = (post: Post): number => count(text(post, post.type === RSVP_TICKET ? KEYS.rsvpEvent : KEYS.tcEvent));

export function ticketOf(post: Post): Ticket {
  const provider = providerOf(post);
  const capacity = count(text(post, KEYS.capacity));
  // An RSVP that was made without the plugin has no row that says so.
  const isManaged = text(post, KEYS.managed) === 'yes' || (metaValue(post, KEYS.managed) === undefined && capacity > 0);
  const stock = metaValue(post, KEYS.stock);
  return {
    post,
    id: post._id,
    provider,
    event: eventOf(post),
    price: text(post, KEYS.price),
    isManaged,
    available: isManaged ? Math.max(0, stock === undefined ? capacity : count(stock)) : UNLIMITED,
    capacity: isManaged ? capacity : UNLIMITED,
    sold: count(text(post, KEYS.sold)),
    startDate: text(post, KEYS.startDate),
    startTime: text(post, KEYS.startTime),
    endDate: text(post, KEYS.endDate),
    endTime: text(post, KEYS.endTime),
    mode: text(post, KEYS.mode),
  };
}

export interface Sale {
  isChecked: boolean;
  price: string;
  start: string;
  end: string;
}

export const saleOf = ({ post }: Ticket): Sale => ({
  isChecked: !isEmpty(text(post, KEYS.isSale)),
  price: text(post, KEYS.salePrice),
  start: text(post, KEYS.saleStart),
  end: text(post, KEYS.saleEnd),
});

/** Whether the price of a sale applies today. Without dates, it always does. */
export function isOnSale(ticket: Ticket, site: Site): boolean {
  const { isChecked, price, start, end } = saleOf(ticket);
  if (ticket.provider === 'rsvp' || !isChecked || price === '') return false;
  const { today } = site;
  return (start === '' || start.slice(0, 10) <= today) && (end === '' || today <= end.slice(0, 10));
}

/** Made once, since it takes as long as much of an event. */
let amounts: Intl.NumberFormat | undefined;

/** An amount with two decimals: `1,200.00`. */
export const amountOf = (price: string | number, group = ','): string =>
  (amounts ??= new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }))
    .format(Number(price) || 0)
    .replaceAll(',', group);

/** The price that a buyer pays now: as stored, or during a sale with two decimals. */
export const currentPrice = (ticket: Ticket, site: Site): string =>
  isOnSale(ticket, site) ? amountOf(saleOf(ticket).price, '') : ticket.price === '' ? '0' : ticket.price;

/** TC before RSVP, within each by `menu_order`, then by id. */
export const inTicketOrder = (tickets: readonly Ticket[]): Ticket[] =>
  tickets.toSorted(
    (a, b) => Number(a.provider === 'rsvp') - Number(b.provider === 'rsvp') || a.post.menuOrder - b.post.menuOrder || a.id - b.id,
  );

/** The times of day when the sale of tickets starts and ends; of an RSVP they are in the dates. */
export function saleTimes({ provider, startDate, startTime, endDate, endTime }: Ticket): [start: string, end: string] {
  if (provider === 'tc') return [startTime, endTime];
  return [startDate.split(' ')[1] ?? '', endDate.split(' ')[1] ?? ''];
}

/** The start and the end of a sale of tickets: the date, and the time if it is apart. */
export const availableFrom = ({ startDate, startTime }: Ticket): string => [startDate, startTime].filter((part) => part !== '').join(' ');
export const availableUntil = ({ endDate, endTime }: Ticket): string => [endDate, endTime].filter((part) => part !== '').join(' ');
