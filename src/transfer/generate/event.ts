import { Random, type Weighted } from './random.js';
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

/** Words of a season, and the months in which their events take place, north of the equator. */
const SEASONS: readonly (readonly [words: RegExp, months: readonly number[]])[] = [
  [/Weihnacht/, [11, 12]],
  [/Winter/, [11, 12, 1, 2, 3]],
  [/Summer/, [6, 7, 8, 9]],
];

/** Whether a text fits a month, from 1. South of the equator it is the other season, but the same Christmas. */
function fitsMonth(text: string, month: number, isSouth: boolean): boolean {
  const season = SEASONS.find(([words]) => words.test(text));
  if (season === undefined) return true;
  const [words, months] = season;
  const there = isSouth && !words.test('Weihnacht') ? ((month + 5) % 12) + 1 : month;
  return months.includes(there);
}

/** A word that was drawn from a list, and the list. */
interface Drawn {
  word: string;
  list: readonly string[];
}

/**
 * Draws a title.
 * @returns the title for the start (`YYYY-MM-DD …`): words that do not fit the month are replaced by the next ones in their lists that do
 */
export function eventTitle(random: Random, kind: EventKind, { name, country, lat }: City, length: Length): (start: string) => string {
  const draw = (by: Random, list: readonly string[]): Drawn => ({ word: by.pick(list), list });
  const pattern = draw(random, wordsFor(country, (isLong(length) ? kind.wholeDays : undefined) ?? kind.titles));
  const lists: Record<string, readonly string[]> = {
    '%a': ADJECTIVES,
    '%p': wordsFor(country, PEOPLE),
    '%t': wordsFor(country, kind.themes),
  };
  const marks = Object.keys(lists).filter((mark) => pattern.word.includes(mark));
  const drawn: Record<string, Drawn | undefined> = Object.fromEntries(marks.map((mark) => [mark, draw(random, lists[mark])]));
  return (start) => {
    const month = Number(start.slice(5, 7));
    const fitting = ({ word, list }: Drawn): string => {
      const at = list.indexOf(word);
      return [...list.slice(at), ...list.slice(0, at)].find((each) => fitsMonth(each, month, lat < 0)) ?? word;
    };
    // Another pattern may have other marks. Their words must not change what is drawn next.
    const others = new Random(`${name} ${start}`);
    return fitting(pattern)
      .replaceAll(/%[apt]/g, (mark) => fitting(drawn[mark] ?? draw(others, lists[mark])))
      .replace('%c', name);
  };
}
