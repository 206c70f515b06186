import { choiceArg, email, flagArg, idsArg, instantArg, namedArgs, positive, textArg, url, wallTime, zone, STATUSES } from './args.js';
import { POST_FORMATS } from '../../../wordpress/model.js';
import { LINKED, LINKED_KINDS, eachKind, eachLinked, type LinkedKind, textFields, type TextField } from '../model/event.js';

/** TEC: the order of the texts of a kind in this namespace; others come last. */
const ORDER: Partial<Record<LinkedKind, readonly string[]>> = {
  venue: ['address', 'country', 'city', 'stateprovince', 'state', 'province', 'zip', 'phone', 'website'],
};

/** A text of a venue or an organizer, as this namespace names it. */
export interface NamedText {
  /** Its name in this namespace. */
  name: string;
  /** Its name in the table of fields. */
  own: string;
  field: TextField;
}

/** The texts of a kind, in the order of the wire. */
export function textsOf(kind: LinkedKind): NamedText[] {
  const order = ORDER[kind] ?? [];
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return textFields(LINKED[kind].fields)
    .toSorted(([a], [b]) => place(a) - place(b))
    .map(([own, field]) => ({ name: field.entity ?? own, own, field }));
}

const OPEN = { default: 'open' };

const sticky = <S extends { default?: false }>(shown?: S) => flagArg('Whether the post is sticky.', shown);

const FIRST = {
  date: instantArg('Publication date in the time zone of the site.'),
  date_gmt: instantArg('Publication date in UTC.'),
  slug: textArg('Slug of the object.'),
  status: choiceArg('Status of the object.', STATUSES, { default: 'publish' }),
  title: textArg('Title of the object.'),
  content: textArg('Content of the object.'),
  excerpt: textArg('Excerpt of the object.'),
  author: positive('ID of the author.'),
  featured_media: positive('ID of the featured image.'),
  comment_status: choiceArg('Whether comments are open.', ['open', 'closed'], OPEN),
  ping_status: choiceArg('Whether pings are open.', ['open', 'closed'], OPEN),
  format: choiceArg('Format of the post.', POST_FORMATS, { default: 'standard' }),
};

const LAST = {
  template: textArg('Theme template that displays the object.'),
  tags: idsArg('IDs of the assigned terms: tags.'),
};

/** The writable fields of every kind of item. TEC: the fields of blog posts; some have no effect. */
export const COMMON_FIELDS = namedArgs({ ...FIRST, ...LAST });

export const EVENT_PARAMS = namedArgs({
  ...FIRST,
  sticky: sticky(),
  ...LAST,
  tribe_events_cat: idsArg('IDs of the assigned terms: event categories.'),
  start_date: wallTime('Start of the event, in its time zone.'),
  start_date_utc: wallTime('Start of the event, in UTC.'),
  end_date: wallTime('End of the event, in its time zone.'),
  end_date_utc: wallTime('End of the event, in UTC.'),
  timezone: zone('Time zone of the event.'),
  duration: positive('Duration of the event, in seconds.'),
  all_day: flagArg('Whether the event lasts all day.'),
  featured: flagArg('Whether the event is featured.'),
  cost: textArg('Price of the event, with the currency symbol.'),
  ...eachLinked((kind) => idsArg(LINKED[kind].link.definition), LINKED_KINDS.toReversed()),
});

const DECLARED = { text: textArg, url, email };

export const LINKED_TEXTS = eachKind((kind) =>
  namedArgs(
    Object.fromEntries(
      textsOf(kind).map(({ name, field: { kind: type, description = '', format } }) => [
        name,
        DECLARED[type](description, format === undefined ? {} : { format }),
      ]),
    ),
  ),
);

/** The writable fields of all kinds but events, which have no default of `sticky`. */
export const POST_FIELDS = namedArgs({ ...FIRST, sticky: sticky({ default: false }), ...LAST });

export const LINKED_FIELDS = eachKind((kind) => ({
  ...POST_FIELDS,
  ...LINKED_TEXTS[kind],
}));

export const FORCE = namedArgs({ force: flagArg('Delete permanently instead of moving to the trash.', { default: false }) });
