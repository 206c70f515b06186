import type { Namespace } from '../../../wordpress/rest/route.js';
import { forAdministrators } from '../../../wordpress/wp-v2/declared/access.js';
import { namespace } from '../../../wordpress/wp-v2/declared/namespaces.js';
import { attendeeRoutes } from './attendees.js';
import { TICKETS_NAMESPACE } from './names.js';
import { otherRoutes } from './others.js';
import { ticketRoutes } from './tickets.js';

export const tickets = (): Namespace => ({
  name: TICKETS_NAMESPACE,
  routes: [...ticketRoutes(), ...attendeeRoutes(), ...otherRoutes()],
});

/** The first steps on the screen of the plugin, whose route is only declared. */
export const onboarding = (): Namespace => namespace('tec/tickets/onboarding', ['/wizard', ['POST'], {}, forAdministrators]);
