import { Weighted, type Random } from './random.js';
import type { CostKind, GenerateOptions } from './options.js';
import type { City, Country } from './places.js';
import { clockOf, dayNumber, dayText, epochMs, twoDigits } from './tools.js';
import { ADJECTIVES, KINDS, PEOPLE, WHOLE_DAY_KINDS, wordsFor, type EventKind } from './words.js';
import type { FieldValues } from '../fields.js';

/** The period in which events take place. */
export interface EventPeriod extends Pick<GenerateOptions, 'allDay' | 'multiDay'> {
  /** Days since 1970. */
  firstDay: number;
  days: number;
}

export function periodOf({ from, to, allDay, multiDay }: GenerateOptions): EventPeriod {
  const firstDay = dayNumber(from);
  return { firstDay, days: dayNumber(to) - firstDay + 1, allDay, multiDay };
}

/** Picks a day; weekends are more likely than other days. */
function dayOf(random: Random, { firstDay, days }: EventPeriod): number {
  const draw = (): number => firstDay + random.whole(0, days - 1);
  const first = draw();
  const weekday = (first + 4) % 7;
  return weekday === 0 || weekday >= 5 || random.chance(0.6) ? first : draw();
}

/** How long an event lasts. */
export interface Length {
  allDay: boolean;
  /** Days after the first one. */
  more: number;
}

export function lengthOf(random: Random, span: EventPeriod): Length {
  const allDay = random.chance(span.allDay);
  return { allDay, more: random.chance(span.multiDay) ? random.whole(1, 4) : 0 };
}

const isLong = ({ allDay, more }: Length): boolean => allDay || more > 0;

export const kindOf = (random: Random, length: Length): EventKind => random.pick(isLong(length) ? WHOLE_DAY_KINDS : KINDS);

export function timesOf(random: Random, kind: EventKind, zone: string, span: EventPeriod, { allDay, more }: Length): FieldValues {
  const day = dayOf(random, span);
  const hour = random.pick(kind.hours);
  const minute = random.chance(0.3) ? 30 : 0;
  const last = hour * 60 + minute + random.pick(kind.minutes);
  const start = `${dayText(day)} ${allDay ? '00:00:00' : `${twoDigits(hour)}:${twoDigits(minute)}:00`}`;
  const endDay = dayText(day + more + (allDay ? 0 : Math.floor(last / 1440)));
  const end = `${endDay} ${allDay ? '23:59:59' : `${twoDigits(Math.floor(last / 60) % 24)}:${twoDigits(last % 60)}:00`}`;
  const clock = clockOf(zone);
  const [startUtc, endUtc] = [clock.toUtc(start), clock.toUtc(end)];
  return {
    all_day: allDay,
    start_date: start,
    end_date: end,
    utc_start_date: startUtc,
    utc_end_date: endUtc,
    duration: (epochMs(endUtc) - epochMs(startUtc)) / 1000,
    timezone: zone,
    timezone_abbr: clock.abbreviation(start),
  };
}

export function priceOf(random: Random, kind: EventKind, { currency }: Country, costs: Weighted<CostKind>): FieldValues {
  const how = costs.draw(random);
  const step = currency.ticket >= 100 ? 50 : 1;
  const amount = Math.max(step, Math.round((currency.ticket * (0.5 + kind.price) * (50 + random.whole(0, 100))) / 100 / step) * step);
  const money = { currency_symbol: currency.symbol, currency_code: currency.code, currency_position: currency.position };
  if (how === 'none') return {};
  if (how === 'free') return { cost: '0' };
  if (how === 'donation') return { cost: 'Donation' };
  if (how === 'fixed') return { ...money, cost: amount };
  return { ...money, cost: [amount, amount + step * random.whole(2, 12)] };
}

export function eventTitle(random: Random, kind: EventKind, { name, country }: City, length: Length): string {
  const one = (words: readonly string[]): string => random.pick(wordsFor(country, words));
  return one((isLong(length) ? kind.wholeDays : undefined) ?? kind.titles)
    .replace('%a', () => random.pick(ADJECTIVES))
    .replace('%p', () => one(PEOPLE))
    .replace('%t', () => one(kind.themes))
    .replace('%c', name);
}
