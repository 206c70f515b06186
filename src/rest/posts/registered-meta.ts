import type { Schema } from '../route.js';

/** WP: a key registered without words shows them as empty strings. */
export const metaText: Schema = { type: 'string', title: '', description: '', default: '' };
const metaFlag: Schema = { type: 'boolean', title: '', description: '', default: false };
const metaIds: Schema = { type: 'array', items: { type: 'number', title: '', description: 'ID of a linked post.', default: 0 } };

const FLAGS = ['_EventAllDay', '_EventShowMap', '_EventShowMapLink', '_VenueShowMap', '_VenueShowMapLink'];
const LINKS = ['_EventOrganizerID', '_EventVenueID'];

const KEYS = [
  '_EventAllDay',
  '_EventTimezone',
  '_EventStartDate',
  '_EventEndDate',
  '_EventStartDateUTC',
  '_EventEndDateUTC',
  '_EventShowMap',
  '_EventShowMapLink',
  '_EventURL',
  '_EventCost',
  '_EventCostDescription',
  '_EventCurrencySymbol',
  '_EventCurrencyCode',
  '_EventCurrencyPosition',
  '_EventDateTimeSeparator',
  '_EventTimeRangeSeparator',
  '_EventOrganizerID',
  '_EventVenueID',
  '_OrganizerEmail',
  '_OrganizerPhone',
  '_OrganizerWebsite',
  '_VenueAddress',
  '_VenueCity',
  '_VenueCountry',
  '_VenueProvince',
  '_VenueState',
  '_VenueZip',
  '_VenuePhone',
  '_VenueURL',
  '_VenueStateProvince',
  '_VenueLat',
  '_VenueLng',
  '_VenueShowMap',
  '_VenueShowMapLink',
];

function schemaOf(key: string): Schema {
  if (FLAGS.includes(key)) return metaFlag;
  return LINKS.includes(key) ? metaIds : metaText;
}

/** TEC: registers its meta for posts at large, so every type with custom fields shows all of it, in this order. */
export const EVENT_META: Record<string, Schema> = Object.fromEntries(KEYS.map((key) => [key, schemaOf(key)]));

export const STATUS_META: Record<string, Schema> = { _tribe_events_status: metaText, _tribe_events_status_reason: metaText };

export const PATTERN_META: Record<string, Schema> = { wp_pattern_sync_status: { ...metaText, enum: ['partial', 'unsynced'] } };
