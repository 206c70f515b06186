import { isEmpty } from '../../../base/php/cast.js';
import { metaValue, type Post } from '../../../wordpress/model.js';
import type { Json } from '../../../wordpress/rest/json.js';
import type { PostView } from '../../../wordpress/rest/posts/post-fields.js';
import { postTypeFor } from '../../../wordpress/rest/posts/post-types.js';
import { onceFor } from '../../../wordpress/types/registry.js';
import { presentPlainPost } from '../../the-events-calendar/tec-v1/present.js';
import { TC_TICKET } from '../model/names.js';
import { availableFrom, availableUntil, currentPrice, isOnSale, KEYS, saleOf, ticketOf } from '../model/ticket.js';

export const ticketType = onceFor((registry) => postTypeFor(TC_TICKET, registry));

const YES: readonly (string | undefined)[] = ['yes', '1'];

/** A ticket as the namespace shows it. */
export function presentPlainTicket(post: Post, view: PostView): Record<string, Json> {
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
