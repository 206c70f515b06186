import type { RelativeField } from './strtotime-words.js';
import type { Zone, Zones } from './timezone.js';

/** The fields that a text may set. Null: taken from now. */
interface ClockFields {
  y: number | null;
  m: number | null;
  d: number | null;
  h: number | null;
  i: number | null;
  s: number | null;
  us: number | null;
}

export interface WeekdayMove {
  /** 0 (Sunday) to 6; negative after `ago`. */
  weekday: number;
  /** If the current day is that weekday: `skip` it or `stay` on it. `in week`: the weekday in the week of the date. */
  same: 'skip' | 'stay' | 'in week';
}

/** The result of scanning a text. */
export interface ParsedText extends ClockFields {
  hasDate: boolean;
  hasTime: boolean;
  /** Whether four digits after a time were taken as the year, which is possible once. */
  hasLateYear: boolean;
  /** Resolves names of zones in the text. */
  readonly zones: Zones;
  zone: Zone | null;
  zoneCount: number;
  relative: Record<RelativeField, number>;
  move: WeekdayMove | null;
  /** `first sat of`: the move starts at the first day of the month, `last sat of` at the first of the following one. */
  moveBase: 'month' | 'next month' | null;
  /** `first day of`, `last day of`. */
  edge: 'first' | 'last' | null;
  workdays: number | null;
}

/** The initial state. */
export const emptyText = (zones: Zones): ParsedText => ({
  y: null,
  m: null,
  d: null,
  h: null,
  i: null,
  s: null,
  us: null,
  hasDate: false,
  hasTime: false,
  hasLateYear: false,
  zones,
  zone: null,
  zoneCount: 0,
  relative: { us: 0, s: 0, i: 0, h: 0, d: 0, m: 0, y: 0 },
  move: null,
  moveBase: null,
  edge: null,
  workdays: null,
});

/** Sets the date; false if it is already set, which PHP rejects. */
export const setDate = (text: ParsedText, y: number | null, m: number, d: number | null): boolean => {
  if (text.hasDate) return false;
  text.hasDate = true;
  if (y !== null) text.y = y;
  text.m = m;
  if (d !== null) text.d = d;
  return true;
};

/** Sets the time of day; false if it is already set. */
export const setTime = (text: ParsedText, h: number, i = 0, s = 0, us = 0): boolean => {
  if (text.hasTime) return false;
  text.hasTime = true;
  Object.assign(text, { h, i, s, us });
  return true;
};

/** Resets the time to midnight, so that it may be set again. */
export const resetTime = (text: ParsedText): void => {
  text.hasTime = false;
  text.hasLateYear = false;
  Object.assign(text, { h: 0, i: 0, s: 0, us: 0 });
};
