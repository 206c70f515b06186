import { intval } from '../../../base/php/cast.js';
import { forbidden, RestError } from '../../../wordpress/rest/error.js';
import { describing } from '../../../wordpress/rest/language.js';
import { RestResponse } from '../../../wordpress/rest/response.js';
import type { Args, CallContext, Endpoint, Json, Method, Permission, Route } from '../../../wordpress/rest/route.js';
import { declaredEndpoint, notBuilt } from '../../../wordpress/wp-v2/declare.js';
import { ticketsOf, ticketsOfEvents } from '../model/related.js';
import { manages } from '../model/rights.js';
import { CODED_TYPES, knownIds } from '../model/visible.js';
import { QR, scan } from './check-in.js';
import { existing, text } from './lists.js';
import { FEES } from './present-ticket.js';
import { TICKETS_NAMESPACE } from './names.js';

const at = (path: string, ...endpoints: Endpoint[]): Route => ({ path: `/${TICKETS_NAMESPACE}${path}`, endpoints });

/** The cart of the caller's browser session. The API has no session, so it is empty. */
const EMPTY_CART = { tickets: [], meta: [], cart_url: '', checkout_url: '' };

const CART: Args = {
  provider: text('Provider of the tickets.'),
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

/** Gateways of payments, whose routes are only declared. */
const GATEWAYS = ['square', 'stripe', 'paypal', 'free'].map((gateway) => `/commerce/${gateway}/order`);

const declared = (method: Method, permission: Permission = 'public'): Endpoint =>
  declaredEndpoint([method], {}, { permission, handler: notBuilt });

const DOCUMENTED = ['/tickets/{id}', '/tickets', '/attendees/{id}', '/attendees', '/cart', '/doc'];

/** TEC: the document of the namespace names its routes and little more. */
const document = ({ request, site }: CallContext): RestResponse =>
  describing(request, {
    openapi: '3.0.0',
    info: { version: '1.0.0', title: 'Event Tickets REST API', description: 'Read the tickets and attendees of a site.' },
    servers: [{ url: site.restUrl(`/${TICKETS_NAMESPACE}`) }],
    paths: {
      ...Object.fromEntries(
        DOCUMENTED.map((path) => [
          path,
          {
            get: { responses: { 200: { description: 'Success.' } } },
            ...(path === '/cart' ? { post: { responses: { 200: { description: 'Success.' } } } } : {}),
          },
        ]),
      ),
      ...Object.fromEntries(GATEWAYS.map((path) => [path, []])),
    },
    components: { schemas: {} },
  });

export const otherRoutes = (): Route[] => [
  at(
    '/cart',
    { methods: ['GET'], args: CART, permission: 'public', handler: () => new RestResponse(EMPTY_CART) },
    {
      methods: ['POST', 'PUT', 'PATCH'],
      args: { ...CART, provider: { ...CART.provider, required: true } },
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
  at('/doc', { methods: ['GET'], args: {}, permission: 'public', handler: document }),
  at('/fees', managedGet({ all_fees: [], automatic_fees: [], selectable_fees: [] })),
  at('/tickets/(?P<id>\\d+)/fees', managedGet(FEES)),
  at('/coupons', managedGet([]), declared('POST', managed)),
  ...['validate', 'apply', 'remove'].map((action) => at(`/coupons/${action}`, declared('POST'))),
  ...GATEWAYS.map((path) => at(path, declared('POST'))),
];
