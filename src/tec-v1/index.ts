import { EVENT_TYPE, ORGANIZER_TYPE, VENUE_TYPE } from './types.js';
import { docsRoute } from './docs.js';
import { EVENT_FIELDS, ORGANIZER_FIELDS, VENUE_FIELDS } from './fields.js';
import { EVENT_FILTERS, linkedFilters } from './filters.js';
import { planEvents, planLinked } from './plans.js';
import { presentEvent, presentOrganizer, presentVenue } from './present.js';
import { entityRoutes, NAMESPACE, type Entity } from './routes.js';
import { ownOfEvent, ownOfLinked } from './write.js';
import type { Namespace } from '../rest/route.js';

const ENTITIES: readonly Entity[] = [
  {
    path: 'events',
    schema: 'Event',
    type: EVENT_TYPE,
    filters: EVENT_FILTERS,
    fields: EVENT_FIELDS,
    plan: planEvents,
    present: presentEvent,
    own: ownOfEvent,
  },
  {
    path: 'organizers',
    schema: 'Organizer',
    type: ORGANIZER_TYPE,
    filters: linkedFilters('organizers'),
    fields: ORGANIZER_FIELDS,
    plan: planLinked('organizers'),
    present: presentOrganizer,
    own: ownOfLinked('organizer'),
  },
  {
    path: 'venues',
    schema: 'Venue',
    type: VENUE_TYPE,
    filters: linkedFilters('venues'),
    fields: VENUE_FIELDS,
    plan: planLinked('venues'),
    present: presentVenue,
    own: ownOfLinked('venue'),
  },
];

/** The newer interface of the plugin (TEC: experimental), in the order in which it registers its routes. */
export const tecV1 = (): Namespace => ({ name: NAMESPACE, routes: [...ENTITIES.flatMap(entityRoutes), docsRoute(ENTITIES)] });
