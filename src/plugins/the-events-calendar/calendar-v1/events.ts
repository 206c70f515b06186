import { EVENT_FILTERS } from './lists/event-filters.js';
import { planEvents } from './lists/event-plan.js';
import { EVENT_ARGS, EVENT_CHANGES } from './event-args.js';
import { createEvent, trashEvent, updateEvent } from './event-save.js';
import { EVENTS_PATH, presentEvent } from './event-present.js';
import { EVENT_MESSAGES, eventNoLongerAvailable, eventNotFound, eventPasswordProtected, invalidEventId } from './messages.js';
import { event as existingEvent, nonEmptyString } from './validators.js';
import { isNumeric } from '../../../base/php/cast.js';
import { canEdit, canRead } from '../../../wordpress/users/capabilities.js';
import type { Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { slugArg, type PostResource } from './resource.js';
import type { ArgsOf } from './contract.js';
import { withParams } from '../../../wordpress/rest/params.js';
import type { EventById } from '../../../sdk/types/params.js';
import { sentPassword, tooManyGuesses } from '../../../wordpress/rest/post-password.js';
import type { CallContext, Check } from '../../../wordpress/rest/route.js';

/** TEC: older releases reject posts that are not events here, newer ones later. */
const eventId: Check<Post> = (value, context) =>
  context.site.quirks.has('unknown-events-are-invalid-ids') ? existingEvent(value, context) : isNumeric(value);

const ID_ARGS = {
  id: { type: 'integer', required: true, description: 'ID of the event.', validate: eventId },
  password: { type: 'string', description: 'Password of the event, if it has one.', validate: nonEmptyString },
} satisfies ArgsOf<EventById>;

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
  create: withParams(EVENT_ARGS, createEvent),
  update: withParams(EVENT_CHANGES, updateEvent),
  trash: trashEvent,
};
