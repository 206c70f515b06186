import type { Zone, Zones } from '../../base/php/timezone.js';
import { json, qaError, get, change, type QaRoute } from '../tenant/api/route.js';
import { readMoment } from '../../base/text/moment.js';
import type { ClockState } from '../../sdk/types/qa.js';
import type { ParamsOf } from '../../wordpress/rest/params.js';
import type { Args, Json } from '../../wordpress/rest/route.js';
import type { Site } from '../../wordpress/site.js';
import { epochOf, zoneOf } from '../../wordpress/timezones.js';
import type { Tenant } from '../tenant/tenant.js';
import { parseDate } from '../../base/php/strtotime.js';
import { readDuration } from '../../transfer/dates.js';
import { utc } from '../../wordpress/utc.js';

const MS = { week: 604_800_000, day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 };

const ISO = /^([+-])?P(?!$)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?!$)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

const part = (text: string | undefined): number => Number(text ?? 0);

/** Adds an ISO 8601 duration. Days beyond the end of a month become its last day. */
function addIso(from: number, [, sign, years, months, weeks, days, hours, minutes, seconds]: RegExpExecArray): number {
  const direction = sign === '-' ? -1 : 1;
  const moved = utc(from).add(direction * (part(years) * 12 + part(months)), 'month');
  const rest = part(weeks) * MS.week + part(days) * MS.day + part(hours) * MS.hour + part(minutes) * MS.minute + part(seconds) * MS.second;
  return moved.valueOf() + direction * rest;
}

/**
 * Adds a duration to a time.
 * @param from ms since 1970 UTC
 * @param by milliseconds, an ISO 8601 duration (`P1DT2H`), a duration as in datasets (`2h 30min`), or a relative format of PHP
 *   (`2 days`, `-1 week`, `next monday 09:00`), which keeps the local time of day
 * @param zone time zone of the site
 * @param zones the zones that it knows
 * @returns ms since 1970 UTC; null if the duration is invalid
 */
export function moveBy(from: number, by: number | string, zone: string, zones: Zones): number | null {
  if (typeof by === 'number') return Number.isFinite(by) ? from + by : null;
  const text = by.trim();
  if (/^[+-]?\d+$/.test(text)) return from + Number(text);
  const iso = ISO.exec(text);
  if (iso) return addIso(from, iso);
  const length = readDuration(text);
  if (length !== null) return from + length * 1000;
  // Reject absolute dates.
  if (text === '' || /\d{4}-\d\d/.test(text)) return null;
  const moved = parseDate(text, { now: Math.floor(from / 1000), zones, zone: zoneOf(zones, zone).name });
  // PHP: single letters are military time zones.
  if (!moved || moved.explicitZone !== null) return null;
  return moved.epoch * 1000 + (((from % 1000) + 1000) % 1000);
}

export const clockState = ({ clock }: Site): ClockState => ({ now: new Date(clock.now()).toISOString(), frozen: clock.frozen });

const ADVANCE_FORMS = '"2 days", "P1DT2H", "90min" or a number of milliseconds';

/** The range of dates that responses can represent. */
const LAST = Date.UTC(9999, 11, 31);
const FIRST = Date.UTC(0, 0, 1) - 1;

function inRange(at: number): number {
  if (at > FIRST && at < LAST) return at;
  throw qaError('invalid_clock', 'The time is out of range: use a year from 0000 to 9999.');
}

/** Parses a time. @returns ms since 1970 UTC @throws RestError */
export function sentMoment(text: Json): number {
  const at = typeof text === 'string' ? readMoment(text) : null;
  if (at === null) throw qaError('invalid_clock', 'Invalid "now". Use an ISO 8601 date and time such as "2026-06-15T12:00:00Z".');
  return inRange(at);
}

/** Parses a local time. @returns ms since 1970 UTC @throws RestError */
function localMoment(text: string, zone: Zone): number {
  const [, day, time, second = ':00'] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/.exec(text) ?? [];
  const at = day === undefined ? null : epochOf(`${day} ${time}${second}`, zone);
  if (at === null) throw qaError('invalid_clock', 'Invalid "local". Use a local date and time such as "2026-06-15T12:00:00".');
  return inRange(at * 1000);
}

function setClock({ clock, options, zones }: Site, { now, local, advance, frozen, real }: ParamsOf<typeof CLOCK_ARGS>): void {
  const moment = now === undefined ? undefined : sentMoment(now);
  const at = typeof local !== 'string' ? moment : localMoment(local, zoneOf(zones, options.timezone));
  const isLength = typeof advance === 'number' || typeof advance === 'string';
  const target = advance === undefined ? at : isLength ? moveBy(at ?? clock.now(), advance, options.timezone, zones) : null;
  if (target === null) throw qaError('invalid_clock', `Invalid "advance". Use a duration such as ${ADVANCE_FORMS}.`);
  if (target !== undefined) inRange(target);
  if (real === true) clock.run({ real: true });
  if (target !== undefined) clock.set(target);
  // A running clock keeps running after it was set.
  if (frozen === true) clock.freeze(target);
  if (frozen === false) clock.run();
}

/** The time of a dataset. */
export const NOW_ARG = {
  type: 'string',
  sanitize: 'raw',
  description: 'Time at which to freeze the clock (ISO 8601). Relative dates of the dataset refer to it.',
} satisfies Args[string];

const CLOCK_ARGS = {
  now: { type: 'string', sanitize: 'raw', description: 'Time to set the clock to, ISO 8601.' },
  local: { type: 'string', sanitize: 'raw', description: 'The same in the time zone of the site, such as 2026-06-15T12:00:00.' },
  advance: {
    type: ['number', 'string'],
    sanitize: 'raw',
    description: `Duration to advance the clock by, back if negative: ${ADVANCE_FORMS}.`,
  },
  frozen: { type: 'boolean', description: 'Whether the clock is frozen; false lets it run from its current time.' },
  real: { type: 'boolean', description: 'Resets the clock to real time.' },
} satisfies Args;

/** The clock of the site. The header X-Understudy-Now overrides the time of a single request. */
export const clockRoutes = (tenant: Tenant): QaRoute[] => [
  get('/__qa/clock', { summary: 'Get the time of the site', handler: () => json(clockState(tenant.site)) }),
  change('/__qa/clock', {
    summary: 'Set, advance, freeze or unfreeze the clock. Scheduled posts that are due are published.',
    args: CLOCK_ARGS,
    handler: async (params) => {
      setClock(tenant.site, params);
      await tenant.schedule.publishDue();
      return json(clockState(tenant.site));
    },
  }),
];
