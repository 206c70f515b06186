import type { IndexExtension } from '../../../wordpress/indexes.js';
import { TAG } from '../../../wordpress/model.js';
import { LINKED, LINKED_KINDS, LINKED_TYPES } from './event.js';
import { EVENT, EVENT_CATEGORY, VENUE } from './names.js';

/**
 * Order of every event list: start, publication date, id. The columns that filters compare follow, so that they are compared without
 * reading the document: the end, and on sites in UTC the UTC times (TEC: compared there, while the local start sorts).
 */
const BY_START = { 'occurrence.start': 1, date: 1, _id: 1, 'occurrence.end': 1, 'occurrence.startUtc': 1, 'occurrence.endUtc': 1 } as const;
/** Last in an index, so that they too are compared without reading the document. */
const FLAGS = { featured: 1, ticketed: 1 } as const;
const BY_START_UTC = {
  'occurrence.startUtc': 1,
  date: 1,
  _id: 1,
  'occurrence.endUtc': 1,
  'occurrence.start': 1,
} as const;

const LISTED = { status: 1, hidden: 1 } as const;

const EVENTS_ONLY = { type: EVENT };
const LINKED_ONLY = { type: { $in: [...LINKED_TYPES] } };

/** The indexes that lists of the plugin's posts use. */
export const INDEXES: IndexExtension = {
  carried: { 'occurrence.end': 1 },
  posts: [
    { key: { ...LISTED, ...BY_START, ...FLAGS }, name: 'events_by_start', partialFilterExpression: EVENTS_ONLY },
    { key: { ...LISTED, ...BY_START_UTC }, name: 'events_by_start_utc', partialFilterExpression: EVENTS_ONLY },
    { key: { ...LISTED, 'occurrence.end': 1, 'occurrence.start': 1 }, name: 'events_by_end', partialFilterExpression: EVENTS_ONLY },
    {
      key: { ...LISTED, 'occurrence.endUtc': 1, 'occurrence.startUtc': 1, 'occurrence.start': 1 },
      name: 'events_by_end_utc',
      partialFilterExpression: EVENTS_ONLY,
    },
    { key: { [`terms.${EVENT_CATEGORY}`]: 1, ...LISTED, ...BY_START, type: 1, ...FLAGS }, name: 'events_by_category' },
    { key: { [`terms.${TAG}`]: 1, ...LISTED, ...BY_START, type: 1, ...FLAGS }, name: 'events_by_tag' },
    ...LINKED_KINDS.map((kind) => ({
      key: { [LINKED[kind].column]: 1, ...LISTED, ...BY_START, ...FLAGS },
      name: `events_by_${kind}`,
      partialFilterExpression: EVENTS_ONLY,
    })),
    // Few events have these values. Lists of the others use the order by start, and exclude the few.
    {
      key: { featured: 1, ...LISTED, ...BY_START, ticketed: 1 },
      name: 'events_by_featured',
      partialFilterExpression: { ...EVENTS_ONLY, featured: true },
    },
    {
      key: { ticketed: 1, ...LISTED, ...BY_START, featured: 1 },
      name: 'events_by_ticketed',
      partialFilterExpression: { ...EVENTS_ONLY, ticketed: true },
    },
    {
      key: { parent: 1, ...LISTED, ...BY_START },
      name: 'events_by_parent',
      partialFilterExpression: { ...EVENTS_ONLY, parent: { $gt: 0 } },
    },
    { key: { type: 1, titleKey: 1 }, name: 'linked_by_title', partialFilterExpression: LINKED_ONLY },
    { key: { location: '2dsphere' }, name: 'venues_by_location', partialFilterExpression: { type: VENUE } },
  ],
};
