import { UTC } from '../../../base/php/timezone.js';
import { epochOf } from '../../../wordpress/timezones.js';

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?/;

/** A date of an export as it is stored. WP: only the day is checked. @returns '' for none or zeros, undefined if there is no such day */
export function storedDate(text = ''): string | undefined {
  const [, day, time = '00:00'] = DATE.exec(text.trim()) ?? [];
  if (text.trim() === '' || day === '0000-00-00') return '';
  const wall = `${day} ${time.padEnd(8, ':00')}`;
  return day !== undefined && epochOf(wall, UTC) !== null ? wall : undefined;
}

export const invalidDate = (text: string): string => `invalid date "${text}". Use a date such as 2026-08-01 19:30:00`;
