import path from 'node:path';
import type { MetaRow } from '../../../wordpress/model.js';
import { isValue, exchangedFields, formatFields, type FieldValues } from '../../fields.js';
import type { NamedEntry } from './names.js';
import { EVENT_FIELDS, LINKED_KINDS, type Fields, type Field } from '../../../plugins/the-events-calendar/model/event.js';

type EventField = keyof typeof EVENT_FIELDS;

/** Event fields that datasets represent differently: dates, price and references. */
export const COMPOSED: readonly EventField[] = [
  'all_day',
  'start_date',
  'end_date',
  'utc_start_date',
  'utc_end_date',
  'duration',
  'timezone',
  'timezone_abbr',
  'cost',
  'currency_symbol',
  'currency_code',
  'currency_position',
  ...LINKED_KINDS,
];

/** The fields of a table that datasets contain one by one: all fields of venues and organizers, and the simple fields of events. */
export const datasetFields = (table: Fields): { name: string; formatName: string; field: Field }[] =>
  table === EVENT_FIELDS ? exchangedFields(table).filter(({ name }) => !COMPOSED.some((other) => other === name)) : formatFields(table);

export const row = (key: string, value: string | number | undefined): MetaRow[] =>
  value === undefined || value === '' ? [] : [{ key, value: String(value) }];

export const entriesOf = <T extends { id?: number; slug?: string }>(
  kind: string,
  items: readonly T[],
  name: (item: T) => string,
): NamedEntry[] => items.map((item, index) => ({ path: `${kind}[${index}]`, id: item.id, slug: item.slug, name: name(item) }));

export const fileTitle = (file: string): string => path.posix.basename(file, path.posix.extname(file));

export const valuesOf = (item: object, table: Fields): FieldValues =>
  Object.fromEntries(
    datasetFields(table).flatMap(({ name, formatName }) => {
      const value: unknown = Reflect.get(item, formatName);
      return isValue(value) ? [[name, value]] : [];
    }),
  );

/** Returns ids after those that are in use. */
export function idsAfter(ids: readonly number[]): () => number {
  let last = ids.reduce((highest, id) => Math.max(highest, id), 0);
  return () => (last += 1);
}

export const firstFreeId = (documents: readonly { _id: number }[]): number => documents.reduce((max, { _id }) => Math.max(max, _id), 0) + 1;
