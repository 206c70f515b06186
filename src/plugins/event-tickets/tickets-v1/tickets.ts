import { asJson } from '../../../base/values/records.js';
import { intval, filterBoolean, toStr } from '../../../base/php/cast.js';
import { type Post, ANY_STATUS } from '../../../wordpress/model.js';
import { canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { findPost, countPosts, findPosts, idsAmong, listPosts } from '../../../wordpress/posts/posts.js';
import { tooManyGuesses, sentPassword } from '../../../wordpress/rest/post-password.js';
import { RestResponse, type Args, type CallContext, type Endpoint, type Route, RestError } from '../../../wordpress/rest/route.js';
import { type Json, parseCookies } from '../../../wordpress/rest/request.js';
import { attendeeOf, listsAttendees, type Attendee } from '../model/attendee.js';
import { ATTENDEE_TYPES, TICKET_TYPES, ticketOf, type Ticket, TYPE_OF } from '../model/ticket.js';
import { manages, attendanceOf, ticketedIds, ticketsOf, ticketsOfEvents } from '../model/visible.js';
import type { PostQuery } from '../../../wordpress/query/post-query.js';
import { isSearched, parseSearch } from '../../../wordpress/query/search.js';
import type { TicketFilters } from '../../../sdk/types/params.js';
import type { ArgsOf } from '../../the-events-calendar/calendar-v1/validators.js';
import { momentOf } from '../model/moments.js';
import * as lists from './lists.js';
import { TICKETS_NAMESPACE } from './names.js';
import { presentTicket } from './present-ticket.js';
import { cookiePassword } from '../../../wordpress/pages/sign-in/login.js';
import doc from './doc.json' with { type: 'json' };

/** The events of tickets or attendees, by id. */
async function eventsOf({ site }: CallContext, items: readonly { event: number }[]): Promise<Map<number, Post>> {
  const wanted = [...new Set(items.map(({ event }) => event))].filter((id) => id > 0);
  return new Map((await findPosts(site.store, wanted)).map((post) => [post._id, post]));
}

/** Whether a caller may see that an event exists. */
const mayReadEvent = (event: Post | undefined, context: CallContext): boolean =>
  event !== undefined && (manages(context) || (event.status !== 'trash' && canRead(context.request.user, event, context.site.registry)));

/** Tells whether the password of an event hides its tickets and attendees from a caller, who may have it in a parameter or a cookie. */
export async function withheldFrom(context: CallContext): Promise<(event: Post | undefined) => boolean> {
  const { request, site } = context;
  const { address, headers } = request;
  const passwords = [sentPassword(request, site), await cookiePassword(site, { cookies: parseCookies(headers.cookie), address })];
  return (event) =>
    event !== undefined && event.password !== '' && !manages(context) && !passwords.some((password) => password?.opens(event));
}

type Events = ReadonlyMap<number, Post>;

/**
 * The attendees that a caller sees with tickets, by id of the ticket, in the order of their ids: of events whose text lists them, those who
 * come and did not opt out; users who manage attendees see all.
 */
async function attendeesOf(context: CallContext, tickets: readonly Ticket[], events: Events): Promise<Map<number, Attendee[]>> {
  const { store, quirks } = context.site;
  const seesAll = manages(context);
  const isListed = ({ event }: Ticket): boolean => quirks.has('attendees-are-public') && listsAttendees(events.get(event));
  const wanted = tickets.filter((ticket) => seesAll || isListed(ticket)).map(({ id }) => id);
  const found = new Map<number, Attendee[]>();
  if (wanted.length === 0) return found;
  const status = seesAll ? { $ne: 'trash' } : 'publish';
  const rows = await store.posts
    .find({ forTicket: { $in: wanted }, type: { $in: [...ATTENDEE_TYPES] }, status })
    .sort({ _id: 1 })
    .toArray();
  for (const attendee of rows.map(attendeeOf))
    if (seesAll || (attendee.isGoing && !attendee.isOptedOut))
      found.set(attendee.ticket, [...(found.get(attendee.ticket) ?? []), attendee]);
  return found;
}

/** Reads at once what tickets are shown with. @returns shows one of them; `isDetailed`: as the only one, to a user who may edit it */
async function ticketsFor(
  context: CallContext,
  tickets: readonly Ticket[],
  events: Events,
): Promise<(ticket: Ticket, isDetailed?: boolean) => Json> {
  const { site } = context;
  const isManaged = manages(context);
  const [found, attendees, isWithheld] = await Promise.all([
    ticketsOfEvents(site.store, isManaged ? [...events.keys()] : []),
    attendeesOf(context, tickets, events),
    withheldFrom(context),
  ]);
  return (ticket, isDetailed = false) =>
    presentTicket(ticket, {
      site,
      manages: isManaged,
      isDetailed,
      isWithheld: isWithheld(events.get(ticket.event)),
      attendees: attendees.get(ticket.id) ?? [],
      attendance: attendanceOf(ticket.id, ticketsOf(ticket.event, { tickets: found })),
    });
}

const PATH = `/${TICKETS_NAMESPACE}/tickets`;

const BOUNDS = ['attendees', 'checkedin', 'capacity'] as const;

const bounds = <Name extends (typeof BOUNDS)[number]>(name: Name) =>
  ({
    [`${name}_min`]: lists.integer('At least this number.'),
    [`${name}_max`]: lists.integer('At most this number.'),
  }) as Record<`${Name}_${'min' | 'max'}`, ReturnType<typeof lists.integer>>;

export const TICKET_LIST = {
  ...lists.paging('tickets'),
  search: lists.search('Text to search for in title and description.'),
  ...lists.orders(['id', 'include', 'title', 'slug']),
  is_available: lists.flag('Only tickets of which some exist (true), or none (false).'),
  provider: lists.anything('Providers: rsvp, tickets-commerce.'),
  after: lists.time('Only tickets published at this time or later.'),
  before: lists.time('Only tickets published at this time or earlier.'),
  include: lists.ids('Only these tickets, by ID.'),
  exclude: lists.ids('All but these tickets, by ID.'),
  include_post: lists.existing('Only tickets of these events, by ID.'),
  exclude_post: lists.existing('Only tickets of other events than these, by ID.'),
  ...bounds('attendees'),
  ...bounds('checkedin'),
  ...bounds('capacity'),
  available_from: lists.time('Only tickets that are available from this time or later.'),
  available_until: lists.time('Only tickets that are available until this time or earlier.'),
  post_status: lists.anything('Statuses of the events.'),
  status: lists.anything('Statuses of the tickets.'),
  currency: lists.anything('Currency.'),
  attendee_information_available: lists.flag('Whether attendees have more fields.'),
} satisfies ArgsOf<TicketFilters>;

/** The statuses of tickets that a request wants, of the ones that its caller may see. */
function ticketStatuses(context: CallContext): string[] {
  const { request, site } = context;
  const given = lists.wordsOf(context, 'status');
  const isAny = given?.includes('any') === true;
  if (manages(context)) {
    const wanted = given ? [...(isAny ? ANY_STATUS : []), ...given] : site.registry.statuses.map(({ name }) => name);
    return wanted.filter((status) => status !== 'trash');
  }
  const isWanted = given === undefined || given.includes('publish') || (isAny && !canWithPosts(request.user, 'read_private'));
  return isWanted ? ['publish'] : [];
}

/** The statuses of events that a request wants, of the ones that its caller may see; null: any. */
function eventStatuses(context: CallContext): string[] | null {
  const { request, site } = context;
  const given = lists.wordsOf(context, 'post_status');
  const isAny = given?.includes('any') === true;
  if (manages(context)) return given ? [...(isAny ? ANY_STATUS : []), ...given] : null;
  const mayRead = canWithPosts(request.user, 'read_private');
  if (given === undefined || (isAny && !mayRead)) return ['publish'];
  if (mayRead) return isAny ? null : given;
  if (!given.includes('publish')) return [];
  return site.quirks.has('ticket-status-shows-drafts') ? given : ['publish'];
}

/** The text that a request searches for; undefined: none. WP: a text that is too long is not searched for. */
function searchOf({ request }: CallContext): string | undefined {
  const text = toStr(request.get('search') ?? '');
  return isSearched(text) && text.trim() !== '' ? text : undefined;
}

/** The ids, out of some, of events whose tickets a caller may see. A search finds nothing that is protected: the total would tell. */
async function visibleEvents(context: CallContext, events: readonly number[]): Promise<number[]> {
  const { request, site } = context;
  const { store, quirks } = site;
  const statuses = eventStatuses(context);
  const seen = await idsAmong(store, events, statuses ? { status: { $in: statuses } } : {});
  if (searchOf(context) === undefined || manages(context) || quirks.has('search-looks-behind-passwords')) return seen;
  const open = new Set(await idsAmong(store, seen, { password: '' }));
  const password = sentPassword(request, site);
  if (!password) return [...open];
  const opened = (
    await findPosts(
      store,
      seen.filter((id) => !open.has(id)),
    )
  ).filter((event) => password.opens(event));
  return [...open, ...opened.map(({ _id }) => _id)];
}

/** Restricts a list to the tickets of events that a request wants, and may see. Mostly the others are few. */
async function ofEvents(context: CallContext): Promise<Partial<PostQuery>> {
  const all = await ticketedIds(context.site.store);
  const [only, not] = [lists.idsOf(context, 'include_post'), lists.idsOf(context, 'exclude_post')];
  const wanted = all.filter((id) => (only?.has(id) ?? true) && !not?.has(id));
  const seen = new Set(await visibleEvents(context, wanted));
  if (2 * seen.size < all.length) return { forEvents: [...seen] };
  const others = all.filter((id) => !seen.has(id));
  return { forAnyEvent: true, ...(others.length === 0 ? {} : { notForEvents: others }) };
}

type Bounds = { min?: number; max?: number };

/** The bounds of a number; null: none. Only users who manage attendees may set them. */
function boundsOf(context: CallContext, name: (typeof BOUNDS)[number]): Bounds | null {
  const { request } = context;
  const [min, max] = ['min', 'max'].map((end) => request.get(`${name}_${end}`));
  if (!manages(context) || (min === undefined && max === undefined)) return null;
  return { ...(min === undefined ? {} : { min: intval(min) }), ...(max === undefined ? {} : { max: intval(max) }) };
}

/** Whether a number is within bounds. TEC: nothing is at most 0. */
const isWithin = (count: number, { min, max }: Bounds): boolean =>
  count >= (min ?? -Infinity) && count <= (max ?? Infinity) && (min !== undefined || max !== 0);

/** The tickets whose numbers of attendees are within the bounds of a request; null: all. */
async function byAttendance(context: CallContext): Promise<number[] | null> {
  const [all, checkedIn] = [boundsOf(context, 'attendees'), boundsOf(context, 'checkedin')];
  if (!all && !checkedIn) return null;
  const { store } = context.site;
  const tickets = await store.posts.find({ type: { $in: [...TICKET_TYPES] } }, { projection: { forEvent: 1 } }).toArray();
  const found = await ticketsOfEvents(store, [...new Set(tickets.map(({ forEvent = 0 }) => forEvent))]);
  return tickets.flatMap(({ _id, forEvent = 0 }) => {
    const attendance = attendanceOf(_id, ticketsOf(forEvent, { tickets: found }));
    return isWithin(attendance.all, all ?? {}) && isWithin(attendance.checkedIn, checkedIn ?? {}) ? [_id] : [];
  });
}

/** The ids that a list is restricted to; undefined: none. */
async function onlyIds(context: CallContext): Promise<number[] | undefined> {
  const [sent, counted] = [lists.idsOf(context, 'include'), await byAttendance(context)];
  if (!sent) return counted ?? undefined;
  return counted ? counted.filter((id) => sent.has(id)) : [...sent];
}

/** The order of a list. TEC: by title always descending, by anything else the latest first, and otherwise by id. */
function orderOf({ request, site }: CallContext): PostQuery['sort'] {
  const by = request.get('orderby');
  if (site.quirks.has('ticket-lists-ignore-parameters'))
    return by === undefined ? { by: 'id', descending: false } : { by: by === 'title' ? 'title' : 'date', descending: true };
  const descending = request.get('order') === 'DESC';
  if (by === 'include' && request.get('include') !== undefined) return { by: 'ids' };
  return { by: by === 'title' || by === 'slug' ? by : 'id', descending };
}

const NOTHING = { ids: [] };

/** Whether a request wants what no ticket has. */
function findsNothing({ request, site }: CallContext): boolean {
  const currency = toStr(request.get('currency') ?? '');
  return currency !== '' && (currency !== 'USD' || site.quirks.has('ticket-lists-ignore-parameters'));
}

async function queryOf(context: CallContext): Promise<Omit<PostQuery, 'limit' | 'offset'>> {
  const { request, site } = context;
  const providers = lists.providersOf(context);
  const available = request.get('is_available');
  const not = lists.idsOf(context, 'exclude');
  const text = searchOf(context);
  const { after, before } = lists.publishedBetween(context);
  const [from, until] = ['available_from', 'available_until'].map((name) => momentOf(request.get(name), site));
  const places = boundsOf(context, 'capacity');
  return {
    type: providers ? [...providers].flatMap((provider) => provider ?? []).map((provider) => TYPE_OF[provider]) : TICKET_TYPES,
    statuses: ticketStatuses(context),
    ids: await onlyIds(context),
    ...(not ? { excludeIds: [...not] } : {}),
    ...(await ofEvents(context)),
    ...(available === undefined ? {} : { hasPlaces: filterBoolean(available) === true }),
    ...(places ? { places } : {}),
    published: [
      ...(after === undefined ? [] : [{ column: 'date', operator: '$gte', value: after } as const]),
      ...(before === undefined ? [] : [{ column: 'date', operator: '$lte', value: before } as const]),
    ],
    saleFrom: from,
    saleUntil: until,
    ...(text === undefined ? {} : { search: { ...parseSearch(text), fields: [0, 1, 2] } }),
    ...(findsNothing(context) ? NOTHING : {}),
    sort: orderOf(context),
  };
}

async function listTickets(context: CallContext): Promise<RestResponse> {
  const { store } = context.site;
  const query = await queryOf(context);
  const hasNone = query.ids?.length === 0 || query.forEvents?.length === 0;
  return lists.pageOf({
    context,
    args: TICKET_LIST,
    path: PATH,
    key: 'tickets',
    found: hasNone ? 0 : await countPosts(store, { ...query, limit: 0, offset: 0 }),
    show: async (offset, limit) => {
      const page = (await listPosts(store, { ...query, limit, offset })).map(ticketOf);
      const show = await ticketsFor(context, page, await eventsOf(context, page));
      return page.map((ticket) => show(ticket));
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
  const isShown = manages(context) || (post.status !== 'trash' && canRead(request.user, post, site.registry));
  if (!isShown || !mayReadEvent(event, context)) throw refusal('ticket-not-accessible');
  return { ticket, event };
}

async function single(context: CallContext): Promise<RestResponse> {
  const { request, site } = context;
  const { ticket, event } = await named(context);
  const refused = event && tooManyGuesses(sentPassword(request, site), event);
  if (refused) throw refused;
  const show = await ticketsFor(context, [ticket], new Map(event ? [[event._id, event]] : []));
  return new RestResponse(show(ticket, canEdit(request.user, ticket.post, site.registry)));
}

/** Tickets are written by pages with a nonce, which need a session. */
const withoutNonce = (): never => {
  throw new RestError('forbidden', 'Invalid nonce', 403);
};

export const TICKET_ID = lists.captured('ID of the ticket.');

const nonced = (methods: Endpoint['methods'], nonce: string, fields: Args = {}): Endpoint => ({
  methods,
  args: {
    id: TICKET_ID,
    post_id: { type: 'integer', required: true, description: '' },
    [nonce]: { type: 'string', required: true, description: '' },
    ...fields,
  },
  permission: 'public',
  handler: withoutNonce,
});

/** Texts of a ticket that a page of the plugin sends. */
const TEXTS = ['name', 'description', 'price', 'show_description', 'start_date', 'start_time', 'end_date', 'end_time', 'sku', 'iac'];

const FIELDS: Args = {
  ...Object.fromEntries(
    TEXTS.map((name) => [name, { type: 'string', description: '', default: name === 'show_description' ? 'yes' : '' } as const]),
  ),
  ticket: { type: 'object', description: '' },
};

/** TEC: what the index lists as the arguments of `POST /tickets`, by mistake. */
const MISTAKEN_ARGS = asJson(doc.mistakenArgs);

export const ticketRoutes = (): Route[] => [
  {
    path: PATH,
    endpoints: [
      { methods: ['GET'], args: TICKET_LIST, permission: 'public', handler: listTickets },
      { methods: ['POST'], args: {}, listedArgs: MISTAKEN_ARGS, permission: 'public', handler: withoutNonce },
    ],
  },
  {
    path: `${PATH}/(?P<id>\\d+)`,
    endpoints: [
      { methods: ['GET'], args: { id: TICKET_ID }, permission: 'public', handler: single },
      nonced(['POST', 'PUT', 'PATCH'], 'edit_ticket_nonce', FIELDS),
      nonced(['DELETE'], 'remove_ticket_nonce'),
    ],
  },
];
