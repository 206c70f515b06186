import { withParams } from '../../../wordpress/rest/params.js';
import { cleanText, textFields, writeTexts, type TextField } from '../model/field.js';
import { LINKED, type LinkedKind } from '../model/linked.js';
import type { CallContext } from '../../../wordpress/rest/route.js';
import type { Post } from '../../../wordpress/model.js';
import { LINKED_FIELDS, LINKED_TEXTS } from './fields.js';
import { textsOf } from './linked-texts.js';
import { typesIn } from './types.js';
import { all, changedEntity, newEntity, originChange, writesLoosely, type OwnFields, type Writer } from './write.js';

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
  return async () => ({ change: all([originChange(LINKED[kind].origin, current), (meta) => writeTexts(meta, fields, sent, clean)]) });
}

/** Writes venues or organizers. */
export function linkedWriter(kind: LinkedKind): Writer {
  const { [kind]: table } = LINKED_FIELDS;
  return {
    create: withParams(table, (call) => newEntity(call, typesIn(call.site.registry)[kind], ownOf(call, kind, null))),
    change: (context, post) =>
      withParams(table, (call) => changedEntity(call, typesIn(call.site.registry)[kind], ownOf(call, kind, post), post))(context),
  };
}
