import { CATEGORIES, TAGS, termRoutes } from './terms.js';
import { docRoute } from './doc.js';
import { EVENTS } from './events.js';
import { ORGANIZERS } from './organizers.js';
import { postRoutes } from './resource.js';
import { VENUES } from './venues.js';
import type { Namespace } from '../rest/route.js';

/** The calendar under one name, such as `tribe/events/v1`: every route in the order of registration. */
export function calendar(name: string): Namespace {
  return {
    name,
    routes: [
      docRoute(name, [EVENTS, VENUES, ORGANIZERS, CATEGORIES, TAGS]),
      ...[EVENTS, VENUES, ORGANIZERS].flatMap((resource) => postRoutes(name, resource)),
      ...[CATEGORIES, TAGS].flatMap((resource) => termRoutes(name, resource)),
    ],
  };
}
