import type { MovingContent } from '../../plugin.js';
import { ticketCost } from '../model/cost.js';
import { HOLDER_KEYS } from '../model/ticket.js';
import { TICKET_CHECKS } from './check.js';
import { TICKET_DATASETS } from './dataset/index.js';
import { HomelessTickets } from './doubts.js';
import { generatedTickets } from './generate.js';
import { SiteTickets } from './pull/site-tickets.js';

/** How tickets, RSVPs and attendees move. */
export const TICKET_CONTENT: MovingContent = {
  dataset: TICKET_DATASETS,
  doubts: () => new HomelessTickets(),
  pull: {
    open: (fetcher, summary, { keepsPeople }) => new SiteTickets(fetcher, summary, keepsPeople),
    eventMeta: HOLDER_KEYS,
    costOf: ({ ticketed, cost_details: { currency_symbol: symbol } }) => ticketCost(Object.values(ticketed || []), symbol),
  },
  check: TICKET_CHECKS,
  generate: generatedTickets,
};
