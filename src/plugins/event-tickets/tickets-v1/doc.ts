import { describing } from '../../../wordpress/rest/language.js';
import { REASONS } from '../../../wordpress/rest/reasons.js';
import type { RestResponse } from '../../../wordpress/rest/response.js';
import type { Args, CallContext, Json } from '../../../wordpress/rest/route.js';
import { DEFINITIONS, posted, schemaRef, type Properties, type Property } from '../../the-events-calendar/calendar-v1/doc/definitions.js';
import { parameters, requestBody } from '../../the-events-calendar/calendar-v1/doc/doc.js';
import { COMMERCE_PATHS } from './commerce.js';
import { flag, integer, text } from './lists.js';
import { TICKETS_NAMESPACE } from './names.js';

type JsonObject = Record<string, Json>;

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const date = (description: string): Property => ({ ...text(description), format: 'date' });
const uri = (description: string): Property => ({ ...text(description), format: 'uri' });
const object = (properties: Properties): JsonObject => ({ type: 'object', properties });

const provider: Property = { ...text('Provider of the ticket.'), enum: ['rsvp', 'tribe-commerce', 'woo', 'edd'] };

/** The first properties of tickets and attendees. TEC: the dates have a time, although the format has none. */
function common(noun: string): Properties {
  const { url: _url, ...properties } = posted(noun);
  for (const name of ['date', 'date_utc', 'modified', 'modified_utc']) properties[name] = { ...properties[name], format: 'date' };
  return { ...properties, post_id: integer(`ID of the event of the ${noun}.`), rest_url: uri(`API URL of the ${noun}.`), provider };
}

/** The component schemas: name to properties. TEC: they differ from what the routes return. */
const SCHEMAS: Readonly<Record<string, Properties>> = {
  Image: DEFINITIONS.Image,
  ImageSize: DEFINITIONS.ImageSize,
  DateDetails: DEFINITIONS.DateDetails,
  CostDetails: DEFINITIONS.CostDetails,
  CapacityDetails: {
    available_percentage: integer('Percentage of the tickets that are left.'),
    max: integer('How many tickets there are.'),
    available: integer('How many tickets are left.'),
    sold: integer('How many tickets are sold.'),
    pending: integer('How many tickets are in orders that are not paid yet.'),
  },
  CheckinDetails: {
    date: text('When the attendee was checked in.'),
    date_details: schemaRef('DateDetails'),
    source: text('Where the attendee was checked in: `site`, for instance.'),
    author: text('Who checked the attendee in.'),
  },
  PaymentDetails: {
    provider: text('Provider of the payment.'),
    price: integer('Price of the ticket.'),
    currency: text('Currency of the payment.'),
    date: date('Date of the payment.'),
    date_details: schemaRef('DateDetails'),
  },
  RSVPReport: { rsvp_going: integer('How many attendees come.'), rsvp_not_going: integer('How many attendees do not come.') },
  CheckinReport: {
    checked_in: integer('How many attendees are checked in.'),
    unchecked_in: integer('How many attendees are not checked in.'),
    checked_in_percentage: integer('Percentage of the attendees who are checked in.'),
    unchecked_in_percentage: integer('Percentage of the attendees who are not checked in.'),
  },
  Ticket: {
    ...common('ticket'),
    title: text('Name of the ticket.'),
    description: text('Description of the ticket.'),
    image: schemaRef('Image'),
    available_from: date('When the ticket is on offer from.'),
    available_from_details: schemaRef('DateDetails'),
    available_until: date('When the ticket is on offer until.'),
    available_until_details: schemaRef('DateDetails'),
    capacity: integer('How many tickets there are.'),
    capacity_details: ref('CapacityDetails'),
    is_available: flag('Whether tickets are left.'),
    cost: integer('Price, with the currency symbol.'),
    cost_details: schemaRef('CostDetails'),
    attendees: { type: 'array', items: ref('Attendee'), description: 'Attendees with this ticket.' },
    supports_attendee_information: flag('Whether attendees can have more fields.'),
    requires_attendee_information: flag('Whether attendees must have more fields.'),
    attendee_information_fields: { type: 'object', description: 'The additional fields of attendees.' },
    rsvp: ref('RSVPReport'),
    checkin: ref('CheckinReport'),
  },
  Attendee: {
    ...common('attendee'),
    ticket_id: integer('ID of the ticket.'),
    order: text('Number of the order.'),
    sku: text('Stock keeping unit of the ticket.'),
    title: text('Name of the attendee.'),
    email: { ...text('Email address of the attendee.'), format: 'email' },
    checked_in: flag('Whether the attendee is checked in.'),
    checkin_details: ref('CheckinDetails'),
    rsvp_going: flag('Whether the attendee of an RSVP comes.'),
    payment: ref('PaymentDetails'),
    information: { type: 'object', description: 'The additional fields of the attendee.' },
  },
};

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** An operation that responds with a schema. Errors are objects. */
function operation(input: JsonObject, schema: JsonObject, reasons: Record<number, string>, statuses: readonly number[]): JsonObject {
  const responses = statuses.map((status) => [
    status,
    { description: reasons[status], ...json(status < 300 ? schema : { type: 'object' }) },
  ]);
  return { ...input, responses: Object.fromEntries(responses) as JsonObject };
}

/** The paths of a collection and its items. */
function paths(noun: string, schema: string, list: Args, id: Args): [string, JsonObject][] {
  const plural = `${noun}s`;
  const page = object({
    rest_url: uri('API URL of this page.'),
    total: integer('Number of results on all pages.'),
    total_pages: integer('Number of pages.'),
    [plural]: { type: 'array', items: ref(schema) },
  });
  const reasons = { 401: `The ${noun} is not accessible.`, ...REASONS.read(noun, plural) };
  return [
    [`/${plural}/{id}`, { get: operation({ parameters: parameters(id, 'path') }, ref(schema), reasons, [200, 400, 401, 404]) }],
    [`/${plural}`, { get: operation({ parameters: parameters(list, 'query') }, page, REASONS.list(noun, plural), [200, 400, 404]) }],
  ];
}

const CART = object({
  tickets: { type: 'array', items: {}, description: 'The tickets in the cart, and how many.' },
  meta: { type: 'array', items: {}, description: 'Fields of the attendees.' },
  cart_url: text('URL of the cart.'),
  checkout_url: text('URL of the checkout.'),
});

const CART_REASONS = { 200: 'The cart.', 400: 'A parameter is missing or invalid.', 403: 'The event has no tickets.' };

/** The arguments of the routes that the document describes. */
export type Described = Readonly<Record<'ticket' | 'tickets' | 'attendee' | 'attendees' | 'cart' | 'changedCart', Args>>;

/** The handler of the OpenAPI document of the namespace. */
export const documentOf =
  (args: Described) =>
  ({ request, site }: CallContext): RestResponse =>
    describing(request, {
      openapi: '3.0.0',
      info: { version: '1.0.0', title: 'Event Tickets REST API', description: 'Read the tickets and attendees of a site.' },
      servers: [{ url: site.restUrl(`/${TICKETS_NAMESPACE}`) }],
      paths: {
        ...Object.fromEntries([
          ...paths('ticket', 'Ticket', args.tickets, args.ticket),
          ...paths('attendee', 'Attendee', args.attendees, args.attendee),
        ]),
        '/cart': {
          get: operation({ parameters: parameters(args.cart, 'query') }, CART, CART_REASONS, [200, 403]),
          post: operation({ requestBody: requestBody(args.changedCart) }, CART, CART_REASONS, [200, 400, 403]),
        },
        '/doc': { get: { responses: { 200: { description: 'This document.' } } } },
        ...Object.fromEntries(COMMERCE_PATHS.map((path) => [path, []])),
      },
      components: { schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, properties]) => [name, object(properties)])) },
    });
