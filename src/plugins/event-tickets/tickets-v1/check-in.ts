import { intval, isEmpty, isNumeric, toStr } from '../../../base/php/cast.js';
import { mysqlDate, secondsToWall } from '../../../base/php/date.js';
import { metaValue } from '../../../wordpress/model.js';
import { findPost } from '../../../wordpress/posts/posts.js';
import type { Json } from '../../../wordpress/rest/request.js';
import { RestResponse, type Args, type CallContext } from '../../../wordpress/rest/route.js';
import { storedTimes } from '../../the-events-calendar/model/event-dates.js';
import { EVENT } from '../../the-events-calendar/model/index.js';
import { ATTENDEE_KEYS, attendeeOf, BY_APP, type Attendee } from '../model/attendee.js';
import { ATTENDEE_TYPES } from '../model/names.js';
import { hasAppKey } from '../model/related.js';
import { ticketOf } from '../model/ticket.js';
import { checkInByApp, hasPaid } from './attendee-write.js';
import { search } from './lists.js';
import { presentAttendee } from './present-attendee.js';

/** Arguments of the app that checks attendees in, as it reads them from the code of a ticket. */
export const QR: Args = {
  api_key: { ...search('Key of the application.'), required: true },
  ticket_id: { type: 'string', description: 'ID of the attendee.', required: true, validate: (value) => isNumeric(value) },
  security_code: { ...search('Security code of the attendee.'), required: true },
};

const NAMES = ['api_key', 'ticket_id', 'event_id', 'security_code'] as const;

const REFUSALS = {
  security_code_not_valid: 'Security code is not valid!',
  attendee_not_authorized: 'This attendee&#039;s ticket is not authorized to be Checked in. Please check the order status.',
  attendee_already_checked_in: 'Already checked in!',
  event_not_happening_now: 'Event has not started or it has finished.',
};

const refusal = (error: keyof typeof REFUSALS, attendee?: Json): RestResponse =>
  new RestResponse({ msg: REFUSALS[error], error, ...(attendee === undefined ? {} : { attendee }) }, 403);

/** The attendee with an id, if the code is theirs. */
async function withCode(id: number, code: string, { site }: CallContext): Promise<Attendee | null> {
  const post = await findPost(site.store, id);
  if (!post || post.status === 'trash' || !(ATTENDEE_TYPES as readonly string[]).includes(post.type)) return null;
  const attendee = attendeeOf(post);
  return metaValue(post, ATTENDEE_KEYS[attendee.provider].code) === code ? attendee : null;
}

/** Whether the time of an event forbids that the app checks somebody in. */
async function isAtOtherTime(id: number, { site }: CallContext): Promise<boolean> {
  const { minutesAround, types } = site.options.tickets;
  if (minutesAround === null || !types.includes(EVENT)) return false;
  const event = await findPost(site.store, id);
  if (event?.type !== EVENT) return false;
  const { startUtc = '', endUtc = '' } = storedTimes(event);
  const [early, late] = [-60, 60].map((second) => mysqlDate(secondsToWall(site.clock.seconds() + second * minutesAround)));
  return late < startUtc || early > endUtc;
}

/** Checks an attendee in. TEC: `ticket_id` names the attendee, who is shown as before. */
export async function scan(context: CallContext): Promise<RestResponse> {
  const { request, site } = context;
  const sent = Object.fromEntries(NAMES.map((name) => [name, request.get(name) ?? null]));
  if (!hasAppKey(context) || isEmpty(sent.ticket_id)) return new RestResponse(sent, 400);
  const attendee = await withCode(intval(sent.ticket_id), toStr(sent.security_code), context);
  if (!attendee) return refusal('security_code_not_valid');
  const ticket = await findPost(site.store, attendee.ticket);
  const shown = ticket ? presentAttendee(attendee, ticketOf(ticket), { site, manages: true }) : null;
  if (!attendee.isGoing || !(await hasPaid(attendee, site))) return refusal('attendee_not_authorized', shown);
  if (!isEmpty(metaValue(attendee.post, BY_APP))) return refusal('attendee_already_checked_in', shown);
  if (await isAtOtherTime(intval(sent.event_id), context)) return refusal('event_not_happening_now', shown);
  if (!(await checkInByApp(attendee, context))) return refusal('attendee_already_checked_in', shown);
  return new RestResponse({ msg: 'Checked In!', attendee: shown }, 201);
}
