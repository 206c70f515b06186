import type { Endpoint, Json, Route } from '../../rest/route.js';
import { described, get, route, withWholeFields } from '../declare.js';
import { LIST_ARGS, STATUS_ARGS, TAXONOMY_ARGS, TAXONOMY_FILTERS, TYPE_ARGS } from './registry-args.js';
import { STATUS_SCHEMA, TAXONOMY_SCHEMA, TYPE_SCHEMA } from './schemas.js';
import { listStatuses, mayListStatuses, mayReadStatus, readStatus } from './status-handlers.js';
import { listTaxonomies, mayListTaxonomies, mayReadTaxonomy, readTaxonomy } from './taxonomy-handlers.js';
import { listTypes, mayListTypes, readType } from './type-handlers.js';

/** A read-only registry: the map of all entries, whose names `_fields` may begin with, and an entry by name. */
const registryRoutes = (base: string, name: string, schema: Record<string, Json>, list: Endpoint, read: Endpoint): [Route, Route] => [
  described(route(`/${base}`, list), schema),
  described(route(`/${base}/(?P<${name}>[\\w-]+)`, read), schema),
];

const withWholeEntries = ([list, read]: [Route, Route]): Route[] => [list, ...withWholeFields([read])];

export const typeRoutes = (): Route[] =>
  registryRoutes(
    'types',
    'type',
    TYPE_SCHEMA,
    get(LIST_ARGS, { permission: mayListTypes, handler: listTypes }),
    get(TYPE_ARGS, { permission: 'public', handler: readType }),
  );

export const statusRoutes = (): Route[] =>
  withWholeEntries(
    registryRoutes(
      'statuses',
      'status',
      STATUS_SCHEMA,
      get(LIST_ARGS, { permission: mayListStatuses, handler: listStatuses }),
      get(STATUS_ARGS, { permission: mayReadStatus, handler: readStatus }),
    ),
  );

export const taxonomyRoutes = (): Route[] =>
  withWholeEntries(
    registryRoutes(
      'taxonomies',
      'taxonomy',
      TAXONOMY_SCHEMA,
      get(TAXONOMY_FILTERS, { permission: mayListTaxonomies, handler: listTaxonomies }),
      get(TAXONOMY_ARGS, { permission: mayReadTaxonomy, handler: readTaxonomy }),
    ),
  );
