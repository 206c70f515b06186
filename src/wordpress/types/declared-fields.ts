import type { Json } from '../../base/values/records.js';

/** The contexts in which an object is shown (WP). */
export const FIELD_CONTEXTS = ['view', 'edit', 'embed'] as const;

/** Keywords of JSON Schema, as WordPress knows them. */
export type FieldSchema = Readonly<Record<string, Json>>;

/** A field of a plugin that is not emulated. WP: the arguments of `register_rest_field`. Its values are in the objects. */
export interface DeclaredField {
  /** The value of objects without one. Absent: they do not have the field. */
  default?: Json;
  /** Where it is shown. Default: everywhere. */
  contexts?: readonly (typeof FIELD_CONTEXTS)[number][];
  /** The member that it follows. Default: the last one. */
  after?: string;
  /** Whether only users who may edit the object see it. */
  edit_only?: boolean;
  /** Whether it can be written. */
  writable?: boolean;
  /** Schema that `OPTIONS` shows and by which sent values are checked. */
  schema?: FieldSchema;
  /** The same for fields without `schema`, guessed from the values. */
  guessed?: FieldSchema;
}

/** Fields by type of objects, namespace and name, in the order in which they are shown. */
export type DeclaredFields = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, DeclaredField>>>>>>;
