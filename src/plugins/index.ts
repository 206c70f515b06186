import { eventTickets } from './event-tickets/index.js';
import type { Plugin } from './plugin.js';
import { theEventsCalendar } from './the-events-calendar/index.js';

/** The plugins, in the order in which WordPress would load them. */
export const PLUGINS: readonly Plugin[] = [eventTickets, theEventsCalendar];
