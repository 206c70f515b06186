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

/** Meta of somebody who replied: the key of the reply. */
export const REPLY_KEY = '_tribe_rsvp_order';

/** Meta of an order: the ids of its events, and of its tickets. */
export const ORDER_EVENTS = '_tec_tc_order_events_in_order';
export const ORDER_TICKETS = '_tec_tc_order_tickets_in_order';
