import type { JsonObject } from '../../../base/values/records.js';
import { describing } from '../../../wordpress/rest/language.js';
import { REASONS } from '../../../wordpress/rest/reasons.js';
import type { RestResponse, Args, CallContext } from '../../../wordpress/rest/route.js';
import { DEFINITIONS, posted, type Properties, type Property } from '../../the-events-calendar/calendar-v1/doc/definitions.js';
import { parameters, requestBody } from '../../the-events-calendar/calendar-v1/doc/doc.js';
import own from './doc.json' with { type: 'json' };
import { COMMERCE_PATHS } from './commerce.js';
import { integer, text } from './lists.js';
import { TICKETS_NAMESPACE } from './names.js';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

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
  ...own.schemas,
  Ticket: { ...common('ticket'), ...own.Ticket },
  Attendee: { ...common('attendee'), ...own.Attendee },
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
          get: operation({ parameters: parameters(args.cart, 'query') }, own.Cart, CART_REASONS, [200, 403]),
          post: operation({ requestBody: requestBody(args.changedCart) }, own.Cart, CART_REASONS, [200, 400, 403]),
        },
        '/doc': { get: { responses: { 200: { description: 'This document.' } } } },
        ...Object.fromEntries(COMMERCE_PATHS.map((path) => [path, []])),
      },
      components: { schemas: Object.fromEntries(Object.entries(SCHEMAS).map(([name, properties]) => [name, object(properties)])) },
    });
