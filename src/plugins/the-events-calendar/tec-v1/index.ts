import { ucfirst } from '../../../base/php/cast.js';
import { LINKED, LINKED_KINDS, type LinkedKind, cleanText, textFields, writeTexts, type TextField } from '../model/event.js';
import { typesIn, presentPlainEvent, presentPlainLinked } from './present.js';
import { docsRoute } from './docs.js';
import { EVENT_PARAMS, LINKED_FIELDS, LINKED_TEXTS, textsOf } from './fields.js';
import { EVENT_LIST_PARAMS, linkedListParams } from './args.js';
import { planEventList, planLinkedList } from './plans.js';
import { entityRoutes, TEC_NAMESPACE, type Entity } from './routes.js';
import { EVENT_WRITER } from './write-event.js';
import type { RestType } from '../../../wordpress/rest/posts/post-types.js';
import type { Registry } from '../../../wordpress/types/registry.js';
import type { Namespace, CallContext } from '../../../wordpress/rest/route.js';
import { withParams } from '../../../wordpress/rest/params.js';
import type { Post } from '../../../wordpress/model.js';
import { changedEntity, composeChanges, newEntity, originChange, writesLoosely, type OwnFields, type Writer } from './write.js';

/** Websites are sanitized by their argument. */
const clean = (field: TextField, text: string): string => (field.kind === 'url' ? text : cleanText(field, text));

/** The changes to the texts of a venue or an organizer. TEC: the region is the sent one, not derived. */
function ownOf(context: CallContext, kind: LinkedKind, current: Post | null): OwnFields {
  const { [kind]: table } = LINKED_TEXTS;
  const sent = withParams(table, ({ params }) => Object.fromEntries(textsOf(kind).map(({ name, own }) => [own, params[name]])))(context);
  const asSent = writesLoosely(context);
  const isDerived = ({ derive }: TextField): boolean => derive !== undefined && derive.from.some((name) => sent[name] !== undefined);
  const fields = textFields(LINKED[kind].fields).flatMap(([name, field]): [string, TextField][] => {
    const { derive, ...plain } = field;
    if (!derive || asSent) return [[name, plain]];
    return isDerived(field) ? [[name, field]] : [];
  });
  return async () => ({
    change: composeChanges([originChange(LINKED[kind].origin, current), (meta) => writeTexts(meta, fields, sent, clean)]),
  });
}

/** Writes venues or organizers. */
function linkedWriter(kind: LinkedKind): Writer {
  const { [kind]: table } = LINKED_FIELDS;
  return {
    create: withParams(table, (call) => newEntity(call, typesIn(call.site.registry)[kind], ownOf(call, kind, null))),
    change: (context, post) =>
      withParams(table, (call) => changedEntity(call, typesIn(call.site.registry)[kind], ownOf(call, kind, post), post))(context),
  };
}

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
