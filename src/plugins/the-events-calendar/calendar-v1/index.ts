import { CATEGORY_RESOURCE, TAG_RESOURCE, taxonomyResourceRoutes } from './terms.js';
import { docRoute } from './doc/doc.js';
import { resourceUnder } from '../../../wordpress/rest/schema.js';
import { strictDocument } from './doc/openapi.js';
import { EVENTS } from './events.js';
import { LINKED_RESOURCES } from './linked/kinds.js';
import { hasCalendarApi } from '../model/options.js';
import { resourceRoutes } from './resource.js';
import type { Json, Namespace } from '../../../wordpress/rest/route.js';
import type { Quirks } from '../../../wordpress/quirks.js';
import type { Site } from '../../../wordpress/site.js';
import type { Registry } from '../../../wordpress/types/registry.js';

const POSTS = [EVENTS, ...Object.values(LINKED_RESOURCES)];

const RESOURCES = [...POSTS, CATEGORY_RESOURCE, TAG_RESOURCE];

/** The OpenAPI document of the interface under some quirks. @param servers as for `strictDocument` */
export const calendarDocument = (quirks: Quirks, servers: readonly string[], site: Site): Record<string, Json> =>
  strictDocument(
    RESOURCES.map((resource) => resourceUnder(quirks, resource)),
    servers,
    site,
  );

/** The calendar under one name, such as `tribe/events/v1`: every route in the order of registration. */
export function calendar(name: string, registry: Registry): Namespace {
  return {
    name,
    existsFor: ({ site }) => hasCalendarApi(site.options),
    routes: [
      docRoute(name, RESOURCES),
      ...POSTS.flatMap((resource) => resourceRoutes(name, resource, registry)),
      ...[CATEGORY_RESOURCE, TAG_RESOURCE].flatMap((resource) => taxonomyResourceRoutes(name, resource, registry)),
    ],
  };
}
