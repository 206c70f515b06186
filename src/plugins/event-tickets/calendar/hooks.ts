import { metaValues, withMeta, type Post } from '../../../wordpress/model.js';
import { withDerivedColumns } from '../../../wordpress/posts/posts.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { AddedHooks } from '../../../wordpress/types/hooks.js';
import type { TicketOfferJsonLd } from '../../../sdk/types/responses.js';
import type { Site } from '../../../wordpress/site.js';
import type { CostFormat, StoredCost } from '../../the-events-calendar/model/cost.js';
import { EVENT } from '../../the-events-calendar/model/index.js';
import { storedTimes, costMeta } from '../../the-events-calendar/model/event-dates.js';
import { ticketCost } from '../model/cost.js';
import { TICKET_TYPES, currentPrice, KEYS, type Ticket } from '../model/ticket.js';
import { published, ticketsOf, ticketsOfEvents, isManager, ticketed, type EventTickets } from '../model/visible.js';

const costFormat = (event: Post, found: EventTickets): CostFormat | null =>
  ticketCost(
    published(found).map(({ provider }) => provider),
    costMeta(event).symbol,
  );

/** Few are left. */
const LIMITED = 5;

function availability({ available }: Ticket): string {
  if (available === 0) return 'SoldOut';
  return available > 0 && available <= LIMITED ? 'LimitedAvailability' : 'InStock';
}

/** A stored date as UTC. An RSVP shows no time. */
function instant(date: string, { provider }: Ticket): string {
  const [day, time = '00:00:00'] = date.split(' ');
  return `${day}T${provider === 'rsvp' ? '00:00:00' : time}+00:00`;
}

/** A ticket in the JSON-LD of its event. */
const offer = (ticket: Ticket, url: string, site: Site): TicketOfferJsonLd => ({
  '@type': 'Offer',
  url,
  price: currentPrice(ticket, site),
  category: 'primary',
  availability: availability(ticket),
  priceCurrency: 'USD',
  ...(ticket.startDate === '' ? {} : { validFrom: instant(ticket.startDate, ticket) }),
  ...(ticket.endDate === '' ? {} : { validThrough: instant(ticket.endDate, ticket) }),
});

/** The offers of the published tickets of an event or another post; null: it has none. */
export function offersOf(found: EventTickets, url: string, site: Site): TicketOfferJsonLd[] | null {
  const tickets = published(found);
  return tickets.length === 0 ? null : tickets.map((ticket) => offer(ticket, url, site));
}

function attendance({ attendance: { all, checkedIn } }: EventTickets, isWithheld: boolean): Json {
  if (isWithheld) return { total_attendees: 'null', checked_in: 'null', not_checked_in: 'null' };
  return { total_attendees: all, checked_in: checkedIn, not_checked_in: all - checkedIn };
}

async function eventsWithTickets({ store, quirks }: Site): Promise<number[]> {
  const statuses = quirks.has('ticketed-filter-counts-trash') ? {} : { status: { $ne: 'trash' } };
  const find = (): Promise<{ _id: number }[]> =>
    store.aggregate('posts', [
      { $match: { forEvent: { $gt: 0 }, type: { $in: [...TICKET_TYPES] }, ...statuses } },
      { $group: { _id: '$forEvent' } },
    ]);
  const name = `events with tickets ${JSON.stringify(statuses)}`;
  return store.cache.remember(name, async () => (await find()).map(({ _id }) => _id), 'posts');
}

async function ticketedEvents(isWanted: boolean, site: Site): Promise<Partial<PostQuery>> {
  const ids = await eventsWithTickets(site);
  return isWanted ? { ids } : { excludeIds: ids };
}

/** An update of an event without a cost stores the prices of its tickets. */
async function updatedCost(event: Post, site: Site): Promise<StoredCost | null> {
  if (!site.quirks.has('title-updates-replace-cost')) return null;
  const tickets = published(ticketsOf(event._id, { tickets: await ticketsOfEvents(site.store, [event._id]) }));
  if (tickets.length === 0) return null;
  return { values: tickets.map((ticket) => (ticket.provider === 'rsvp' ? '0' : currentPrice(ticket, site))), symbol: null, position: null };
}

/** The sale of the tickets of an event ends when it starts, unless that was changed by hand. A time of day beside the date stays. */
async function savedPost(site: Site, before: Post, after: Post): Promise<void> {
  const start = after.type === EVENT ? storedTimes(after).start : undefined;
  if (start === undefined || start === '' || start === storedTimes(before).start) return;
  const { tickets } = ticketsOf(after._id, { tickets: await ticketsOfEvents(site.store, [after._id]) });
  for (const { id, post } of tickets) {
    if (metaValues(post, KEYS.byHand).includes(KEYS.endDate)) continue;
    await site.store.changePost(id, (current) =>
      withDerivedColumns({ ...current, meta: withMeta(current.meta, KEYS.endDate, [start]) }, site.registry),
    );
  }
}

export const calendarHooks: AddedHooks = {
  eventCost: (event, { related }) => costFormat(event, ticketsOf(event._id, related)),
  eventOffers: (event, { site, related }, url) => offersOf(ticketsOf(event._id, related), url, site),
  eventMembers: (event, { site, user, related }, isWithheld) => {
    const found = ticketsOf(event._id, related);
    return {
      ...(isManager(user) ? { attendance: attendance(found, isWithheld) } : {}),
      ticketed: isWithheld ? null : ticketed(found, site.quirks),
    };
  },
  // Users who manage attendees also see events that are hidden from listings.
  eventQuery: ({ listed, ...query }, { request }) => (isManager(request.user) ? { ...query, scheduled: true } : { listed, ...query }),
  ticketedEvents,
  updatedCost,
  savedPost,
  tecEntity: async (registry) => (await import('../tec-v1/index.js')).ticketEntity(registry),
};
