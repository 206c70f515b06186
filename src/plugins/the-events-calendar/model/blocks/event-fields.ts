import { formatWall, parseMysqlDate } from '../../../../base/php/date.js';
import { antispam } from '../../../../wordpress/formatting/email.js';
import { escHtml, escUrl } from '../../../../wordpress/formatting/entities.js';
import { renderTitle } from '../../../../wordpress/formatting/title.js';
import { imageTag } from '../../../../wordpress/media/pictures.js';
import type { DynamicBlock, SiteFacts } from '../../../../wordpress/formatting/references.js';
import { metaValue, thumbnailOf, type Post } from '../../../../wordpress/model.js';
import { EVENT_FIELDS } from '../event.js';
import LINKS from './event-links.json' with { type: 'json' };
import { ORGANIZER } from '../names.js';

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

/** The dates of an event, or the current time for other posts. TEC: the year is shown if the event does not start and end in the current one. */
function datesOf(post: Post, { options, today, now }: SiteFacts): Shown {
  const { dateWithYearFormat, dateWithoutYearFormat, dateTimeSeparator, timeRangeSeparator } = options.calendar;
  const [start, end] = [EVENT_FIELDS.start_date.key, EVENT_FIELDS.end_date.key].map((key) => metaValue(post, key) ?? now());
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

const eventDatetime: DynamicBlock = (_, { post, site }) => schedule(post && site ? datesOf(post, site) : NOTHING);

/** TEC: the same for the block of the venue, whose values no API here shows. */
const VENUE = `<div  class="tribe-block tribe-block__venue tribe-clearfix" >
	
		
	</div>
`;

/** Parts that are there if there is a value: each is indented, whether it is there or not. */
const parts = (values: readonly string[]): string => values.map((html) => `\t${html === '' ? '' : `\t\t${html}\n\t`}`).join('');

const organizer: DynamicBlock = ({ organizer: id }, { ask }) => {
  const post = typeof id === 'number' ? ask('post', id) : null;
  if (post?.type !== ORGANIZER) return '';
  const value = (key: string): string => metaValue(post, key) ?? '';
  const [phone, website, email] = ['_OrganizerPhone', '_OrganizerWebsite', '_OrganizerEmail'].map(value) as [string, string, string];
  const line = (name: string, html: string): string => (html === '' ? '' : `<p class="tribe-block__organizer__${name}">${html}</p>`);
  const link = `<a href="${escUrl(website)}" target="_blank" rel="noopener noreferrer">View Organizer Website</a>`;
  const lines = [
    line('phone', escHtml(phone)),
    line('website', website === '' ? '' : link),
    line('email', email === '' ? '' : antispam(email)),
  ];
  return (
    `<div  class="tribe-block tribe-block__organizer__details tribe-clearfix" >\n\t<div class="tribe-block__organizer__title">\n` +
    `\t\t<h3>${renderTitle(post.title)}</h3>\n\t</div>\n${parts(lines)}</div>\n`
  );
};

const featuredImage: DynamicBlock = (_, { post, attachment, uploadsUrl }) => {
  const picture = post ? attachment(thumbnailOf(post)) : undefined;
  const classes = { class: 'attachment-full size-full wp-post-image' };
  return picture ? `<div class="tribe-events-event-image">${imageTag(picture, 'full', uploadsUrl, classes)}</div>` : '';
};

const section = (kind: string): string =>
  `<div  class="tribe-events-single-section tribe-events-section-${kind} tribe-clearfix" >\n\t</div>\n`;

export const BLOCKS = {
  'tribe/event-datetime': eventDatetime,
  'tribe/event-venue': () => VENUE,
  'tribe/event-organizer': organizer,
  'tribe/event-links': () => LINKS.join('\n'),
  'tribe/event-price': () => '<div  class="tribe-block tribe-block__event-price" >\n\t\t</div>\n',
  'tribe/event-category': () => section('category'),
  'tribe/event-tags': () => section('tags'),
  'tribe/event-website': () => '',
  'tribe/featured-image': featuredImage,
};
