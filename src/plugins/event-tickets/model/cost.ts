import { isNumeric } from '../../../base/php/cast.js';
import type { CostFormat } from '../../the-events-calendar/model/cost.js';
import { amountOf, type Provider } from './ticket.js';

const DOLLAR = '&#x24;';

const FREE = 'Free';

/**
 * How the cost of an event is shown. The plugin's currency replaces the one of the site, and in events with tickets also their own.
 * @param providers the providers of the published tickets of the event
 * @param symbol the stored symbol of its currency
 */
export function ticketCost(providers: readonly Provider[], symbol: string | null | undefined): CostFormat | null {
  if (providers.length === 0) return symbol ? null : { amount: (piece) => DOLLAR + piece };
  return {
    amount: (piece) => DOLLAR + (isNumeric(piece) ? amountOf(piece) : piece),
    ...(providers.includes('rsvp') ? { none: FREE } : {}),
  };
}
