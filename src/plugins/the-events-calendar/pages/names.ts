import { escapeText, html, trusted, type Html } from '../../../wordpress/views/html.js';
import type { Reading } from '../../../wordpress/views/reading.js';
import type { Span } from '../../../wordpress/views/dates.js';
import { dateStyle, scheduleDetails } from '../tec-v1/schedule.js';

/**
 * The names of elements by which programs that read pages find title, dates, venue, cost and the next page of events (TEC: views, and pages
 * of events). The design of the pages does not depend on them.
 */
type EventView = 'list' | 'day';

/** The name of a part of an event in a list. */
export const partOf = (view: EventView, part: string): string => `tribe-events-calendar-${view}__event${part === '' ? '' : `-${part}`}`;

/** The name of a part of an event in a month. */
export const inMonth = (part: string): string => `tribe-events-calendar-month__${part}`;

/** The name of a part of an event in the agenda of a month, which the plugin has on small screens. */
export const inAgenda = (part: string): string => `tribe-events-calendar-month-mobile-events__${part}`;

/** The id of what describes an event of a month. */
export const tooltipId = (id: number): string => `tribe-events-tooltip-content-${id}`;

const OPENINGS = /(<span class=(?:"tribe-event-(?:date-start|date-end|time)"|'timezone')>|<\/span>)/;

/** A schedule of the plugin, whose texts depend on the settings of the site, as safe HTML. */
const safe = (text: string): Html =>
  trusted(
    text
      .split(OPENINGS)
      .map((piece, index) => (index % 2 === 1 ? piece : escapeText(piece)))
      .join(''),
  );

/** When an event takes place, as the settings of the site write it, in other languages as these do. */
export function schedule(span: Span, { site, language, dates }: Reading): Html {
  if (language === 'en') return safe(scheduleDetails(span, dateStyle(site)));
  const [start, between, end] = dates.shortParts(span);
  const isOneDay = span.start.slice(0, 10) === span.end.slice(0, 10);
  return html`<span class="tribe-event-date-start">${start}</span>${between}${
      end === '' ? null : html`<span class="${isOneDay ? 'tribe-event-time' : 'tribe-event-date-end'}">${end}</span>`
    }${span.allDay || span.zone === undefined ? null : html` <span class="timezone">${span.zone}</span>`}`;
}
