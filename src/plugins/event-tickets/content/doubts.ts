import type { ContentDoubts } from '../../../transfer/formats/content.js';
import { PAGE, type Post } from '../../../wordpress/model.js';
import { EVENT } from '../../the-events-calendar/model/index.js';
import { TICKET_TYPES } from '../model/names.js';
import { eventOf } from '../model/ticket.js';

/** Finds tickets of events and pages that are not part of the content. */
export class HomelessTickets implements ContentDoubts {
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
