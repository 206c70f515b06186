import { trimCharacters } from './cast.js';
import { civilFromDays, daysFromCivil, wallToSeconds, weekday as weekdayOfWall, type Wall } from './date.js';
import { parseText } from './strtotime-grammar.js';
import type { ParsedText } from './strtotime-state.js';
import { localSecondsToUtc, namedLocalSecondsToUtc, utcToLocal, type Zone, type Zones } from './timezone.js';

interface ParseContext {
  /** The current time, in epoch seconds. It is read only if the text depends on it. */
  readonly now: number;
  /** The default zone: any name that PHP accepts. */
  zone: string;
  /** Resolves it, and names in the text. */
  zones: Zones;
}

interface ParsedDate {
  /** Epoch seconds. */
  epoch: number;
  /** Date and time in the explicit zone, else in the default zone. */
  wall: Wall;
  /** The zone named in the text, as returned by DateTimeZone::getName (`+02:00`, `EST`, `Asia/Tokyo`), or null. */
  explicitZone: string | null;
}

const DAY = 86400;
/** The limit of PHP's 64-bit timestamps. */
const LIMIT = 2 ** 63;

interface Day {
  y: number;
  m: number;
  d: number;
}

const weekdayOf = (day: Day): number => weekdayOfWall({ year: day.y, month: day.m, day: day.d, hour: 0, minute: 0, second: 0 });

/** Days to the weekday of `monday next week`; weeks run from Monday to Sunday. */
const moveInWeek = (weekday: number, current: number): number => {
  const target = weekday === 0 && current !== 0 ? 7 : weekday;
  return current === 0 && weekday !== 0 ? target - 7 : target - current;
};

const moveDays = (text: ParsedText, day: Day): number => {
  const move = text.move;
  if (!move) return 0;
  const current = weekdayOf(day);
  if (move.same === 'in week') return moveInWeek(move.weekday, current);
  if (move.weekday < 0) return Math.abs(move.weekday) - current - 7;
  const difference = move.weekday - current;
  if (text.relative.d < 0) return difference < 0 ? difference + 7 : difference;
  return difference < 0 || (difference === 0 && move.same === 'skip') ? difference + 7 : difference;
};

const isWeekend = (days: number): boolean => {
  const weekday = (((days + 4) % 7) + 7) % 7;
  return weekday === 0 || weekday === 6;
};

/** Adds working days. A count of zero moves from a weekend to the following Monday. */
const addWorkdays = (days: number, count: number): number => {
  const step = count < 0 ? -1 : 1;
  let at = days;
  if (count === 0) while (isWeekend(at)) at++;
  let left = Math.abs(count);
  while (left > 0) {
    at += step;
    if (!isWeekend(at)) left--;
    if (left % 5 === 0 && left > 5 && !isWeekend(at)) {
      at += step * (left / 5 - 1) * 7;
      left = 5;
    }
  }
  return at;
};

/** A day and the seconds since its beginning, possibly negative or beyond its end. */
interface Moment extends Day {
  seconds: number;
}

const normalize = (moment: Moment): Moment => {
  const over = Math.floor(moment.seconds / DAY);
  const { year, month, day } = civilFromDays(daysFromCivil(moment.y, moment.m, moment.d + over));
  return { y: year, m: month, d: day, seconds: moment.seconds - over * DAY };
};

/** Moves to the first or last day of the month, before nonexistent days roll over. */
const toEdge = (edge: ParsedText['edge'], moment: Moment): Moment => {
  if (edge === 'first') return { ...moment, d: 1 };
  return edge === 'last' ? { ...moment, m: moment.m + 1, d: 0 } : moment;
};

const toMoveBase = (text: ParsedText, moment: Moment): Moment => {
  if (!text.moveBase) return moment;
  const months = text.relative.m + (text.moveBase === 'month' ? 0 : 1);
  return { ...moment, m: moment.m + months, d: 1 };
};

/**
 * Resolves a text to local seconds since 1970-01-01. PHP's order: `first day of` and `last day of` apply before and after the rest,
 * weekdays are resolved before months are added, and working days come last.
 */
const resolveReading = (text: ParsedText, start: Moment & { us: number }): number => {
  const { relative } = text;
  const base = normalize(toEdge(text.edge, toMoveBase(text, start)));
  const moved = normalize({ ...base, d: base.d + moveDays(text, base) });
  const shifted = {
    y: moved.y + relative.y,
    m: moved.m + (text.moveBase ? 0 : relative.m),
    d: moved.d + relative.d,
    // PHP: hours and smaller units are added to the local time too, so offset changes in between have no effect.
    seconds: moved.seconds + relative.h * 3600 + relative.i * 60 + relative.s + Math.floor((start.us + relative.us) / 1e6),
  };
  const { y, m, d, seconds } = normalize(toEdge(text.edge, shifted));
  const days = daysFromCivil(y, m, d);
  return (text.workdays === null ? days : addWorkdays(days, text.workdays)) * DAY + seconds;
};

const NO_WALL: Wall = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };

/** Resolves a text to epoch seconds. Missing fields are taken from the local time in the default zone. */
const resolveText = (text: ParsedText, localNow: () => Wall, zone: Zone): number | null => {
  const atMidnight = text.hasDate && !text.hasTime;
  const time = atMidnight ? [0, 0, 0] : [text.h, text.i, text.s];
  const isWhole = [text.y, text.m, text.d, ...time].every((field) => field !== null);
  const now = isWhole ? NO_WALL : localNow();
  const clock = atMidnight ? { h: 0, i: 0, s: 0 } : { h: text.h ?? now.hour, i: text.i ?? now.minute, s: text.s ?? now.second };
  const reading = resolveReading(text, {
    y: text.y ?? now.year,
    m: text.m ?? now.month,
    d: text.d ?? now.day,
    seconds: clock.h * 3600 + clock.i * 60 + clock.s,
    us: atMidnight ? 0 : (text.us ?? 0),
  });
  const epoch = text.zone ? namedLocalSecondsToUtc(reading, zone) : localSecondsToUtc(reading, zone);
  return Math.abs(epoch) < LIMIT ? epoch : null;
};

/** Maximum length of a text. PHP has no limit, but only accepts long texts that repeat themselves. */
const LONGEST = 10_000;

const read = (source: string, zones: Zones): ParsedText | null => {
  // PHP: an empty string is rejected; whitespace alone means now.
  if (source === '' || source.length > LONGEST) return null;
  return parseText(trimCharacters(source, ' \t\n\r\v\f'), zones);
};

const zoneOf = ({ zone: name, zones }: ParseContext): Zone => {
  const zone = zones.resolve(name);
  if (!zone) throw new RangeError(`Unknown time zone: ${name}`);
  return zone;
};

/**
 * PHP `new DateTime(text, zone)`; null if PHP rejects the text. Missing fields are taken from the current time in the default zone, even
 * if the text names another zone. Fractions of a second are truncated.
 */
export const parseDate = (source: string, context: ParseContext): ParsedDate | null => {
  const local = zoneOf(context);
  const known = epochOfDate(source, local);
  if (known !== null) return { epoch: known, wall: utcToLocal(known, local), explicitZone: null };
  const text = read(source, context.zones);
  if (!text) return null;
  const zone = text.zone ?? local;
  const epoch = resolveText(text, () => utcToLocal(context.now, local), zone);
  return epoch === null ? null : { epoch, wall: utcToLocal(epoch, zone), explicitZone: text.zone?.name ?? null };
};

const FULL_DATE = /^([1-9]\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?: ([01]\d|2[0-3]):([0-5]\d):([0-5]\d))?$/;

/** A fast path for dates in the format of the database, with or without a time, which most dates of requests have. */
function epochOfDate(source: string, zone: Zone): number | null {
  const parts = FULL_DATE.exec(source);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1).map((part: string | undefined) => Number(part ?? '0'));
  return localSecondsToUtc(wallToSeconds({ year, month, day, hour, minute, second }), zone);
}

/** PHP `strtotime(text, now)`: epoch seconds, or null where PHP returns false. */
export const strtotime = (source: string, context: ParseContext): number | null =>
  epochOfDate(source, zoneOf(context)) ?? parseDate(source, context)?.epoch ?? null;
