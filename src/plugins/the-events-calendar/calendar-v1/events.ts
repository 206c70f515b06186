import { EVENT_FILTERS } from './lists/event-filters.js';
import { planEvents } from './lists/event-plan.js';
import { createEvent, trashEvent, updateEvent } from './event-save.js';
import { EVENTS_PATH, presentEvent } from './event-present.js';
import { EVENT_MESSAGES, eventNoLongerAvailable, eventNotFound, eventPasswordProtected, invalidEventId } from './messages.js';
import { event as existingEvent, nonEmptyString, time, timezone, urlOrEmpty, userId, writableStatus } from './validators.js';
import { image } from './image-param.js';
import { linkedParam } from './linked/param.js';
import { EVENT_FIELDS as TABLE } from '../model/event.js';
import { LINKED, eachKind, type LinkedKind } from '../model/linked.js';
import { isNumeric, ucfirst } from '../../../base/php/cast.js';
import { canEdit, canRead } from '../../../wordpress/users/capabilities.js';
import type { Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { slugArg, type PostResource } from './resource.js';
import type { ArgsOf, FlagArg, TextArg } from './contract.js';
import type { EventById, EventFields } from '../../../sdk/types/params.js';
import { sentPassword, tooManyGuesses } from '../../../wordpress/rest/post-password.js';
import type { Arg, CallContext, Check } from '../../../wordpress/rest/route.js';

const ids = { items: { type: 'integer' }, default: null, doc: { type: 'array', items: { type: 'integer' } } } as const;

const flag = (description: string): FlagArg => ({ type: 'boolean', description });

const text = (description: string, validate: Arg['validate']): TextArg => ({ type: 'string', description, validate });

/** The linked posts of an event: ids, or the data of new posts. */
function linkArg(kind: LinkedKind) {
  const { column, many } = LINKED[kind];
  const wanted = many ? `IDs, or the fields of new ${column}` : `an ID, or the fields of a new ${kind}`;
  return { ...ids, description: `${ucfirst(many ? column : kind)} of the event: ${wanted}.`, validate: linkedParam(kind) };
}

/** The writable fields of an event, in the order of the wire. */
const EVENT_ARGS: ArgsOf<EventFields> = {
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
  start_date: { ...text(TABLE.start_date.description, time), required: true },
  end_date: { ...text(TABLE.end_date.description, time), required: true },
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
};

/** TEC: older releases reject posts that are not events here, newer ones later. */
const eventId: Check<Post> = (value, context) =>
  context.site.quirks.has('unknown-events-are-invalid-ids') ? existingEvent(value, context) : isNumeric(value);

const ID_ARGS: ArgsOf<EventById> = {
  id: { type: 'integer', required: true, description: 'ID of the event.', validate: eventId },
  password: text('Password of the event, if it has one.', nonEmptyString),
};

/** TEC: the checks before a single event is shown, in this order. */
function guardRead(post: Post | null, id: number, { request, site }: CallContext): Post {
  if (!post) throw eventNotFound(id);
  if (post.type !== EVENT) throw invalidEventId();
  if (post.status === 'trash' && !site.quirks.has('trashed-events-are-readable')) throw eventNoLongerAvailable();
  if (!canRead(request.user, post, site.registry)) throw EVENT_MESSAGES.notAccessible();
  const edits = request.get('context') === 'edit' && canEdit(request.user, post, site.registry);
  const password = sentPassword(request, site);
  const refused = tooManyGuesses(password, post);
  if (refused) throw refused;
  if (post.password !== '' && !edits && password?.opens(post) !== true) throw eventPasswordProtected();
  return post;
}

export const EVENTS: PostResource = {
  postType: EVENT,
  path: EVENTS_PATH,
  filters: EVENT_FILTERS,
  fields: EVENT_ARGS,
  idArgs: ID_ARGS,
  slugArg: slugArg(EVENT, 'event'),
  doc: {
    schema: 'Event',
    noun: 'event',
    example: { title: 'Concert in the park', start_date: '2026-07-01 20:00:00', end_date: '2026-07-01 22:00:00', cost: '12' },
  },
  missingNeedsGeneralRight: ({ quirks }) => !quirks.has('unknown-events-are-invalid-ids'),
  slugIsWritable: true,
  messages: EVENT_MESSAGES,
  plan: planEvents,
  guardRead,
  present: presentEvent,
  create: createEvent,
  update: updateEvent,
  trash: trashEvent,
};
