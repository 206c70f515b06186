import type { DatasetPart } from '../../../../transfer/formats/dataset/content.js';
import { ticketLists } from './declaration.js';
import { placedItems, placeTickets, ticketsAgain } from './placed.js';
import { TicketReader } from './read.js';
import { TicketWriter } from './write.js';

/** Events and pages have lists of tickets and of RSVPs, with their attendees. */
export const TICKET_DATASETS: DatasetPart = {
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
