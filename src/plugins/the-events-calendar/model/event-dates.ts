import { mysqlDate, parseMysqlDate } from '../../../base/php/date.js';
import { metaValue, withMeta, metaValues, type MetaRow, type Post } from '../../../wordpress/model.js';
import type { GivenDate } from '../../../wordpress/posts/post-save.js';
import type { Clock } from '../../../wordpress/clock.js';
import type { Options } from '../../../wordpress/options.js';
import type { Site } from '../../../wordpress/site.js';
import { abbreviation, toLocal, toUtc } from '../../../wordpress/timezones.js';
import { isEmpty } from '../../../base/php/cast.js';
import { isInSiteZone } from './options.js';
import type { Occurrence } from './occurrence.js';
import { instantAsDate, publicationDate, type DateContext, type EventDates } from './dates.js';
import { EVENT_FIELDS, readText, isTruthy } from './event.js';
import type { Related } from '../../../wordpress/posts/related.js';
import { presentCost, type CostFormat, type CostMeta, type CurrencyDefaults, type PresentedCost, type StoredCost } from './cost.js';

type WithMeta = Pick<Post, 'meta'>;

/** The stored dates of an event; undefined if there is no row. */
export interface EventTimes {
  start: string | undefined;
  end: string | undefined;
  startUtc: string | undefined;
  endUtc: string | undefined;
}

const KEYS = {
  start: EVENT_FIELDS.start_date.key,
  end: EVENT_FIELDS.end_date.key,
  startUtc: EVENT_FIELDS.utc_start_date.key,
  endUtc: EVENT_FIELDS.utc_end_date.key,
} as const satisfies Record<keyof EventTimes, string>;

export const storedTimes = (post: WithMeta): EventTimes => ({
  start: metaValue(post, KEYS.start),
  end: metaValue(post, KEYS.end),
  startUtc: metaValue(post, KEYS.startUtc),
  endUtc: metaValue(post, KEYS.endUtc),
});

/** The zone of an event as text; the site's where it has none. */
export const timezoneOf = (post: WithMeta, siteZone: string): string => readText(post, EVENT_FIELDS.timezone) || siteZone;

interface ShownTimes {
  start: string;
  end: string;
  /** The zone of both, as text. */
  zone: string;
}

type ZoneSettings = Pick<Site, 'zones' | 'options'>;

/** The local times of an event for readers. TEC: those of the site in its zone mode. */
export function shownTimes(post: WithMeta, { zones, options }: ZoneSettings): ShownTimes {
  const { start = '', end = '' } = storedTimes(post);
  const zone = timezoneOf(post, options.timezone);
  if (!isInSiteZone(options)) return { start, end, zone };
  const onSite = (wall: string): string => toLocal(zones, toUtc(zones, wall, zone), options.timezone);
  return { start: onSite(start), end: onSite(end), zone: options.timezone };
}

/** The same of an occurrence. */
export function shownSpan(
  { start, end, startUtc, endUtc }: Occurrence,
  { zones, options }: ZoneSettings,
): Pick<ShownTimes, 'start' | 'end'> {
  if (!isInSiteZone(options)) return { start, end };
  return { start: toLocal(zones, startUtc, options.timezone), end: toLocal(zones, endUtc, options.timezone) };
}

/** The abbreviation of the zone of an event beside its times; undefined where the site shows none. */
export function zoneLabel(post: WithMeta, site: ZoneSettings): string | undefined {
  const { zones, options } = site;
  if (isEmpty(options.calendar.tribe_events_timezones_show_zone)) return undefined;
  const { start, zone } = shownTimes(post, site);
  const stored = isInSiteZone(options) ? '' : readText(post, EVENT_FIELDS.timezone_abbr);
  return stored || abbreviation(zones, zone, start);
}

/** The meta after its dates and its zone were written. @param keepsDuration TEC: as all-day events do */
export function writeDates(meta: MetaRow[], { dates, timezone, abbr }: EventDates, keepsDuration: boolean): MetaRow[] {
  const rows: [key: string, value: string][] = [
    [EVENT_FIELDS.timezone.key, timezone],
    [EVENT_FIELDS.timezone_abbr.key, abbr],
  ];
  if (dates) {
    rows.push([KEYS.start, dates.start], [KEYS.end, dates.end], [KEYS.startUtc, dates.startUtc], [KEYS.endUtc, dates.endUtc]);
    if (!keepsDuration) rows.push([EVENT_FIELDS.duration.key, String(dates.duration)]);
  }
  return rows.reduce((next, [key, value]) => withMeta(next, key, [value]), meta);
}

/** TEC: an invalid date is stored as an empty one. */
export const writeNoDates = (meta: MetaRow[]): MetaRow[] => withMeta(withMeta(meta, KEYS.start, ['']), KEYS.end, ['']);

/** A stored date of an event, or its occurrence's if it is invalid. */
export function dateOr(stored: string | undefined, listed: string | undefined): string {
  const wall = parseMysqlDate(stored ?? '');
  return wall ? mysqlDate(wall) : (listed ?? '');
}

/** Dependencies of the dates of a write besides its parameters: the clock, the time zone and the zone data of the site. */
export interface DatingSite {
  clock: Pick<Clock, 'seconds'>;
  zones: DateContext['zones'];
  options: Pick<Options, 'timezone'>;
}

/** The moment of a request to a site. */
export const momentOf = ({ clock, options, zones }: DatingSite): DateContext => ({
  now: clock.seconds(),
  siteZone: options.timezone,
  zones,
});

/** The publication date that a write stores, from `date` and `date_utc`; null if neither is a date. */
export function givenDate(params: { date?: unknown; date_utc?: unknown }, ctx: DateContext): GivenDate | null {
  const date = publicationDate(params, ctx);
  return date && { ...date, utcGiven: params.date_utc !== undefined && params.date_utc !== null };
}

/** The same of a venue or an organizer. TEC: a Unix time is an instant there. */
export const givenLinkedDate = (params: { date?: unknown; date_utc?: unknown }, ctx: DateContext): GivenDate | null =>
  givenDate({ ...params, date: instantAsDate(params.date, ctx) }, ctx);

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
