import { EVENT_FIELDS, readText } from '../../the-events-calendar/model/event.js';
import type { Made } from '../../../transfer/generate/content.js';
import { RSVP_ATTENDEE, RSVP_TICKET, TC_ATTENDEE, TC_ORDER, TC_TICKET, type Provider } from '../model/ticket.js';
import { COMPLETED } from '../model/attendee.js';
import { attendeeRows, orderRows, orderTitle, ticketRows } from './rows.js';
import type { Post } from '../../../wordpress/model.js';
import type { Random } from '../../../transfer/generate/random.js';
import { dayNumber, dayText } from '../../../transfer/generate/tools.js';

interface TicketPlan {
  provider: Provider;
  title: string;
  description: string;
  price: string;
  capacity: number;
  sold: number;
  /** When its sale begins, `YYYY-MM-DD HH:MM:SS`; null: with the publication of the event. */
  from: string | null;
  attendees: { name: string; email: string; isCheckedIn: boolean; isGoing: boolean }[];
}

const FIRST = ['Ada', 'Bruno', 'Carla', 'Deniz', 'Emeka', 'Farah', 'Gus', 'Hana', 'Ivo', 'Jun', 'Kaya', 'Lior'];
const FAMILY = ['Albers', 'Bianchi', 'Costa', 'Dubois', 'Endo', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jensen'];

const SOLD: readonly (readonly [title: string, factor: number, description: string])[] = [
  ['Standard', 1, ''],
  ['Reduced', 0.5, 'For students and people in training'],
  ['Front row', 2, 'With a drink'],
];

/** How many people a ticket is made with. What else is sold is only counted. */
const MOST_ATTENDEES = 4;

/** Fate of the tickets of an event. */
type Fate = 'open' | 'sold out' | 'not yet';

function fateOf(random: Random): Fate {
  const drawn = random.fraction();
  return drawn < 0.2 ? 'sold out' : drawn < 0.4 ? 'not yet' : 'open';
}

function attendeesOf(random: Random, taken: number, isReply: boolean): TicketPlan['attendees'] {
  return Array.from({ length: Math.min(taken, MOST_ATTENDEES) }, (_, index) => {
    const [first, family] = [random.pick(FIRST), random.pick(FAMILY)];
    return {
      name: `${first} ${family}`,
      email: `${first}.${family}.${index + 1}@example.org`.toLowerCase(),
      isCheckedIn: false,
      // The first of them is counted.
      isGoing: !isReply || index === 0 || !random.chance(0.3),
    };
  });
}

/** Draws the tickets of an event: some are sold out, and some are only sold from the day before. */
function plansOf(random: Random, event: Post): TicketPlan[] {
  const fate = fateOf(random);
  const isReply = random.chance(0.2);
  const start = readText(event, EVENT_FIELDS.start_date).slice(0, 10);
  const from = fate === 'not yet' ? `${dayText(dayNumber(start) - 1)} 10:00:00` : null;
  const capacity = random.whole(2, 40) * 5;
  const base = random.whole(8, 40);
  return (isReply ? [['I will come', 0, ''] as const] : random.some(SOLD, random.whole(1, 3))).map(
    ([title, factor, description]): TicketPlan => {
      const taken = fate === 'sold out' ? capacity : fate === 'not yet' ? 0 : random.whole(0, Math.floor(capacity * 0.9));
      return {
        provider: isReply ? 'rsvp' : 'tc',
        title,
        description,
        price: String(base * factor),
        capacity,
        sold: taken,
        from,
        attendees: attendeesOf(random, taken, isReply),
      };
    },
  );
}

export function* generatedTickets(random: Random, event: Post, made: Made): Generator<Post> {
  const holder = { id: event._id, published: event.date, start: readText(event, EVENT_FIELDS.start_date) };
  for (const plan of plansOf(random, event)) {
    const { provider, title, description, price, attendees } = plan;
    const ticket = made.post(random, provider === 'tc' ? TC_TICKET : RSVP_TICKET, title);
    const { _id: id, author } = ticket;
    const meta = ticketRows({ ...plan, id, author, hasDescription: description !== '', holder, sale: null, until: null, sku: null });
    yield { ...ticket, excerpt: description, menuOrder: -1, meta };
    for (const attendee of attendees) {
      const order = provider === 'tc' ? made.post(random, TC_ORDER, orderTitle(`${made.seed} ${made.nextId()}`)) : null;
      const post = made.post(random, provider === 'tc' ? TC_ATTENDEE : RSVP_ATTENDEE, attendee.name);
      const facts = { ...attendee, provider, id: post._id, ticket: id, event: event._id, price, isOptedOut: false };
      if (order) yield { ...order, status: COMPLETED, meta: orderRows([facts]) };
      yield { ...post, parent: order?._id ?? 0, meta: attendeeRows(facts) };
    }
  }
}
