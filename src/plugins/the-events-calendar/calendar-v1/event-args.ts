import { nonEmptyString, time, timezone, urlOrEmpty, userId, writableStatus, type ArgsOf } from './validators.js';
import { image } from './event-terms.js';
import { linkedParam } from './linked/param.js';
import { EVENT_FIELDS as TABLE, LINKED, eachKind, type LinkedKind } from '../model/event.js';
import { ucfirst } from '../../../base/php/cast.js';
import { optionalArgs, type ParamsOf } from '../../../wordpress/rest/params.js';
import type { EventFields } from '../../../sdk/types/params.js';
import type { Check } from '../../../wordpress/rest/route.js';

const ids = { items: { type: 'integer' }, default: null, doc: { type: 'array', items: { type: 'integer' } } } as const;

const flag = (description: string) => ({ type: 'boolean', description }) as const;

const text = (description: string, validate: Check) => ({ type: 'string', description, validate }) as const;

/** The linked posts of an event: ids, or the data of new posts. */
function linkArg(kind: LinkedKind) {
  const { column, many } = LINKED[kind];
  const wanted = many ? `IDs, or the fields of new ${column}` : `an ID, or the fields of a new ${kind}`;
  return { ...ids, description: `${ucfirst(many ? column : kind)} of the event: ${wanted}.`, validate: linkedParam(kind) };
}

/** The writable fields of an event, in the order of the wire. */
export const EVENT_ARGS = {
  author: { type: 'integer', description: 'ID of the author.', validate: userId },
  date: text('Publication date in the time zone of the site.', time),
  date_utc: text('Publication date in UTC.', time),
  title: { ...text('Title of the event.', nonEmptyString), required: true },
  description: text('Description of the event, as HTML.', nonEmptyString),
  slug: text('Slug of the event.', nonEmptyString),
  excerpt: text('Excerpt of the event.', nonEmptyString),
  status: text('Post status of the event.', writableStatus),
  timezone: text(TABLE.timezone.description, timezone),
  all_day: { ...flag(TABLE.all_day.description), default: false },
  start_date: { ...text(TABLE.start_date.description, time), required: TABLE.start_date.required },
  end_date: { ...text(TABLE.end_date.description, time), required: TABLE.end_date.required },
  image: text('Featured image: the ID of a file in the media library, or the URL of an image.', image),
  cost: { description: TABLE.cost.description, sanitize: 'raw', doc: { type: 'string' } },
  website: { default: null, description: TABLE.website.description, validate: urlOrEmpty, doc: { type: 'string' } },
  show_map: flag(TABLE.show_map.description),
  show_map_link: flag(TABLE.show_map_link.description),
  hide_from_listings: flag(TABLE.hide_from_listings.description),
  sticky: flag('Whether to show the event first in calendar views.'),
  featured: flag(TABLE.featured.description),
  categories: { ...ids, description: 'Categories of the event: IDs, slugs or names; categories that do not exist are created.' },
  tags: { ...ids, description: 'Tags of the event: IDs, slugs or names; tags that do not exist are created.' },
  ...eachKind(linkArg),
} satisfies ArgsOf<EventFields>;

/** The same for updates, which require none. */
export const EVENT_CHANGES = optionalArgs(EVENT_ARGS);

export type EventParams = ParamsOf<typeof EVENT_CHANGES>;
