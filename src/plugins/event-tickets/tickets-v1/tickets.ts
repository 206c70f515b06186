import { intval, isEmpty, isNumeric } from '../../../base/php/cast.js';
import type { Post } from '../../../wordpress/model.js';
import { canEdit, canRead } from '../../../wordpress/users/capabilities.js';
import { findPost } from '../../../wordpress/posts/posts.js';
import { tooManyGuesses, sentPassword } from '../../../wordpress/rest/post-password.js';
import { RestResponse, type Args, type CallContext, type Endpoint, type Route, RestError } from '../../../wordpress/rest/route.js';
import { positiveInt } from '../../../wordpress/rest/checks.js';
import type { Json } from '../../../wordpress/rest/request.js';
import { attendeeOf } from '../model/attendee.js';
import { ATTENDEE_TYPES, TICKET_TYPES, ticketOf, type Ticket } from '../model/ticket.js';
import { manages } from '../model/visible.js';
import { listTickets, PATH, TICKET_LIST, eventsOf, mayReadEvent, ticketsFor } from './ticket-list.js';

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

export const TICKET_ID: Args[string] = {
  type: 'integer',
  required: true,
  captured: true,
  description: 'ID of the ticket.',
  validate: (value, context) => isNumeric(value) && !isEmpty(value) && positiveInt(value, context),
};

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
