import { intval } from '../../../base/php/cast.js';
import { RestResponse, forbidden, RestError } from '../../../wordpress/rest/route.js';
import type { Args, CallContext, Endpoint, Json, Route } from '../../../wordpress/rest/route.js';
import { ticketsOf, ticketsOfEvents, manages, CODED_TYPES, knownIds } from '../model/visible.js';
import { ATTENDEE_ID, ATTENDEE_LIST, QR, scan } from './attendees.js';
import { at, commerceRoutes, COUPON, couponRoutes, declared } from './commerce.js';
import { documentOf, type Described } from './doc.js';
import { anything, existing, text } from './lists.js';
import { FEES } from './present-ticket.js';
import { TICKET_ID, TICKET_LIST } from './tickets.js';

/** The cart of the caller's browser session. The API has no session, so it is empty. */
const EMPTY_CART = { tickets: [], meta: [], cart_url: '', checkout_url: '' };

const CART: Args = {
  provider: anything('Providers of the tickets.'),
  post_id: { ...existing('ID of the event.'), type: 'integer' },
};

async function changeCart({ request, site }: CallContext): Promise<RestResponse> {
  const event = request.get('post_id');
  if (event !== undefined) {
    const id = intval(event);
    const { tickets } = ticketsOf(id, { tickets: await ticketsOfEvents(site.store, [id]) });
    if (tickets.length === 0) throw new RestError('post-has-no-tickets', '', 403);
  }
  return new RestResponse(EMPTY_CART);
}

const QR_ID: Args = {
  id: {
    type: 'integer',
    required: true,
    captured: true,
    description: 'ID of a ticket or an attendee.',
    validate: async (value, context) => (await knownIds([intval(value)], context, CODED_TYPES)).length > 0,
  },
};

const managed = (context: CallContext) => manages(context) || forbidden(context.request.user !== null);

const managedGet = (body: Json, args: Args = {}): Endpoint => ({
  methods: ['GET'],
  args,
  permission: managed,
  handler: () => new RestResponse(body),
});

/** TEC: arguments of the cart that have no type. */
const untyped = (description: string) =>
  ({ description, default: null, doc: { type: 'array', items: { type: 'object' } } }) satisfies Args[string];

const CHANGED_CART: Args = {
  provider: { ...text('Provider of the cart.'), required: true },
  tickets: untyped('The tickets in the cart, and how many.'),
  meta: untyped('Fields of the attendees.'),
  post_id: CART.post_id,
};

const FEE_STATUSES: Args = {
  status: { type: 'array', description: 'Statuses of the fees.', items: { type: 'string', enum: ['active', 'inactive', 'draft'] } },
};

const SELECTED_FEES: Args = {
  selected_fees: { type: 'array', description: 'IDs of the fees of the ticket.', items: { type: 'integer' }, required: true },
};

const DESCRIBED: Described = {
  ticket: { id: TICKET_ID },
  tickets: TICKET_LIST,
  attendee: { id: ATTENDEE_ID },
  attendees: ATTENDEE_LIST,
  cart: CART,
  changedCart: CHANGED_CART,
};

export const otherRoutes = (): Route[] => [
  at(
    '/cart',
    { methods: ['GET'], args: CART, permission: 'public', handler: () => new RestResponse(EMPTY_CART) },
    {
      methods: ['POST', 'PUT', 'PATCH'],
      args: CHANGED_CART,
      permission: 'public',
      handler: changeCart,
    },
  ),
  at('/qr/(?P<id>\\d+)', {
    methods: ['GET'],
    args: QR_ID,
    permission: 'public',
    handler: ({ request }) => new RestResponse({ id: intval(request.get('id')), checked_in: '' }),
  }),
  at('/qr', { methods: ['GET'], args: QR, permission: 'public', handler: scan }),
  at('/doc', { methods: ['GET'], args: {}, permission: 'public', handler: documentOf(DESCRIBED) }),
  at('/fees', managedGet({ all_fees: [], automatic_fees: [], selectable_fees: [] }, FEE_STATUSES)),
  at('/tickets/(?P<id>\\d+)/fees', managedGet(FEES), declared(['POST', 'PUT', 'PATCH'], SELECTED_FEES, managed)),
  at('/coupons', managedGet([]), declared('POST', COUPON, managed)),
  ...couponRoutes(),
  ...commerceRoutes(),
];
