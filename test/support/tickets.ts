import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ACKNOWLEDGEMENT } from '../../src/plugins/the-events-calendar/tec-v1/routes.js';

/** The recorded site with Event Tickets. It has the users of the other one. */
export const TICKETS_WORLD = path.join(path.dirname(fileURLToPath(import.meta.url)), '../conformance/world-tickets.json');

/** What `tec/v1` needs. */
export const ACKNOWLEDGED = { 'x-tec-eea': ACKNOWLEDGEMENT };
