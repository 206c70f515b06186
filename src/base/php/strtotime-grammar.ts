import { daysFromCivil } from './date.js';
import { emptyText, resetTime, setDate, setTime, type ParsedText, type WeekdayMove } from './strtotime-state.js';
import { AMOUNTS, MONTH_NUMBERS, UNITS, WORDS, phrase } from './strtotime-words.js';
import type { Zones } from './timezone.js';

/** Patterns for numbers, named as in the PHP manual's tables of date and time formats. */
const HH24 = '(2[0-4]|[01]?[0-9])';
const HH24LZ = '(2[0-4]|[01][0-9])';
const HH12 = '(1[0-2]|0?[1-9])';
const MIN = '([0-5]?[0-9])';
const MINLZ = '([0-5][0-9])';
const SEC = '(60|[0-5]?[0-9])';
const SECLZ = '(60|[0-5][0-9])';
/** PHP: minutes before a meridian need two digits, unless seconds follow. */
const MIN_SEC12 = `[:.]${MIN}(?:[:.]${SECLZ}|(?<=[:.][0-5][0-9]))`;
const MERIDIAN = '([AaPp])\\.?[Mm]\\.?(?:[\\0\\t ]|$)';
const FRAC = '(\\.[0-9]+)';
const MON = '(1[0-2]|0?[0-9])';
const MONLZ = '(1[0-2]|0[0-9])';
const DAY = '(3[01]|[0-2]?[0-9])(?:st|nd|rd|th)?';
const BAREDAY = '(3[01]|[0-2]?[0-9])';
const DAYLZ = '(3[01]|[0-2][0-9])';
const YEAR = '([0-9]{1,4})';
const YEAR4 = '([0-9]{4})';
const YEAR2 = '([0-9]{2})';
const DOY = '(36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0[1-9][0-9]|00[1-9])';
const WEEK = '(5[0-3]|[1-4][0-9]|0[1-9])';
const BLANK = '[ \\t]+';
const BLANKS = '[ \\t]*';
const GAP = '[ .\\t-]*';
const AFTER_DAY = '[,.stndrh\\t ]';
const MONTH = `(${WORDS.month})`;
const MONTH_ABBREVIATION = `(${WORDS.monthAbbreviation})`;
const T = '[tT]';
const CLOCK_DIGITS = '((?:2[0-4]|[01]?[0-9])[0-5][0-9](?:60|[0-5][0-9]))';
const CLOCK_DIGITS_LZ = '((?:2[0-4]|[01][0-9])[0-5][0-9](?:60|[0-5][0-9]))';
const OFFSET =
  '(?:GMT)?[+-](?:(?:2[0-4]|[01][0-9])(?::[0-5][0-9]:(?:60|[0-5][0-9])|[0-5][0-9](?:60|[0-5][0-9]))|(?:2[0-4]|[01]?[0-9])(?::?[0-5]?[0-9])?)';
const ZONE_NAME = '[A-Z][a-z]+(?:[_/-][A-Za-z]+)+|\\(?[A-Za-z]{1,6}\\)?';
const ZONE = `(${OFFSET}|${ZONE_NAME})`;
const AMOUNT_WORD = `(${WORDS.ordinal}|${WORDS.direction})`;
/** PHP: a separator or the end of the text must follow the day, so `may 1:30` is a month and a time. */
const MONTH_DAY = `${MONTH}${GAP}${BAREDAY}(?:[,.stndrh\\t \\0]+|$)`;

/** The groups of a match; undefined for groups that did not participate. */
type Groups = readonly (string | undefined)[];

/** Records a match; false if the text is invalid. */
type Action = (text: ParsedText, groups: Groups) => boolean | void;

/** One format of the grammar. */
interface Rule {
  readonly pattern: RegExp;
  readonly act: Action;
}

const rule = (pattern: string, act: Action): Rule => ({ pattern: new RegExp(pattern, 'y'), act });

const number = (digits: string | undefined): number => Number(digits ?? 0);

const pairs = (digits: string): [number, number, number] => [
  number(digits.slice(0, 2)),
  number(digits.slice(2, 4)),
  number(digits.slice(4)),
];

/** PHP: years of one or two digits lie between 1970 and 2069. */
const yearOf = (digits: string | undefined): number => {
  const year = number(digits);
  if ((digits ?? '').length >= 4 || year >= 100) return year;
  return year < 70 ? year + 2000 : year + 1900;
};

const monthOf = (word: string | undefined): number => MONTH_NUMBERS.get((word ?? '').toLowerCase()) ?? 0;

/** PHP: not modulo 12, since `back of 17pm` is accepted. */
const toHour = (hour: number, meridian: string | undefined): number => {
  if (!meridian) return hour;
  const base = hour === 12 ? 0 : hour;
  return meridian.toLowerCase() === 'p' ? base + 12 : base;
};

const hourOf = (digits: string | undefined, meridian: string | undefined): number => toHour(number(digits), meridian);

const microseconds = (fraction: string | undefined): number => Math.floor(number((fraction ?? '.').slice(1, 7).padEnd(6, '0')));

/** Sets the zone. PHP: a second one is ignored, and a third is rejected. */
const zone = (text: ParsedText, name: string | undefined): boolean => {
  text.zoneCount++;
  if (text.zoneCount > 1) return text.zoneCount === 2;
  text.zone = text.zones.resolve(name ?? '');
  return text.zone !== null;
};

/** Sets the zone inside a compound format. PHP: it replaces an earlier one and is not counted. */
const innerZone = (text: ParsedText, name: string | undefined): boolean => {
  if (name === undefined) return true;
  text.zone = text.zones.resolve(name);
  return text.zone !== null;
};

/** Adds a relative phrase such as `+2 weeks` or `next friday`. */
const addRelative = (text: ParsedText, amount: number, word: string, same: WeekdayMove['same'], keepsTime: boolean): void => {
  const unit = UNITS.get(word.toLowerCase());
  if (!unit) return;
  if (unit.kind === 'field') {
    text.relative[unit.field] += amount * unit.factor;
    return;
  }
  if (!keepsTime) resetTime(text);
  if (unit.kind === 'workdays') {
    text.workdays = amount;
    text.moveBase = null;
  } else {
    text.relative.d += (amount > 0 ? amount - 1 : amount) * 7;
    text.move = { weekday: unit.weekday, same };
  }
};

const amountOf = (word: string | undefined): number => AMOUNTS.get((word ?? '').toLowerCase()) ?? 0;

const signed = (signs: string, digits: string): number => {
  const minuses = signs.split('-').length - 1;
  return minuses % 2 === 1 ? 0 - Number(digits) : Number(digits);
};

const ago: Action = (text) => {
  // PHP: fractions of a second are not negated.
  for (const name of ['y', 'm', 'd', 'h', 'i', 's'] as const) text.relative[name] = 0 - text.relative[name];
  // PHP: Sunday is 0 and cannot be negated, so it becomes day 7.
  if (text.move) text.move.weekday = text.move.weekday === 0 ? -7 : 0 - text.move.weekday;
  if (text.workdays !== null) text.workdays = 0 - text.workdays;
};

const timestamp: Action = (text, [, sign, digits, fraction]) => {
  resetTime(text);
  text.hasDate = false;
  // PHP: after a zone, the date is left empty and the number is ignored.
  const base = text.zoneCount > 0 ? { y: 0, m: 0, d: 0 } : { y: 1970, m: 1, d: 1 };
  Object.assign(text, base);
  if (text.zoneCount === 0) {
    if (fraction === '.') return false;
    text.relative.s += (sign ? -1 : 1) * number(digits);
    text.relative.us += (sign ? -1 : 1) * microseconds(fraction);
  }
  return zone(text, '+00:00');
};

/** Days from January 1 to a day (0-7) of an ISO week. */
const isoWeekDays = (year: number, week: number, day: number): number => {
  const weekday = (((daysFromCivil(year, 1, 1) + 4) % 7) + 7) % 7;
  return (week - 1) * 7 + day - (weekday > 4 ? weekday - 7 : weekday);
};

const isoWeek: Action = (text, [, year, week, day]) => {
  if (!setDate(text, number(year), 1, 1)) return false;
  text.relative.d = isoWeekDays(number(year), number(week), day === undefined ? 1 : number(day));
  return true;
};

/** `back of 7pm` is a quarter past, `front of 7pm` a quarter to. PHP: an upper-case `BACK OF` counts as a front. */
const aroundHour: Action = (text, [phraseText = '', hour, meridian]) => {
  resetTime(text);
  if (phraseText.startsWith('b')) return setTime(text, toHour(number(hour), meridian), 15);
  return setTime(text, toHour(number(hour) - 1, meridian), 45);
};

const weekdayOf: Action = (text, [, word, day]) => {
  const amount = amountOf(word);
  resetTime(text);
  // PHP: working days and a weekday of a month are mutually exclusive; the later one wins.
  text.workdays = null;
  text.moveBase = amount > 0 ? 'month' : 'next month';
  addRelative(text, amount, day ?? '', amount < 0 ? 'skip' : 'stay', false);
};

const weekMove: Action = (text, [, word]) => {
  text.relative.d += amountOf(word) * 7;
  // PHP 8.2: without a weekday, this is the Monday of that week.
  text.move = { weekday: text.move?.weekday ?? 1, same: 'in week' };
};

const weekday: Action = (text, [, word]) => {
  const unit = UNITS.get((word ?? '').toLowerCase());
  resetTime(text);
  // PHP: `weekday` and `weekdays` alone mean Monday.
  const day = unit?.kind === 'weekday' ? unit.weekday : 1;
  text.move = { weekday: day, same: text.move?.same === 'in week' ? 'in week' : 'stay' };
};

const dayShift =
  (days: number): Action =>
  (text) => {
    resetTime(text);
    text.relative.d = days;
  };

const fourDigits: Action = (text, [, hour, minute]) => {
  if (!text.hasTime) return setTime(text, number(hour), number(minute));
  if (text.hasLateYear) return false;
  text.hasLateYear = true;
  text.y = number(`${hour}${minute}`);
  return true;
};

/**
 * The formats. The longest match wins, among equals the first. From the PHP manual, chapter "Supported Date and Time Formats", and
 * measured with PHP 8.2 where the manual is silent.
 */
const RULES: readonly Rule[] = [
  rule(phrase('yesterday'), dayShift(-1)),
  rule(phrase('now'), () => true),
  rule(phrase('noon'), (text) => {
    resetTime(text);
    setTime(text, 12);
  }),
  rule(`${phrase('midnight')}|${phrase('today')}`, resetTime),
  rule(phrase('tomorrow'), dayShift(1)),
  rule('@(-)?([0-9]+)(\\.[0-9]{0,6})?', timestamp),
  rule(phrase('first day of'), (text) => {
    text.edge = 'first';
  }),
  rule(phrase('last day of'), (text) => {
    text.edge = 'last';
  }),
  rule(`${phrase('back of ')}${HH24}(?:${BLANKS}${MERIDIAN})?`, aroundHour),
  rule(`${phrase('front of ')}${HH24}(?:${BLANKS}${MERIDIAN})?`, aroundHour),
  rule(`${AMOUNT_WORD}${BLANK}(${WORDS.weekday})${BLANK}${phrase('of')}`, weekdayOf),
  rule(`${HH12}(?:${MIN_SEC12})?${BLANKS}${MERIDIAN}`, (text, [, h, i, s, meridian]) =>
    setTime(text, hourOf(h, meridian), number(i), number(s)),
  ),
  rule(`${HH12}:${MINLZ}:${SECLZ}[:.]([0-9]+)${MERIDIAN}`, (text, [, h, i, s, fraction, meridian]) =>
    setTime(text, hourOf(h, meridian), number(i), number(s), microseconds(`.${fraction}`)),
  ),
  rule(`${T}${HH24}`, (text, [, h]) => setTime(text, number(h))),
  rule(`${T}?${HH24}[:.]${MIN}(?:[:.]${SEC}${FRAC}?)?`, (text, [, h, i, s, fraction]) =>
    setTime(text, number(h), number(i), number(s), microseconds(fraction)),
  ),
  rule(`${T}?${HH24LZ}${MINLZ}`, fourDigits),
  rule(`${T}?${HH24LZ}${MINLZ}${SECLZ}`, (text, [, h, i, s]) => setTime(text, number(h), number(i), number(s))),
  rule(`${MON}/${BAREDAY}(?:/${YEAR})?`, (text, [, m, d, y]) => setDate(text, y === undefined ? null : yearOf(y), number(m), number(d))),
  rule(`([+-]?)${YEAR4}-${MONLZ}-${DAYLZ}`, (text, [, sign, y, m, d]) =>
    setDate(text, sign === '-' ? 0 - number(y) : number(y), number(m), number(d)),
  ),
  rule(`${YEAR4}/${MONLZ}/${DAYLZ}/`, (text, [, y, m, d]) => setDate(text, number(y), number(m), number(d))),
  rule(`${YEAR4}/${MON}/${BAREDAY}`, (text, [, y, m, d]) => setDate(text, number(y), number(m), number(d))),
  rule(`${YEAR2}-${MONLZ}-${DAYLZ}`, (text, [, y, m, d]) => setDate(text, yearOf(y), number(m), number(d))),
  rule(`([+-][0-9]{5,19})-${MONLZ}-${DAYLZ}`, (text, [, y, m, d]) => setDate(text, number(y), number(m), number(d))),
  rule(`${YEAR4}-${MON}`, (text, [, y, m]) => setDate(text, number(y), number(m), 1)),
  rule(`${YEAR}-${MON}-${BAREDAY}`, (text, [, y, m, d]) => setDate(text, yearOf(y), number(m), number(d))),
  rule(`${DAY}${GAP}${MONTH}${GAP}${YEAR}`, (text, [, d, m, y]) => setDate(text, yearOf(y), monthOf(m), number(d))),
  rule(`${BAREDAY}[.\\t-]${MON}[.-]${YEAR4}`, (text, [, d, m, y]) => setDate(text, number(y), number(m), number(d))),
  rule(`${BAREDAY}[.\\t]${MON}\\.${YEAR2}`, (text, [, d, m, y]) => setDate(text, yearOf(y), number(m), number(d))),
  rule(`${MONTH}${GAP}${YEAR4}`, (text, [, m, y]) => setDate(text, number(y), monthOf(m), 1)),
  rule(`${YEAR4}${GAP}${MONTH}`, (text, [, y, m]) => setDate(text, number(y), monthOf(m), 1)),
  rule(`${MONTH}${GAP}${BAREDAY}${AFTER_DAY}+${YEAR}`, (text, [, m, d, y]) => setDate(text, yearOf(y), monthOf(m), number(d))),
  rule(MONTH_DAY, (text, [, m, d]) => {
    // PHP: an earlier year is discarded, unlike with `20 march`.
    text.y = null;
    return setDate(text, null, monthOf(m), number(d));
  }),
  rule(`${DAY}${GAP}${MONTH}`, (text, [, d, m]) => setDate(text, null, monthOf(m), number(d))),
  rule(`${YEAR4}${MONLZ}${DAYLZ}`, (text, [, y, m, d]) => setDate(text, number(y), number(m), number(d))),
  rule(
    `${YEAR4}${MONLZ}${DAYLZ}T${HH24}:${MINLZ}:${SECLZ}`,
    (text, [, y, m, d, h, i, s]) => setTime(text, number(h), number(i), number(s)) && setDate(text, number(y), number(m), number(d)),
  ),
  rule(
    `${YEAR4}${MONLZ}${DAYLZ}(?:${T}${CLOCK_DIGITS}|${CLOCK_DIGITS_LZ})`,
    (text, [, y, m, d, marked, plain = '']) =>
      // PHP: five digits after the T are split into two, two and one.
      setTime(text, ...pairs(marked ?? plain)) && setDate(text, number(y), number(m), number(d)),
  ),
  rule(
    `${YEAR4}-${MONLZ}-${DAYLZ}T${HH24LZ}:${MINLZ}:${SECLZ}${FRAC}(${OFFSET})?`,
    (text, [, y, m, d, h, i, s, fraction, offset]) =>
      setTime(text, number(h), number(i), number(s), microseconds(fraction)) &&
      setDate(text, number(y), number(m), number(d)) &&
      innerZone(text, offset),
  ),
  rule(
    `${YEAR4}-${MON}-${BAREDAY}T${HH24}:${MIN}:${SEC}`,
    (text, [, y, m, d, h, i, s]) => setTime(text, number(h), number(i), number(s)) && setDate(text, number(y), number(m), number(d)),
  ),
  rule(
    `${YEAR4}:${MONLZ}:${DAYLZ} ${HH24LZ}:${MINLZ}:${SECLZ}`,
    (text, [, y, m, d, h, i, s]) => setTime(text, number(h), number(i), number(s)) && setDate(text, number(y), number(m), number(d)),
  ),
  rule(`${YEAR4}[.-]?${DOY}`, (text, [, y, day]) => setDate(text, number(y), 1, number(day))),
  rule(`${YEAR4}-?W${WEEK}(?:-?([0-7]))?`, isoWeek),
  rule(`${MONTH_ABBREVIATION}-${DAYLZ}-${YEAR}`, (text, [, m, d, y]) => setDate(text, yearOf(y), monthOf(m), number(d))),
  rule(`${YEAR}-${MONTH_ABBREVIATION}-${DAYLZ}`, (text, [, y, m, d]) => setDate(text, yearOf(y), monthOf(m), number(d))),
  rule(
    `${BAREDAY}/${MONTH_ABBREVIATION}/${YEAR4}:${HH24LZ}:${MINLZ}:${SECLZ}${BLANK}(${OFFSET})`,
    (text, [, d, m, y, h, i, s, offset]) =>
      setTime(text, number(h), number(i), number(s)) && setDate(text, number(y), monthOf(m), number(d)) && innerZone(text, offset),
  ),
  rule(YEAR4, (text, [, y]) => {
    text.y = number(y);
  }),
  rule(phrase('ago'), ago),
  rule(`(${WORDS.weekday}|${phrase('weekdays')}|${phrase('weekday')})`, weekday),
  rule(`(${WORDS.direction})${BLANK}${WORDS.week}`, weekMove),
  rule(`${AMOUNT_WORD}${BLANK}(${WORDS.unit})`, (text, [, word, unit]) =>
    addRelative(text, amountOf(word), unit ?? '', amountOf(word) === 0 ? 'stay' : 'skip', false),
  ),
  rule(`(${WORDS.monthName})`, (text, [, m]) => setDate(text, null, monthOf(m), null)),
  rule(ZONE, (text, [, name]) => zone(text, name)),
  rule(
    `${MONTH_DAY}${HH12}${MIN_SEC12}${BLANKS}${MERIDIAN}`,
    (text, [, m, d, h, i, s, meridian]) =>
      setDate(text, null, monthOf(m), number(d)) && setTime(text, hourOf(h, meridian), number(i), number(s)),
  ),
  rule(
    `${MONTH_DAY}${T}?${HH24}[:.]${MIN}(?:[:.]${SEC})?`,
    (text, [, m, d, h, i, s]) => setDate(text, null, monthOf(m), number(d)) && setTime(text, number(h), number(i), number(s)),
  ),
  rule(
    `${MONTH_DAY}${T}?${HH24}[:.]${MIN}[:.]${SECLZ}${BLANKS}${ZONE}`,
    (text, [, m, d, h, i, s, name]) =>
      setDate(text, null, monthOf(m), number(d)) && setTime(text, number(h), number(i), number(s)) && innerZone(text, name),
  ),
  rule(`([+-]*)${BLANKS}([0-9]{1,13})${BLANKS}(${WORDS.unit}|${WORDS.week})`, (text, [, signs, digits, unit]) =>
    addRelative(text, signed(signs ?? '', digits ?? ''), unit ?? '', 'stay', true),
  ),
  rule('[ .,\\t\\n\\0]+', () => true),
];

/** Parses a text; null if no format matches or a match is invalid. */
export const parseText = (source: string, zones: Zones): ParsedText | null => {
  const text = emptyText(zones);
  let at = 0;
  while (at < source.length) {
    const best = longestMatch(source, at);
    if (!best || best.rule.act(text, best.match) === false) return null;
    at += best.match[0].length;
  }
  return text;
};

const longestMatch = (source: string, at: number): { rule: Rule; match: RegExpExecArray } | null => {
  let best: { rule: Rule; match: RegExpExecArray } | null = null;
  for (const candidate of RULES) {
    candidate.pattern.lastIndex = at;
    const match = candidate.pattern.exec(source);
    if (match && match[0].length > (best?.match[0].length ?? 0)) best = { rule: candidate, match };
  }
  return best;
};
