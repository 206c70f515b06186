import { EVENT_FILTERS, planEvents } from './lists/event-filters.js';
import { EVENT_ARGS, EVENT_CHANGES, type EventParams } from './event-args.js';
import { EVENTS_PATH, presentEvent } from './event-present.js';
import { EVENT_MESSAGES, eventNoLongerAvailable, eventNotFound, eventPasswordProtected, invalidEventId } from './messages.js';
import { event as existingEvent, nonEmptyString, type ArgsOf } from './validators.js';
import { isNumeric } from '../../../base/php/cast.js';
import { canEdit, canRead, canWithPosts } from '../../../wordpress/users/capabilities.js';
import { isDraftLike, type Post } from '../../../wordpress/model.js';
import { EVENT } from '../model/index.js';
import { slugArg, type PostResource, type Target } from './resource.js';
import { withParams, type EndpointCall } from '../../../wordpress/rest/params.js';
import type { EventById } from '../../../sdk/types/params.js';
import { sentPassword, tooManyGuesses } from '../../../wordpress/rest/post-password.js';
import { RestResponse, type CallContext, type Check, RestError, invalidParam } from '../../../wordpress/rest/route.js';
import { NestedCostError, storeCost, type StoredCost } from '../model/cost.js';
import { LINKED_KINDS, eachKind } from '../model/event.js';
import { changedEvent, newEvent, rejectEarlyEnd, type Referred } from './event-changes.js';
import { termIdsFor, attachmentFor } from './event-terms.js';
import { linkedIdsFor } from './linked/param.js';
import { findPosts } from '../../../wordpress/posts/posts.js';
import { allLinkedIds } from '../model/columns.js';
import { insertPost, publishPost, trashPost, updatePost } from '../../../wordpress/posts/post-save.js';

const ZERO: StoredCost = { values: ['0'], symbol: null, position: null };

/** TEC: an update stores a cost of zero, a creation does not. */
function costOf({ cost }: EventParams, isUpdate: boolean): StoredCost {
  if (isUpdate && (cost === 0 || cost === '0')) return ZERO;
  try {
    return storeCost(cost);
  } catch (error) {
    if (error instanceof NestedCostError) throw invalidParam('cost');
    throw error;
  }
}

/** Creates the image, terms and linked posts that parameters refer to. TEC: they come before the event, and stay even if it then fails. */
async function referredBy({ params, ...context }: EndpointCall<typeof EVENT_CHANGES>, isUpdate: boolean): Promise<Referred> {
  if (!context.site.quirks.has('early-ends-hide-events')) rejectEarlyEnd({ params, ...context });
  const cost = costOf(params, isUpdate);
  const image = await attachmentFor(params.image, context);
  const categories = await termIdsFor('categories', params.categories, context);
  const tags = await termIdsFor('tags', params.tags, context);
  const links: Referred['links'] = eachKind(() => []);
  for (const kind of LINKED_KINDS) links[kind] = await linkedIdsFor(kind, params[kind] ?? [], context);
  return { links, categories, tags, image, cost };
}

/** The cost that a plugin stores where a request has none. */
async function costOfPlugin(post: Post, { site }: CallContext): Promise<StoredCost | null> {
  for (const costOfEvent of site.registry.hooks('updatedCost')) {
    const cost = await costOfEvent(post, site);
    if (cost) return cost;
  }
  return null;
}

/** `POST /events`. @throws RestError when nothing is left to store (WP) */
async function createEvent(call: EndpointCall<typeof EVENT_ARGS>): Promise<{ post: Post; status: number }> {
  const data = newEvent(call, await referredBy(call, false));
  if (data.title === '' && data.content === '' && data.excerpt === '') {
    const status = call.site.quirks.has('bad-input-is-server-error') ? null : 400;
    throw new RestError('empty_content', 'Content, title, and excerpt are empty.', status);
  }
  return { post: await insertPost(call.site, EVENT, data), status: 201 };
}

function guardWrite({ post, id }: Target): void {
  if (!post) throw eventNotFound(id);
  if (post.type !== EVENT) throw invalidEventId();
}

/** TEC: older releases return the error as content when the event of an update does not exist. */
const NO_EVENT = { errors: { 'event-not-found': ['The requested post ID does not exist or is not an event'] }, error_data: [] };

/** TEC: saving a published event publishes its linked drafts without other changes. */
async function publishLinked(before: Post, { site, request: { user } }: CallContext): Promise<void> {
  const mayPublish = (post: Post): boolean => canWithPosts(user, 'publish') && canEdit(user, post, site.registry);
  const drafts = (await findPosts(site.store, allLinkedIds(before))).filter(({ status }) => isDraftLike(status));
  for (const post of drafts) {
    if (!site.quirks.has('saving-publishes-drafts') && !mayPublish(post)) continue;
    await publishPost(site, post._id);
  }
}

async function updateEvent(call: EndpointCall<typeof EVENT_CHANGES>, { post, id }: Target): Promise<Post | RestResponse> {
  const takesAnySlug = call.site.quirks.has('unknown-slugs-are-updated');
  if (post || !takesAnySlug) guardWrite({ post, id });
  const referred = await referredBy(call, true);
  if (post && call.params.cost === undefined) referred.cost = (await costOfPlugin(post, call)) ?? referred.cost;
  if (!post) return new RestResponse(NO_EVENT);
  const stored = await updatePost(call.site, id, 'renew', (current) => changedEvent(current, call, referred));
  if (!stored) throw EVENT_MESSAGES.couldNotUpdate();
  if (stored.status === 'publish') await publishLinked(post, call);
  return stored;
}

async function trashEvent({ site, request }: CallContext, { post, id }: Target): Promise<Post> {
  guardWrite({ post, id });
  if (post?.status === 'trash') throw EVENT_MESSAGES.alreadyTrashed();
  const stored = await trashPost(site, id, request.user);
  if (!stored) throw eventNotFound(id);
  return stored;
}

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
