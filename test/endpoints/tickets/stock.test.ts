import { apiOf } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { TICKETS_WORLD } from '../../support/tickets.js';

const V1 = '/tribe/tickets/v1';

interface Ticket {
  capacity_details: { available: number; sold: number };
  attendees: unknown[];
}

/** A ticket with one place left, of each kind: its id, its capacity, and how many are sold. */
const CASES = [
  ['an RSVP', 312, 4],
  ['a ticket', 309, 2],
] as const;

describe('under profile standard', () => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'standard' });
  const api = apiOf(server);
  const add = (ticket: number, name: string) =>
    api.post<{ code?: string }>(`${V1}/attendees`, { ticket_id: ticket, full_name: name, email: 'one@example.org' });

  test.each(CASES)('50 requests at once for the last place of %s: one gets it', async (_kind, ticket, left) => {
    for (let place = 1; place < left; place += 1) expect((await add(ticket, `Guest ${place}`)).status).toBe(201);
    const before = (await api.get<Ticket>(`${V1}/tickets/${ticket}`, 'admin')).body;
    expect(before.capacity_details.available).toBe(1);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => add(ticket, `Rival ${index}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(new Set(others.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['400 ticket-sold-out']));
    const after = (await api.get<Ticket>(`${V1}/tickets/${ticket}`, 'admin')).body;
    expect(after.capacity_details).toMatchObject({ available: 0, sold: before.capacity_details.sold + 1 });
    expect(after.attendees).toHaveLength(before.attendees.length + 1);
  });
});
