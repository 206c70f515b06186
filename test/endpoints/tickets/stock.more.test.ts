import { apiOf } from '../../support/api.js';
import { startTestServer } from '../../support/server.js';
import { TICKETS_WORLD } from '../../support/tickets.js';

const V1 = '/tribe/tickets/v1';

interface Ticket {
  capacity_details: { available: number; sold: number };
  attendees: unknown[];
}

describe('under profile tec', () => {
  const server = startTestServer({ dataset: TICKETS_WORLD, profile: 'tec' });
  const api = apiOf(server);

  test('no attendee of an RSVP is lost by requests at once, also beyond its capacity', async () => {
    const add = (index: number) => api.post(`${V1}/attendees`, { ticket_id: 312, full_name: `Guest ${index}`, email: 'one@example.org' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const { body } = await api.get<Ticket>(`${V1}/tickets/312`, 'admin');
    expect(body.capacity_details).toMatchObject({ available: 0, sold: 20 });
    expect(body.attendees).toHaveLength(20);
  });
});
