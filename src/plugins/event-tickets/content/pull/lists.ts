import { RSVP_TICKET } from '../../model/ticket.js';
import { TICKETS_NAMESPACE } from '../../tickets-v1/names.js';
import { ACKNOWLEDGED, TEC_NAMESPACE } from '../../../the-events-calendar/tec-v1/routes.js';
import type { StoredTicket, Ticket, TicketList } from '../../../../sdk/types/responses.js';
import { responseProblem } from '../../../../transfer/live/client/problems.js';
import { CORE_PAGE, PAGE, type Fetcher } from '../../../../transfer/live/pull/fetch.js';
import type { CorePost } from '../../../../transfer/live/pull/summary.js';

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
