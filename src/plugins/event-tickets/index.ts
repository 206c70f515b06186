import { companion } from '../plugin.js';
import { TICKET_KINDS } from './content/kinds.js';
import { TICKETS } from './model/ticket.js';
import { TICKETS_QUIRKS } from './quirks/index.js';
import { TICKETS_NAMESPACE } from './tickets-v1/names.js';

export const eventTickets = companion('5.28.5.1', {
  name: TICKETS,
  title: 'Event Tickets',
  requires: ['the-events-calendar'],
  quirks: TICKETS_QUIRKS,
  content: {
    name: 'tickets',
    namespace: TICKETS_NAMESPACE,
    kinds: TICKET_KINDS,
    share: 'Share of events with tickets (Event Tickets), such as 30%; some are sold out, some not yet on sale',
    load: async () => (await import('./content/index.js')).TICKET_CONTENT,
  },
  loadRegistrations: async () => (await import('./model/registrations.js')).REGISTRATIONS,
  loadResponses: async () => (await import('./responses.js')).RESPONSES,
});
