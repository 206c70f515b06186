import { textFields, type TextField } from '../model/field.js';
import { LINKED, type LinkedKind } from '../model/linked.js';

/** TEC: the order of the texts of a kind in this namespace; others come last. */
const ORDER: Partial<Record<LinkedKind, readonly string[]>> = {
  venue: ['address', 'country', 'city', 'stateprovince', 'state', 'province', 'zip', 'phone', 'website'],
};

/** A text of a venue or an organizer, as this namespace names it. */
export interface NamedText {
  /** Its name in this namespace. */
  name: string;
  /** Its name in the table of fields. */
  own: string;
  field: TextField;
}

/** The texts of a kind, in the order of the wire. */
export function textsOf(kind: LinkedKind): NamedText[] {
  const order = ORDER[kind] ?? [];
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return textFields(LINKED[kind].fields)
    .toSorted(([a], [b]) => place(a) - place(b))
    .map(([own, field]) => ({ name: field.entity ?? own, own, field }));
}
