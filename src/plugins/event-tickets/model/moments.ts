import { strtotime } from '../../../base/php/strtotime.js';
import { toStr } from '../../../base/php/cast.js';
import { inZone, momentAt } from '../../the-events-calendar/model/dates.js';
import type { Json } from '../../../wordpress/rest/request.js';
import type { Site } from '../../../wordpress/site.js';
import { wallAt, zoneOf } from '../../../wordpress/timezones.js';

/** A time of a filter as site time, `YYYY-MM-DD HH:MM:SS`; without a zone it is UTC. */
export function momentOf(value: Json | undefined, site: Site): string | undefined {
  if (value === undefined) return undefined;
  const seconds = strtotime(toStr(value), inZone(momentAt(site), 'UTC'));
  return seconds === null ? undefined : wallAt(seconds, zoneOf(site.zones, site.options.timezone));
}
