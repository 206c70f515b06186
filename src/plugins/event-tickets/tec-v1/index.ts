import { isEmpty } from '../../../base/php/cast.js';
import { ANY_STATUS, metaValue, type Post } from '../../../wordpress/model.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { isOrderColumn, type PostQuery } from '../../../wordpress/query/post-query.js';
import { isSearched, parseSearch } from '../../../wordpress/query/search.js';
import { withParams } from '../../../wordpress/rest/params.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { CallContext, Namespace } from '../../../wordpress/rest/route.js';
import { onceFor, type Registry } from '../../../wordpress/types/registry.js';
import { canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import type { Plan } from '../../the-events-calendar/tec-v1/plans.js';
import { entityRoutes, TEC_NAMESPACE, type Entity } from '../../the-events-calendar/tec-v1/routes.js';
import { TC_TICKET, eventOf, availableFrom, availableUntil, currentPrice, isOnSale, KEYS, saleOf, ticketOf } from '../model/ticket.js';
import { openEvents } from '../model/visible.js';
import { TICKET_FIELDS, TICKET_LIST, TICKET_PROPERTIES } from './fields.js';
import { TICKET_WRITER } from './write.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { PostView } from '../../../wordpress/rest/posts/post-fields.js';
import { postTypeFor } from '../../../wordpress/rest/posts/post-types.js';
import { presentPlainPost } from '../../the-events-calendar/tec-v1/present.js';

const ticketType = onceFor((registry) => postTypeFor(TC_TICKET, registry));

const YES: readonly (string | undefined)[] = ['yes', '1'];

/** A ticket as the namespace shows it. */
function presentPlainTicket(post: Post, view: PostView): Record<string, Json> {
  const { site } = view;
  const ticket = ticketOf(post);
  const sale = saleOf(ticket);
  const hasSale = sale.isChecked && sale.price !== '';
  return presentPlainPost(post, ticketType(site.registry), view, {
    description: post.excerpt,
    on_sale: isOnSale(ticket, site),
    sale_price: hasSale ? Number(sale.price) : null,
    price: Number(currentPrice(ticket, site)),
    regular_price: Number(ticket.price),
    show_description: YES.includes(metaValue(post, KEYS.showsDescription)),
    start_date: availableFrom(ticket),
    end_date: availableUntil(ticket),
    sale_price_start_date: hasSale && !isEmpty(sale.start) ? sale.start : null,
    sale_price_end_date: hasSale && !isEmpty(sale.end) ? sale.end : null,
    event_id: ticket.event,
    manage_stock: ticket.isManaged,
    stock: ticket.available,
    sold: ticket.sold,
    sku: metaValue(post, KEYS.sku) ?? '',
  });
}

/** A list contains tickets of events that its caller may read: else totals and searches would tell of others. TEC: they do. */
async function ofOpenEvents(context: CallContext, isSearch: boolean): Promise<Partial<PostQuery>> {
  const { request, site } = context;
  const tells = site.quirks.has(isSearch ? 'search-looks-behind-passwords' : 'ticket-totals-count-hidden');
  if (tells || canWithPosts(request.user, 'edit_others')) return {};
  return { where: [{ forEvent: { $in: await openEvents(context) } }] };
}

/** The query of a list. TEC: `include`, `exclude` and `show_hidden` have no effect. */
const plan = withParams(TICKET_LIST, async ({ params, ...context }): Promise<Plan> => {
  const { request, site } = context;
  const { page, per_page: perPage, search, event, orderby, order, status } = params;
  const wanted = isSearched(search) && !isEmpty(search) ? search : undefined;
  const isEditor = canWithPosts(request.user, 'edit');
  const statuses = isEditor && status !== undefined && ANY_STATUS.includes(status) ? [status] : ['publish'];
  const filters = site.quirks.has('tec-v1-filters-do-nothing') ? {} : { ids: params.include, excludeIds: params.exclude };
  const query: PostQuery = {
    type: TC_TICKET,
    statuses,
    ...(wanted === undefined ? {} : { search: { ...parseSearch(wanted), fields: [0, 1, 2] } }),
    ...(await ofOpenEvents(context, wanted !== undefined)),
    ...(event === undefined ? {} : { forEvents: [event] }),
    ...filters,
    sort: { by: isOrderColumn(orderby) ? orderby : 'date', descending: order === 'desc' },
    limit: perPage,
    offset: (page - 1) * perPage,
  };
  return { query, page, perPage };
});

/** The tickets of events that a caller may read, without the ones that a password protects. */
async function readable(posts: readonly Post[], { request, site }: CallContext): Promise<readonly Post[]> {
  const events = new Map((await findPosts(site.store, [...new Set(posts.map(eventOf))])).map((post) => [post._id, post]));
  const isOpen = ({ password }: Post, event: Post): boolean => password === '' || sentPassword(request, site)?.opens(event) === true;
  return posts.filter((post) => {
    const event = events.get(eventOf(post));
    return event !== undefined && canRead(request.user, event, site.registry) && isOpen(event, event);
  });
}

/** Tickets as a kind of item of the newer interface of the calendar. */
export const ticketEntity = (registry: Registry): Entity => ({
  path: 'tickets',
  schema: 'Ticket',
  type: ticketType(registry),
  filters: TICKET_LIST,
  fields: TICKET_FIELDS,
  plan,
  present: presentPlainTicket,
  writer: TICKET_WRITER,
  readable,
  own: TICKET_PROPERTIES,
});

/** The tickets in the newer interface of the calendar. */
export const ticketsInTec = (registry: Registry): Namespace => ({
  name: TEC_NAMESPACE,
  absentUnder: 'no-tec-v1',
  routes: entityRoutes(ticketEntity(registry)),
});
