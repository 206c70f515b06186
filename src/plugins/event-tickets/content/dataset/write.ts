import { attendeeOf, COMPLETED, type Attendee } from '../../model/attendee.js';
import { ATTENDEE_TYPES, TC_ORDER, TICKET_TYPES, saleOf, ticketOf, type Ticket } from '../../model/ticket.js';
import { EVENT_FIELDS, readText } from '../../../the-events-calendar/model/event.js';
import { EVENT } from '../../../the-events-calendar/model/index.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/sanitize.js';
import { metaValue, PAGE, type MetaRow, type Post } from '../../../../wordpress/model.js';
import { toLocal, toUtc } from '../../../../wordpress/timezones.js';
import type { ContentWriting } from '../../../../transfer/formats/dataset/content.js';
import { NUMBER } from './declaration.js';
import { TRASH } from './read.js';
import { attendeeRows, metaBeyond, orderRows, ticketRows, type AttendeeFacts, type TicketFacts } from '../rows.js';

type Entries = Record<string, unknown>;

/** A price as a number, unless it would lose digits. */
const priceOf = (text: string): number | string => (String(Number(text)) === text ? Number(text) : text);

const storedPrice = ({ price }: Ticket): string => (NUMBER.test(price) ? price : '0');

const byId = (a: Post, b: Post): number => a._id - b._id;

function grouped<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Writes the tickets of events and pages: as fields what these can say, and the rest as meta. */
export class TicketWriter {
  private readonly tickets: Map<number, Ticket[]>;
  private readonly attendees: Map<number, Attendee[]>;
  private readonly orders: Map<number, Post>;
  private readonly facts = new Map<number, AttendeeFacts>();
  private readonly written = new Set<number>();
  private readonly attendeesById = new Map<number, Attendee>();
  private readonly bought: Map<number, AttendeeFacts[]>;

  constructor(
    posts: readonly Post[],
    private readonly writing: ContentWriting,
  ) {
    const of = (types: readonly string[]): Post[] => posts.filter(({ type }) => types.includes(type)).toSorted(byId);
    this.tickets = grouped(of(TICKET_TYPES).map(ticketOf), ({ event }) => event);
    this.attendees = grouped(of(ATTENDEE_TYPES).map(attendeeOf), ({ ticket }) => ticket);
    this.orders = new Map(of([TC_ORDER]).map((post) => [post._id, post]));
    const holders = [EVENT, PAGE].flatMap((type) => posts.filter((post) => post.type === type));
    for (const holder of holders) for (const ticket of this.ticketsOf(holder)) this.survey(ticket, holder);
    this.bought = grouped([...this.facts.values()], ({ id }) => this.orderOf(id));
    this.omitOthers();
  }

  private orderOf(attendee: number): number {
    return this.attendeesById.get(attendee)?.post.parent ?? 0;
  }

  private ticketsOf({ _id }: Post): Ticket[] {
    const tickets = this.tickets.get(_id) ?? [];
    return [...tickets.filter(({ provider }) => provider === 'tc'), ...tickets.filter(({ provider }) => provider === 'rsvp')];
  }

  /** Notes what the attendees of a ticket say. */
  private survey(ticket: Ticket, holder: Post): void {
    for (const attendee of this.of(ticket)) {
      const { id, provider, post, email, isOptedOut, isCheckedIn, isGoing } = attendee;
      this.attendeesById.set(id, attendee);
      this.facts.set(id, {
        provider,
        id,
        name: post.title,
        email: email === '' ? `${post.slug}@example.org` : email,
        ticket: ticket.id,
        event: holder._id,
        price: ticket.provider === 'tc' ? storedPrice(ticket) : '0',
        isOptedOut,
        isCheckedIn: isCheckedIn && isGoing,
        isGoing,
      });
    }
  }

  private of({ id, provider }: Ticket): Attendee[] {
    return (this.attendees.get(id) ?? []).filter((attendee) => attendee.provider === provider);
  }

  private omitOthers(): void {
    const { omitted } = this.writing;
    const known = new Set(this.facts.keys());
    for (const attendee of [...this.attendees.values()].flat()) if (!known.has(attendee.id)) omitted('attendee of no ticket of an event');
    for (const id of this.orders.keys()) if (!this.bought.has(id)) omitted('order of no attendee');
  }

  /** The tickets of an event or a page, by the name of their list. */
  entriesOf(holder: Post): Entries {
    const tickets = this.ticketsOf(holder);
    for (const { id } of tickets) this.written.add(id);
    const lists = {
      tickets: tickets.filter(({ provider }) => provider === 'tc'),
      rsvp: tickets.filter(({ provider }) => provider === 'rsvp'),
    };
    return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.map((ticket) => this.ticket(ticket, holder))]));
  }

  /** Reports the tickets that were not written: their events are not part of the content. */
  end(): void {
    for (const { id } of [...this.tickets.values()].flat())
      if (!this.written.has(id)) this.writing.omitted('ticket of no event or page of the content');
  }

  /** The common fields, and the meta that no other field represents. */
  private shared(post: Post, usual: readonly MetaRow[]): Entries {
    const { id, slug, author, status, date, password } = this.writing.item(post);
    const rows = post.meta.filter(({ key }) => !TRASH.test(key));
    return {
      id,
      slug: slug === sanitizeTitle(post.title) ? undefined : slug,
      author,
      status,
      date,
      password,
      meta: metaBeyond(rows, usual),
    };
  }

  private ticket(ticket: Ticket, holder: Post): Entries {
    const { post, id, provider, isManaged } = ticket;
    const { omitEmpty, wrote } = this.writing;
    const attendees = this.of(ticket);
    const taken = attendees.filter(({ isGoing }) => isGoing).length;
    const sold = Math.max(ticket.sold, taken);
    const facts: TicketFacts = {
      provider,
      id,
      author: post.author,
      title: post.title,
      hasDescription: post.excerpt !== '',
      holder: { id: holder._id, published: holder.date, start: readText(holder, EVENT_FIELDS.start_date) },
      price: storedPrice(ticket),
      capacity: isManaged ? Math.max(ticket.capacity, sold) : null,
      sold,
      sale: this.saleOf(ticket),
      ...this.periodOf(ticket),
      sku: null,
    };
    const sku = metaValue(post, '_sku') ?? '';
    const hasUsualSku = provider === 'rsvp' || sku === '' || ticketRows(facts).some((row) => row.key === '_sku' && row.value === sku);
    if (!hasUsualSku) facts.sku = sku;
    const { sale, from, until } = facts;
    wrote('ticket');
    const { id: _id, slug, ...rest } = this.shared(post, ticketRows(facts));
    return omitEmpty({
      id,
      slug,
      name: post.title,
      description: post.excerpt,
      content: post.content,
      price: provider === 'tc' ? priceOf(facts.price) : undefined,
      capacity: facts.capacity ?? undefined,
      sale: sale ? omitEmpty({ price: priceOf(sale.price), from: sale.from, until: sale.until }) : undefined,
      on_sale: from === null && until === null ? undefined : omitEmpty({ from: from ?? undefined, until: until ?? undefined }),
      sku: facts.sku ?? undefined,
      sold: sold === taken ? undefined : sold,
      menu_order: post.menuOrder === -1 ? undefined : post.menuOrder,
      ...rest,
      attendees: attendees.map((attendee) => this.attendee(attendee)),
    });
  }

  /** Whether a local time can be read as it is: it exists. */
  private isReadable(wall: string): boolean {
    const { zone, zones } = this.writing;
    return WALL.test(wall) && toLocal(zones, toUtc(zones, wall, zone), zone) === wall;
  }

  private periodOf({ provider, startDate, startTime, endDate, endTime }: Ticket): { from: string | null; until: string | null } {
    const wall = (date: string, time: string): string | null => {
      const text = provider === 'rsvp' ? date : `${date} ${time}`;
      return this.isReadable(text) ? text : null;
    };
    const [from, until] = [wall(startDate, startTime), wall(endDate, endTime)];
    // Midnight would be read as the end of the day.
    const isKept = until !== null && !until.endsWith(' 00:00:00') && (from === null || from <= until);
    return { from, until: isKept ? until : null };
  }

  private saleOf(ticket: Ticket): TicketFacts['sale'] {
    const { isChecked, price, start, end } = saleOf(ticket);
    const isDay = (text: string): boolean => text === '' || (text.length === 10 && this.isReadable(`${text} 12:00:00`));
    const isInOrder = start === '' || end === '' || start <= end;
    const isSaid = isChecked && NUMBER.test(price) && Number(price) < Number(ticket.price) && isDay(start) && isDay(end) && isInOrder;
    return isSaid && ticket.provider === 'tc' ? { price, from: start, until: end } : null;
  }

  private attendee({ id, post }: Attendee): Entries {
    const { omitEmpty, wrote } = this.writing;
    const facts = this.facts.get(id)!;
    const { email, isCheckedIn, isOptedOut, isGoing } = facts;
    wrote('attendee');
    const { id: _id, slug, ...rest } = this.shared(post, attendeeRows(facts));
    return omitEmpty({
      id,
      slug,
      name: post.title,
      email,
      going: isGoing ? undefined : false,
      checked_in: isCheckedIn || undefined,
      opted_out: isOptedOut || undefined,
      ...rest,
      order: this.order(post.parent),
    });
  }

  /** An order with its first attendee, and its id with the others. */
  private order(id: number): Entries | number | undefined {
    const { omitEmpty, wrote } = this.writing;
    const post = this.orders.get(id);
    if (!post) return undefined;
    if (this.written.has(id)) return id;
    this.written.add(id);
    wrote('order');
    const { status: _, slug, ...rest } = this.shared(post, orderRows(this.bought.get(id) ?? []));
    return omitEmpty({ ...rest, slug, title: post.title, status: post.status === COMPLETED ? undefined : post.status });
  }
}
