/** The status of an order that is paid. */
export const COMPLETED = 'tec-tc-completed';

/** Meta of an order: the ids of its events, and of its tickets. */
export const ORDER_EVENTS = '_tec_tc_order_events_in_order';
export const ORDER_TICKETS = '_tec_tc_order_tickets_in_order';
