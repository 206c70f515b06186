import { formatWall, parseMysqlDate } from '../../../../base/php/date.js';
import { antispam } from '../../../../wordpress/formatting/email.js';
import { fill, type Part } from '../../../../wordpress/formatting/block-parts/template.js';
import { escHtml, escUrl } from '../../../../wordpress/formatting/entities.js';
import { renderTitle } from '../../../../wordpress/formatting/title.js';
import { imageTag } from '../../../../wordpress/media/pictures.js';
import type { DynamicBlock, SiteFacts } from '../../../../wordpress/formatting/references.js';
import { metaValue, thumbnailOf, type Post } from '../../../../wordpress/model.js';
import { EVENT_FIELDS } from '../event.js';
import BLOCK_HTML from './event-blocks.json' with { type: 'json' };
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

const TEMPLATES = new Map<string, readonly Part[]>(Object.entries(BLOCK_HTML as Record<string, readonly Part[]>));

/** The HTML of a block. The white space is the plugin's. */
const filled = (name: string, values: Readonly<Record<string, string | boolean>> = {}): string =>
  fill(TEMPLATES.get(name) ?? [], (value) => String(values[value] || ''));

const eventDatetime: DynamicBlock = (_, { post, site }) => {
  const { allDay, ...texts } = post && site ? datesOf(post, site) : NOTHING;
  const isSameDay = texts.startDate === texts.endDate;
  return filled('tribe/event-datetime', {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, escHtml(text)])),
    allDay,
    isSameDay,
    isShort: allDay && isSameDay,
    isOver: isSameDay && texts.startTime === texts.endTime,
  });
};

const organizer: DynamicBlock = ({ organizer: id }, { ask }) => {
  const post = typeof id === 'number' ? ask('post', id) : null;
  if (post?.type !== ORGANIZER) return '';
  const [phone = '', website = '', email = ''] = ['Phone', 'Website', 'Email'].map((name) => metaValue(post, `_Organizer${name}`));
  return filled('tribe/event-organizer', {
    title: renderTitle(post.title),
    phone: escHtml(phone),
    website: escUrl(website),
    email: email === '' ? '' : antispam(email),
  });
};

const featuredImage: DynamicBlock = (_, { post, attachment, uploadsUrl }) => {
  const picture = post ? attachment(thumbnailOf(post)) : undefined;
  const classes = { class: 'attachment-full size-full wp-post-image' };
  return filled('tribe/featured-image', { picture: picture ? imageTag(picture, 'full', uploadsUrl, classes) : '' });
};

export const BLOCKS: Readonly<Record<string, DynamicBlock>> = {
  ...Object.fromEntries([...TEMPLATES.keys()].map((name) => [name, () => filled(name)])),
  'tribe/event-datetime': eventDatetime,
  'tribe/event-organizer': organizer,
  'tribe/featured-image': featuredImage,
};
