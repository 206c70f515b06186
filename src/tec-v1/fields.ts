import { choice, email, flag, ids, instant, named, positive, text, url, wallTime, zone } from './args.js';
import { POST_FORMATS } from '../wp/model.js';
import { STATUSES } from './filters.js';
import { textsOf } from './linked-texts.js';
import { LINKED, LINKED_KINDS, eachKind, eachLinked } from '../tec/linked.js';

const OPEN = { default: 'open' };

const sticky = <S extends { default?: false }>(shown?: S) => flag('Whether the post is sticky.', shown);

const FIRST = {
  date: instant('Publication date in the time zone of the site.'),
  date_gmt: instant('Publication date in UTC.'),
  slug: text('Slug of the object.'),
  status: choice('Status of the object.', STATUSES, { default: 'publish' }),
  title: text('Title of the object.'),
  content: text('Content of the object.'),
  excerpt: text('Excerpt of the object.'),
  author: positive('ID of the author.'),
  featured_media: positive('ID of the featured image.'),
  comment_status: choice('Whether comments are open.', ['open', 'closed'], OPEN),
  ping_status: choice('Whether pings are open.', ['open', 'closed'], OPEN),
  format: choice('Format of the post.', POST_FORMATS, { default: 'standard' }),
};

const LAST = {
  template: text('Theme template that displays the object.'),
  tags: ids('IDs of the assigned terms: tags.'),
};

/** The writable fields of every kind of item. TEC: those of blog posts; some have no effect. */
export const COMMON_FIELDS = named({ ...FIRST, ...LAST });

/** The writable fields of an event. */
export const EVENT_FIELDS = named({
  ...FIRST,
  sticky: sticky(),
  ...LAST,
  tribe_events_cat: ids('IDs of the assigned terms: event categories.'),
  start_date: wallTime('Start of the event, in its time zone.'),
  start_date_utc: wallTime('Start of the event, in UTC.'),
  end_date: wallTime('End of the event, in its time zone.'),
  end_date_utc: wallTime('End of the event, in UTC.'),
  timezone: zone('Time zone of the event.'),
  duration: positive('Duration of the event, in seconds.'),
  all_day: flag('Whether the event lasts all day.'),
  featured: flag('Whether the event is featured.'),
  cost: text('Price of the event, with the currency symbol.'),
  ...eachLinked((kind) => ids(LINKED[kind].link.definition), LINKED_KINDS.toReversed()),
});

const DECLARED = { text, url, email };

/** The texts of each linked kind. */
export const LINKED_TEXTS = eachKind((kind) =>
  named(
    Object.fromEntries(
      textsOf(kind).map(({ name, field: { kind: type, description = '', format } }) => [
        name,
        DECLARED[type](description, format === undefined ? {} : { format }),
      ]),
    ),
  ),
);

/** The writable fields of each linked kind. */
export const LINKED_FIELDS = eachKind((kind) => ({
  ...named({ ...FIRST, sticky: sticky({ default: false }), ...LAST }),
  ...LINKED_TEXTS[kind],
}));

export const FORCE = named({ force: flag('Delete permanently instead of moving to the trash.', { default: false }) });
