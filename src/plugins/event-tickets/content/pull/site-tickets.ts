import { TICKETS_LIST } from '../../model/ticket.js';
import type { Post } from '../../../../wordpress/model.js';
import type { Attendee, Event, StoredTicket, Ticket, TicketOfferJsonLd } from '../../../../sdk/types/responses.js';
import { isRecord, jsonOr } from '../../../../base/values/records.js';
import type { Holder } from '../rows.js';
import type { PulledContent } from '../../../../transfer/live/pull/content.js';
import type { Fetcher } from '../../../../transfer/live/pull/fetch.js';
import type { CorePost, Summary } from '../../../../transfer/live/pull/summary.js';
import { attendeePosts, priceOf, soldOf, ticketPost, coreRsvps, listedTickets, plainTickets } from './ticket.js';

/** Somebody in the list of attendees. */
type Person = Pick<Attendee, 'id' | 'title' | 'email'>;

const folded = (text: string): string => text.trim().toLowerCase();

/**
 * Replaces the names and addresses of attendees. A person with several tickets stays one: the same address always becomes the same other
 * one, and the same name with the same address the same other name. They are made from the lowest id of a person's attendees, so that
 * every copy has the same ones, and that nobody can compute the original from them.
 */
export class Disguise {
  private readonly addresses = new Map<string, number>();
  private readonly names = new Map<string, number>();

  /** Notes an attendee. All have to be known before the first one is disguised. */
  add(person: Person): void {
    const { id } = person;
    for (const [known, key] of [
      [this.addresses, this.addressKey(person)],
      [this.names, this.nameKey(person)],
    ] as const)
      known.set(key, Math.min(known.get(key) ?? id, id));
  }

  name(person: Person): string {
    return `Attendee ${this.names.get(this.nameKey(person)) ?? person.id}`;
  }

  /** An address that nobody can have; empty if there is none. */
  email(person: Person): string {
    return person.email ? `attendee-${this.addresses.get(this.addressKey(person)) ?? person.id}@example.org` : '';
  }

  /** Nobody is known to be the same person without an address. */
  private addressKey({ id, email = '' }: Person): string {
    return folded(email) || String(id);
  }

  private nameKey(person: Person): string {
    return JSON.stringify([this.addressKey(person), folded(person.title)]);
  }
}

/** The tickets of an event, as far as they are known before the event is read. */
interface OfEvent {
  /** Ids of the published tickets that are sold. */
  sold: number[];
  rsvps: number;
}

interface TicketedEvent {
  holder: Holder;
  /** The offers of its tickets, if they are known: first the tickets that are sold, in their order. */
  offers: readonly TicketOfferJsonLd[];
}

/** A ticket in the meta of its event. */
interface ListedInMeta {
  id: number;
  capacityType?: string;
}

/** The tickets that are sold of an event in their order, from its meta in `wp/v2`. TEC: JSON as text, which everybody sees. */
function listedInMeta(event: CorePost): ListedInMeta[] {
  const text = event.meta?.[TICKETS_LIST];
  const list = typeof text === 'string' ? jsonOr(text, null) : null;
  return Array.isArray(list) ? (list.filter((item) => isRecord(item) && typeof item['id'] === 'number') as object[] as ListedInMeta[]) : [];
}

const isRising = (ids: readonly number[]): boolean => ids.every((id, index) => index === 0 || ids[index - 1] < id);

/** Position of tickets that were never moved. */
const UNMOVED = -1;

/** Stock that is not counted. */
const UNLIMITED = 'unlimited';

const counted = (count: number, one: string, more: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${more}`];

export class SiteTickets implements PulledContent {
  private readonly plain = new Map<number, StoredTicket>();
  private readonly core = new Map<number, CorePost>();
  private readonly ofEvents = new Map<number, OfEvent>();
  private readonly events = new Map<number, TicketedEvent>();
  /** Positions and stocks of tickets, by id. */
  private readonly listed = new Map<number, { position: number; mode: string | undefined }>();
  private readonly disguise = new Disguise();
  private readonly left = { withheld: 0, elsewhere: 0, otherProviders: new Map<string, number>(), uncounted: 0 };
  private tickets = 0;
  private attendees = 0;
  /** Attendees that events count. */
  private attendance = 0;
  private manages = false;
  private highest = 0;
  private problem: string | null = null;

  /** @param keepsPeople whether names and email addresses of attendees stay as they are */
  constructor(
    private readonly fetcher: Fetcher,
    private readonly summary: Summary,
    private readonly keepsPeople: boolean,
  ) {}

  /** Fetches everything. Call it when the events are known. @param core the posts of `wp/v2`, by id */
  async prepare(core: ReadonlyMap<number, CorePost>): Promise<void> {
    const { fetcher, summary } = this;
    for await (const ticket of plainTickets(fetcher)) this.plain.set(ticket.id, ticket);
    for await (const rsvp of coreRsvps(fetcher)) this.core.set(rsvp.id, rsvp);
    for await (const ticket of this.list()) this.note(ticket);
    for (const id of this.ofEvents.keys()) this.noteListed(core.get(id));
    const { ids, embedded, images, unlisted } = summary;
    for (const known of [...Object.values(ids), embedded.keys(), images.keys(), unlisted]) for (const id of known) this.noteId(id);
  }

  private list(): AsyncGenerator<Ticket> {
    return listedTickets(this.fetcher, (problem) => (this.problem = problem));
  }

  private noteId(id: number): void {
    this.highest = Math.max(this.highest, id);
  }

  private isOfCopied({ post_id: event }: Ticket): boolean {
    return this.summary.ids.events.has(event) || this.summary.unlisted.has(event);
  }

  private isCopied(ticket: Ticket): boolean {
    return ticket.id !== 0 && ['tc', 'rsvp'].includes(ticket.provider) && this.isOfCopied(ticket);
  }

  private note(ticket: Ticket): void {
    const { left, summary } = this;
    if ('checkin' in ticket) this.manages = true;
    // TEC: nothing is shown of tickets of password-protected events, not even their ids.
    if (ticket.id === 0) left.withheld += 1;
    else if (!this.isOfCopied(ticket)) left.elsewhere += 1;
    else if (!this.isCopied(ticket)) left.otherProviders.set(ticket.provider, (left.otherProviders.get(ticket.provider) ?? 0) + 1);
    if (!this.isCopied(ticket)) return;
    this.tickets += 1;
    this.noteId(ticket.id);
    summary.authors.add(Number(ticket.author));
    if (soldOf(ticket, this.plain.get(ticket.id)) === null) left.uncounted += 1;
    const event = this.ofEvents.get(ticket.post_id) ?? { sold: [], rsvps: 0 };
    this.ofEvents.set(ticket.post_id, event);
    if (ticket.status === 'publish' && ticket.provider === 'tc') event.sold.push(ticket.id);
    else if (ticket.status === 'publish') event.rsvps += 1;
    for (const attendee of this.attendeesOf(ticket)) {
      this.attendees += 1;
      this.noteId(attendee.id);
      this.disguise.add(attendee);
    }
  }

  /** The attendees of a ticket, as users who manage attendees see them. */
  private attendeesOf({ attendees }: Ticket): Attendee[] {
    return this.manages ? attendees.filter(({ provider }) => provider !== undefined) : [];
  }

  /** Notes the order of the tickets of an event. Only an order other than by id was made by somebody. */
  private noteListed(event: CorePost | undefined): void {
    const list = event ? listedInMeta(event) : [];
    const isMoved = !isRising(list.map(({ id }) => id));
    for (const [index, { id, capacityType }] of list.entries())
      this.listed.set(id, { position: isMoved ? index : UNMOVED, mode: capacityType === UNLIMITED ? '' : capacityType });
    const ofEvent = event && this.ofEvents.get(event.id);
    if (ofEvent && isMoved) ofEvent.sold = list.map(({ id }) => id);
  }

  /** Notes an event. Call it for all of them before `items`. @param single the response of its single route, if requested */
  noteEvent(event: Event, single: Event | undefined): void {
    const { id, date, start_date: start, attendance } = event;
    if (!this.events.has(id)) this.attendance += Number(attendance?.total_attendees ?? 0) || 0;
    const { sold = [], rsvps = 0 } = this.ofEvents.get(id) ?? {};
    const offers = [single?.json_ld?.offers ?? []].flat() as TicketOfferJsonLd[];
    const areTickets = Array.isArray(single?.json_ld?.offers) && offers.length === sold.length + rsvps;
    this.events.set(id, { holder: { id, published: date, start: start ?? '' }, offers: areTickets ? offers : [] });
  }

  private postOf(ticket: Ticket, { holder, offers }: TicketedEvent): Post {
    const { id, post_id: event } = ticket;
    const { home, aliases } = this.fetcher.live;
    const at = this.ofEvents.get(event)?.sold.indexOf(id) ?? -1;
    const { position = UNMOVED, mode } = this.listed.get(id) ?? {};
    return ticketPost(ticket, {
      holder,
      plain: this.plain.get(id),
      core: this.core.get(id),
      offer: offers[at],
      mode,
      urls: [home, ...aliases],
      menuOrder: position,
    });
  }

  /** Yields the tickets, the attendees and their orders. The API does not show the ids of orders: they get the next free ones. */
  async *posts(): AsyncGenerator<Post> {
    let orderId = this.highest;
    for await (const ticket of this.list()) {
      const event = this.events.get(ticket.post_id);
      if (!event || !this.isCopied(ticket)) continue;
      yield this.postOf(ticket, event);
      for (const attendee of this.attendeesOf(ticket)) {
        if (ticket.provider === 'tc') orderId += 1;
        yield* attendeePosts(attendee, this.personOf(attendee), priceOf(ticket), orderId);
      }
    }
  }

  private personOf(attendee: Attendee): { name: string; email: string } {
    if (this.keepsPeople) return { name: attendee.title, email: attendee.email ?? '' };
    return { name: this.disguise.name(attendee), email: this.disguise.email(attendee) };
  }

  /** Whether attendees have other names and email addresses. */
  get disguises(): boolean {
    return this.attendees > 0 && !this.keepsPeople;
  }

  /** Notes about content that was copied in another form, or not at all, one sentence each. */
  notes(): string[] {
    const { left, attendees, tickets, problem } = this;
    const others = [...left.otherProviders].map(([provider, count]) => `${count} of ${provider}`);
    return [
      ...(problem === null ? [] : [`No tickets are copied: ${problem}.`]),
      ...counted(
        left.withheld,
        'ticket of a password-protected event is not shown, and not copied.',
        'tickets of password-protected events are not shown, and not copied.',
      ),
      ...counted(
        left.elsewhere,
        'ticket of a page is not copied, as the page is not.',
        'tickets of pages are not copied, as the pages are not.',
      ),
      ...(others.length === 0 ? [] : [`Tickets of other providers are not copied: ${others.join(', ')}.`]),
      ...counted(
        left.uncounted,
        'ticket or RSVP has no limit: the site does not show how many are taken.',
        'tickets and RSVPs have no limit: the site does not show how many are taken.',
      ),
      ...(tickets === 0 || this.manages ? [] : [this.missingAttendees]),
      ...(this.keepsPeople
        ? []
        : counted(
            attendees,
            'attendee has another name and email address. Use --keep-emails to keep them.',
            'attendees have other names and email addresses. Use --keep-emails to keep them.',
          )),
      ...(this.manages
        ? counted(
            Math.max(0, this.attendance - attendees),
            'attendee with a deleted ticket is not copied.',
            'attendees with deleted tickets are not copied.',
          )
        : []),
    ];
  }

  private get missingAttendees(): string {
    const why = 'The site shows attendees, with names and email addresses, only to administrators: none are copied.';
    return this.fetcher.options.signedIn
      ? `${why} This login does not manage attendees.`
      : `${why} Sign in with --login and --password-env.`;
  }
}
