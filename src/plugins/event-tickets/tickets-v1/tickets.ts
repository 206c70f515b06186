import { filterBoolean, intval, isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { ANY_STATUS, type Post } from '../../../wordpress/model.js';
import { canEdit, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { foldForSearch } from '../../../wordpress/formatting/accents.js';
import { findPost } from '../../../wordpress/posts/posts.js';
import { isSearched } from '../../../wordpress/query/search.js';
import { RestError } from '../../../wordpress/rest/error.js';
import { tooManyGuesses, sentPassword } from '../../../wordpress/rest/post-password.js';
import { RestResponse } from '../../../wordpress/rest/response.js';
import { positiveInt } from '../../../wordpress/rest/checks.js';
import type { Json } from '../../../wordpress/rest/json.js';
import type { Args, CallContext, Endpoint, Route } from '../../../wordpress/rest/route.js';
import type { TicketFilters } from '../../../sdk/types/params.js';
import type { ArgsOf } from '../../the-events-calendar/calendar-v1/contract.js';
import { momentOf } from '../model/moments.js';
import { attendeeOf, type Attendee } from '../model/attendee.js';
import { ATTENDEE_TYPES, TICKET_TYPES } from '../model/names.js';
import { attendanceOf, ticketsOf, ticketsOfEvents } from '../model/related.js';
import { isManager } from '../model/rights.js';
import { ticketOf, type Ticket } from '../model/ticket.js';
import { eventsOf, isWithheld, mayReadEvent } from './access.js';
import { anything, existing, flag, ids, idsOf, integer, orders, pageOf, paging, providersOf, search, time, wordsOf } from './lists.js';
import { presentTicket } from './present-ticket.js';
import { TICKETS_NAMESPACE } from './names.js';

const PATH = `/${TICKETS_NAMESPACE}/tickets`;

const BOUNDS = ['attendees', 'checkedin', 'capacity'] as const;

const bounds = <Name extends (typeof BOUNDS)[number]>(name: Name) =>
  ({
    [`${name}_min`]: integer('At least this number.'),
    [`${name}_max`]: integer('At most this number.'),
  }) as Record<`${Name}_${'min' | 'max'}`, ReturnType<typeof integer>>;

const LIST = {
  ...paging('tickets'),
  search: search('Text to search for in title and description.'),
  ...orders(['id', 'include', 'title', 'slug']),
  is_available: flag('Only tickets of which some exist (true), or none (false).'),
  provider: anything('Providers: rsvp, tickets-commerce.'),
  after: time('Only tickets published after this time.'),
  before: time('Only tickets published before this time.'),
  include: ids('Only these tickets, by ID.'),
  exclude: ids('All but these tickets, by ID.'),
  include_post: existing('Only tickets of these events, by ID.'),
  exclude_post: existing('Only tickets of other events than these, by ID.'),
  ...bounds('attendees'),
  ...bounds('checkedin'),
  ...bounds('capacity'),
  available_from: time('Only tickets that are available from this time or later.'),
  available_until: time('Only tickets that are available until this time or earlier.'),
  post_status: anything('Statuses of the events.'),
  status: anything('Statuses of the tickets.'),
  currency: anything('Currency.'),
  attendee_information_available: flag('Whether attendees have more fields.'),
} satisfies ArgsOf<TicketFilters>;

/** The statuses that a parameter allows. */
function statusesOf(context: CallContext, name: 'post_status' | 'status'): (status: string) => boolean {
  const { request, site } = context;
  const given = wordsOf(context, name);
  const isAny = given?.includes('any') === true;
  if (isManager(request.user)) {
    if (given === undefined) return name === 'post_status' ? () => true : (status) => status !== 'trash';
    return (status) => (isAny && ANY_STATUS.includes(status)) || (given.includes(status) && (name === 'post_status' || status !== 'trash'));
  }
  const mayRead = canWithPosts(request.user, 'read_private');
  if (given === undefined || (isAny && !mayRead)) return (status) => status === 'publish';
  if (mayRead && name === 'post_status') return (status) => isAny || given.includes(status);
  const takesAll = name === 'post_status' && given.includes('publish') && site.quirks.has('ticket-status-shows-drafts');
  return (status) => given.includes(status) && (takesAll || status === 'publish');
}

/** Bounds of a number. Only users who manage attendees may set them. */
function bounded(context: CallContext, name: (typeof BOUNDS)[number], value: (ticket: Ticket) => number): (ticket: Ticket) => boolean {
  const { request } = context;
  const [min, max] = ['min', 'max'].map((end) => request.get(`${name}_${end}`));
  if (!isManager(request.user) || (min === undefined && max === undefined)) return () => true;
  const [low, high] = [min === undefined ? -Infinity : intval(min), max === undefined ? Infinity : intval(max)];
  if (name !== 'capacity' && min === undefined && high === 0) return () => false;
  return (ticket) => {
    const number = value(ticket);
    if (name === 'capacity' && number < 0) return max === undefined;
    return number >= low && number <= high;
  };
}

/** The words that a request searches for. WP: a text that is too long is not searched for. */
function wordsOfSearch({ request }: CallContext): string[] {
  const text = toStr(request.get('search') ?? '');
  const words = isSearched(text) ? foldForSearch(text).split(/\s+/) : [];
  return [...new Set(words)].filter((word) => word !== '');
}

function hasWords({ title, excerpt, content }: Post, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = foldForSearch(`${title} ${excerpt} ${content}`);
  return words.every((word) => texts.includes(word));
}

/** Whether tickets match the parameters of a list that concern nothing but the ticket. */
function matcher(context: CallContext): (ticket: Ticket) => boolean {
  const { request, site } = context;
  const words = wordsOfSearch(context);
  const providers = providersOf(context);
  const available = request.get('is_available');
  const isAvailable = available === undefined ? undefined : filterBoolean(available);
  const [only, not] = [idsOf(context, 'include'), idsOf(context, 'exclude')];
  const [events, notEvents] = [idsOf(context, 'include_post'), idsOf(context, 'exclude_post')];
  const [after, before] = ['after', 'before'].map((name) => momentOf(request.get(name), site));
  const [from, until] = ['available_from', 'available_until'].map((name) => momentOf(request.get(name), site));
  const currency = toStr(request.get('currency') ?? '');
  const findsNothing = currency !== '' && (currency !== 'USD' || site.quirks.has('ticket-lists-ignore-parameters'));
  const statuses = statusesOf(context, 'status');
  return (ticket) => {
    const { post, id, event, provider, capacity } = ticket;
    return (
      !findsNothing &&
      statuses(post.status) &&
      (providers?.has(provider) ?? true) &&
      (isAvailable === undefined || (isAvailable ? capacity > 0 : capacity === 0)) &&
      (only?.has(id) ?? true) &&
      !not?.has(id) &&
      (events?.has(event) ?? true) &&
      !notEvents?.has(event) &&
      (after === undefined || post.date > after) &&
      (before === undefined || post.date < before) &&
      (from === undefined || ticket.startDate >= from) &&
      (until === undefined || (ticket.endDate !== '' && ticket.endDate <= until)) &&
      hasWords(post, words)
    );
  };
}

function inOrder({ request, site }: CallContext, tickets: readonly Ticket[]): Ticket[] {
  const by = request.get('orderby');
  const isFixed = site.quirks.has('ticket-lists-ignore-parameters');
  const descending = request.get('order') === 'DESC';
  const title = (a: Ticket, b: Ticket): number => (a.post.titleKey ?? '').localeCompare(b.post.titleKey ?? '') || a.id - b.id;
  const column = (a: Ticket, b: Ticket): number => {
    if (by === 'title') return title(a, b);
    return by === undefined || !isFixed ? a.id - b.id : a.post.date.localeCompare(b.post.date) || a.id - b.id;
  };
  const isReversed = isFixed ? by !== undefined : descending;
  return tickets.toSorted((a, b) => (isReversed ? column(b, a) : column(a, b)));
}

/** All tickets, with what decides who sees them of their events, by id. Read once after each write. */
const allTickets = ({ site: { store } }: CallContext): Promise<{ tickets: Ticket[]; events: Map<number, Post> }> =>
  store.cache.remember(
    'tickets',
    async () => {
      const tickets = (await store.posts.find({ type: { $in: [...TICKET_TYPES] } }).toArray()).map(ticketOf);
      const withTickets = [...new Set(tickets.map(({ event }) => event))];
      const found = await store.posts.find({ _id: { $in: withTickets } }, { projection: { status: 1, password: 1 } }).toArray();
      return { tickets, events: new Map(found.map((event) => [event._id, event])) };
    },
    'posts',
  );

/** The attendees of tickets, by id of the ticket, in the order of their ids. */
async function attendeesOf({ site: { store } }: CallContext, tickets: readonly Ticket[]): Promise<Map<number, Attendee[]>> {
  const wanted = tickets.map(({ id }) => id);
  const rows = await store.posts
    .find({ forTicket: { $in: wanted }, type: { $in: [...ATTENDEE_TYPES] }, status: { $ne: 'trash' } })
    .sort({ _id: 1 })
    .toArray();
  const found = new Map<number, Attendee[]>();
  for (const attendee of rows.map(attendeeOf)) found.set(attendee.ticket, [...(found.get(attendee.ticket) ?? []), attendee]);
  return found;
}

async function list(context: CallContext): Promise<RestResponse> {
  const { site, request } = context;
  const manages = isManager(request.user);
  const { tickets: all, events } = await allTickets(context);
  const matching = all.filter(matcher(context));
  const statuses = statusesOf(context, 'post_status');
  const counts = manages && BOUNDS.some((name) => request.get(`${name}_min`) !== undefined || request.get(`${name}_max`) !== undefined);
  const found = counts ? await ticketsOfEvents(site.store, [...new Set(matching.map(({ event }) => event))]) : new Map<never, never>();
  const attendance = (ticket: Ticket) => attendanceOf(ticket.id, ticketsOf(ticket.event, { tickets: found }));
  const isWithin = [
    bounded(context, 'attendees', (ticket) => attendance(ticket).all),
    bounded(context, 'checkedin', (ticket) => attendance(ticket).checkedIn),
    bounded(context, 'capacity', ({ capacity }) => capacity),
  ];
  const looksBehind = wordsOfSearch(context).length === 0 || site.quirks.has('search-looks-behind-passwords');
  const shown = matching.filter((ticket) => {
    const event = events.get(ticket.event);
    if (event === undefined || !statuses(event.status) || (!looksBehind && isWithheld(event, context))) return false;
    return isWithin.every((check) => check(ticket));
  });
  return pageOf({
    context,
    args: LIST,
    path: PATH,
    key: 'tickets',
    all: inOrder(context, shown),
    show: async (page) => {
      const tickets = manages ? await ticketsOfEvents(site.store, [...new Set(page.map(({ event }) => event))]) : new Map<never, never>();
      const attendees = manages ? await attendeesOf(context, page) : new Map<never, never>();
      return page.map((ticket) =>
        presentTicket(ticket, {
          site,
          manages,
          isDetailed: false,
          isWithheld: isWithheld(events.get(ticket.event), context),
          attendees: attendees.get(ticket.id) ?? [],
          attendance: attendanceOf(ticket.id, ticketsOf(ticket.event, { tickets })),
        }),
      );
    },
  });
}

const refusal = (code: 'ticket-not-found' | 'ticket-not-accessible'): RestError =>
  new RestError(code, code, code === 'ticket-not-found' ? 404 : 401);

/** The ticket that a request names, with its event. @throws RestError */
async function named(context: CallContext): Promise<{ ticket: Ticket; event: Post | undefined }> {
  const { request, site } = context;
  const post = await findPost(site.store, intval(request.get('id')));
  if (!post) throw refusal('ticket-not-found');
  const isTicket = (TICKET_TYPES as readonly string[]).includes(post.type);
  const passes = site.quirks.has('attendees-pass-as-tickets') && (ATTENDEE_TYPES as readonly string[]).includes(post.type);
  if (!isTicket && !passes) throw refusal('ticket-not-accessible');
  const ticket = isTicket ? ticketOf(post) : { ...ticketOf(post), event: attendeeOf(post).event };
  const event = (await eventsOf(context, [ticket])).get(ticket.event);
  const isShown = isManager(request.user) || post.status === 'publish';
  if (!isShown || !mayReadEvent(event, context)) throw refusal('ticket-not-accessible');
  return { ticket, event };
}

async function single(context: CallContext): Promise<RestResponse> {
  const { request, site } = context;
  const { ticket, event } = await named(context);
  const refused = event && tooManyGuesses(sentPassword(request, site), event);
  if (refused) throw refused;
  const manages = isManager(request.user);
  const tickets = manages ? await ticketsOfEvents(site.store, [ticket.event]) : new Map<never, never>();
  const attendees = manages ? await attendeesOf(context, [ticket]) : new Map<number, Attendee[]>();
  return new RestResponse(
    presentTicket(ticket, {
      site,
      manages,
      isDetailed: canEdit(request.user, ticket.post, site.registry),
      isWithheld: isWithheld(event, context),
      attendees: attendees.get(ticket.id) ?? [],
      attendance: attendanceOf(ticket.id, ticketsOf(ticket.event, { tickets })),
    }),
  );
}

/** Tickets are written by pages with a nonce, which need a session. */
const withoutNonce = (): never => {
  throw new RestError('forbidden', 'Invalid nonce', 403);
};

const nonced = (methods: Endpoint['methods'], nonce: string): Endpoint => ({
  methods,
  args: {
    id: ID,
    post_id: { type: 'integer', required: true, description: 'ID of the event.' },
    [nonce]: { type: 'string', required: true, description: 'Nonce of the action.' },
  },
  permission: 'public',
  handler: withoutNonce,
});

const ID: Args[string] = {
  type: 'integer',
  required: true,
  captured: true,
  description: 'ID of the ticket.',
  validate: (value, context) => isNumeric(value) && !isEmpty(value) && positiveInt(value, context),
};

/** TEC: what the index lists as the arguments of `POST /tickets`, by mistake. */
const MISTAKEN_ARGS: Json[] = [
  { required: false },
  {
    description: {
      type: 'string',
      in: 'body',
      validate_callback: [{}, 'is_string_or_empty'],
      sanitize_callback: 'sanitize_text_field',
      default: '',
    },
    required: false,
  },
];

export const ticketRoutes = (): Route[] => [
  {
    path: PATH,
    endpoints: [
      { methods: ['GET'], args: LIST, permission: 'public', handler: list },
      { methods: ['POST'], args: {}, listedArgs: MISTAKEN_ARGS, permission: 'public', handler: withoutNonce },
    ],
  },
  {
    path: `${PATH}/(?P<id>\\d+)`,
    endpoints: [
      { methods: ['GET'], args: { id: ID }, permission: 'public', handler: single },
      nonced(['POST', 'PUT', 'PATCH'], 'edit_ticket_nonce'),
      nonced(['DELETE'], 'remove_ticket_nonce'),
    ],
  },
];
