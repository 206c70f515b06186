// Tickets of a site of many events, each with attendees.
import { ATTENDEE_KEYS, RSVP_STATUS } from '../../../dist/plugins/event-tickets/model/attendee.js';
import { KEYS } from '../../../dist/plugins/event-tickets/model/ticket.js';
import { withDerivedColumns } from '../../../dist/wordpress/posts/posts.js';

const TIME = '2026-06-01 10:00:00';
const COMMON = {
  ...{
    author: 1,
    status: 'publish',
    content: '',
    excerpt: 'With a drink in the garden',
    password: '',
    parent: 0,
    menuOrder: -1,
    terms: {},
  },
  ...{ date: TIME, dateGmt: TIME, modified: TIME, modifiedGmt: TIME, version: 1 },
};
const rows = (meta) => Object.entries(meta).map(([key, value]) => ({ key, value: String(value) }));

/** How many attendees each ticket has. */
const ATTENDEES = 2;

function ticket(_id, i, event) {
  const isRsvp = i % 4 === 3;
  const meta = {
    [isRsvp ? KEYS.rsvpEvent : KEYS.tcEvent]: event,
    [KEYS.price]: isRsvp ? 0 : 5 + (i % 40),
    [KEYS.managed]: i % 10 === 9 ? 'no' : 'yes',
    [KEYS.stock]: i % 30,
    [KEYS.capacity]: i % 10 === 9 ? -1 : (i % 30) + ATTENDEES,
    [KEYS.sold]: ATTENDEES,
    [KEYS.startDate]: '2026-01-01',
    [KEYS.endDate]: '2026-12-31',
  };
  const type = isRsvp ? 'tribe_rsvp_tickets' : 'tec_tc_ticket';
  return { ...COMMON, _id, type, title: `Ticket ${i}`, slug: `ticket-${i}`, meta: rows(meta) };
}

function attendee(_id, i, { ticket: of, event, isRsvp }) {
  const keys = ATTENDEE_KEYS[isRsvp ? 'rsvp' : 'tc'];
  const meta = {
    [keys.ticket]: of,
    [keys.event]: event,
    [keys.name]: `Guest ${i}`,
    [keys.email]: `guest-${i}@example.org`,
    ...(isRsvp ? { [RSVP_STATUS]: 'yes' } : {}),
  };
  const type = isRsvp ? 'tribe_rsvp_attendees' : 'tec_tc_attendee';
  return { ...COMMON, _id, type, title: `Guest ${i}`, slug: `guest-${i}`, meta: rows(meta) };
}

/**
 * Stores tickets of events, and their attendees.
 * @param events ids; each gets some
 * @param count number of tickets
 * @returns the ids of both
 */
export async function addTickets(store, events, count) {
  const first = events.at(-1) + 1;
  const ids = { tickets: [], attendees: [] };
  const posts = [];
  for (let i = 0; i < count; i += 1) {
    const event = events[i % events.length];
    const id = first + i * (1 + ATTENDEES);
    const made = ticket(id, i, event);
    posts.push(made);
    ids.tickets.push(id);
    for (let n = 1; n <= ATTENDEES; n += 1) {
      posts.push(attendee(id + n, i * ATTENDEES + n, { ticket: id, event, isRsvp: made.type === 'tribe_rsvp_tickets' }));
      ids.attendees.push(id + n);
    }
  }
  if (posts.length === 0) return ids;
  await store.insert(
    'posts',
    posts.map((post) => withDerivedColumns(post, store.registry)),
  );
  await store.sequences.reserve('posts', posts.at(-1)._id + 10);
  return ids;
}
