import type { HeldContent, PlacedItem } from '../../../../transfer/formats/dataset/content.js';
import { orderTitle } from '../rows.js';
import type { DeclaredAttendee, DeclaredOrder, DeclaredTicket, Ticketed } from './declaration.js';

/** The tickets, orders and attendees of a dataset, each with its place. */

export interface PlacedTicket {
  item: DeclaredTicket;
  path: string;
  /** The list and the index of its event or page. */
  holder: { list: 'events' | 'pages'; index: number };
  attendees: PlacedAttendee[];
}

export interface PlacedAttendee {
  item: DeclaredAttendee;
  path: string;
  ticket: PlacedTicket;
}

export interface PlacedOrder {
  item: DeclaredOrder;
  path: string;
  attendees: PlacedAttendee[];
}

/** By kind: each is a type of posts. */
export interface Placed {
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

export const placedTitle = (placed: PlacedTicket | PlacedOrder | PlacedAttendee): string =>
  'name' in placed.item ? placed.item.name : titleOf(placed as PlacedOrder);

/** The same as items with their titles. */
export const placedItems = (placed: Placed): Record<string, PlacedItem[]> =>
  Object.fromEntries(
    Object.entries<(PlacedTicket | PlacedOrder | PlacedAttendee)[]>({ ...placed }).map(([kind, all]) => [
      kind,
      all.map((one) => ({ item: one.item, path: one.path, title: placedTitle(one) })),
    ]),
  );
