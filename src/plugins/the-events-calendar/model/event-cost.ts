import { metaValue, metaValues, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import type { Site } from '../../../wordpress/site.js';
import type { Related } from '../../../wordpress/posts/related.js';
import { presentCost, type CostFormat, type CostMeta, type CurrencyDefaults, type PresentedCost, type StoredCost } from './cost.js';
import { EVENT_FIELDS } from './event.js';
import { isTruthy } from './field.js';

declare module '../../../wordpress/types/hooks.js' {
  interface Hooks {
    /** How the cost of an event is shown; null: as the calendar does (TEC: `tribe_get_cost`). */
    eventCost: (event: Post, view: CostView) => CostFormat | null;
    /** The cost that an update of an event without one stores; null: the calendar's. */
    updatedCost: (event: Post, site: Site) => Promise<StoredCost | null>;
  }
}

/** The site, and what is loaded of an event. */
interface CostView {
  site: Site;
  related: Related;
}

export const costMeta = (post: Pick<Post, 'meta'>): CostMeta => ({
  costs: metaValues(post, EVENT_FIELDS.cost.key),
  symbol: metaValue(post, EVENT_FIELDS.currency_symbol.key),
  code: metaValue(post, EVENT_FIELDS.currency_code.key),
  position: metaValue(post, EVENT_FIELDS.currency_position.key),
});

export const currencyDefaults = ({ options: { calendar } }: Pick<Site, 'options'>): CurrencyDefaults => ({
  symbol: calendar.defaultCurrencySymbol,
  code: calendar.defaultCurrencyCode,
  reversePosition: isTruthy(calendar.reverseCurrencyPosition),
});

/** The meta after its cost was written. TEC: the currency code is left as it is. */
export function writeCost(meta: MetaRow[], { values, symbol, position }: StoredCost): MetaRow[] {
  const costs = withMeta(meta, EVENT_FIELDS.cost.key, values);
  const symbols = withMeta(costs, EVENT_FIELDS.currency_symbol.key, symbol === null ? [] : [symbol]);
  return withMeta(symbols, EVENT_FIELDS.currency_position.key, position === null ? [] : [position]);
}

/** The `cost` and `cost_details` of an event. */
export function shownCost(event: Post, view: CostView): PresentedCost {
  const { site } = view;
  const [format] = site.registry.hooks('eventCost').flatMap((formatOf) => formatOf(event, view) ?? []);
  return presentCost(costMeta(event), currencyDefaults(site), format);
}
