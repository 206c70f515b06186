import { daysFromCivil } from './date.js';
import type { Periods } from './timezone.js';

/** Reads compiled time zone files (TZif, RFC 9636). */

const HEADER = 44;
const DAY = 86400;

/** The last year for which rules are written out, as in the included data. Later times repeat it. */
const LAST_YEAR = 2499;

/** An offset in seconds east of UTC, and its abbreviation. */
interface LocalTime {
  offset: number;
  abbreviation: string;
}

interface Change extends LocalTime {
  /** Epoch second. */
  at: number;
}

/** A day of the year on which clocks change, and the local second of that day. */
interface Rule {
  dayOf: (year: number) => number;
  second: number;
}

/** The rule at the end of a file, for the time after the last change: standard time only, or two changes in a year. */
interface Footer {
  standard: LocalTime;
  daylight: (LocalTime & { from: Rule; to: Rule }) | null;
}

interface Counts {
  leap: number;
  times: number;
  types: number;
  characters: number;
  isStandard: number;
  isUt: number;
}

function countsAt(data: Buffer, at: number): Counts {
  const [isUt, isStandard, leap, times, types, characters] = [0, 1, 2, 3, 4, 5].map((index) => data.readUInt32BE(at + 20 + index * 4));
  return { isUt, isStandard, leap, times, types, characters };
}

/** @param size bytes of a time */
const lengthOf = ({ leap, times, types, characters, isStandard, isUt }: Counts, size: number): number =>
  times * (size + 1) + types * 6 + characters + leap * (size + 4) + isStandard + isUt;

function readBlock(data: Buffer, start: number, size: number) {
  const counts = countsAt(data, start);
  const at = start + HEADER;
  const end = at + lengthOf(counts, size);
  if (end > data.length || counts.types === 0) throw new Error('a time zone file is cut off');
  const indices = at + counts.times * size;
  const types = indices + counts.times;
  const texts = types + counts.types * 6;
  const typeAt = (index: number): LocalTime => {
    if (index >= counts.types) throw new Error('a time zone file is broken');
    const from = texts + data[types + index * 6 + 5];
    return { offset: data.readInt32BE(types + index * 6), abbreviation: data.toString('latin1', from, data.indexOf(0, from)) };
  };
  const timeAt = (index: number): number => (size === 8 ? Number(data.readBigInt64BE(at + index * 8)) : data.readInt32BE(at + index * 4));
  const changes = Array.from({ length: counts.times }, (_, index) => ({ at: timeAt(index), ...typeAt(data[indices + index]) }));
  return { first: typeAt(0), changes, end };
}

const NAME = '([A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)';
const TIME = '([+-]?\\d{1,3}(?::\\d{1,2}){0,2})';
const DATE = '(J?\\d{1,3}|M\\d{1,2}\\.\\d\\.\\d)';
const FOOTER = new RegExp(`^${NAME}${TIME}(?:${NAME}${TIME}?,${DATE}(?:/${TIME})?,${DATE}(?:/${TIME})?)?$`);

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  const size = hours * 3600 + minutes * 60 + seconds;
  return text.startsWith('-') ? 0 - size : size;
}

const isLeap = (year: number): boolean => daysFromCivil(year, 3, 1) - daysFromCivil(year, 2, 28) === 2;

function dayOf(date: string, year: number): number {
  if (date.startsWith('J')) {
    // Day 1 to 365, without 29 February.
    const day = Number(date.slice(1));
    return daysFromCivil(year, 1, 1) + day - 1 + (isLeap(year) && day >= 60 ? 1 : 0);
  }
  if (!date.startsWith('M')) return daysFromCivil(year, 1, 1) + Number(date);
  const [month, week, weekday] = date.slice(1).split('.').map(Number);
  const first = daysFromCivil(year, month, 1);
  // 1970-01-01 was a Thursday.
  const inMonth = first + ((((weekday - first - 4) % 7) + 7) % 7);
  const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
  const day = inMonth + (week - 1) * 7;
  return day < next ? day : day - 7;
}

const ruleOf = (date: string, time = '2'): Rule => ({ dayOf: (year) => dayOf(date, year), second: secondsOf(time) });

const nameOf = (text: string): string => text.replace(/[<>]/g, '');

function readFooter(text: string): Footer | null {
  if (text === '') return null;
  const [, name, west, other, otherWest, from, fromTime, to, toTime] = FOOTER.exec(text) ?? [];
  if (name === undefined) throw new Error(`a time zone file ends with the unknown rule ${JSON.stringify(text)}`);
  const standard = { offset: 0 - secondsOf(west), abbreviation: nameOf(name) };
  if (other === undefined) return { standard, daylight: null };
  const offset = otherWest === undefined ? standard.offset + 3600 : 0 - secondsOf(otherWest);
  return { standard, daylight: { offset, abbreviation: nameOf(other), from: ruleOf(from, fromTime), to: ruleOf(to, toTime) } };
}

function changesIn(year: number, { standard, daylight }: Footer): Change[] {
  if (!daylight) return [];
  const { from, to, offset, abbreviation } = daylight;
  return [
    { at: from.dayOf(year) * DAY + from.second - standard.offset, offset, abbreviation },
    { at: to.dayOf(year) * DAY + to.second - offset, ...standard },
  ].toSorted((a, b) => a.at - b.at);
}

function changesAfter(last: number, footer: Footer): Change[] {
  const first = last < 0 ? 1970 : new Date(last * 1000).getUTCFullYear();
  const found: Change[] = [];
  for (let year = first; year <= LAST_YEAR; year++) found.push(...changesIn(year, footer).filter(({ at }) => at > last));
  return found;
}

/** The periods of a zone file. @throws Error for another file */
export function periodsOf(data: Buffer): Periods {
  if (data.length < HEADER || data.toString('latin1', 0, 4) !== 'TZif') throw new Error('a time zone file has to start with TZif');
  const isLong = data[4] >= 0x32;
  const start = isLong ? HEADER + lengthOf(countsAt(data, 0), 4) : 0;
  const { first, changes, end } = readBlock(data, start, isLong ? 8 : 4);
  const footer = isLong ? readFooter(data.toString('latin1', end).trim()) : null;
  const all = footer ? [...changes, ...changesAfter(changes.at(-1)?.at ?? 0, footer)] : changes;
  const periods: LocalTime[] = [first];
  const ends: number[] = [];
  for (const { at, offset, abbreviation } of all) {
    const before = periods[periods.length - 1];
    if (before.offset === offset && before.abbreviation === abbreviation) continue;
    ends.push(at);
    periods.push({ offset, abbreviation });
  }
  return {
    ends: Float64Array.from(ends),
    offsets: Int32Array.from(periods, ({ offset }) => offset),
    abbreviations: periods.map(({ abbreviation }) => abbreviation),
    recent: ends.length,
  };
}
