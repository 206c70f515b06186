import { createHash, randomBytes } from 'node:crypto';
import { filterBoolean, intval, isEmpty, toStr } from '../../../base/php/cast.js';
import { savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { metaValue, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { asData, insertPost, updatePost, type PostData } from '../../../wordpress/posts/post-save.js';
import { findPost, withDerivedColumns } from '../../../wordpress/posts/posts.js';
import { type CallContext, RestError } from '../../../wordpress/rest/route.js';
import type { Site } from '../../../wordpress/site.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { ATTENDEE_KEYS, attendeeOf, BY_APP, orderMeta, PAID, RSVP_ORDER, RSVP_STATUS, type Attendee } from '../model/attendee.js';
import { RSVP_ATTENDEE, TC_ATTENDEE, TC_ORDER, KEYS, ticketOf, type Ticket } from '../model/ticket.js';
import { COMPLETED } from '../model/attendee.js';

const RSVP_STATUSES = ['yes', 'no'];

const CHOICES = RSVP_STATUSES.join(' | ');
const SUPPORTED = 'Supported statuses for this attendee are: ';

const soldOut = (): RestError => new RestError('ticket-sold-out', 'The ticket is sold out.', 400);

const rows = (meta: MetaRow[], changes: Readonly<Record<string, string>>): MetaRow[] =>
  Object.entries(changes).reduce((next, [key, value]) => withMeta(next, key, [value]), meta);

/** A ticket with some more places taken. A place that is given back is free only up to the capacity, which may have become smaller. */
function taken(ticket: Ticket, places: number): Post {
  const { post, available, capacity, isManaged } = ticket;
  const sold = Math.max(0, ticket.sold + places);
  const counted = rows(post.meta, { [KEYS.sold]: String(sold) });
  const left = places > 0 ? available - places : Math.min(available - places, Math.max(available, capacity - sold));
  return { ...post, meta: isManaged ? rows(counted, { [KEYS.stock]: String(Math.max(0, left)) }) : counted };
}

/** Whether a ticket has a place. TEC: only the stock of sold ones counts, not what was sold. */
function hasPlace({ provider, available, capacity, sold, isManaged }: Ticket, { quirks }: Site): boolean {
  if (!isManaged) return true;
  if (quirks.has('attendees-ignore-stock')) return provider === 'rsvp' || available > 0;
  return available > 0 && sold < capacity;
}

/**
 * Takes a place of a ticket. The stored stock decides: a write is repeated with the stock of another one that came first, so that no place is
 * taken twice.
 * @returns whether there was a place
 */
async function takePlace({ site }: CallContext, id: number): Promise<boolean> {
  let isTaken = true;
  await site.store.changePost(id, (current) => {
    const ticket = ticketOf(current);
    isTaken = hasPlace(ticket, site);
    return isTaken ? withDerivedColumns(taken(ticket, 1), site.registry) : current;
  });
  return isTaken;
}

async function givePlacesBack({ site }: CallContext, id: number, places: number): Promise<void> {
  if (places > 0) await site.store.changePost(id, (current) => withDerivedColumns(taken(ticketOf(current), -places), site.registry));
}

const newest = async ({ site: { store } }: CallContext): Promise<Attendee | null> => {
  const [post] = await store.posts.find({ type: TC_ATTENDEE }).sort({ date: -1, _id: -1 }).limit(1).toArray();
  return post ? attendeeOf(post) : null;
};

/** The code that a check-in asks for. */
const securityCode = (): string => randomBytes(5).toString('hex');

const newPost = ({ site, request }: CallContext, title: string, meta: MetaRow[]) => ({
  status: 'publish',
  author: request.user?._id ?? 0,
  title: savePostTitle(title, textAuthor(request.user, site)),
  content: '',
  excerpt: '',
  date: null,
  menuOrder: 0,
  password: '',
  meta,
  terms: {},
});

const asRows = (record: Readonly<Record<string, string>>): MetaRow[] => Object.entries(record).map(([key, value]) => ({ key, value }));

const isFlag = (value: unknown, wanted: boolean): boolean => value !== undefined && filterBoolean(value) === wanted;

async function addGuest(context: CallContext, ticket: Ticket): Promise<Attendee> {
  const { request, site } = context;
  const going = toStr(request.get('attendee_status') ?? 'yes');
  if (!RSVP_STATUSES.includes(going)) throw new RestError('invalid-attendee-status', `${SUPPORTED}${CHOICES}`, 400);
  if (going === 'yes' && !(await takePlace(context, ticket.id))) throw soldOut();
  const keys = ATTENDEE_KEYS.rsvp;
  const name = toStr(request.get('full_name'));
  const optout = request.get('optout');
  const meta = asRows({
    [keys.name]: name,
    [keys.email]: toStr(request.get('email')),
    [keys.ticket]: String(ticket.id),
    [keys.event]: String(ticket.event),
    [RSVP_ORDER]: createHash('md5').update(randomBytes(16)).digest('hex'),
    [RSVP_STATUS]: going,
    [keys.optout]: optout === undefined || isFlag(optout, true) ? '1' : '0',
    ...(isFlag(request.get('check_in'), true) ? { [keys.checkedIn]: '1' } : {}),
    attendee_source: 'rest-api',
    [keys.code]: securityCode(),
  });
  return attendeeOf(await insertPost(site, RSVP_ATTENDEE, newPost(context, name, meta)));
}

async function addBuyer(context: CallContext, ticket: Ticket): Promise<Attendee> {
  const { request, site } = context;
  if (request.get('attendee_status') !== undefined) throw new RestError('invalid-attendee-status', SUPPORTED, 400);
  if (!(await takePlace(context, ticket.id))) {
    // The plugin creates nothing, and shows the attendee that was created last.
    const other = site.quirks.has('attendees-ignore-stock') ? await newest(context) : null;
    if (!other) throw soldOut();
    return other;
  }
  const keys = ATTENDEE_KEYS.tc;
  const name = toStr(request.get('full_name'));
  const email = toStr(request.get('email'));
  const order = await insertPost(site, TC_ORDER, {
    ...newPost(
      context,
      `TEC-TC-M-${securityCode()}-T-${ticket.id}`,
      asRows(orderMeta({ name, email }, { ticket: ticket.id, event: ticket.event })),
    ),
    status: COMPLETED,
  });
  const meta = asRows({
    [keys.ticket]: String(ticket.id),
    [keys.event]: String(ticket.event),
    [keys.code]: securityCode(),
    [keys.optout]: '',
    ...PAID,
    [keys.email]: email,
    [keys.name]: name,
  });
  return attendeeOf(await insertPost(site, TC_ATTENDEE, { ...newPost(context, name, meta), parent: order._id }));
}

/** Adds an attendee. @throws RestError if the ticket has no stock, outside of the plugin's own behavior */
export async function createAttendee(context: CallContext): Promise<Attendee> {
  const { site, request } = context;
  const post = await site.store.posts.findOne({ _id: intval(request.get('ticket_id')) });
  if (!post) throw new RestError('ticket-not-found', 'ticket-not-found', 404);
  const ticket = ticketOf(post);
  return ticket.provider === 'rsvp' ? addGuest(context, ticket) : addBuyer(context, ticket);
}

/** The meta rows that say whether an attendee is checked in. */
function checkedIn(meta: MetaRow[], { provider }: Attendee, { site, request }: CallContext, by: 'site' | 'app' | null): MetaRow[] {
  const keys = ATTENDEE_KEYS[provider];
  if (by === null) return [keys.checkedIn, keys.details, BY_APP].reduce((left, key) => withMeta(left, key, []), meta);
  const details = JSON.stringify({ date: site.nowLocal, source: by, author: request.user?._id ?? 0 });
  return rows(meta, { [keys.checkedIn]: '1', [keys.details]: details, ...(by === 'app' ? { [BY_APP]: '1' } : {}) });
}

const unknown = ({ site }: CallContext): RestError =>
  new RestError('invalid-attendee-id', 'Attendee ID is not valid.', site.quirks.has('unknown-attendees-crash') ? null : 404);

/** A change of an attendee that needs a place first. */
class NeedsPlace extends Error {}

/**
 * Changes an attendee who takes a place, or gives it back. The stored status decides, so that requests at once move one place.
 * @param write writes the attendee; told how many places it holds, it throws if it needs one more, else it says how many it has used
 */
async function movingPlaces<T>(
  context: CallContext,
  ticket: number,
  write: (held: number) => Promise<{ stored: T; used: number }>,
): Promise<T> {
  let held = 0;
  for (;;) {
    try {
      const { stored, used } = await write(held);
      await givePlacesBack(context, ticket, held - used);
      return stored;
    } catch (error) {
      if (!(error instanceof NeedsPlace)) {
        // Whether anything was written is known of refusals only.
        if (error instanceof RestError) await givePlacesBack(context, ticket, held);
        throw error;
      }
      if (!(await takePlace(context, ticket))) throw soldOut();
      held = 1;
    }
  }
}

/** An attendee after a change. @throws RestError for one who cannot be checked in */
function changedAttendee(current: Post, { provider }: Attendee, isPaid: boolean, context: CallContext): PostData {
  const { request, site } = context;
  const keys = ATTENDEE_KEYS[provider];
  const [name, email, going, checkIn] = ['full_name', 'email', 'attendee_status', 'check_in'].map((key) => request.get(key));
  const now = attendeeOf(current);
  if (isFlag(checkIn, true) && now.isCheckedIn)
    throw new RestError('tec-et-attendee-already-checked-in', 'Attendee is already checked in.', 400);
  if (isFlag(checkIn, true) && !(isPaid && now.isGoing))
    throw new RestError('tec-et-attendee-invalid-check-in', 'Attendee Order status is not authorized for check-in.', 400);
  const texts = rows(current.meta, {
    ...(name === undefined ? {} : { [keys.name]: toStr(name) }),
    ...(email === undefined ? {} : { [keys.email]: toStr(email) }),
    ...(going === undefined ? {} : { [RSVP_STATUS]: toStr(going) }),
  });
  const meta = checkIn === undefined ? texts : checkedIn(texts, now, context, isFlag(checkIn, true) ? 'site' : null);
  const title = name === undefined ? current.title : savePostTitle(toStr(name), textAuthor(request.user, site));
  return { ...asData(current), title, meta };
}

/** Whether the order of an attendee is paid. An RSVP has none. */
export const hasPaid = async ({ provider, post }: Attendee, { store }: Site): Promise<boolean> =>
  provider === 'rsvp' || (await findPost(store, post.parent))?.status === COMPLETED;

/** Checks an attendee in with the app. @returns whether the app had not done so before */
export async function checkInByApp(attendee: Attendee, context: CallContext): Promise<boolean> {
  let isFirst = false;
  await updatePost(context.site, attendee.id, 'keep', (current) => {
    isFirst = isEmpty(metaValue(current, BY_APP));
    return isFirst ? { ...asData(current), meta: checkedIn(current.meta, attendee, context, 'app') } : asData(current);
  });
  return isFirst;
}

/** Changes an attendee. @throws RestError for one who cannot be checked in, or does not exist */
export async function updateAttendee(attendee: Attendee | null, context: CallContext): Promise<Attendee> {
  const { request, site } = context;
  if (!attendee) throw unknown(context);
  const { id, provider, ticket } = attendee;
  const going = request.get('attendee_status');
  if (going !== undefined && (provider === 'tc' || !RSVP_STATUSES.includes(toStr(going))))
    throw new RestError('invalid-attendee-status', `${SUPPORTED}${provider === 'tc' ? '' : CHOICES}`, 400);
  const moves = going !== undefined && !site.quirks.has('attendee-status-keeps-stock');
  const isPaid = await hasPaid(attendee, site);
  return movingPlaces(context, ticket, async (held) => {
    let used = 0;
    const stored = await updatePost(site, id, 'keep', (current) => {
      const data = changedAttendee(current, attendee, isPaid, context);
      used = moves ? Number(toStr(going) === 'yes') - Number(attendeeOf(current).isGoing) : 0;
      if (used > held) throw new NeedsPlace();
      return data;
    });
    if (!stored) throw unknown(context);
    return { stored: attendeeOf(stored), used };
  });
}
