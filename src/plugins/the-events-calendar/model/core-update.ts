import { metaValue, metaValues, withMeta, type MetaRow } from '../../../wordpress/model.js';
import { toUtc } from '../../../wordpress/timezones.js';
import type { Zones } from '../../../base/php/timezone.js';
import { plainCost } from './cost.js';
import { EVENT_FIELDS } from './event.js';

const { cost, start_date: start, end_date: end, utc_start_date: startUtc, utc_end_date: endUtc, timezone } = EVENT_FIELDS;

/**
 * The meta of an event after an update through `wp/v2`. TEC: every update stores the cost as it is shown, without the currency symbol, and
 * recomputes the UTC of a date that has changed.
 */
export function afterCoreUpdate(before: MetaRow[], after: MetaRow[], { siteZone, zones }: { siteZone: string; zones: Zones }): MetaRow[] {
  const shown = plainCost(metaValues({ meta: after }, cost.key));
  const zone = metaValue({ meta: after }, timezone.key) || siteZone;
  const edges = [
    { local: start.key, utc: startUtc.key },
    { local: end.key, utc: endUtc.key },
  ];
  return edges.reduce(
    (rows, { local, utc }) => {
      const [old, value] = [before, after].map((meta) => metaValue({ meta }, local));
      return old === undefined || !value || old === value ? rows : withMeta(rows, utc, [toUtc(zones, value, zone)]);
    },
    shown === '' ? after : withMeta(after, cost.key, [shown]),
  );
}
