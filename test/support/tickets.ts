import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The recorded site with Event Tickets. It has the users of the other one. */
export const TICKETS_WORLD = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/world-tickets.json');

/** The dataset `tickets`. */
export const TICKETS_DATASET = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../fixtures/tickets.json');

export { ACKNOWLEDGED } from '../../src/plugins/the-events-calendar/tec-v1/routes.js';
