import type { MovingContent } from '../../plugin.js';
import { ticketCost } from '../model/cost.js';
import { HOLDER_KEYS, eventOf, TICKET_TYPES } from '../model/ticket.js';
import { TICKET_CHECKS } from './check.js';
import { generatedTickets } from './generate.js';
import { SiteTickets } from './pull/site-tickets.js';
import type { ContentDoubts } from '../../../transfer/formats/content.js';
import { PAGE, type Post } from '../../../wordpress/model.js';
import { EVENT } from '../../the-events-calendar/model/index.js';
import type { DatasetPart } from '../../../transfer/formats/dataset/content.js';
import { ticketLists } from './dataset/declaration.js';
import { placedItems, placeTickets, ticketsAgain, TicketReader } from './dataset/read.js';
import { TicketWriter } from './dataset/write.js';

/** Events and pages have lists of tickets and of RSVPs, with their attendees. */
const TICKET_DATASETS: DatasetPart = {
  rules: (shared) => {
    const lists = ticketLists(shared);
    return { events: lists, pages: lists };
  },
  place: (held) => {
    const placed = placeTickets(held);
    return { kinds: placedItems(placed), read: (reading) => new TicketReader(placed, reading).posts() };
  },
  again: ticketsAgain,
  writer: (posts, writing) => {
    const tickets = new TicketWriter(posts, writing);
    return { membersOf: (holder) => tickets.entriesOf(holder), end: () => tickets.end() };
  },
};

/** Finds tickets of events and pages that are not part of the content. */
class HomelessTickets implements ContentDoubts {
  private readonly holders = new Set<number>();
  private readonly tickets: { title: string; event: number }[] = [];

  add(post: Post): void {
    if (post.type === EVENT || post.type === PAGE) this.holders.add(post._id);
    if (TICKET_TYPES.some((type) => type === post.type)) this.tickets.push({ title: post.title, event: eventOf(post) });
  }

  *doubts(): Iterable<string> {
    for (const { title, event } of this.tickets)
      if (!this.holders.has(event)) yield `The ticket "${title}" is for the event or page ${event}, which is not part of the content`;
  }
}

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
