import type { TicketFields } from '../../../sdk/types/params.js';
import type { Json } from '../../../wordpress/rest/request.js';
import * as args from '../../the-events-calendar/tec-v1/args.js';
import { each } from '../../the-events-calendar/tec-v1/docs.js';
import { POST_FIELDS } from '../../the-events-calendar/tec-v1/fields.js';

export const TICKET_LIST = args.namedArgs({
  page: args.positive('Page of results to return.', { default: 1, minimum: 1 }),
  per_page: args.pageSizeArg('Number of results per page.', { default: 10, maximum: 100, minimum: 1 }),
  search: args.searchArg,
  event: args.positive('Only tickets of this event, by ID.'),
  orderby: args.choiceArg('Field to sort by.', ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'], {
    default: 'date',
  }),
  order: args.choiceArg('Sort order.', ['asc', 'desc'], { default: 'desc' }),
  status: args.textArg('Only results with this status.', { default: 'publish' }),
  include: args.idsArg('Only these tickets, by ID.'),
  exclude: args.idsArg('All but these tickets, by ID.'),
  show_hidden: args.flagArg('Whether to include hidden tickets.', { default: false }),
});

/** The writable fields of tickets. TEC: those of blog posts, too. Some have no effect. */
export const TICKET_FIELDS = {
  ...POST_FIELDS,
  ...args.namedArgs({
    event: args.positive('ID of the event.'),
    price: args.number('Price of the ticket.'),
    sale_price: args.number('Price during a sale.'),
    sale_price_start_date: args.textArg('First day of the sale.'),
    sale_price_end_date: args.textArg('Last day of the sale.'),
    capacity: args.positive('How many tickets there are.'),
    event_capacity: args.positive('How many tickets of all kinds the event has.'),
    sale_price_enabled: args.flagArg('Whether there is a sale.'),
    stock: args.positive('How many tickets are left.'),
    show_description: args.flagArg('Whether to show the description.'),
    stock_mode: args.choiceArg('Which stock the tickets belong to.', ['own', 'capped', 'global', 'unlimited'], { default: 'own' }),
    type: args.textArg('Type of the ticket.'),
    start_date: args.wallTime('When the tickets are on offer from.'),
    end_date: args.wallTime('When the tickets are on offer until.'),
    menu_order: args.integer('Position of the ticket among those of its event.', { default: 0 }),
    sku: args.textArg('Stock keeping unit.'),
  }),
} satisfies { [Name in keyof TicketFields]-?: args.DeclaredArg<NonNullable<TicketFields[Name]>> };

/** The properties of a ticket that not every post has. TEC: the document has further ones, which tickets lack. */
export const TICKET_PROPERTIES: Record<string, Json> = {
  ...each('description sku', { type: 'string' }),
  ...each('on_sale', { type: 'boolean', nullable: true }),
  ...each('sale_price', { type: 'number', nullable: true }),
  ...each('price regular_price', { type: 'number' }),
  ...each('show_description manage_stock sale_price_enabled', { type: 'boolean' }),
  ...each('start_date end_date', { type: 'string' }),
  ...each('sale_price_start_date sale_price_end_date', { type: 'string', nullable: true }),
  ...each('event event_id stock sold menu_order', { type: 'integer' }),
};
