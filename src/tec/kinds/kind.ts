import type { Fields, RowsField } from '../field.js';

/** What events are linked to: a post type, and how events and the interfaces know it. */
export interface Linked {
  type: string;
  /** Name of its collection, and of the column of an event that holds the ids. */
  column: string;
  /** Whether an event can have several. */
  many: boolean;
  /** The rows of an event that hold the ids. */
  link: RowsField;
  /** What filtering events by it means, for argument tables. */
  filter: string;
  fields: Fields;
  /** Meta key that says where a post came from. */
  origin: string;
}
