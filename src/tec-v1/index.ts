import { ucfirst } from '../php/cast.js';
import { LINKED, LINKED_KINDS, type LinkedKind } from '../tec/linked.js';
import { EVENT_TYPE, LINKED_ENTITIES } from './types.js';
import { docsRoute } from './docs.js';
import { EVENT_FIELDS, LINKED_FIELDS } from './fields.js';
import { EVENT_FILTERS, linkedFilters } from './filters.js';
import { planEvents, planLinked } from './plans.js';
import { presentEvent, presentLinked } from './present.js';
import { entityRoutes, NAMESPACE, type Entity } from './routes.js';
import { EVENT_WRITER } from './write-event.js';
import { linkedWriter } from './write-linked.js';
import type { Namespace } from '../rest/route.js';

const EVENTS: Entity = {
  path: 'events',
  schema: 'Event',
  type: EVENT_TYPE,
  filters: EVENT_FILTERS,
  fields: EVENT_FIELDS,
  plan: planEvents,
  present: presentEvent,
  writer: EVENT_WRITER,
};

function linkedEntity(kind: LinkedKind): Entity {
  const { column } = LINKED[kind];
  return {
    path: column,
    schema: ucfirst(kind),
    type: LINKED_ENTITIES[kind],
    filters: linkedFilters(column),
    fields: LINKED_FIELDS[kind],
    plan: planLinked(column),
    present: (post, view) => presentLinked(kind, post, view),
    writer: linkedWriter(kind),
  };
}

const ENTITIES = [EVENTS, ...LINKED_KINDS.toReversed().map(linkedEntity)];

/** The newer interface of the plugin (TEC: experimental), in the order in which it registers its routes. */
export const tecV1 = (): Namespace => ({
  name: NAMESPACE,
  routes: [...ENTITIES.flatMap(entityRoutes), docsRoute(ENTITIES)],
  absentUnder: 'no-tec-v1',
});
