import TABLE from './strtotime-words.json' with { type: 'json' };

/** The meaning of a unit word in a relative phrase: a multiple of a field, a weekday, or working days. */
export type Unit =
  | { readonly kind: 'field'; readonly field: RelativeField; readonly factor: number }
  | { readonly kind: 'weekday'; readonly weekday: number }
  | { readonly kind: 'workdays' };

/** The fields of a relative time: microseconds to years. */
export type RelativeField = 'us' | 's' | 'i' | 'h' | 'd' | 'm' | 'y';

const field = (name: RelativeField, factor = 1): Unit => ({ kind: 'field', field: name, factor });

const plural = (words: string[], unit: Unit): [string, Unit][] => words.flatMap((word) => [[word, unit] as const, [`${word}s`, unit]]);

const WEEKDAY_WORDS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const weekdays = WEEKDAY_WORDS.flatMap((name, weekday): [string, Unit][] => {
  const unit: Unit = { kind: 'weekday', weekday };
  return [[name, unit] as const, [`${name}s`, unit], [name.slice(0, 3), unit]];
});

/** Unit words, in lower case. */
export const UNITS: ReadonlyMap<string, Unit> = new Map<string, Unit>([
  ['ms', field('us', 1000)],
  ['µs', field('us')],
  ...plural(['msec', 'millisecond'], field('us', 1000)),
  ...plural(['usec', 'microsecond', 'µsec'], field('us')),
  ...plural(['sec', 'second'], field('s')),
  ...plural(['min', 'minute'], field('i')),
  ...plural(['hour'], field('h')),
  ...plural(['day'], field('d')),
  ...plural(['week'], field('d', 7)),
  ...plural(['fortnight', 'forthnight'], field('d', 14)),
  ...plural(['month'], field('m')),
  ...plural(['year'], field('y')),
  ...plural(['weekday'], { kind: 'workdays' }),
  ...weekdays,
]);

const ORDINAL_WORDS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** Words for the amount in a relative phrase, in lower case. */
export const AMOUNTS: ReadonlyMap<string, number> = new Map([
  ...ORDINAL_WORDS.map((word, index): [string, number] => [word, index + 1]),
  ['eight', 8],
  ['next', 1],
  ['last', -1],
  ['previous', -1],
  ['this', 0],
]);

/** Month names, abbreviations and Roman numerals, in lower case, to 1-12. */
export const MONTH_NUMBERS: ReadonlyMap<string, number> = new Map(
  TABLE.months.flatMap((words, index) => words.map((word): [string, number] => [word, index + 1])),
);

/** A pattern for any of the words, longest first, ignoring the case of ASCII letters. */
const anyCase = (words: readonly string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
    .join('|');

const ROMAN = /^[ivx]+$/;
const monthNames = [...MONTH_NUMBERS.keys()].filter((word) => !ROMAN.test(word));
/** Roman numerals are recognized only in upper case. */
const romanMonths = [...MONTH_NUMBERS.keys()].filter((word) => ROMAN.test(word)).map((word) => word.toUpperCase());

/** Patterns of word groups for the grammar. */
export const WORDS = {
  unit: anyCase([...UNITS.keys()].filter((word) => word !== 'week')),
  week: anyCase(['week']),
  weekday: anyCase(WEEKDAY_WORDS.flatMap((name) => [name, `${name}s`, name.slice(0, 3)])),
  ordinal: anyCase([...ORDINAL_WORDS, 'eight']),
  direction: anyCase(['next', 'last', 'previous', 'this']),
  month: `${anyCase(monthNames)}|${anyCase(romanMonths)}`,
  monthName: anyCase(monthNames),
  monthAbbreviation: anyCase(monthNames.filter((word) => word.length < 5 && word !== 'june' && word !== 'july')),
} as const;

/** A case-insensitive pattern for a word or phrase. */
export const phrase = (text: string): string => anyCase([text]);
