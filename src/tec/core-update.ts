import { metaValue, metaValues, withMeta, type MetaRow } from '../wp/model.js';
import { phpTrim } from '../wp/formatting/strip-tags.js';
import { toUtc } from '../wp/timezones.js';
import { EVENT_FIELDS } from './event.js';

const {
  cost,
  currency_symbol: currency,
  start_date: start,
  end_date: end,
  utc_start_date: startUtc,
  utc_end_date: endUtc,
  timezone,
} = EVENT_FIELDS;

/**
 * The meta of an event after an update through `wp/v2`. TEC: every one removes the currency symbol from the cost, and recomputes the UTC of
 * a date that has changed.
 */
export function afterCoreUpdate(before: MetaRow[], after: MetaRow[], siteZone: string): MetaRow[] {
  const symbol = metaValue({ meta: after }, currency.key) ?? '';
  const costs = metaValues({ meta: after }, cost.key).map((text) => (symbol === '' ? text : phpTrim(text.replaceAll(symbol, ''))));
  const zone = metaValue({ meta: after }, timezone.key) || siteZone;
  const edges = [
    { local: start.key, utc: startUtc.key },
    { local: end.key, utc: endUtc.key },
  ];
  return edges.reduce(
    (rows, { local, utc }) => {
      const [old, value] = [before, after].map((meta) => metaValue({ meta }, local));
      return old === undefined || !value || old === value ? rows : withMeta(rows, utc, [toUtc(value, zone)]);
    },
    withMeta(after, cost.key, costs),
  );
}
