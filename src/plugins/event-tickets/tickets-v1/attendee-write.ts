import { createHash, randomBytes } from 'node:crypto';
import { filterBoolean, intval, toStr } from '../../../base/php/cast.js';
import { savePostTitle } from '../../../wordpress/formatting/sanitize.js';
import { metaValue, withMeta, type MetaRow, type Post } from '../../../wordpress/model.js';
import { asData, insertPost, updatePost } from '../../../wordpress/posts/post-save.js';
import { withDerivedColumns } from '../../../wordpress/posts/posts.js';
import { RestError } from '../../../wordpress/rest/error.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import { textAuthor } from '../../../wordpress/users/text-author.js';
import { ATTENDEE_KEYS, attendeeOf, orderMeta, PAID, RSVP_ORDER, RSVP_STATUS, type Attendee } from '../model/attendee.js';
import { RSVP_ATTENDEE, TC_ATTENDEE, TC_ORDER } from '../model/names.js';
import { COMPLETED } from '../model/order.js';
import { KEYS, ticketOf, type Ticket } from '../model/ticket.js';

const RSVP_STATUSES = ['yes', 'no'];

const CHOICES = RSVP_STATUSES.join(' | ');
const SUPPORTED = 'Supported statuses for this attendee are: ';

const soldOut = (): RestError => new RestError('ticket-sold-out', 'The ticket is sold out.', 400);

const rows = (meta: MetaRow[], changes: Readonly<Record<string, string>>): MetaRow[] =>
  Object.entries(changes).reduce((next, [key, value]) => withMeta(next, key, [value]), meta);

/** A ticket with some more places taken. */
function taken(ticket: Ticket, places: number): Post {
  const { post, sold, available, isManaged } = ticket;
  const counted = rows(post.meta, { [KEYS.sold]: String(Math.max(0, sold + places)) });
  return { ...post, meta: isManaged ? rows(counted, { [KEYS.stock]: String(Math.max(0, available - places)) }) : counted };
}

/**
 * Takes places of a ticket, or gives them back. The stored stock decides: a write is repeated with the stock of another one that came first,
 * so that no place is taken twice.
 * @param isLimited whether places need stock
 * @returns whether there was a place
 */
async function takePlaces({ site }: CallContext, id: number, places: number, isLimited: boolean): Promise<boolean> {
  let isTaken = true;
  await site.store.changePost(id, (current) => {
    const ticket = ticketOf(current);
    isTaken = !isLimited || places <= 0 || !ticket.isManaged || ticket.available >= places;
    return isTaken ? withDerivedColumns(taken(ticket, places), site.registry) : current;
  });
  return isTaken;
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
  const isLimited = !site.quirks.has('attendees-ignore-stock');
  if (going === 'yes' && !(await takePlaces(context, ticket.id, 1, isLimited))) throw soldOut();
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
  if (!(await takePlaces(context, ticket.id, 1, true))) {
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
function checkedIn(meta: MetaRow[], { provider }: Attendee, isIn: boolean, { site, request }: CallContext): MetaRow[] {
  const keys = ATTENDEE_KEYS[provider];
  if (!isIn) return withMeta(withMeta(meta, keys.checkedIn, []), keys.details, []);
  const details = JSON.stringify({ date: site.nowLocal, source: 'site', author: request.user?._id ?? 0 });
  return rows(meta, { [keys.checkedIn]: '1', [keys.details]: details });
}

const unknown = ({ site }: CallContext): RestError =>
  new RestError('invalid-attendee-id', 'Attendee ID is not valid.', site.quirks.has('unknown-attendees-crash') ? null : 404);

/** Changes an attendee. @throws RestError for one who cannot be checked in, or does not exist */
export async function updateAttendee(attendee: Attendee | null, context: CallContext): Promise<Attendee> {
  const { request, site } = context;
  if (!attendee) throw unknown(context);
  const { provider } = attendee;
  const keys = ATTENDEE_KEYS[provider];
  const [name, email, going, checkIn] = ['full_name', 'email', 'attendee_status', 'check_in'].map((key) => request.get(key));
  if (going !== undefined && (provider === 'tc' || !RSVP_STATUSES.includes(toStr(going))))
    throw new RestError('invalid-attendee-status', `${SUPPORTED}${provider === 'tc' ? '' : CHOICES}`, 400);
  const before = metaValue(attendee.post, RSVP_STATUS);
  const moves = provider === 'rsvp' && going !== undefined && going !== before && !site.quirks.has('attendee-status-keeps-stock');
  if (moves && !(await takePlaces(context, attendee.ticket, going === 'yes' ? 1 : -1, !site.quirks.has('attendees-ignore-stock'))))
    throw soldOut();
  const stored = await updatePost(site, attendee.id, 'keep', (current) => {
    const now = attendeeOf(current);
    if (isFlag(checkIn, true) && now.isCheckedIn)
      throw new RestError('tec-et-attendee-already-checked-in', 'The attendee is already checked in.', 400);
    if (isFlag(checkIn, true) && !now.isGoing)
      throw new RestError('tec-et-attendee-invalid-check-in', 'The attendee cannot be checked in.', 400);
    const texts = rows(current.meta, {
      ...(name === undefined ? {} : { [keys.name]: toStr(name) }),
      ...(email === undefined ? {} : { [keys.email]: toStr(email) }),
      ...(going === undefined ? {} : { [RSVP_STATUS]: toStr(going) }),
    });
    const meta = checkIn === undefined ? texts : checkedIn(texts, now, isFlag(checkIn, true), context);
    const title = name === undefined ? current.title : savePostTitle(toStr(name), textAuthor(request.user, site));
    return { ...asData(current), title, meta };
  });
  if (!stored) throw unknown(context);
  return attendeeOf(stored);
}
