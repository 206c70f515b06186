import { RSVP_ATTENDEE, RSVP_TICKET, TC_ATTENDEE, TC_ORDER, TC_TICKET } from '../../model/ticket.js';
import { COMPLETED } from '../../model/attendee.js';
import { EVENT_FIELDS, readText } from '../../../the-events-calendar/model/event.js';
import { EVENT } from '../../../the-events-calendar/model/index.js';
import type { ContentReading, HeldContent, PlacedItem } from '../../../../transfer/formats/dataset/content.js';
import { PAGE, type MetaRow, type Post } from '../../../../wordpress/model.js';
import { wallAt, zoneOf } from '../../../../wordpress/timezones.js';
import { invalidDate, readDatasetDate } from '../../../../transfer/dates.js';
import type { DeclaredPeriod, DeclaredAttendee, DeclaredOrder, DeclaredTicket, Ticketed } from './declaration.js';
import { attendeeRows, orderRows, ticketRows, withMetaOf, orderTitle, type AttendeeFacts } from '../rows.js';

/** The tickets, orders and attendees of a dataset, each with its place. */

interface PlacedTicket {
  item: DeclaredTicket;
  path: string;
  /** The list and the index of its event or page. */
  holder: { list: 'events' | 'pages'; index: number };
  attendees: PlacedAttendee[];
}

interface PlacedAttendee {
  item: DeclaredAttendee;
  path: string;
  ticket: PlacedTicket;
}

interface PlacedOrder {
  item: DeclaredOrder;
  path: string;
  attendees: PlacedAttendee[];
}

/** By kind: each is a type of posts. */
interface Placed {
  tickets: PlacedTicket[];
  rsvp: PlacedTicket[];
  orders: PlacedOrder[];
  buyers: PlacedAttendee[];
  guests: PlacedAttendee[];
}

/** Puts an attendee into the order that the attendee names, or into a new one. */
function addOrder(attendee: PlacedAttendee, orders: PlacedOrder[], byId: Map<number, PlacedOrder>): void {
  const { item, path } = attendee;
  const given = typeof item.order === 'number' ? { id: item.order } : (item.order ?? {});
  const known = given.id === undefined ? undefined : byId.get(given.id);
  if (known) {
    known.attendees.push(attendee);
    // The first attendee with a description of the order decides.
    if (typeof item.order === 'object' && Object.keys(known.item).length <= 1) known.item = given;
    return;
  }
  const order = { item: given, path: `${path}.order`, attendees: [attendee] };
  orders.push(order);
  if (given.id !== undefined) byId.set(given.id, order);
}

/** Finds all tickets of a file. */
export function placeTickets({ events, pages, entries }: HeldContent): Placed {
  const placed: Placed = { tickets: [], rsvp: [], orders: [], buyers: [], guests: [] };
  const orders = new Map<number, PlacedOrder>();
  const place = (list: PlacedTicket['holder']['list'], holders: readonly Ticketed[]): void =>
    holders.forEach((holder, index) => {
      for (const kind of ['tickets', 'rsvp'] as const)
        (holder[kind] ?? []).forEach((item, position) => {
          const path = `${entries[list][index].path}.${kind}[${position}]`;
          const ticket: PlacedTicket = { item, path, holder: { list, index }, attendees: [] };
          placed[kind].push(ticket);
          (item.attendees ?? []).forEach((one, at) => {
            const attendee = { item: one, path: `${path}.attendees[${at}]`, ticket };
            ticket.attendees.push(attendee);
            placed[kind === 'rsvp' ? 'guests' : 'buyers'].push(attendee);
            if (kind === 'tickets') addOrder(attendee, placed.orders, orders);
          });
        });
    });
  place('events', events);
  place('pages', pages);
  return placed;
}

const again = (tickets: readonly DeclaredTicket[] | undefined): DeclaredTicket[] | undefined =>
  tickets?.map(({ id: _id, slug: _slug, sku: _sku, sold: _sold, attendees: _attendees, ...ticket }) => ticket);

/** The tickets of a repeated event: nobody has one yet. */
export const ticketsAgain = ({ tickets, rsvp }: Ticketed): Ticketed => ({ tickets: again(tickets), rsvp: again(rsvp) });

const titleOf = ({ item, path }: PlacedOrder): string => item.title ?? orderTitle(path);

const placedTitle = (placed: PlacedTicket | PlacedOrder | PlacedAttendee): string =>
  'name' in placed.item ? placed.item.name : titleOf(placed as PlacedOrder);

/** The same as items with their titles. */
export const placedItems = (placed: Placed): Record<string, PlacedItem[]> =>
  Object.fromEntries(
    Object.entries<(PlacedTicket | PlacedOrder | PlacedAttendee)[]>({ ...placed }).map(([kind, all]) => [
      kind,
      all.map((one) => ({ item: one.item, path: one.path, title: placedTitle(one) })),
    ]),
  );

/** A post without its rows and terms, as readers make it. */
type Unfinished = Omit<Post, 'meta' | 'terms'>;

/** WP: what the trash remembers of a post. */
export const TRASH = /^_wp_(?:trash_meta_|desired_post_slug)/;

/** The posts of tickets, orders and attendees. What is wrong is added to `problems`. */
export class TicketReader {
  private readonly ids = new Map<object, number>();
  private readonly facts = new Map<PlacedAttendee, AttendeeFacts>();
  private readonly orders: ReadonlyMap<PlacedAttendee, PlacedOrder>;

  /** The posts of events and pages, in the order of the file. */
  private readonly holders: Readonly<Record<PlacedTicket['holder']['list'], readonly Post[]>>;

  constructor(
    private readonly placed: Placed,
    private readonly reading: ContentReading,
  ) {
    const { entries, posts } = reading;
    const [events, pages] = [EVENT, PAGE].map((type) => posts.filter((post) => post.type === type));
    this.holders = { events, pages };
    this.orders = new Map(placed.orders.flatMap((order) => order.attendees.map((attendee) => [attendee, order] as const)));
    for (const kind of Object.keys(placed) as (keyof Placed)[])
      placed[kind].forEach((one, index) => this.ids.set(one, entries[kind].ids[index]));
  }

  posts(): Post[] {
    return [
      ...this.made('tickets', TC_TICKET, (one, post) => this.ticket(one, post, 'tc')),
      ...this.made('rsvp', RSVP_TICKET, (one, post) => this.ticket(one, post, 'rsvp')),
      ...this.made('buyers', TC_ATTENDEE, (one, post) => this.attendee(one, post, 'tc')),
      ...this.made('guests', RSVP_ATTENDEE, (one, post) => this.attendee(one, post, 'rsvp')),
      // They sum up their attendees.
      ...this.made('orders', TC_ORDER, (one, post) => this.order(one, post)),
    ];
  }

  private made<Kind extends keyof Placed>(
    kind: Kind,
    type: string,
    finish: (one: Placed[Kind][number], post: Unfinished) => { rows: MetaRow[] } & Partial<Post>,
  ): Post[] {
    const { placed, reading } = this;
    const { entries, post } = reading;
    return (placed[kind] as Placed[Kind][number][]).map((one, index): Post => {
      const { custom, ...made } = post(entries[kind], index, type, placedTitle(one));
      const { rows, ...more } = finish(one, made);
      const trash = custom.filter(({ key }) => TRASH.test(key));
      return { ...made, ...more, meta: [...withMetaOf(rows, one.item.meta), ...trash], terms: {} };
    });
  }

  private ticket(one: PlacedTicket, { _id: id, author, title }: Unfinished, provider: 'tc' | 'rsvp') {
    const { item, path, attendees } = one;
    const { problems } = this.reading;
    const { description = '', capacity = null, sale } = item;
    const price = String(item.price ?? 0);
    const taken = attendees.filter((attendee) => attendee.item.going !== false).length;
    const sold = item.sold ?? taken;
    if (sold < taken) problems.add(`${path}.sold`, `${taken} attendees have one, which is more than ${sold}`);
    if (capacity !== null && Math.max(sold, taken) > capacity)
      problems.add(`${path}.capacity`, `${Math.max(sold, taken)} are taken, which is more than a capacity of ${capacity}`);
    if (sale && Number(sale.price) >= Number(price)) problems.add(`${path}.sale.price`, `must be below the price, which is ${price}`);
    const reduced = this.period(sale, `${path}.sale`);
    const { from, until } = this.period(item.on_sale, `${path}.on_sale`);
    const holder = this.holderOf(one);
    const start = readText(holder, EVENT_FIELDS.start_date);
    const rows = ticketRows({
      provider,
      id,
      author,
      title,
      hasDescription: description !== '',
      holder: { id: holder._id, published: holder.date, start },
      price,
      capacity,
      sold,
      sale: sale ? { price: String(sale.price), from: reduced.from?.slice(0, 10) ?? '', until: reduced.until?.slice(0, 10) ?? '' } : null,
      from,
      until,
      sku: item.sku ?? null,
    });
    return { rows, content: item.content ?? '', excerpt: description, menuOrder: item.menu_order ?? -1 };
  }

  private holderOf({ holder: { list, index } }: PlacedTicket): Post {
    return this.holders[list][index];
  }

  /** The local times of a period. Its last day counts as a whole. */
  private period(period: DeclaredPeriod | undefined, at: string): { from: string | null; until: string | null } {
    const { base, problems } = this.reading;
    const wall = (text: string | undefined, field: string): string | null => {
      if (text === undefined) return null;
      const date = readDatasetDate(text, base);
      if (!date) problems.add(`${at}.${field}`, invalidDate(text, base));
      return date && wallAt(date.epoch, zoneOf(base.zones, base.zone));
    };
    const from = wall(period?.from, 'from');
    const until = wall(period?.until, 'until')?.replace(' 00:00:00', ' 23:59:59') ?? null;
    if (from !== null && until !== null && until < from) problems.add(`${at}.until`, `is before ${from}, when it begins`);
    return { from, until };
  }

  private attendee(one: PlacedAttendee, { _id: id, title, slug }: Unfinished, provider: 'tc' | 'rsvp') {
    const { item, path, ticket } = one;
    const { going: isGoing = true, checked_in: isCheckedIn = false, opted_out: isOptedOut = false } = item;
    if (isCheckedIn && !isGoing) this.reading.problems.add(`${path}.checked_in`, 'who does not come cannot be checked in');
    const facts: AttendeeFacts = {
      provider,
      id,
      name: title,
      email: item.email ?? `${slug}@example.org`,
      ticket: this.ids.get(ticket) ?? 0,
      event: this.holderOf(ticket)._id,
      price: String(ticket.item.price ?? 0),
      isOptedOut,
      isCheckedIn,
      isGoing,
    };
    this.facts.set(one, facts);
    const order = this.orders.get(one);
    return { rows: attendeeRows(facts), parent: order ? (this.ids.get(order) ?? 0) : 0 };
  }

  private order({ item, attendees }: PlacedOrder, { status }: Unfinished) {
    const bought = attendees.flatMap((attendee) => this.facts.get(attendee) ?? []);
    return { rows: orderRows(bought), status: item.status === undefined ? COMPLETED : status };
  }
}
