import type { RegisteredMeta } from '../../../wordpress/types/post-type.js';
import { EVENT_FIELDS } from './event.js';
import type { Field, Fields } from './field.js';
import { LINKED, LINKED_KINDS } from './kinds/index.js';

const KINDS: Partial<Record<Field['kind'], RegisteredMeta['kind']>> = { flag: 'flag', ids: 'ids' };

const registered = (...fields: Field[]): RegisteredMeta[] => fields.map(({ key, kind }) => ({ key, kind: KINDS[kind] ?? 'text' }));

const text = (key: string): RegisteredMeta => ({ key, kind: 'text' });

const KINDS_OF_META = LINKED_KINDS.map((kind) => LINKED[kind]).toReversed();

const emailFirst = (table: Fields): Field[] =>
  Object.values(table).toSorted((a, b) => Number(b.kind === 'email') - Number(a.kind === 'email'));

/** TEC: registers its meta for posts at large, so every type with custom fields shows all of it, in this order. */
export const SHARED_META: readonly RegisteredMeta[] = [
  ...registered(EVENT_FIELDS.all_day, EVENT_FIELDS.timezone, EVENT_FIELDS.start_date, EVENT_FIELDS.end_date),
  ...registered(EVENT_FIELDS.utc_start_date, EVENT_FIELDS.utc_end_date, EVENT_FIELDS.show_map, EVENT_FIELDS.show_map_link),
  ...registered(EVENT_FIELDS.website, EVENT_FIELDS.cost),
  text('_EventCostDescription'),
  ...registered(EVENT_FIELDS.currency_symbol, EVENT_FIELDS.currency_code, EVENT_FIELDS.currency_position),
  text('_EventDateTimeSeparator'),
  text('_EventTimeRangeSeparator'),
  ...registered(...KINDS_OF_META.map(({ link }) => link)),
  ...KINDS_OF_META.flatMap(({ fields }) => registered(...emailFirst(fields))),
];

/** The status of an event, and its reason. */
export const EVENT_META: readonly RegisteredMeta[] = registered(EVENT_FIELDS.event_status, EVENT_FIELDS.event_status_reason);
