import type { Args, Endpoint, Method, Permission, Route, Schema } from '../../../wordpress/rest/route.js';
import { declaredEndpoint, notBuilt } from '../../../wordpress/wp-v2/declare.js';
import { integer, text } from './lists.js';
import { TICKETS_NAMESPACE } from './names.js';

export const at = (path: string, ...endpoints: Endpoint[]): Route => ({ path: `/${TICKETS_NAMESPACE}${path}`, endpoints });

/** An endpoint that is only declared. */
export const declared = (methods: Method | readonly Method[], args: Args = {}, permission: Permission = 'public'): Endpoint =>
  declaredEndpoint([methods].flat(), args, { permission, handler: notBuilt });

/** Required texts without a description. */
const required = (names: string): Args => Object.fromEntries(names.split(' ').map((name) => [name, { ...text(''), required: true }]));

const optional = (names: string): Args => Object.fromEntries(names.split(' ').map((name) => [name, text('')]));

const field = (description: string, more: Partial<Schema> = {}) => ({ ...text(description), format: 'text-field', ...more });

const ORDER: Args = { order_id: { ...text('ID of the order at the gateway.'), required: true, captured: true } };

const FAILED: Args = {
  ...ORDER,
  failed_status: text('Status that the order gets.'),
  failed_reason: text('Why the order failed.'),
};

/** The endpoints of gateways of payments, by the paths of their routes. */
const COMMERCE: readonly [path: string, ...endpoints: [method: Method, args?: Args][]][] = [
  ['square/order', ['POST']],
  ['square/order/(?P<order_id>[0-9a-zA-Z_-]+)', ['DELETE', FAILED]],
  ['square/on-boarding', ['GET', { ...optional('code'), ...required('state'), ...optional('token_type access_token expires_at') }]],
  ['square/webhooks', ['POST']],
  ['stripe/order', ['POST']],
  [
    'stripe/order/(?P<order_id>[0-9a-zA-Z_-]+)',
    ['POST', { ...ORDER, client_secret: text('Secret of the payment at Stripe.') }],
    ['DELETE', FAILED],
  ],
  ['stripe/return', ['GET']],
  ['stripe/webhook', ['POST']],
  ['paypal/order', ['POST']],
  ['paypal/order/(?P<order_id>[0-9a-zA-Z]+)', ['POST', { ...ORDER, payer_id: text('ID of the payer at PayPal.') }], ['DELETE', FAILED]],
  [
    'paypal/on-boarding',
    ['POST', required('nonce auth_code shared_id')],
    ['GET', required('hash merchantId merchantIdInPayPal permissionsGranted consentStatus accountStatus')],
  ],
  ['free/order', ['POST']],
];

/** The routes of gateways of payments, which are only declared. */
export const commerceRoutes = (): Route[] =>
  COMMERCE.map(([path, ...endpoints]) => at(`/commerce/${path}`, ...endpoints.map(([method, args]) => declared(method, args))));

/** Paths of the gateways in the document of the namespace. TEC: without what captures, and without two of Square. */
export const COMMERCE_PATHS = COMMERCE.map(([path]) => `/commerce/${path}`).filter((path) => !/\(|square\/(?!order)/.test(path));

const SLUG: Args = { coupon: { ...field('Slug of the coupon.'), required: true } };

const CART_COUPON: Args = {
  ...SLUG,
  cart_hash: { ...field('Hash of the cart.'), required: true },
  payment_intent_id: field('ID of the payment at Stripe that the coupon applies to.'),
  purchaser_data: {
    type: 'object',
    description: 'Who buys the tickets.',
    properties: { name: field('Name of the buyer.'), email: field('Email address of the buyer.', { format: 'email' }) },
  },
};

/** The arguments of a new coupon. */
export const COUPON: Args = {
  slug: { ...field('Slug of the coupon.'), required: true },
  display_name: { ...field('Name of the coupon.'), required: true },
  status: { ...text('Status of the coupon.'), enum: ['active', 'inactive', 'draft'], required: true },
  amount: { ...integer('Amount of the discount.'), required: true },
  sub_type: { ...text('Whether the amount is a percentage.'), enum: ['percent', 'flat'], default: 'flat' },
  start_time: { ...text('When the coupon becomes valid.'), format: 'date-time', default: null },
  end_time: { ...text('When the coupon expires.'), format: 'date-time', default: null },
};

/** The routes that change the coupons of a cart, which are only declared. */
export const couponRoutes = (): Route[] => [
  at('/coupons/validate', declared('POST', SLUG)),
  ...['apply', 'remove'].map((action) => at(`/coupons/${action}`, declared('POST', CART_COUPON))),
];
