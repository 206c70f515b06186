import { withParams, type EndpointCall } from '../../../wordpress/rest/params.js';
import { savePostContent, savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { resaved, type PostData } from '../../../wordpress/posts/post-save.js';
import { findPost } from '../../../wordpress/posts/posts.js';
import { type CallContext, RestError, forbidden } from '../../../wordpress/rest/route.js';
import { canEdit } from '../../../wordpress/users/capabilities.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { storedTimes } from '../../the-events-calendar/model/event-dates.js';
import type { Writer } from '../../the-events-calendar/tec-v1/write.js';
import { KEYS, OWN_STOCK, ticketOf, UNLIMITED, type Ticket } from '../model/ticket.js';
import { TICKET_FIELDS } from './fields.js';

type Call = EndpointCall<typeof TICKET_FIELDS>;

const invalidEvent = (message: string): RestError =>
  new RestError('tec_rest_invalid_event_argument', message, 400, { argument: 'event', details: message });

const MISSING = 'The argument `{event}` is missing.';
const UNSUPPORTED =
  'The argument `{event}` does not support ticket creation. Make sure its post type is enabled for tickets under Tickets > Settings > Ticket ' +
  'Settings > Post types that can have tickets.';

/** The event of a new ticket. @throws RestError */
async function eventFor({ params: { event }, request, site }: Call): Promise<Post> {
  if (event === undefined) throw invalidEvent(MISSING);
  const post = await findPost(site.store, event);
  if (!post || !site.options.tickets.types.includes(post.type)) throw invalidEvent(UNSUPPORTED);
  if (!site.quirks.has('tickets-for-any-event') && !canEdit(request.user, post, site.registry)) throw forbidden(true);
  return post;
}

const all = (meta: MetaRow[], changes: Readonly<Record<string, string | null>>): MetaRow[] =>
  Object.entries(changes).reduce((next, [key, value]) => withMeta(next, key, value === null ? [] : [value]), meta);

const priceText = (price: number): string => String(Math.abs(price));

function stockRows(stock: number, capacity: number): Record<string, string | null> {
  const isManaged = capacity !== UNLIMITED;
  return {
    [KEYS.managed]: isManaged ? 'yes' : 'no',
    [KEYS.stock]: isManaged ? String(Math.max(0, stock)) : null,
    [KEYS.capacity]: String(capacity),
    [KEYS.mode]: isManaged ? OWN_STOCK : null,
  };
}

/** The rows of a sale. Only a price below the regular one is one. */
function saleRows({ params }: Call, price: number): Record<string, string> {
  const { sale_price: sale, sale_price_start_date: start = '', sale_price_end_date: end = '' } = params;
  if (sale === undefined || Math.abs(sale) >= price) return {};
  return { [KEYS.isSale]: '1', [KEYS.salePrice]: priceText(sale), [KEYS.saleStart]: start, [KEYS.saleEnd]: end };
}

/** The rows of a time: the date and the time of day, apart. */
function timeRows(edge: 'start' | 'end', text: string): Record<string, string> {
  const [date, time = ''] = text.split(' ');
  return { [KEYS[`${edge}Date`]]: date, [KEYS[`${edge}Time`]]: time };
}

function texts({ params, request, site }: Call): Partial<Pick<PostData, 'title' | 'excerpt'>> {
  const { title, content, excerpt = content } = params;
  const rights = textAuthor(request.user, site);
  return {
    ...(title === undefined ? {} : { title: savePostTitle(title, rights) }),
    ...(excerpt === undefined ? {} : { excerpt: savePostContent(excerpt, rights) }),
  };
}

const create = withParams(TICKET_FIELDS, async (call): Promise<PostData> => {
  const { params, request, site } = call;
  const event = await eventFor(call);
  const price = Math.abs(params.price ?? 0);
  const { stock = params.capacity ?? 0, capacity = params.stock ?? 0 } = params;
  const isUnlimited = params.stock_mode === 'unlimited';
  const keepsStock = site.quirks.has('ticket-updates-subtract-sold');
  const start = params.start_date;
  const end = params.end_date;
  return {
    status: 'publish',
    author: request.user?._id ?? 0,
    title: '',
    content: '',
    excerpt: '',
    ...texts(call),
    date: null,
    menuOrder: -1,
    password: '',
    terms: {},
    meta: all([], {
      [KEYS.type]: 'default',
      [KEYS.tcEvent]: String(event._id),
      [KEYS.showsDescription]: params.show_description === true ? 'yes' : 'no',
      [KEYS.price]: priceText(price),
      ...stockRows(keepsStock ? stock : Math.min(stock, capacity), isUnlimited ? UNLIMITED : capacity),
      ...(start === undefined ? { [KEYS.startDate]: `${event.date.slice(0, 10)} 00:00:00` } : timeRows('start', start)),
      ...(end === undefined ? { [KEYS.endDate]: storedTimes(event).start ?? '' } : timeRows('end', end)),
      ...saleRows(call, price),
      ...(params.sku === undefined ? {} : { [KEYS.sku]: params.sku }),
    }),
  };
});

/** A ticket without a SKU is named by its id, its author and its title. */
function metaOf({ meta, author, title }: PostData, id: number): MetaRow[] {
  const hasSku = meta.some(({ key, value }) => key === KEYS.sku && value !== '');
  return hasSku ? meta : withMeta(meta, KEYS.sku, [`${id}-${author}-${title.toUpperCase().replaceAll(' ', '-')}`]);
}

const USUAL = { start: '00:00:00', end: '23:59:59' } as const;

/** The time of an update: as sent. TEC: else the time of day is reset, unless it is part of the date. */
function changedTime(edge: 'start' | 'end', sent: string | undefined, date: string, call: Call): Record<string, string> {
  if (sent !== undefined) return timeRows(edge, sent);
  if (date === '' || !call.site.quirks.has('ticket-updates-subtract-sold')) return {};
  return timeRows(edge, date.includes(' ') ? date : `${date} ${USUAL[edge]}`);
}

/** The stock of an update: what is sent, but no more than the capacity has left. TEC: what is sold is subtracted from it each time. */
function changedStock(ticket: Ticket, { params, site }: Call): Record<string, string | null> {
  const { stock, capacity, stock_mode: mode } = params;
  if (mode === 'unlimited') return stockRows(0, UNLIMITED);
  if (site.quirks.has('ticket-updates-subtract-sold')) {
    const total = capacity ?? stock ?? ticket.capacity;
    return total === UNLIMITED ? {} : stockRows((stock ?? capacity ?? ticket.available) - ticket.sold, total);
  }
  if (stock === undefined && capacity === undefined) return {};
  const total = capacity ?? (stock ?? 0) + ticket.sold;
  return stockRows(Math.min(stock ?? total, total - ticket.sold), total);
}

const change = withParams(TICKET_FIELDS, (call: Call, _post: Post) =>
  Promise.resolve((current: Post): PostData => {
    const { params, request, site } = call;
    const ticket = ticketOf(current);
    const price = params.price === undefined ? Number(ticket.price) : Math.abs(params.price);
    return {
      ...resaved(current, request.user, site),
      ...texts(call),
      menuOrder: 0,
      meta: all(current.meta, {
        ...(params.price === undefined ? {} : { [KEYS.price]: priceText(price) }),
        ...changedStock(ticket, call),
        ...changedTime('start', params.start_date, ticket.startDate, call),
        ...changedTime('end', params.end_date, ticket.endDate, call),
        ...(params.end_date === undefined ? {} : { [KEYS.byHand]: KEYS.endDate }),
        ...saleRows(call, price),
        ...(params.sku === undefined ? {} : { [KEYS.sku]: params.sku }),
        ...(params.show_description === undefined ? {} : { [KEYS.showsDescription]: params.show_description ? 'yes' : 'no' }),
      }),
    };
  }),
);

export const TICKET_WRITER: Writer = { create, change: (context: CallContext, post: Post) => change(context, post), metaOf };
