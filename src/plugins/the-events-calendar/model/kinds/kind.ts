import type { Fields, RowsField } from '../field.js';

/** A linked post type, and how events and the interfaces refer to it. */
export interface Linked {
  type: string;
  /** Name of its collection, and of the column of an event that holds the ids. */
  column: string;
  /** Whether an event can have several. */
  many: boolean;
  /** The rows of an event that hold the ids. */
  link: RowsField;
  /** Description of the filter of events by it, for argument tables. */
  filter: string;
  fields: Fields;
  /** Meta key of the origin of a post. */
  origin: string;
}
