import { decodeEntities } from '../../../wordpress/formatting/decode-entities.js';
import { texturize } from '../../../wordpress/formatting/texturize.js';
import { escapeText, html, trusted, type Html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import type { Span } from '../../../wordpress/views/dates.js';
import { isAsSet } from '../views/listing.js';
import { dateStyle, dayText, scheduleDetails, timeText } from '../tec-v1/schedule.js';

/**
 * The class names of elements by which programs that read pages find title, dates, venue, cost and the next page of events (TEC: views, and
 * pages of events). Programs compare whole attributes, too, so elements with these names have no others: the design finds them by their tags.
 */
type EventView = 'list' | 'day';

/** The name of a part of an event in a list. */
export const partOf = (view: EventView, part: string): string => `tribe-events-calendar-${view}__event${part === '' ? '' : `-${part}`}`;

/** The name of a part of an event in a month. */
export const inMonth = (part: string): string => `tribe-events-calendar-month__${part}`;

/** The name of a part of an event in the agenda of a month, which the plugin has on small screens. */
export const inAgenda = (part: string): string => `tribe-events-calendar-month-mobile-events__${part}`;

const NAMES = /(?<= class="(?:[^"]* )?)(?:tribe|type-tribe)[-_][^" ]*/g;

/** A part of a page without these names. TEC: pages of WordPress show no events. */
export const unnamed = ({ text }: Html): Html => trusted(text.replace(NAMES, ''));

const OPENINGS = /(<span class=(?:"tribe-event-(?:date-start|date-end|time)"|'timezone')>|<\/span>)/;

/** A schedule of the plugin, whose texts depend on the settings of the site, as safe HTML. */
const safe = (text: string): Html =>
  trusted(
    text
      .split(OPENINGS)
      .map((piece, index) => (index % 2 === 1 ? piece : escapeText(piece)))
      .join(''),
  );

/** Dates and times of events as pages write them. Times are local, `YYYY-MM-DD HH:MM:SS`. */
export interface EventDates {
  /** When an event takes place: days and times, within elements for programs. */
  schedule: (span: Span) => Html;
  day: (wall: string) => string;
  moment: (wall: string) => string;
  time: (wall: string) => string;
  /** Between start and end. */
  separator: string;
}

/** WP: block themes write the dashes of whole pages, not of their parts. */
const typed = (text: string, { isPart = false, site }: Reading): string =>
  isPart || site.options.theme === 'classic' ? text : decodeEntities(texturize(text));

const known = new WeakMap<Reading, EventDates>();

function datesFor(reading: Reading): EventDates {
  const { site, dates } = reading;
  if (isAsSet(reading)) {
    const style = dateStyle(site);
    for (const name of ['rangeSeparator', 'dateTimeSeparator'] as const) style[name] = typed(style[name], reading);
    const day = (wall: string): string => dayText(wall, style);
    const time = (wall: string): string => timeText(wall, style);
    const moment = (wall: string): string => `${day(wall)}${style.dateTimeSeparator}${time(wall)}`;
    return { schedule: (span) => safe(scheduleDetails(span, style)), day, time, moment, separator: style.rangeSeparator };
  }
  const { time } = dates;
  const day = (wall: string): string => dates.days(wall.slice(0, 10), wall.slice(0, 10));
  const schedule = (span: Span): Html => {
    const [start, between, end] = dates.shortParts(span);
    const isOneDay = span.start.slice(0, 10) === span.end.slice(0, 10);
    return html`<span class="tribe-event-date-start">${start}</span>${between}${
        end === '' ? null : html`<span class="${isOneDay ? 'tribe-event-time' : 'tribe-event-date-end'}">${end}</span>`
      }${span.allDay || span.zone === undefined ? null : html` <span class="timezone">${span.zone}</span>`}`;
  };
  return { schedule, day, time, moment: (wall) => `${day(wall)}, ${time(wall)}`, separator: ' – ' };
}

/** The dates of events as the settings of the site write them, or as the language of the reader does. */
export function eventDates(reading: Reading): EventDates {
  const made = known.get(reading) ?? datesFor(reading);
  known.set(reading, made);
  return made;
}

/** The times of an event of one day: `8:00 pm – 10:00 pm`, only the start if it has no length. */
export function timesOf({ start, end }: Span, reading: Reading): string[] {
  const { time, separator } = eventDates(reading);
  return start.slice(11, 16) === end.slice(11, 16) ? [time(start)] : [time(start), separator, time(end)];
}
