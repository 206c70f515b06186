import type { Plugin } from '../plugin.js';
import { TICKETS } from './model/names.js';
import { TICKETS_QUIRKS } from './quirks/index.js';

const RELEASE = '5.28.5.1';

export const eventTickets: Plugin = {
  name: TICKETS,
  title: 'Event Tickets',
  releases: [RELEASE],
  findRelease: (text) => (text === RELEASE ? text : null),
  isDefault: false,
  requires: ['the-events-calendar'],
  namespaces: [],
  quirks: TICKETS_QUIRKS,
  loadRegistrations: async () => (await import('./model/registrations.js')).REGISTRATIONS,
  loadResponses: async () => (await import('./responses.js')).RESPONSES,
};
