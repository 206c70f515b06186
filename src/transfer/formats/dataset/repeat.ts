import { lookup } from '../../../base/values/records.js';
import { UTC } from '../../../base/php/timezone.js';
import { epochOf, toUtc, wallAt, zoneOf } from '../../../wordpress/timezones.js';
import type { LoadedContent } from '../../../plugins/register.js';
import { eventTimes, invalidDate, readDatasetDate, type DateBase } from '../../dates.js';
import type { Problems } from '../../source.js';
import { datesOfRule, RuleSteps, TooMuch } from '../ics/expand.js';
import { parseRule } from '../ics/rule.js';
import { messageOf } from '../../../base/values/errors.js';
import type { DeclaredEvent, DeclaredRepeat } from './declaration.js';
import type { NamedEntry } from './names.js';

/*
 * Series. Without the paid plugin, a calendar holds a series as single events, so `repeat` makes single events of one entry: on the dates of
 * a rule of RFC 5545, at the same local time, each as long as the first.
 */

/** The most events that one entry makes. */
const MAX_REPEATED = 500;
/** The most events that all entries of a file with `repeat` make. */
const MAX_SERIES_EVENTS = 100_000;

const FREQUENCIES: Readonly<Record<string, string>> = lookup({ day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' });
const ADVERBS: Readonly<Record<string, string>> = lookup({ daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' });
const WEEKDAYS = 'MO,TU,WE,TH,FR';

const INTERVAL = /^(?:(daily|weekly|monthly|yearly)|(weekdays)|(?:every )?(?:(\d{1,3}) )?(day|week|month|year)s?)$/i;
const TEXT = /^(.+?)(?: on (.+?))?(?: ?[×x*] ?(\d{1,6})| (\d{1,6}) times| until (.+))$/i;
const ON_WEEKDAY =
  /^(?:(-?\d{1,2})(?:st|nd|rd|th)? |(last) )?(mo|tu|we|th|fr|sa|su)(?:n|e|d|u|i|t|nday|esday|es|dnesday|ur|urs|ursday|iday|turday)?$/i;
const ORDINALS: readonly string[] = ['first', 'second', 'third', 'fourth', 'fifth'];
const ON_DAY = /^(-?\d{1,2})(?:st|nd|rd|th)?$/i;

const invalid = (text: string): string =>
  `invalid repetition ${JSON.stringify(text)}. Write one such as "weekly × 10", "every 2 weeks on tue, thu until +3m", "monthly on last fri × 6"`;

/** Adds a problem with a field of the repetition. */
type Report = (field: string, message: string) => void;

/** The repetition that a text stands for; null if it is invalid. */
function parsed(text: string, report: Report): DeclaredRepeat | null {
  const [, every, on, many, times, until] = TEXT.exec(text.trim().replace(/\s+/g, ' ')) ?? [];
  if (every === undefined) {
    report('every', invalid(text));
    return null;
  }
  const count = many ?? times;
  return {
    every,
    ...(on === undefined ? {} : { on: on.split(/ ?, ?| and /) }),
    ...(count === undefined ? {} : { times: Number(count) }),
    ...(until === undefined ? {} : { until }),
  };
}

/** The part of a rule for a day of `on`; null if it is invalid. */
function dayRule(day: string | number): { name: 'BYDAY' | 'BYMONTHDAY'; value: string } | null {
  const text = String(day)
    .trim()
    .replace(/^[a-z]+(?= )/i, (word) => String(ORDINALS.indexOf(word.toLowerCase()) + 1 || word));
  const [, number, last, weekday] = ON_WEEKDAY.exec(text) ?? [];
  if (weekday !== undefined) return { name: 'BYDAY', value: `${last === undefined ? (number ?? '') : '-1'}${weekday.toUpperCase()}` };
  const inMonth = Number(ON_DAY.exec(text)?.[1] ?? 0);
  return inMonth === 0 || Math.abs(inMonth) > 31 ? null : { name: 'BYMONTHDAY', value: String(inMonth) };
}

/** The rule of RFC 5545. Problems are added at the path of the repetition. */
function ruleOf({ every, on = [], times }: DeclaredRepeat, report: Report): string | null {
  const [, adverb, weekdays, interval = '1', unit] = INTERVAL.exec(every.trim()) ?? [];
  const each = weekdays === undefined ? (unit?.toLowerCase() ?? ADVERBS[adverb?.toLowerCase() ?? '']) : 'week';
  if (each === undefined || Number(interval) === 0) {
    report('every', `invalid interval ${JSON.stringify(every)}. Write one such as "week", "2 weeks", "monthly" or "weekdays"`);
    return null;
  }
  const parts = new Map([
    ['FREQ', FREQUENCIES[each]],
    ['INTERVAL', interval],
  ]);
  if (weekdays !== undefined) parts.set('BYDAY', WEEKDAYS);
  for (const day of on) {
    const rule = dayRule(day);
    if (!rule) {
      report('on', `invalid day ${JSON.stringify(day)}. Write one such as "tue", "2nd tue", "last fri" or 15`);
      return null;
    }
    parts.set(rule.name, parts.has(rule.name) ? `${parts.get(rule.name)},${rule.value}` : rule.value);
  }
  if (times !== undefined) parts.set('COUNT', String(times));
  return [...parts].map(([name, value]) => `${name}=${value}`).join(';');
}

/** The days of a local time and another, which is later. */
const daysBetween = (from: string, to: string): number => {
  const midnight = (wall: string): number => epochOf(`${wall.slice(0, 10)} 00:00:00`, UTC) ?? 0;
  return (midnight(to) - midnight(from)) / 86_400;
};

const shiftDays = (wall: string, days: number): string => wallAt((epochOf(wall, UTC) ?? 0) + days * 86_400, UTC);

/** The latest local time that `until` includes: a date alone includes the whole day. */
const lastOf = (wall: string): string => (wall.endsWith(' 00:00:00') ? `${wall.slice(0, 10)} 23:59:59` : wall);

/** The dates of a rule. Null: it has too many, or takes too long to evaluate, which is reported. @throws TooMuch */
function datesOf(rule: string, start: string, last: string, steps: RuleSteps, report: Report): string[] | null {
  try {
    const dates: string[] = [];
    const parsedRule = parseRule(rule);
    const [from, to] = [start, last].map((wall) => epochOf(wall, UTC) ?? 0);
    for (const date of datesOfRule(parsedRule, from, { from, to, hasStart: false }, steps.begin(parsedRule))) {
      dates.push(wallAt(date, UTC));
      if (dates.length > MAX_REPEATED) break;
    }
    if (dates.length <= MAX_REPEATED) return dates;
    report('times', `makes more than ${MAX_REPEATED} events. Write an earlier end`);
  } catch (error) {
    if (error instanceof TooMuch) throw error;
    report('every', messageOf(error));
  }
  return null;
}

interface SeriesReading {
  base: DateBase;
  steps: RuleSteps;
  problems: Problems;
  contents: readonly LoadedContent[];
}

/** The events of an entry with `repeat`, the first one first. Null: there is a problem, which is reported. @throws TooMuch */
function seriesOf(event: DeclaredEvent, at: string, { base, steps, problems, contents }: SeriesReading): DeclaredEvent[] | null {
  const { repeat, id, slug, comments, duration: _, ...shared } = event;
  if (repeat === undefined) return null;
  const isText = typeof repeat === 'string';
  const report: Report = (field, message) => problems.add(isText ? `${at}.repeat` : `${at}.repeat.${field}`, message);
  const rules = isText ? parsed(repeat, report) : repeat;
  if (!rules) return null;
  const rule = ruleOf(rules, report);
  const { start, end, duration, timezone, all_day: allDay = false } = event;
  const times = eventTimes({ start, end, duration, timezone: timezone || undefined, allDay }, base);
  // Invalid times are reported together with the invalid times of all other events.
  if (rule === null || 'message' in times) return null;

  const zone = zoneOf(base.zones, times.timezone);
  const wallFor = (text: string, field: string): string | null => {
    const date = readDatasetDate(text, { ...base, zone: times.timezone });
    if (!date) report(field, invalidDate(text, { ...base, zone: times.timezone }));
    return date && wallAt(date.epoch, zone);
  };
  if (rules.until === undefined && rules.times === undefined) {
    report('times', 'a series needs an end: times or until');
    return null;
  }
  const until = rules.until === undefined ? '9999-12-31 23:59:59' : wallFor(rules.until, 'until');
  const except = (rules.except ?? []).map((text) => wallFor(text, 'except')?.slice(0, 10));
  if (until === null || except.includes(undefined)) return null;

  const dates = datesOf(rule, times.start, lastOf(until), steps, report);
  if (!dates) return null;
  const kept = dates.filter((wall) => !except.includes(wall.slice(0, 10)));
  if (kept.length === 0) {
    report('until', 'makes no event: no date is between the start and the end of the series');
    return null;
  }
  // Compare in UTC, since clocks may skip the local time of one of them.
  const instant = (wall: string): string => `${toUtc(base.zones, wall, times.timezone).replace(' ', 'T')}Z`;
  const again = Object.assign({}, ...contents.map(({ dataset }) => dataset?.again?.(shared))) as object;
  return kept.map((wall, index): DeclaredEvent => ({
    ...shared,
    ...(index === 0 ? { id, slug, comments } : again),
    start: instant(wall),
    end: instant(shiftDays(times.end, daysBetween(times.start, wall))),
    timezone: times.timezone,
  }));
}

/**
 * Replaces entries that repeat by single events.
 * @returns all events: the file's own in their places, then the repetitions with their entries
 */
export function withSeries(
  events: readonly DeclaredEvent[],
  base: DateBase,
  contents: readonly LoadedContent[],
  problems: Problems,
): { events: DeclaredEvent[]; further: NamedEntry[] } {
  const further: { event: DeclaredEvent; entry: NamedEntry }[] = [];
  const steps = new RuleSteps();
  let isTooMuch = false;
  const own = events.map((event, index) => {
    if (isTooMuch) return event;
    const path = `events[${index}]`;
    try {
      const [first, ...others] = seriesOf(event, path, { base, steps, problems, contents }) ?? [event];
      for (const other of others) further.push({ event: other, entry: { path, name: event.slug ?? event.title } });
      if (further.length <= MAX_SERIES_EVENTS) return first;
      problems.add(
        path,
        `the series up to here make more than ${MAX_SERIES_EVENTS} events. Split the file, or write fewer or shorter series`,
      );
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      problems.add(path, error.message);
    }
    isTooMuch = true;
    return event;
  });
  return { events: [...own, ...further.map(({ event }) => event)], further: further.map(({ entry }) => entry) };
}
