import { formatWall, type Wall } from './date.js';

/** The letters of PHP's `date` that stand for names. */
const NAMES = new Map<string, Intl.DateTimeFormatOptions>([
  ['F', { month: 'long' }],
  ['M', { month: 'short' }],
  ['l', { weekday: 'long' }],
  ['D', { weekday: 'short' }],
]);

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(letter: string, locale: string): Intl.DateTimeFormat {
  const key = `${locale} ${letter}`;
  const known =
    formats.get(key) ?? new Intl.DateTimeFormat(locale.split('_').slice(0, 2).join('-'), { ...NAMES.get(letter), timeZone: 'UTC' });
  formats.set(key, known);
  return known;
}

const isKnown = (locale: string): boolean => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale.split('_')[0]).length > 0;
  } catch {
    return false;
  }
};

/** Formats a date as `formatWall` does, with the names of months and days in the language of a WordPress locale, such as `de_DE`. */
export function localDate(format: string, wall: Wall, locale: string): string {
  if (locale === '' || locale.startsWith('en') || !isKnown(locale)) return formatWall(format, wall);
  const at = Date.UTC(wall.year, wall.month - 1, wall.day);
  const named = format.replace(/\\.|[FMlD]/gsu, (letter) =>
    letter.startsWith('\\') ? letter : formatFor(letter, locale).format(at).replace(/./gsu, '\\$&'),
  );
  return formatWall(named, wall);
}
