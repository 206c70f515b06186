import type { TicketFields } from '../../../sdk/types/params.js';
import {
  choiceArg,
  flagArg,
  idsArg,
  namedArgs,
  number,
  pageSizeArg,
  positive,
  textArg,
  wallTime,
  type DeclaredArg,
} from '../../the-events-calendar/tec-v1/args.js';

export const TICKET_LIST = namedArgs({
  page: positive('Page of results to return.', { default: 1, minimum: 1 }),
  per_page: pageSizeArg('Number of results per page.', { default: 10, maximum: 100, minimum: 1 }),
  search: textArg('Only results that contain these words.'),
  event: positive('Only tickets of this event, by ID.'),
  orderby: choiceArg('Field to sort by.', ['date', 'id', 'include', 'relevance', 'slug', 'include_slugs', 'title'], { default: 'date' }),
  order: choiceArg('Sort order.', ['asc', 'desc'], { default: 'desc' }),
  status: textArg('Only results with this status.'),
  include: idsArg('Only these tickets, by ID.'),
  exclude: idsArg('All but these tickets, by ID.'),
  show_hidden: flagArg('Whether to include hidden tickets.'),
});

export const TICKET_FIELDS = namedArgs({
  title: textArg('Name of the ticket.'),
  content: textArg('Description of the ticket.'),
  excerpt: textArg('Description of the ticket.'),
  event: positive('ID of the event.'),
  price: number('Price of the ticket.'),
  sale_price: number('Price during a sale.'),
  sale_price_start_date: textArg('First day of the sale.'),
  sale_price_end_date: textArg('Last day of the sale.'),
  stock: positive('How many tickets are left.'),
  capacity: positive('How many tickets there are.'),
  stock_mode: textArg('own, or unlimited.'),
  start_date: wallTime('When the tickets are on offer from.'),
  end_date: wallTime('When the tickets are on offer until.'),
  sku: textArg('Stock keeping unit.'),
  show_description: flagArg('Whether to show the description.'),
}) satisfies { [Name in keyof TicketFields]-?: DeclaredArg<NonNullable<TicketFields[Name]>> };
