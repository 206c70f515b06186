import { formatWall, parseMysqlDate } from '../../../../base/php/date.js';
import { escHtml } from '../../../../wordpress/formatting/entities.js';
import type { References } from '../../../../wordpress/formatting/references.js';
import { metaValue, type Post } from '../../../../wordpress/model.js';
import { EVENT_FIELDS } from '../event.js';
import { EVENT } from '../names.js';

/** The values of the block of dates; empty if there is no current event. */
interface Shown {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  allDay: boolean;
  dateSeparator: string;
  timeSeparator: string;
}

/** TEC: its API sets no current event while it renders texts, so the block has no values. */
const NOTHING: Shown = {
  startDate: '',
  startTime: '',
  endDate: '',
  endTime: '',
  allDay: false,
  dateSeparator: ' @ ',
  timeSeparator: ' - ',
};

/** The dates of an event. TEC: the year is shown if the event does not start and end in the current one. */
function datesOf(post: Post, { options, today }: NonNullable<References['current']>): Shown {
  const { dateWithYearFormat, dateWithoutYearFormat, dateTimeSeparator, timeRangeSeparator } = options.calendar;
  const [start, end] = [EVENT_FIELDS.start_date.key, EVENT_FIELDS.end_date.key].map((key) => metaValue(post, key) ?? '');
  const separators = {
    dateSeparator: metaValue(post, '_EventDateTimeSeparator') || dateTimeSeparator,
    timeSeparator: metaValue(post, '_EventTimeRangeSeparator') || timeRangeSeparator,
  };
  const year = today().slice(0, 4);
  const format = [start, end].every((text) => text.startsWith(year)) ? dateWithoutYearFormat : dateWithYearFormat;
  const shown = (text: string, letters: string): string => {
    const wall = parseMysqlDate(text);
    return wall ? formatWall(letters, wall) : '';
  };
  return {
    startDate: shown(start, format),
    startTime: shown(start, options.timeFormat),
    endDate: shown(end, format),
    endTime: shown(end, options.timeFormat),
    allDay: ['yes', '1', 'true'].includes(metaValue(post, EVENT_FIELDS.all_day.key) ?? ''),
    ...separators,
  };
}

/** An element of the schedule, as it is indented. */
const part = (kind: string, text: string, tabs: number): string => {
  const indent = '\t'.repeat(tabs);
  return `${indent}<span class="tribe-events-schedule__${kind}">\n${indent}\t${escHtml(text)}${indent}</span>\n`;
};

const separator = (kind: string, text: string, tabs: number): string =>
  part(`separator tribe-events-schedule__separator--${kind}`, text, tabs);
const date = (kind: string, text: string, tabs: number): string => part(`date tribe-events-schedule__date--${kind}`, text, tabs);
const time = (kind: string, text: string, tabs: number): string => part(`time tribe-events-schedule__time--${kind}`, text, tabs);

/** The part after the start: the separator, and the end date or time. */
function ending({ startDate, endDate, endTime, allDay, dateSeparator, timeSeparator }: Shown): string {
  const isSameDay = startDate === endDate;
  const dash = allDay && isSameDay ? '\t\t\t' : `\t\t\t${separator('time', timeSeparator, 4)}\t\t\t`;
  const otherDay = `${date('end', endDate, 4)}\n\t\t\t\t${allDay ? '' : `${separator('date', dateSeparator, 5)}${time('end', endTime, 5)}\t\t\t\t`}\n\t\t\t`;
  const sameDay = allDay ? '' : `${time('end', endTime, 4)}\t\t\t`;
  return `${dash}\n\t\t\t${isSameDay ? sameDay : otherDay}\n\t\t\t\t\t`;
}

/** The schedule of an event. The white space is the plugin's. */
function schedule(shown: Shown): string {
  const { startDate, startTime, endDate, endTime, allDay, dateSeparator } = shown;
  const begins = allDay
    ? startDate === endDate
      ? '\t\t\t<span class="tribe-events-schedule__all-day">All day</span>\n\t\t'
      : ''
    : `${separator('date', dateSeparator, 3)}${time('start', startTime, 3)}\t\t`;
  const isOver = startDate === endDate && startTime === endTime;
  const head = `<div  class="tribe-events-schedule tribe-clearfix" >\n\t<p class="tribe-events-schedule__datetime">\n`;
  return `${head}${date('start', startDate, 2)}\n\t\t${begins}\n\t\t${isOver ? '' : ending(shown)}\t</p>\n</div>\n`;
}

function eventDatetime(_attributes: string, { current }: References): string {
  return schedule(current?.post.type === EVENT ? datesOf(current.post, current) : NOTHING);
}

/** TEC: the same for the block of the venue, whose values no API here shows. */
const VENUE = `<div  class="tribe-block tribe-block__venue tribe-clearfix" >
	
		
	</div>
`;

export const BLOCKS = {
  'tribe/event-datetime': eventDatetime,
  'tribe/event-venue': () => VENUE,
};
