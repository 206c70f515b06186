import { EVENT_FIELDS } from '../../plugins/the-events-calendar/model/event.js';
import { TICKETS, TICKET_TYPES } from '../../plugins/event-tickets/model/names.js';
import { eventOf } from '../../plugins/event-tickets/model/ticket.js';
import { EVENT } from '../../plugins/the-events-calendar/model/index.js';
import { metaValues, PAGE } from '../../wordpress/model.js';
import type { SourceItem, DatasetSource } from '../source.js';

/** A number with separators of two kinds, with one that is repeated, or with one that no decimals begin with: `1,234.50`, `1.234.567`, `1'234`. */
const GROUPED = /\d+(?:[.,]\d+){2,}|\b\d{1,3}(?:[ \u00A0\u202F'’]\d{3})+(?:[.,]\d+)?\b/g;

/** A grouped number as the plugin reads it whole: without the separators of thousands. */
function ungrouped(number: string): string {
  const separators = number.replace(/\d/g, '');
  const [last] = separators.slice(-1);
  const isDecimal = /[.,]/.test(last) && separators.indexOf(last) === separators.length - 1;
  const digits = number.split(/\D/);
  return isDecimal ? `${digits.slice(0, -1).join('')}${last}${digits.at(-1) ?? ''}` : digits.join('');
}

/** Warnings about probable mistakes in an item, one sentence each. */
function* doubtsOf(item: SourceItem): Iterable<string> {
  if (item.kind !== 'post' || item.post.type !== EVENT) return;
  for (const cost of metaValues(item.post, EVENT_FIELDS.cost.key))
    if (cost.match(GROUPED)) {
      const meant = cost.replace(GROUPED, ungrouped);
      yield `The event "${item.post.title}" costs "${cost}", which The Events Calendar reads as several amounts. Write "${meant}"`;
    }
}

/** Finds tickets of events and pages that are not part of the content. */
class Homeless {
  private readonly holders = new Set<number>();
  private readonly tickets: { title: string; event: number }[] = [];

  add(item: SourceItem): void {
    if (item.kind !== 'post') return;
    const { _id, type, title } = item.post;
    if (type === EVENT || type === PAGE) this.holders.add(_id);
    if (TICKET_TYPES.some((each) => each === type)) this.tickets.push({ title, event: eventOf(item.post) });
  }

  *doubts(): Iterable<string> {
    for (const { title, event } of this.tickets)
      if (!this.holders.has(event)) yield `The ticket "${title}" is for the event or page ${event}, which is not part of the content`;
  }
}

/** A source that reports warnings about probable mistakes, each once. */
export function doubting(source: DatasetSource, warn: (line: string) => void): DatasetSource {
  const said = new Set<string>();
  const say = (doubts: Iterable<string>): void => {
    for (const doubt of doubts) {
      if (!said.has(doubt)) warn(doubt);
      said.add(doubt);
    }
  };
  const hasTickets = source.plugins?.includes(TICKETS) ?? false;
  return {
    ...source,
    async *items(problems) {
      const homeless = hasTickets ? new Homeless() : null;
      for await (const item of source.items(problems)) {
        say(doubtsOf(item));
        homeless?.add(item);
        yield item;
      }
      if (homeless) say(homeless.doubts());
    },
  };
}
