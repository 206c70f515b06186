import { filterBoolean, intval, isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import { foldForSearch } from '../../../wordpress/formatting/accents.js';
import { isEmail } from '../../../wordpress/formatting/email.js';
import { findPost, findPosts } from '../../../wordpress/posts/posts.js';
import type { Store } from '../../../wordpress/store.js';
import type { Json } from '../../../wordpress/rest/request.js';
import { RestResponse, type Args, type CallContext, type Route, RestError } from '../../../wordpress/rest/route.js';
import type { AttendeeChanges, AttendeeFields, AttendeeFilters, ById } from '../../../sdk/types/params.js';
import type { ArgsOf } from '../../the-events-calendar/calendar-v1/validators.js';
import { attendeeOf, ATTENDEE_KEYS, BY_APP, type Attendee } from '../model/attendee.js';
import { attendeesInOrder, shownBy, shownByAll, type ShownBy } from '../model/known-attendees.js';
import { ATTENDEE_TYPES, TICKET_TYPES, ticketOf, type Ticket } from '../model/ticket.js';
import { manages, hasAppKey } from '../model/visible.js';
import { withheldFrom } from './tickets.js';
import { createAttendee, updateAttendee, checkInByApp, hasPaid } from './attendee-write.js';
import * as lists from './lists.js';
import { presentAttendee } from './present-attendee.js';
import { TICKETS_NAMESPACE } from './names.js';
import { mysqlDate, secondsToWall } from '../../../base/php/date.js';
import { storedTimes } from '../../the-events-calendar/model/event-dates.js';
import { EVENT } from '../../the-events-calendar/model/index.js';

const PATH = `/${TICKETS_NAMESPACE}/attendees`;

const { page, per_page } = lists.paging('attendees');

export const ATTENDEE_LIST = {
  page,
  per_page,
  provider: lists.text('Providers: rsvp, tickets-commerce.'),
  search: lists.search('Text to search for in names.'),
  ...lists.orders(['id', 'date', 'include', 'title', 'slug']),
  post_id: { ...lists.existing('Only attendees of this event, by ID.'), type: 'integer' },
  ticket_id: { ...lists.existing('Only attendees with this ticket, by ID.', TICKET_TYPES), type: 'integer' },
  after: lists.time('Only attendees added at this time or later.'),
  before: lists.time('Only attendees added at this time or earlier.'),
  include: lists.ids('Only these attendees, by ID.'),
  exclude: lists.ids('All but these attendees, by ID.'),
  price_max: lists.integer('At most this price.'),
  price_min: lists.integer('At least this price.'),
  include_post: lists.existing('Only attendees of these events, by ID.'),
  exclude_post: lists.existing('Only attendees of other events than these, by ID.'),
  include_ticket: lists.anything('Only attendees with these tickets, by ID.'),
  exclude_ticket: lists.anything('Only attendees with other tickets than these, by ID.'),
  post_status: lists.anything('Statuses of the events.'),
  status: lists.anything('Statuses of the attendees.'),
  order_status: lists.anything('Statuses of the orders.'),
  checkedin: lists.flag('Only attendees who are checked in (true), or who are not (false).'),
  rsvp_going_status: lists.anything('Whether attendees of an RSVP come: yes, no.'),
  attendee_information_available: lists.flag('Whether attendees have more fields.'),
  name: lists.text('Part of the name.'),
  email: lists.text('Part of the email address.'),
} satisfies ArgsOf<AttendeeFilters>;

/** Who sees an attendee. */
type Visible = (attendee: Attendee) => boolean;

/** Attendees that callers see who do not manage them: at published events, who come and did not opt out. */
async function visibleTo(context: CallContext, find: (store: Store) => Promise<ShownBy>): Promise<Visible> {
  const { site } = context;
  if (manages(context)) return () => true;
  if (!site.quirks.has('attendees-are-public')) return () => false;
  const shown = await find(site.store);
  const isWithheld = await withheldFrom(context);
  const opened = (await findPosts(site.store, shown.protected)).filter((event) => !isWithheld(event));
  const events = new Set([...shown.open, ...opened.map(({ _id }) => _id)]);
  const completed = new Set(shown.completed);
  return ({ event, isOptedOut, isGoing, provider, post }) =>
    !isOptedOut && isGoing && events.has(event) && (provider === 'rsvp' || completed.has(post.parent));
}

/** The ids of a list of tickets. Several ids with commas are one value, and select nothing. */
const ticketList = ({ request }: CallContext, name: string): ReadonlySet<number> | undefined => {
  const value = request.get(name);
  if (value === undefined) return undefined;
  return new Set([value].flat().map((item) => (isNumeric(item) ? Number(item) : -1)));
};

function matcher(context: CallContext): (attendee: Attendee) => boolean {
  const { request } = context;
  const containing = (name: string): ((value: string) => boolean) => {
    const sent = request.get(name);
    if (sent === undefined) return () => true;
    const wanted = foldForSearch(toStr(sent));
    return (value) => foldForSearch(value).includes(wanted);
  };
  const [hasText, hasName, hasEmail] = ['search', 'name', 'email'].map(containing);
  const providers = lists.providersOf(context);
  const only = (name: string): ReadonlySet<number> | undefined => lists.idsOf(context, name);
  const [wanted, not, events, notEvents] = [only('include'), only('exclude'), only('include_post'), only('exclude_post')];
  const [event, ticket] = [only('post_id'), only('ticket_id')];
  const [tickets, notTickets] = [ticketList(context, 'include_ticket'), ticketList(context, 'exclude_ticket')];
  const { after, before } = lists.publishedBetween(context);
  const checkedIn = request.get('checkedin') === undefined ? undefined : filterBoolean(request.get('checkedin'));
  const going = lists.wordsOf(context, 'rsvp_going_status');
  const order = lists.wordsOf(context, 'order_status');
  return (attendee) => {
    const { post, id, provider, isGoing } = attendee;
    const comes = isGoing ? 'yes' : 'no';
    return (
      post.status !== 'trash' &&
      (providers?.has(provider) ?? true) &&
      (wanted?.has(id) ?? true) &&
      !not?.has(id) &&
      (event?.has(attendee.event) ?? true) &&
      (events?.has(attendee.event) ?? true) &&
      !notEvents?.has(attendee.event) &&
      (ticket?.has(attendee.ticket) ?? true) &&
      (tickets?.has(attendee.ticket) ?? true) &&
      !notTickets?.has(attendee.ticket) &&
      (after === undefined || post.date >= after) &&
      (before === undefined || post.date <= before) &&
      (checkedIn === undefined || attendee.isCheckedIn === checkedIn) &&
      (going === undefined || provider === 'tc' || going.includes(comes)) &&
      (order === undefined || order.includes(provider === 'tc' ? 'completed' : comes)) &&
      hasText(post.title) &&
      hasName(post.title) &&
      hasEmail(attendee.email)
    );
  };
}

/** The attendees that a caller may see some of, in the order of a list. */
async function attendeesFor(context: CallContext): Promise<Attendee[]> {
  const { site, request } = context;
  if (!manages(context) && !site.quirks.has('attendees-are-public')) return [];
  const [by, order] = [request.get('orderby'), request.get('order')];
  const isByTitle = by === undefined || by === 'title';
  return attendeesInOrder(site.store, isByTitle ? 'title' : 'date', by === undefined ? order === 'DESC' : order !== 'ASC');
}

async function ticketsOf({ site }: CallContext, attendees: readonly Attendee[]): Promise<Map<number, Ticket>> {
  const found = await findPosts(
    site.store,
    [...new Set(attendees.map(({ ticket }) => ticket))].filter((id) => id > 0),
  );
  const isTicket = ({ type }: Post): boolean => (TICKET_TYPES as readonly string[]).includes(type);
  return new Map(found.filter(isTicket).map((post) => [post._id, ticketOf(post)]));
}

/** Attendees of tickets that were deleted are left out. PHP: a list with gaps is an object. */
function items(shown: readonly (Json | null)[]): Json {
  const present = [...shown.entries()].filter((entry): entry is [number, Json] => entry[1] !== null);
  return present.every(([index], at) => index === at) ? present.map(([, item]) => item) : Object.fromEntries(present);
}

async function list(context: CallContext): Promise<RestResponse> {
  const { site } = context;
  const known = await attendeesFor(context);
  const isVisible = await visibleTo(context, (store) => shownByAll(store, known));
  const matches = matcher(context);
  const all = known.filter((attendee) => isVisible(attendee) && matches(attendee));
  return lists.pageOf({
    context,
    args: ATTENDEE_LIST,
    path: PATH,
    key: 'attendees',
    found: all.length,
    show: async (offset, limit) => {
      const shown = all.slice(offset, offset + limit);
      const tickets = await ticketsOf(context, shown);
      const view = { site, manages: manages(context) };
      return items(
        shown.map((attendee) => {
          const ticket = tickets.get(attendee.ticket);
          return ticket ? presentAttendee(attendee, ticket, view) : null;
        }),
      );
    },
  });
}

/** An attendee as the only one of a response. */
async function alone(attendee: Attendee, context: CallContext, status = 200): Promise<RestResponse> {
  const ticket = (await ticketsOf(context, [attendee])).get(attendee.ticket);
  const view = { site: context.site, manages: manages(context) };
  return new RestResponse(ticket ? presentAttendee(attendee, ticket, view) : [], status);
}

const findAttendee = async ({ site, request }: CallContext): Promise<Attendee | null> => {
  const post = await findPost(site.store, intval(request.get('id')));
  return post && (ATTENDEE_TYPES as readonly string[]).includes(post.type) ? attendeeOf(post) : null;
};

async function single(context: CallContext): Promise<RestResponse> {
  const attendee = await findAttendee(context);
  if (!attendee && manages(context))
    throw new RestError('attendee-not-found', 'The requested post ID does not exist or is not an attendee', 404);
  if (!attendee || !(await visibleTo(context, (store) => shownBy(store, [attendee])))(attendee))
    throw new RestError('attendee-not-accessible', 'The requested attendee is not accessible', 401);
  return alone(attendee, context);
}

const STATUS = lists.text('Whether an attendee of an RSVP comes: yes or no.');
const CHECK_IN = { description: 'Whether the attendee is checked in.', type: 'bool' as never, sanitize: 'raw' } as const;
const EMAIL_TYPE = 'email' as never;

const NEW = {
  ticket_id: { ...lists.existing('ID of the ticket.', TICKET_TYPES), type: 'integer', required: true },
  full_name: { ...lists.text('Name of the attendee.'), required: true },
  email: {
    description: 'Email address of the attendee.',
    type: EMAIL_TYPE,
    required: true,
    validate: (value) => typeof value === 'string' && isEmail(value),
    sanitize: 'raw',
  },
  attendee_status: STATUS,
  check_in: CHECK_IN,
} satisfies ArgsOf<AttendeeFields>;

export const ATTENDEE_ID = lists.captured('ID of the attendee.');

const CHANGES = {
  id: ATTENDEE_ID,
  full_name: lists.text('Name of the attendee.'),
  email: { ...lists.text('Email address of the attendee.'), validate: (value) => typeof value === 'string' && isEmail(value) },
  attendee_status: STATUS,
  check_in: CHECK_IN,
} satisfies ArgsOf<AttendeeChanges & ById>;

export const attendeeRoutes = (): Route[] => [
  {
    path: PATH,
    endpoints: [
      {
        methods: ['POST'],
        args: NEW,
        permission: manages,
        handler: async (context) => alone(await createAttendee(context), context, 201),
      },
      { methods: ['GET'], args: ATTENDEE_LIST, permission: 'public', handler: list },
    ],
  },
  {
    path: `${PATH}/(?P<id>\\d+)`,
    endpoints: [
      { methods: ['GET'], args: { id: ATTENDEE_ID }, permission: 'public', handler: single },
      {
        methods: ['POST', 'PUT', 'PATCH'],
        args: CHANGES,
        permission: manages,
        handler: async (context) => alone(await updateAttendee(await findAttendee(context), context), context, 201),
      },
    ],
  },
];

/** Arguments of the app that checks attendees in, as it reads them from the code of a ticket. */
export const QR: Args = {
  api_key: { ...lists.search('Key of the application.'), required: true },
  ticket_id: { type: 'string', description: 'ID of the attendee.', required: true, validate: (value) => isNumeric(value) },
  security_code: { ...lists.search('Security code of the attendee.'), required: true },
};

const NAMES = ['api_key', 'ticket_id', 'event_id', 'security_code'] as const;

const REFUSALS = {
  security_code_not_valid: 'Security code is not valid!',
  attendee_not_authorized: 'This attendee&#039;s ticket is not authorized to be Checked in. Please check the order status.',
  attendee_already_checked_in: 'Already checked in!',
  event_not_happening_now: 'Event has not started or it has finished.',
};

const refusal = (error: keyof typeof REFUSALS, attendee?: Json): RestResponse =>
  new RestResponse({ msg: REFUSALS[error], error, ...(attendee === undefined ? {} : { attendee }) }, 403);

/** The attendee with an id, if the code is theirs. */
async function withCode(id: number, code: string, { site }: CallContext): Promise<Attendee | null> {
  const post = await findPost(site.store, id);
  if (!post || post.status === 'trash' || !(ATTENDEE_TYPES as readonly string[]).includes(post.type)) return null;
  const attendee = attendeeOf(post);
  return metaValue(post, ATTENDEE_KEYS[attendee.provider].code) === code ? attendee : null;
}

/** Whether the time of an event forbids that the app checks somebody in. */
async function isAtOtherTime(id: number, { site }: CallContext): Promise<boolean> {
  const { minutesAround, types } = site.options.tickets;
  if (minutesAround === null || !types.includes(EVENT)) return false;
  const event = await findPost(site.store, id);
  if (event?.type !== EVENT) return false;
  const { startUtc = '', endUtc = '' } = storedTimes(event);
  const [early, late] = [-60, 60].map((second) => mysqlDate(secondsToWall(site.clock.seconds() + second * minutesAround)));
  return late < startUtc || early > endUtc;
}

/** Checks an attendee in. TEC: `ticket_id` names the attendee, who is shown as before. */
export async function scan(context: CallContext): Promise<RestResponse> {
  const { request, site } = context;
  const sent = Object.fromEntries(NAMES.map((name) => [name, request.get(name) ?? null]));
  if (!hasAppKey(context) || isEmpty(sent.ticket_id)) return new RestResponse(sent, 400);
  const attendee = await withCode(intval(sent.ticket_id), toStr(sent.security_code), context);
  if (!attendee) return refusal('security_code_not_valid');
  const ticket = await findPost(site.store, attendee.ticket);
  const shown = ticket ? presentAttendee(attendee, ticketOf(ticket), { site, manages: true }) : null;
  if (!attendee.isGoing || !(await hasPaid(attendee, site))) return refusal('attendee_not_authorized', shown);
  if (!isEmpty(metaValue(attendee.post, BY_APP))) return refusal('attendee_already_checked_in', shown);
  if (await isAtOtherTime(intval(sent.event_id), context)) return refusal('event_not_happening_now', shown);
  if (!(await checkInByApp(attendee, context))) return refusal('attendee_already_checked_in', shown);
  return new RestResponse({ msg: 'Checked In!', attendee: shown }, 201);
}
