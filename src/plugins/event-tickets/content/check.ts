import type { Ticket } from '../../../sdk/types/responses.js';
import { membersOf } from '../../../base/values/records.js';
import type { CheckPart } from '../../../transfer/live/check/content.js';
import { get, NOWHERE, query, spread, firstWord, ask } from '../../../transfer/live/check/requests.js';
import type { CheckRequest, SiteSamples, Side } from '../../../transfer/live/check/requests.js';

/* The requests for tickets (Event Tickets). Pages with tickets are not compared, and neither is what only the site's own users see. */

const TICKETS = { namespace: 'tribe/tickets/v1' } as const;
const PLAIN = { namespace: 'tec/v1' } as const;

const PAGE = 50;
/** Events in one request. */
const IDS = 20;
const ITEMS = 100;

/** Reads the tickets of events; none if the site does not show them. */
async function readTickets(side: Side, { events }: SiteSamples, progress: (what: string, done: number) => void): Promise<Ticket[]> {
  const known = new Set(events.map(({ id }) => id));
  const found: Ticket[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { status, json } = await ask(side, { ...TICKETS, route: `tickets?per_page=${PAGE}&page=${page}`, method: 'GET' });
    if (status !== 200) return found;
    const { tickets, total_pages: last } = membersOf(json) ?? {};
    pages = Number(last);
    // TEC: the ids of tickets that a password protects are 0.
    found.push(...((tickets ?? []) as Ticket[]).filter(({ id, post_id: event }) => id !== 0 && known.has(event)));
    progress('Reading tickets', found.length);
  }
  return found;
}

/** Whether a login gets what only users who manage attendees get. */
const managesAttendees = ({ events }: SiteSamples): boolean => events.some(({ attendance }) => attendance !== undefined);

function* attendeeRequests(tickets: readonly Ticket[], shown: string, most: number): Generator<CheckRequest> {
  yield get('tickets', `attendees?${shown}&orderby=id&order=ASC`, 200, TICKETS);
  yield get('tickets', `attendees?${shown}&orderby=id&checkedin=true`, 200, TICKETS);
  const ids = tickets.flatMap(({ attendees }) => attendees.map(({ id }) => id));
  for (const id of spread(ids, most)) yield get('tickets', `attendees/${id}`, 200, TICKETS);
}

/**
 * Yields the requests for the tickets of events.
 * @param most maximum number of single items of each kind; 0: all
 * @param options.hasPlain whether `tec/v1` has tickets
 * @param options.manages whether both sides show attendees
 */
function* ticketRequests(
  tickets: readonly Ticket[],
  most: number,
  { hasPlain, manages }: { hasPlain: boolean; manages: boolean },
): Generator<CheckRequest> {
  // Whether a sale applies today depends on the clock.
  const onClock = tickets.some(({ sale_price_data: sale }) => 'enabled' in sale && sale.enabled !== '') ? { clock: true as const } : {};
  const listed = { ...TICKETS, ...onClock };
  const words = tickets.flatMap(({ title }) => firstWord(title) ?? []).slice(0, 1);
  const searches = words.map((search) => query({ search }));
  const events = [...new Set(tickets.map(({ post_id: event }) => event))];
  for (let from = 0; from < events.length; from += IDS) {
    const shown = query({ include_post: events.slice(from, from + IDS).join(','), per_page: ITEMS });
    yield get('tickets', `tickets?${shown}`, 200, listed);
    if (from > 0) continue;
    for (const filter of ['provider=rsvp', 'provider=tickets-commerce', 'is_available=true', 'is_available=false', ...searches])
      yield get('tickets', `tickets?${shown}&${filter}`, 200, listed);
    if (manages)
      yield* attendeeRequests(
        tickets.filter(({ post_id: event }) => events.indexOf(event) < IDS),
        shown,
        most,
      );
  }
  for (const { id } of spread(tickets, most)) yield get('tickets', `tickets/${id}`, 200, listed);
  yield get('tickets', `tickets?include=${NOWHERE}`, 200, TICKETS);
  yield get('tickets', `tickets/${NOWHERE}`, 404, TICKETS);
  const plain = hasPlain ? tickets.filter(({ provider, status }) => provider === 'tc' && status === 'publish') : [];
  const withPlain = new Set(plain.map(({ post_id: event }) => event));
  for (const event of spread([...withPlain], most))
    yield get('tickets', `tickets?${query({ event, per_page: ITEMS, orderby: 'id', order: 'asc' })}`, 200, { ...PLAIN, ...onClock });
  for (const { id } of spread(plain, most)) yield get('tickets', `tickets/${id}`, 200, { ...PLAIN, ...onClock });
}

/** Compares tickets, and attendees where both sides show them. */
export const TICKET_CHECKS: CheckPart = {
  managed: (found) => (managesAttendees(found) ? 'attendees' : null),
  read: async (side, found, progress) => {
    const tickets = await readTickets(side, found, progress);
    const hasPlain = side.live.routes.includes('/tec/v1/tickets');
    // TEC: the filter also finds events whose tickets a copy cannot have, because a password protects them.
    const ticketed = found.events.some((event) => event.ticketed === null) ? [] : ['false', 'true'];
    return { eventSamples: { ticketed }, requests: (most, manages) => ticketRequests(tickets, most, { hasPlain, manages }) };
  },
};
