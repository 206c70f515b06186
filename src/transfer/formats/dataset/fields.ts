import { EVENT_FIELDS } from '../../../plugins/the-events-calendar/model/event.js';
import type { Field, Fields } from '../../../plugins/the-events-calendar/model/field.js';
import { LINKED_KINDS } from '../../../plugins/the-events-calendar/model/linked.js';
import { exchangedFields, formatFields } from '../../fields.js';

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
