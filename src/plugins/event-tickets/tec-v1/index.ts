import { isEmpty } from '../../../base/php/cast.js';
import { ANY_STATUS, type Post } from '../../../wordpress/model.js';
import { findPosts, idsAmong } from '../../../wordpress/posts/posts.js';
import { isOrderColumn, type PostQuery } from '../../../wordpress/query/post-query.js';
import { isSearched, parseSearch } from '../../../wordpress/query/search.js';
import { withParams } from '../../../wordpress/rest/params.js';
import { sentPassword } from '../../../wordpress/rest/post-password.js';
import type { CallContext, Namespace } from '../../../wordpress/rest/route.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import { canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import type { Plan } from '../../the-events-calendar/tec-v1/plans.js';
import { entityRoutes, TEC_NAMESPACE } from '../../the-events-calendar/tec-v1/routes.js';
import { TC_TICKET } from '../model/names.js';
import { ticketedIds } from '../model/related.js';
import { eventOf } from '../model/ticket.js';
import { TICKET_FIELDS, TICKET_LIST } from './fields.js';
import { presentPlainTicket, ticketType } from './present.js';
import { TICKET_WRITER } from './write.js';

/** A search finds nothing in tickets that its caller may not read: the total would tell. TEC: it does. */
async function findable({ request, site: { store, quirks } }: CallContext): Promise<Partial<PostQuery>> {
  if (canWithPosts(request.user, 'edit_others') || quirks.has('search-looks-behind-passwords')) return {};
  const open = await idsAmong(store, await ticketedIds(store), { status: 'publish', password: '' });
  return { where: [{ forEvent: { $in: open } }] };
}

/** The query of a list. TEC: `include`, `exclude` and `show_hidden` have no effect. */
const plan = withParams(TICKET_LIST, async ({ params, ...context }): Promise<Plan> => {
  const { request, site } = context;
  const { page, per_page: perPage, search, event, orderby, order, status } = params;
  const isEditor = canWithPosts(request.user, 'edit');
  const statuses = isEditor && status !== undefined && ANY_STATUS.includes(status) ? [status] : ['publish'];
  const filters = site.quirks.has('tec-v1-filters-do-nothing') ? {} : { ids: params.include, excludeIds: params.exclude };
  const query: PostQuery = {
    type: TC_TICKET,
    statuses,
    ...(isEmpty(search) || search === undefined || !isSearched(search)
      ? {}
      : { search: { ...parseSearch(search), fields: [0, 1, 2] }, ...(await findable(context)) }),
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

/** The tickets in the newer interface of the calendar. */
export const ticketsInTec = (registry: Registry): Namespace => ({
  name: TEC_NAMESPACE,
  absentUnder: 'no-tec-v1',
  routes: entityRoutes({
    path: 'tickets',
    schema: 'Ticket',
    type: ticketType(registry),
    filters: TICKET_LIST,
    fields: TICKET_FIELDS,
    plan,
    present: presentPlainTicket,
    writer: TICKET_WRITER,
    readable,
  }),
});
