import { isEmpty, isNumeric } from '../../../base/php/cast.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import { RSVP_ATTENDEE, type Provider } from './ticket.js';
import STORED_KEYS from './attendee-keys.json' with { type: 'json' };

/** The meta keys of attendees, by provider. */
export const ATTENDEE_KEYS = STORED_KEYS;

/** Whether an attendee of an RSVP comes: `yes` or `no`. */
export const RSVP_STATUS = '_tribe_rsvp_status';

/** Meta of attendees who were checked in by the app. */
export const BY_APP = '_tribe_qr_status';

/** Further meta keys of new attendees, with the value of the plugin where it is always the same. */
export const RSVP_ORDER = '_tribe_rsvp_order';
export const PAID = { _tec_tickets_commerce_price_paid: '0', _tec_tickets_commerce_currency: 'USD' };

export const orderMeta = (
  buyer: { name: string; email: string },
  { ticket, event }: { ticket: number; event: number },
): Record<string, string> => ({
  _tec_tc_order_total_value: '0',
  _tec_tc_order_gateway: 'manual',
  _tec_tc_order_purchaser_full_name: buyer.name,
  _tec_tc_order_purchaser_email: buyer.email,
  _tec_tc_order_events_in_order: String(event),
  _tec_tc_order_tickets_in_order: String(ticket),
});

/** Event meta: whether only users who manage attendees see them. */
export const HIDES_ATTENDEES = '_tribe_hide_attendees_list';

/** WP: the block, or the shortcode, of a list of attendees. */
const LIST_OF_ATTENDEES = /<!-- wp:tribe\/attendees |\[tribe_attendees_list(?![\w-])[^\]]*\]/;

/** Whether an event lists its attendees for everybody: in its text, unless it hides them. */
export const listsAttendees = (event: Post | undefined): boolean =>
  event !== undefined && LIST_OF_ATTENDEES.test(event.content) && isEmpty(metaValue(event, HIDES_ATTENDEES));

export interface Attendee {
  post: Post;
  id: number;
  provider: Provider;
  ticket: number;
  event: number;
  email: string;
  isOptedOut: boolean;
  isCheckedIn: boolean;
  /** Whether an attendee of an RSVP comes; buyers always do. */
  isGoing: boolean;
}

const idOf = (value: string | undefined): number => (value !== undefined && isNumeric(value) ? Math.trunc(Number(value)) : 0);

const isSet = (post: Post, key: string): boolean => !isEmpty(metaValue(post, key));

const attendeeProvider = ({ type }: Pick<Post, 'type'>): Provider => (type === RSVP_ATTENDEE ? 'rsvp' : 'tc');

export function attendeeOf(post: Post): Attendee {
  const provider = attendeeProvider(post);
  const keys = ATTENDEE_KEYS[provider];
  return {
    post,
    id: post._id,
    provider,
    ticket: idOf(metaValue(post, keys.ticket)),
    event: idOf(metaValue(post, keys.event)),
    email: metaValue(post, keys.email) ?? '',
    isOptedOut: isSet(post, keys.optout),
    isCheckedIn: isSet(post, keys.checkedIn),
    isGoing: provider === 'tc' || metaValue(post, RSVP_STATUS) === 'yes',
  };
}

/** The status of an order that is paid. */
export const COMPLETED = 'tec-tc-completed';

/** Meta of an order: what it cost, how it was paid, and by whom. */
export const ORDER_KEYS = {
  total: '_tec_tc_order_total_value',
  gateway: '_tec_tc_order_gateway',
  name: '_tec_tc_order_purchaser_full_name',
  email: '_tec_tc_order_purchaser_email',
} as const;

/** Meta of somebody who bought a ticket: what it cost. */
export const PRICE_PAID = '_tec_tickets_commerce_price_paid';
export const CURRENCY_PAID = '_tec_tickets_commerce_currency';

/** Meta of an order: the ids of its events, and of its tickets. */
export const ORDER_EVENTS = '_tec_tc_order_events_in_order';
export const ORDER_TICKETS = '_tec_tc_order_tickets_in_order';
