import { findLanguage, type Language } from '../../base/locales/index.js';
import { offsetAt, type Zones } from '../../base/php/timezone.js';
import type { Site } from '../site.js';
import { epochOf } from '../timezones.js';
import { daysAfter } from '../days.js';
import { money, type ShownCurrency } from './money.js';

type Style = Intl.DateTimeFormatOptions;

const DAY: Style = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' };
const SHORT_DAY: Style = { weekday: 'short', day: 'numeric', month: 'short' };
const TIME: Style = { hour: 'numeric', minute: '2-digit' };

/** The day and month on the badge of an event. */
export interface Badge {
  weekday: string;
  day: string;
  month: string;
}

/** Start and end of an event: local times `YYYY-MM-DD HH:MM:SS`, empty if unknown. */
export interface Span {
  start: string;
  end: string;
  allDay: boolean;
  /** Abbreviation of the time zone, if it is shown beside the times. */
  zone?: string | undefined;
}

/** Converts a local time to ms as if it were UTC, for formatting with `Intl` in UTC. */
const utcMs = (wall: string): number => Date.parse(`${wall.slice(0, 10)}T${wall.slice(11) || '00:00:00'}Z`);

const dateOnly = (wall: string): string => wall.slice(0, 10);

/** The language tag for dates: with the country of the site for the site's own language, else the language alone. */
export function dateTag({ options }: Site, language: Language): string {
  const tag = options.locale.replaceAll('_', '-').replace(/-(?:formal|informal)$/, '');
  if (tag === '' || findLanguage(tag) !== language) return language;
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? language;
  } catch {
    return language;
  }
}

/** The week data of `Intl.Locale`: a property in older engines, a method in newer ones. Day 7 is Sunday. */
interface WeekData {
  weekInfo?: { firstDay: number };
  getWeekInfo?: () => { firstDay: number };
}

const MONDAY = 1;

/** Formats dates and times in a language. Invalid dates are returned unchanged. */
export class Dates {
  private numbers: Intl.NumberFormat | undefined;
  private plurals: Intl.PluralRules | undefined;
  private readonly formats = new Map<Style, Intl.DateTimeFormat>();

  /** @param tag language tag: `en`, `en-GB` */
  constructor(private readonly tag: string) {}

  private format(style: Style): Intl.DateTimeFormat {
    const known = this.formats.get(style) ?? new Intl.DateTimeFormat(this.tag, { ...style, timeZone: 'UTC' });
    this.formats.set(style, known);
    return known;
  }

  private single(wall: string, style: Style): string {
    const ms = utcMs(wall);
    return Number.isNaN(ms) ? wall : this.format(style).format(ms);
  }

  private range({ start, end, allDay }: Span, day: Style, timed: Style): string {
    const [from, to] = [utcMs(start), utcMs(end)];
    if (Number.isNaN(from) || Number.isNaN(to) || to < from) return this.single(start, allDay ? day : timed);
    return this.format(allDay ? day : timed).formatRange(from, to);
  }

  /** `Wed, Jun 17, 6:30 – 8:30 PM`; without times for all-day events. */
  shortSpan = (span: Span): string => this.range(span, SHORT_DAY, SHORT_DAY_AND_TIME);

  /** `Wed, Jun 17, 6:30`, ` – ` and `8:30 PM`; the last two are empty if there is no end. */
  shortParts(span: Span): [start: string, between: string, end: string] {
    const [from, to] = [utcMs(span.start), utcMs(span.end)];
    const style = this.format(span.allDay ? SHORT_DAY : SHORT_DAY_AND_TIME);
    const parts = Number.isNaN(from) || Number.isNaN(to) || to < from ? [] : style.formatRangeToParts(from, to);
    const last = parts.findLastIndex(({ source }) => source === 'startRange');
    const next = parts.findIndex(({ source }) => source === 'endRange');
    const textOf = (some: typeof parts): string => some.map(({ value }) => value).join('');
    if (last < 0 || next < last) return [this.shortSpan(span), '', ''];
    return [textOf(parts.slice(0, last + 1)), textOf(parts.slice(last + 1, next)), textOf(parts.slice(next))];
  }

  /** `Wednesday, June 17, 2026`. */
  day = (wall: string): string => this.single(dateOnly(wall), DAY);

  /** `June 17 – 19, 2026`. @param first `YYYY-MM-DD`, as `last` */
  days = (first: string, last: string): string => this.range({ start: first, end: last, allDay: true }, DATE, DATE);

  /** `6:30 PM`. */
  time = (wall: string): string => this.single(wall, TIME);

  /** `June 17`. */
  monthDay = (wall: string): string => this.single(dateOnly(wall), MONTH_DAY);

  /** `June 2026`. */
  month = (wall: string): string => this.single(dateOnly(wall), MONTH);

  /** Names of weekdays. @param first first day of the week, 0 is Sunday */
  weekdays(first: number): { long: string; short: string }[] {
    return Array.from({ length: 7 }, (_, index) => {
      const wall = daysAfter(SUNDAY, first + index);
      return { long: this.single(wall, WEEKDAY), short: this.single(wall, SHORT_WEEKDAY) };
    });
  }

  /** The day that weeks begin with, 0 is Sunday. */
  get weekStart(): number {
    const locale: Intl.Locale & WeekData = new Intl.Locale(this.tag);
    const { firstDay } = locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: MONDAY };
    return firstDay % 7;
  }

  badge = (wall: string): Badge => ({
    weekday: this.single(dateOnly(wall), SHORT_WEEKDAY),
    // Not with Intl, which adds a word in some languages.
    day: String(Number(wall.slice(8, 10)) || ''),
    month: this.single(dateOnly(wall), SHORT_MONTH),
  });

  /**
   * The name of a time zone at a local time: `Central European Summer Time`; the zone itself if it has no name, or if this Node.js names another
   * offset than the zone data of the site has.
   */
  zone(zone: string, wall: string, zones: Zones): string {
    const found = zones.resolve(zone);
    const at = (found && epochOf(wall, found)) ?? 0;
    const named = (tag: string, timeZoneName: 'long' | 'longOffset'): string | undefined =>
      new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName }).formatToParts(at * 1000).find(({ type }) => type === 'timeZoneName')
        ?.value;
    try {
      const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d\d):(\d\d))?$/.exec(named('en', 'longOffset') ?? '') ?? [];
      const offset = (sign === '-' ? -60 : 60) * (Number(hours) * 60 + Number(minutes));
      return (found && offset === offsetAt(found, at) ? named(this.tag, 'long') : undefined) ?? zone;
    } catch {
      return zone;
    }
  }

  /** Whether a number takes the singular: 1 in English, 0 as well in French. */
  isSingular = (value: number): boolean => (this.plurals ??= new Intl.PluralRules(this.tag)).select(value) === 'one';

  /** Formats a duration: `1 second`, `30 seconds`. */
  seconds = (value: number): string =>
    new Intl.NumberFormat(this.tag, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(value);

  number = (value: number): string => (this.numbers ??= new Intl.NumberFormat(this.tag)).format(value);

  /** `€12.50`, `41–52 €`. @param amounts one, or the lowest and the highest */
  money = (amounts: readonly number[], currency: ShownCurrency): string => money(this.tag, amounts, currency);
}

const SUNDAY = '2026-03-01';
const SHORT_DAY_AND_TIME: Style = { ...SHORT_DAY, ...TIME };
const DATE: Style = { day: 'numeric', month: 'long', year: 'numeric' };
const MONTH_DAY: Style = { day: 'numeric', month: 'long' };
const MONTH: Style = { month: 'long', year: 'numeric' };
const WEEKDAY: Style = { weekday: 'long' };
const SHORT_WEEKDAY: Style = { weekday: 'short' };
const SHORT_MONTH: Style = { month: 'short' };
