import { RSVP_TICKET, TC_TICKET, RSVP_ATTENDEE, TC_ATTENDEE, TC_ORDER, KEYS, type Provider } from '../../model/ticket.js';
import { sanitizeTitle } from '../../../../wordpress/formatting/sanitize.js';
import type { Post, MetaRow } from '../../../../wordpress/model.js';
import type { StoredTicket, Ticket, Attendee, TicketList } from '../../../../sdk/types/responses.js';
import { ticketRows, usualStart, withMetaOf, attendeeRows, orderRows, orderTitle } from '../rows.js';
import type { Holder, TicketFacts, AttendeeFacts } from '../rows.js';
import type { CorePost } from '../../../../transfer/live/pull/summary.js';
import { rawOf } from '../../../../transfer/live/pull/context.js';
import { storedTexts } from '../../../../transfer/live/pull/unrender.js';
import { ATTENDEE_KEYS, COMPLETED } from '../../model/attendee.js';
import { TICKETS_NAMESPACE } from '../../tickets-v1/names.js';
import { ACKNOWLEDGED, TEC_NAMESPACE } from '../../../the-events-calendar/tec-v1/routes.js';
import { responseProblem } from '../../../../transfer/live/client/client.js';
import { CORE_PAGE, PAGE, type Fetcher } from '../../../../transfer/live/pull/fetch.js';

/** The columns that tickets, attendees and their orders share. */
const columnsOf = ({
  id,
  author,
  status,
  date,
  date_utc,
  modified,
  modified_utc,
}: Ticket | Attendee): Omit<Post, 'type' | 'title' | 'slug' | 'meta'> => ({
  _id: id,
  status,
  author: Number(author),
  content: '',
  excerpt: '',
  password: '',
  parent: 0,
  menuOrder: 0,
  date,
  dateGmt: date_utc,
  modified,
  modifiedGmt: modified_utc,
  terms: {},
});

/** Who an attendee is in the copy. */
interface Person {
  name: string;
  email: string;
}

const factsOf = (attendee: Attendee, { name, email }: Person, price: string): AttendeeFacts => ({
  provider: attendee.provider === 'rsvp' ? 'rsvp' : 'tc',
  id: attendee.id,
  name,
  email,
  ticket: attendee.ticket_id,
  event: attendee.post_id,
  price,
  isOptedOut: attendee.optout,
  isCheckedIn: attendee.checked_in ?? false,
  isGoing: attendee.rsvp_going ?? true,
});

/** When an attendee was checked in, and by whom, if the site knows. */
function detailRows({ provider = 'tc', checkin_details: details }: Attendee): MetaRow[] {
  if (!details) return [];
  const { date, source, author } = details;
  return [{ key: ATTENDEE_KEYS[provider].details, value: JSON.stringify({ date, source, author }) }];
}

/**
 * Converts an attendee, as users who manage attendees get it.
 * @param price the price of the ticket
 * @param orderId id for the order of somebody who bought a ticket. TEC: the API shows no orders, but without one that is paid, others do not see
 * the attendee
 */
export function attendeePosts(attendee: Attendee, person: Person, price: string, orderId: number): Post[] {
  const facts = factsOf(attendee, person, price);
  const { name } = person;
  const columns = columnsOf(attendee);
  const shared = { ...columns, title: name, slug: sanitizeTitle(name), meta: [...attendeeRows(facts), ...detailRows(attendee)] };
  if (facts.provider === 'rsvp') return [{ ...shared, type: RSVP_ATTENDEE }];
  const title = orderTitle(`order of attendee ${attendee.id}`);
  return [
    { ...columns, _id: orderId, type: TC_ORDER, status: COMPLETED, title, slug: sanitizeTitle(title), meta: orderRows([facts]) },
    { ...shared, type: TC_ATTENDEE, parent: orderId },
  ];
}

/** Facts about a ticket besides its item in the list. */
export interface TicketSigns {
  holder: Holder;
  /** Its item in `tec/v1`, if it is sold and shown there. */
  plain?: StoredTicket | undefined;
  /** Its post in `wp/v2`, if it is an RSVP and shown there. */
  core?: CorePost | undefined;
  /** Its offer in the JSON-LD of the event. */
  offer?: { validFrom?: string; validThrough?: string } | undefined;
  /** Its stock, as the meta of the event in `wp/v2` names it. */
  mode?: string | undefined;
  /** URLs of the site, without trailing slash. */
  urls: readonly string[];
  /** Its position among the tickets of the event. */
  menuOrder: number;
}

type Rows = Record<string, string | string[]>;

/** A row for `withMetaOf`: an empty value has none. */
const row = (value: string): string | string[] => (value === '' ? [] : value);

/** The rows of an RSVP that `wp/v2` shows. */
const RSVP_KEYS = [KEYS.price, KEYS.stock, KEYS.capacity, KEYS.startDate, KEYS.endDate, KEYS.showsDescription, KEYS.mode];

const coreRows = ({ meta = {} }: CorePost): Rows => ({
  ...Object.fromEntries(RSVP_KEYS.flatMap((key) => (typeof meta[key] === 'string' ? [[key, row(meta[key])]] : []))),
  ...(meta[KEYS.showsNotGoing] === true ? { [KEYS.showsNotGoing]: '1' } : {}),
});

const MIDNIGHT = '00:00:00';
const END_OF_DAY = '23:59:59';

/**
 * Whether the time of day of an edge has its own row, beside the date; undefined: unknown. TEC: the list shows both rows as one text, and
 * offers only the row of the date.
 */
function isApart(text: string, offered: string | undefined): boolean | undefined {
  const [, time, further] = text.split(' ');
  if (time === undefined || further !== undefined) return further !== undefined;
  if (offered === undefined || time === MIDNIGHT) return undefined;
  return offered.slice(11, 19) === MIDNIGHT;
}

/** The rows of an edge: the last part of its text is the time of day if that is apart. */
function edgeRows(text: string, apart: boolean, [date, time]: readonly [string, string]): Rows {
  const at = apart ? text.lastIndexOf(' ') : text.length;
  return { [date]: row(text.slice(0, at)), [time]: row(text.slice(at + 1)) };
}

/** The rows of the period in which tickets are sold. What the site does not show is as the plugin stores it. */
function periodRows({ available_from: from, available_until: until }: Ticket, { holder, offer }: TicketSigns): Rows {
  const known = { from: isApart(from, offer?.validFrom), until: isApart(until, offer?.validThrough) };
  // An update without times stores both, each with its time of day apart.
  const isUpdated = known.until === true && (until.endsWith(END_OF_DAY) || until === holder.start);
  return {
    ...edgeRows(from, known.from ?? (isUpdated || from !== usualStart(holder)), [KEYS.startDate, KEYS.startTime]),
    ...edgeRows(until, known.until ?? until !== holder.start, [KEYS.endDate, KEYS.endTime]),
  };
}

function saleRows({ sale_price_data: sale }: Ticket): Rows {
  if (Array.isArray(sale)) return {};
  const { enabled, sale_price: price, start_date: start, end_date: end } = sale;
  return {
    [KEYS.isSale]: row(enabled),
    [KEYS.salePrice]: price === '' ? [] : String(Number(price)),
    [KEYS.saleStart]: row(start),
    [KEYS.saleEnd]: row(end),
  };
}

const yesNo = (flag: boolean | undefined): Rows => (flag === undefined ? {} : { [KEYS.showsDescription]: flag ? 'yes' : 'no' });

/** How many are sold; null: the site does not show it. */
export function soldOf({ capacity, capacity_details: { sold, available } }: Ticket, plain: StoredTicket | undefined): number | null {
  if (sold !== undefined) return sold;
  if (plain) return plain.sold;
  return capacity === '' || available < 0 ? null : Math.max(0, capacity - available);
}

export const priceOf = ({ cost_details: { values } }: Ticket): string => values[0] ?? '0';

function soldRows(ticket: Ticket, { plain, mode = ticket.capacity_details.global_stock_mode }: TicketSigns): Rows {
  return {
    ...(mode === undefined ? {} : { [KEYS.mode]: row(mode) }),
    ...(plain ? { [KEYS.sku]: row(plain.sku) } : {}),
    ...yesNo(plain?.show_description),
    ...saleRows(ticket),
  };
}

/** The original address of a ticket, relative to the site. WP: it depends on how the ticket was made. */
function guidOf({ plain, core, urls }: TicketSigns): { guid?: string } {
  const guid = (plain ?? core)?.guid?.rendered ?? '';
  const base = urls.find((url) => guid.startsWith(`${url}/`));
  return base === undefined ? {} : { guid: guid.slice(base.length) };
}

/** Converts a ticket or an RSVP. */
export function ticketPost(ticket: Ticket, signs: TicketSigns): Post {
  const { id, title, description, capacity, available_from: from, available_until: until } = ticket;
  const { holder, plain, core, menuOrder } = signs;
  const provider: Provider = ticket.provider === 'rsvp' ? 'rsvp' : 'tc';
  const columns = columnsOf(ticket);
  const sold = soldOf(ticket, plain) ?? 0;
  const facts: TicketFacts = {
    provider,
    id,
    author: columns.author,
    title,
    hasDescription: description !== '',
    holder,
    price: priceOf(ticket),
    capacity: capacity === '' ? null : capacity,
    sold,
    sale: null,
    from: null,
    until: null,
    sku: null,
  };
  const shown: Rows = {
    ...(ticket.type === '' ? {} : { [KEYS.type]: ticket.type }),
    [KEYS.stock]: capacity === '' ? [] : String(ticket.capacity_details.available),
    [KEYS.sold]: sold === 0 ? [] : String(sold),
    ...(provider === 'rsvp' ? { [KEYS.startDate]: row(from), [KEYS.endDate]: row(until) } : periodRows(ticket, signs)),
    ...(provider === 'tc' ? soldRows(ticket, signs) : core ? coreRows(core) : {}),
  };
  const content = plain?.content.rendered ?? core?.content?.rendered ?? '';
  const { rendered, ...texts } = storedTexts({ title: '', description: content, excerpt: '' }, rawOf(core));
  return {
    ...columns,
    ...texts,
    ...(rendered ? { rendered } : {}),
    ...guidOf(signs),
    type: provider === 'rsvp' ? RSVP_TICKET : TC_TICKET,
    title,
    excerpt: description,
    slug: plain?.slug ?? core?.slug ?? sanitizeTitle(title),
    password: core?.password ?? '',
    menuOrder,
    meta: withMetaOf(ticketRows(facts), shown),
  };
}

/* The lists of tickets of a site, page by page. */

const PLAIN_TICKETS = `${TEC_NAMESPACE}/tickets`;

/** Defaults of fields that some releases and providers do not show. */
const ABSENT = {
  description: '',
  capacity: '',
  capacity_details: { available_percentage: 100, available: -1 },
  cost_details: { values: [] },
  sale_price_data: [],
  available_from: '',
  available_until: '',
  type: '',
  attendees: [],
};

/** A ticket with all fields that a copy needs. */
function complete(shown: Ticket): Ticket {
  const known = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null)) as object as Ticket;
  const ticket = { ...ABSENT, ...known };
  return { ...ticket, attendees: Object.values(ticket.attendees), capacity: Number(ticket.capacity) < 0 ? '' : ticket.capacity };
}

/**
 * Yields the tickets and RSVPs, for users who manage attendees with their attendees.
 * @param onProblem receives what is wrong if the site does not show them
 */
export async function* listedTickets(fetcher: Fetcher, onProblem: (problem: string) => void): AsyncGenerator<Ticket> {
  const { signedIn, progress } = fetcher.options;
  const query = { ...(signedIn ? { post_status: 'any' } : {}), per_page: PAGE };
  const seen = new Set<number>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { status, json } = await fetcher.get<TicketList>(`${TICKETS_NAMESPACE}/tickets`, { ...query, page });
    if (status !== 200) {
      // A later page is missing if the list has become shorter in the meantime.
      if (page === 1) onProblem(responseProblem({ status, json, headers: {}, text: '', url: '' }));
      return;
    }
    pages = json.total_pages;
    for (const ticket of Object.values(json.tickets)) {
      if (ticket.id !== 0 && seen.has(ticket.id)) continue;
      seen.add(ticket.id);
      yield complete(ticket);
    }
    progress('Tickets', seen.size, json.total);
  }
}

/** Yields the tickets of `tec/v1`, which also shows their slugs, SKUs and how many are sold. RSVPs are not among them. */
export async function* plainTickets(fetcher: Fetcher): AsyncGenerator<StoredTicket> {
  if (!fetcher.live.routes.includes(`/${PLAIN_TICKETS}`)) return;
  const query = { per_page: CORE_PAGE, orderby: 'id', order: 'asc' };
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { status, json, pages = 1 } = await fetcher.get<StoredTicket[]>(PLAIN_TICKETS, { ...query, page }, ACKNOWLEDGED);
    if (status !== 200 || !Array.isArray(json)) return;
    yield* json;
    last = pages;
  }
}

/** Yields the RSVPs as `wp/v2` shows them: with their slugs and meta. */
export function coreRsvps(fetcher: Fetcher): AsyncGenerator<CorePost> {
  const all = { context: 'edit', status: 'publish,future,draft,pending,private' };
  return fetcher.coreList<CorePost>(RSVP_TICKET, {
    ...(fetcher.options.signedIn ? all : {}),
    _fields: 'id,slug,guid,password,content,meta',
  });
}
