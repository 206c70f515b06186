import { siteToUtc, utcToSite } from '../../timezones.js';
import type { Site } from '../../site.js';

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|([+-])(\d\d)(?::?(\d\d))?)?$/i;

const stored = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

const clockTime = (...[hour, minute, second]: string[]): number => ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;

/**
 * A date as it is sent to the core API. WP: without a zone it is in site time, or in UTC.
 * @param text a valid date
 */
export function readSentDate(text: string, isUtc: boolean, site: Site) {
  const [, year, month, day, hour, minute, second, zone, sign, hours = '0', minutes = '0'] = ISO.exec(text) ?? [];
  // JS: `Date.UTC` maps years below 100 to the last century.
  const wall = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day)) + clockTime(hour, minute, second);
  if (Number.isNaN(wall)) return { date: '', dateGmt: '' };
  if (zone === undefined && !isUtc) return { date: stored(wall), dateGmt: siteToUtc(site.zones, stored(wall), site.options.timezone) };
  const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const utc = stored(wall - (sign === undefined ? 0 : ahead));
  return { date: utcToSite(site.zones, utc, site.options.timezone), dateGmt: utc };
}
