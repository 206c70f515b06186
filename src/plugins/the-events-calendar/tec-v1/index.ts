import { ucfirst } from '../../../base/php/cast.js';
import { LINKED, LINKED_KINDS, type LinkedKind } from '../model/linked.js';
import { EVENT_TYPE, LINKED_ENTITIES } from './types.js';
import { docsRoute } from './docs.js';
import { EVENT_PARAMS, LINKED_FIELDS } from './fields.js';
import { EVENT_LIST_PARAMS, linkedListParams } from './filters.js';
import { planEventList, planLinkedList } from './plans.js';
import { presentPlainEvent, presentPlainLinked } from './present.js';
import { entityRoutes, TEC_NAMESPACE, type Entity } from './routes.js';
import { EVENT_WRITER } from './write-event.js';
import { linkedWriter } from './write-linked.js';
import type { Namespace } from '../../../wordpress/rest/route.js';

const EVENTS: Entity = {
  path: 'events',
  schema: 'Event',
  type: EVENT_TYPE,
  filters: EVENT_LIST_PARAMS,
  fields: EVENT_PARAMS,
  plan: planEventList,
  present: presentPlainEvent,
  writer: EVENT_WRITER,
};

function linkedEntity(kind: LinkedKind): Entity {
  const { column } = LINKED[kind];
  return {
    path: column,
    schema: ucfirst(kind),
    type: LINKED_ENTITIES[kind],
    filters: linkedListParams(column),
    fields: LINKED_FIELDS[kind],
    plan: planLinkedList(column),
    present: (post, view) => presentPlainLinked(kind, post, view),
    writer: linkedWriter(kind),
  };
}

const ENTITIES = [EVENTS, ...LINKED_KINDS.toReversed().map(linkedEntity)];

/** The newer interface of the plugin (TEC: experimental), in the order in which it registers its routes. */
export const tecV1 = (): Namespace => ({
  name: TEC_NAMESPACE,
  routes: [...ENTITIES.flatMap(entityRoutes), docsRoute(ENTITIES)],
  absentUnder: 'no-tec-v1',
});
