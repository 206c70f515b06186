import { strtotime } from '../../../base/php/strtotime.js';
import { toStr } from '../../../base/php/cast.js';
import type { Json } from '../../../wordpress/rest/json.js';
import type { Site } from '../../../wordpress/site.js';
import { wallAt, zoneOf } from '../../../wordpress/timezones.js';

/** A time of a filter as site time, `YYYY-MM-DD HH:MM:SS`; without a zone it is UTC. */
export function momentOf(value: Json | undefined, { clock, options, zones }: Site): string | undefined {
  if (value === undefined) return undefined;
  const seconds = strtotime(toStr(value), { now: clock.seconds(), zones, zone: 'UTC' });
  return seconds === null ? undefined : wallAt(seconds, zoneOf(zones, options.timezone));
}
