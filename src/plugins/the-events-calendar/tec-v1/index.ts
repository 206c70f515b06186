import { ucfirst } from '../../../base/php/cast.js';
import { LINKED, LINKED_KINDS, type LinkedKind } from '../model/linked.js';
import { typesIn } from './types.js';
import { docsRoute } from './docs.js';
import { EVENT_PARAMS, LINKED_FIELDS } from './fields.js';
import { EVENT_LIST_PARAMS, linkedListParams } from './filters.js';
import { planEventList, planLinkedList } from './plans.js';
import { presentPlainEvent, presentPlainLinked } from './present.js';
import { entityRoutes, TEC_NAMESPACE, type Entity } from './routes.js';
import { EVENT_WRITER } from './write-event.js';
import { linkedWriter } from './write-linked.js';
import type { RestType } from '../../../wordpress/rest/posts/post-types.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import type { Namespace } from '../../../wordpress/rest/route.js';

const eventEntity = (type: RestType): Entity => ({
  path: 'events',
  schema: 'Event',
  type,
  filters: EVENT_LIST_PARAMS,
  fields: EVENT_PARAMS,
  plan: planEventList,
  present: presentPlainEvent,
  writer: EVENT_WRITER,
});

function linkedEntity(kind: LinkedKind, type: RestType): Entity {
  const { column } = LINKED[kind];
  return {
    path: column,
    schema: ucfirst(kind),
    type,
    filters: linkedListParams(column),
    fields: LINKED_FIELDS[kind],
    plan: planLinkedList(column),
    present: (post, view) => presentPlainLinked(kind, post, view),
    writer: linkedWriter(kind),
  };
}

/** The newer interface of the plugin (TEC: experimental), in the order in which it registers its routes. */
export function tecV1(registry: Registry): Namespace {
  const types = typesIn(registry);
  const entities = [eventEntity(types.event), ...LINKED_KINDS.toReversed().map((kind) => linkedEntity(kind, types[kind]))];
  return { name: TEC_NAMESPACE, routes: [...entities.flatMap(entityRoutes), docsRoute(entities, registry)], absentUnder: 'no-tec-v1' };
}
