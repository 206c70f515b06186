import { ANY_CASE, ANY_TEXT } from '../store/indexes.js';
import type { Indexes } from '../store/database.js';

/** The collections and their indexes. Every list is served by one of these: `npm run evidence` shows by which. */

/**
 * Order of every event list: start, publication date, id. What dates are compared with follows, so that it is compared without
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
/** The order of lists of blog posts, pages and attachments, within what comes before it. */
const LATEST_FIRST = { type: 1, status: 1, date: -1, _id: -1 } as const;
const EVENTS_ONLY = { type: 'tribe_events' };
const LINKED_ONLY = { type: { $in: ['tribe_venue', 'tribe_organizer'] } };
const LISTED_TYPES = { type: { $in: ['tribe_events', 'tribe_venue', 'tribe_organizer', 'post', 'page', 'attachment'] } };

/** The indexes of each collection. */
export const INDEXES: Indexes = {
  posts: [
    { key: { ...LISTED, ...BY_START, ...FLAGS }, name: 'events_by_start', partialFilterExpression: EVENTS_ONLY },
    { key: { ...LISTED, ...BY_START_UTC }, name: 'events_by_start_utc', partialFilterExpression: EVENTS_ONLY },
    { key: { ...LISTED, 'occurrence.end': 1, 'occurrence.start': 1 }, name: 'events_by_end', partialFilterExpression: EVENTS_ONLY },
    {
      key: { ...LISTED, 'occurrence.endUtc': 1, 'occurrence.startUtc': 1, 'occurrence.start': 1 },
      name: 'events_by_end_utc',
      partialFilterExpression: EVENTS_ONLY,
    },
    { key: { 'terms.tribe_events_cat': 1, ...LISTED, ...BY_START, type: 1, ...FLAGS }, name: 'events_by_category' },
    { key: { 'terms.post_tag': 1, ...LISTED, ...BY_START, type: 1, ...FLAGS }, name: 'events_by_tag' },
    {
      key: { 'terms.category': 1, ...LATEST_FIRST },
      name: 'posts_by_category',
      partialFilterExpression: { 'terms.category': { $exists: true } },
    },
    { key: { sticky: 1, ...LATEST_FIRST }, name: 'posts_by_sticky', partialFilterExpression: { sticky: true } },
    { key: { format: 1, ...LATEST_FIRST }, name: 'posts_by_format', partialFilterExpression: { format: { $exists: true } } },
    // Also for what hangs on something that is deleted.
    { key: { parent: 1, ...LATEST_FIRST }, name: 'posts_by_parent', partialFilterExpression: { parent: { $gt: 0 } } },
    { key: { venues: 1, ...LISTED, ...BY_START, ...FLAGS }, name: 'events_by_venue', partialFilterExpression: EVENTS_ONLY },
    { key: { organizers: 1, ...LISTED, ...BY_START, ...FLAGS }, name: 'events_by_organizer', partialFilterExpression: EVENTS_ONLY },
    // Few have what these tell: lists of the others go by start and leave those few out.
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
    // Only for queries that name what they sort by: lists of events by start must not be tempted.
    {
      key: { ...LATEST_FIRST, 'occurrence.end': 1 },
      name: 'posts_by_date',
      partialFilterExpression: { ...LISTED_TYPES, date: ANY_TEXT },
    },
    {
      key: { type: 1, status: 1, titleKey: 1, _id: 1, 'occurrence.end': 1 },
      name: 'posts_in_title_order',
      partialFilterExpression: { ...LISTED_TYPES, titleKey: ANY_TEXT },
    },
    { key: { author: 1, ...LATEST_FIRST, 'occurrence.end': 1 }, name: 'posts_by_author' },
    { key: { type: 1, titleKey: 1 }, name: 'linked_by_title', partialFilterExpression: LINKED_ONLY },
    { key: { type: 1, slug: 1, _id: 1 }, name: 'posts_by_slug' },
    { key: { type: 1, slugKey: 1 }, name: 'posts_unique_slug', unique: true, partialFilterExpression: { slugKey: { $exists: true } } },
    { key: { location: '2dsphere' }, name: 'venues_by_location', partialFilterExpression: { type: 'tribe_venue' } },
    { key: { dateGmt: 1 }, name: 'posts_by_schedule', partialFilterExpression: { status: 'future' } },
    { key: { file: 1 }, name: 'attachments_by_file', partialFilterExpression: { file: { $exists: true } } },
    { key: { 'meta.key': 1, 'meta.value': 1 }, name: 'attachments_by_meta', partialFilterExpression: { type: 'attachment' } },
  ],
  terms: [
    { key: { taxonomy: 1, slug: 1 }, name: 'terms_by_slug', unique: true },
    { key: { taxonomy: 1, nameKey: 1, _id: 1 }, name: 'terms_by_name' },
    { key: { taxonomy: 1, parent: 1, nameKey: 1, _id: 1 }, name: 'terms_by_parent' },
    { key: { taxonomy: 1, count: 1, _id: 1 }, name: 'terms_by_count' },
  ],
  users: [
    { key: { login: 1 }, name: 'users_by_login', unique: true, collation: ANY_CASE },
    { key: { email: 1 }, name: 'users_by_email', collation: ANY_CASE },
  ],
  options: [],
};
