/** A date and time without a zone: month 1-12, day 1-31. */
export interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const DAY = 86400;

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** Days from 1970-01-01 to a date in the proleptic Gregorian calendar. Out-of-range months and days roll over. */
export const daysFromCivil = (year: number, month: number, day: number): number => {
  const monthIndex = year * 12 + month - 1;
  const y = Math.floor(monthIndex / 12);
  const m = monthIndex - y * 12 + 1;
  const shifted = m <= 2 ? y - 1 : y;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468 + day - 1;
};

/** The date a number of days after 1970-01-01; the inverse of `daysFromCivil`. */
export const civilFromDays = (days: number): { year: number; month: number; day: number } => {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const mp = Math.floor((5 * dayOfYear + 2) / 153);
  const month = mp < 10 ? mp + 3 : mp - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * mp + 2) / 5) + 1,
  };
};

/** Seconds since 1970-01-01 00:00:00 of a date and time in UTC. Out-of-range members roll over, as in PHP's `mktime`. */
export const wallToSeconds = (wall: Wall): number =>
  daysFromCivil(wall.year, wall.month, wall.day) * DAY + wall.hour * 3600 + wall.minute * 60 + wall.second;

/** The date and time in UTC of an epoch second; the inverse of `wallToSeconds`. */
export const secondsToWall = (seconds: number): Wall => {
  const whole = Math.floor(seconds);
  const days = Math.floor(whole / DAY);
  const rest = whole - days * DAY;
  return {
    ...civilFromDays(days),
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
  };
};

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

const yearText = (year: number): string => (year < 0 ? `-${pad(-year, 4)}` : pad(year, 4));

/** Formats a date and time as `YYYY-MM-DD HH:MM:SS`. Years before 0 have a minus sign. */
export const mysqlDate = (wall: Wall): string =>
  `${yearText(wall.year)}-${pad(wall.month)}-${pad(wall.day)} ${pad(wall.hour)}:${pad(wall.minute)}:${pad(wall.second)}`;

const MYSQL = /^(-?\d{4,})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/** The inverse of `mysqlDate`; null if the format does not match. The time is optional. Out-of-range values do not roll over. */
export const parseMysqlDate = (text: string): Wall | null => {
  const match = MYSQL.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return { year, month, day, hour, minute, second };
};

/** ISO 8601 year and week of a date. */
export const isoWeek = (wall: Wall): { year: number; week: number } => {
  const days = daysFromCivil(wall.year, wall.month, wall.day);
  const thursday = days - ((((days + 3) % 7) + 7) % 7) + 3;
  const year = civilFromDays(thursday).year;
  return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 };
};

/** Day of the week, 0 (Sunday) to 6. */
export const weekday = (wall: Wall): number => (((daysFromCivil(wall.year, wall.month, wall.day) + 4) % 7) + 7) % 7;

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const ordinalSuffix = (day: number): string => {
  if (day > 10 && day < 20) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
};

const hour12 = (hour: number): number => hour % 12 || 12;

type Letter = (wall: Wall) => string;

const LETTERS: Record<string, Letter> = {
  d: (w) => pad(w.day),
  D: (w) => WEEKDAYS[weekday(w)].slice(0, 3),
  j: (w) => String(w.day),
  l: (w) => WEEKDAYS[weekday(w)],
  N: (w) => String(weekday(w) || 7),
  S: (w) => ordinalSuffix(w.day),
  w: (w) => String(weekday(w)),
  z: (w) => String(daysFromCivil(w.year, w.month, w.day) - daysFromCivil(w.year, 1, 1)),
  W: (w) => pad(isoWeek(w).week),
  o: (w) => String(isoWeek(w).year),
  F: (w) => MONTHS[w.month - 1],
  m: (w) => pad(w.month),
  M: (w) => MONTHS[w.month - 1].slice(0, 3),
  n: (w) => String(w.month),
  t: (w) => String(daysFromCivil(w.year, w.month + 1, 1) - daysFromCivil(w.year, w.month, 1)),
  L: (w) => (isLeapYear(w.year) ? '1' : '0'),
  Y: (w) => yearText(w.year),
  y: (w) => pad(((w.year % 100) + 100) % 100),
  a: (w) => (w.hour < 12 ? 'am' : 'pm'),
  A: (w) => (w.hour < 12 ? 'AM' : 'PM'),
  g: (w) => String(hour12(w.hour)),
  G: (w) => String(w.hour),
  h: (w) => pad(hour12(w.hour)),
  H: (w) => pad(w.hour),
  i: (w) => pad(w.minute),
  s: (w) => pad(w.second),
  u: () => '000000',
  v: () => '000',
  e: () => 'UTC',
  T: () => 'UTC',
  P: () => '+00:00',
  p: () => 'Z',
  O: () => '+0000',
  Z: () => '0',
  U: (w) => String(wallToSeconds(w)),
  c: (w) => formatWall('Y-m-d\\TH:i:sP', w),
  r: (w) => formatWall('D, d M Y H:i:s O', w),
};

/**
 * Formats a date and time with the letters of PHP's `date`, in English. A backslash makes the next character literal. The zone letters
 * `e T P p O Z U c r`are always UTC. Fractions of a second are zero.
 */
export const formatWall = (format: string, wall: Wall): string => {
  let text = '';
  for (let i = 0; i < format.length; i++) {
    const letter = format[i];
    if (letter === '\\') text += format[++i] ?? '\\';
    else text += Object.hasOwn(LETTERS, letter) ? LETTERS[letter](wall) : letter;
  }
  return text;
};

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
