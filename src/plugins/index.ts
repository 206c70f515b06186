import { advancedCustomFields } from './advanced-custom-fields/index.js';
import { basicAuth } from './basic-auth/index.js';
import { eventTickets } from './event-tickets/index.js';
import { jwtAuthentication } from './jwt-authentication-for-wp-rest-api/index.js';
import type { Plugin } from './plugin.js';
import { theEventsCalendar } from './the-events-calendar/index.js';

/** The plugins, in the order in which WordPress would load them. */
export const PLUGINS: readonly Plugin[] = [advancedCustomFields, basicAuth, eventTickets, jwtAuthentication, theEventsCalendar];
