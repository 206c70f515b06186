/** The form of a time. */
export const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** `+0530` and `+05` as `+05:30` and `+05:00`. */
const fullOffset = (offset: string): string =>
  /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}`;

/**
 * Parses a time: ISO 8601, UTC unless an offset is given.
 * @returns ms since 1970 UTC; null if it is invalid or its day is not in the calendar
 */
export function readMoment(text: string): number | null {
  const [, day, time = '00:00', offset = 'Z'] = MOMENT.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  // JavaScript reads 30 February as 2 March.
  const noon = new Date(`${day}T12:00Z`);
  if (Number.isNaN(noon.getTime()) || noon.toISOString().slice(0, 10) !== day) return null;
  const at = Date.parse(`${day}T${time}${fullOffset(offset)}`);
  return Number.isNaN(at) ? null : at;
}
