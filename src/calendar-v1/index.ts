import { CATEGORIES, TAGS, termRoutes } from './terms.js';
import { docRoute } from './doc/doc.js';
import { resourceUnder } from './doc/doc-facts.js';
import { strictDocument } from './doc/openapi.js';
import { EVENTS } from './events.js';
import { ORGANIZERS } from './organizers.js';
import { postRoutes } from './resource.js';
import { VENUES } from './venues.js';
import { quirksOf } from '../wp/quirks.js';
import type { Json, Namespace } from '../rest/route.js';

const RESOURCES = [EVENTS, VENUES, ORGANIZERS, CATEGORIES, TAGS];

/** The OpenAPI document of the documented interface, whatever the profile. @param servers as `strictDocument` takes them */
export const calendarDocument = (servers: readonly string[]): Json =>
  strictDocument(
    RESOURCES.map((resource) => resourceUnder(quirksOf('standard'), resource)),
    servers,
  );

/** The calendar under one name, such as `tribe/events/v1`: every route in the order of registration. */
export function calendar(name: string): Namespace {
  return {
    name,
    routes: [
      docRoute(name, RESOURCES),
      ...[EVENTS, VENUES, ORGANIZERS].flatMap((resource) => postRoutes(name, resource)),
      ...[CATEGORIES, TAGS].flatMap((resource) => termRoutes(name, resource)),
    ],
  };
}
