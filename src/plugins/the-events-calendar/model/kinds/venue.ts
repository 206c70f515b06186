import { VENUE } from '../names.js';
import { REGION_FIELDS, regionOf } from '../region.js';
import type { Fields } from '../field.js';
import type { Linked } from './kind.js';

/** The fields of a venue, in the order in which `tribe/events/v1` shows them. */
export const VENUE_FIELDS = {
  address: {
    kind: 'text',
    key: '_VenueAddress',
    description: 'Street address.',
    definition: 'Street address of the venue.',
    searched: true,
    csv: ['Venue Address', 'Address', 'Street'],
  },
  city: {
    kind: 'text',
    key: '_VenueCity',
    description: 'City.',
    definition: 'City of the venue.',
    searched: true,
    csv: ['Venue City', 'City'],
  },
  country: {
    kind: 'text',
    key: '_VenueCountry',
    description: 'Country.',
    definition: 'Country of the venue.',
    csv: ['Venue Country', 'Country'],
  },
  province: {
    kind: 'text',
    key: '_VenueProvince',
    description: 'Province, outside the United States.',
    definition: 'Province of the venue, outside the United States.',
    searched: true,
  },
  state: {
    kind: 'text',
    key: '_VenueState',
    description: 'State, in the United States.',
    definition: 'State of the venue, in the United States.',
    searched: true,
    unprotected: true,
  },
  zip: {
    kind: 'text',
    key: '_VenueZip',
    description: 'Postal code.',
    definition: 'Postal code of the venue.',
    searched: true,
    csv: ['Venue Zip', 'Zip', 'Zip Code', 'Postal Code', 'Venue Postal Code'],
  },
  phone: {
    kind: 'text',
    key: '_VenuePhone',
    description: 'Phone number.',
    definition: 'Phone number of the venue.',
    searched: true,
    csv: ['Venue Phone', 'Phone', 'Telephone'],
  },
  // TEC: cleaned as a text, not as an address, and so it loses `%XX`, tags and backslashes.
  website: {
    kind: 'url',
    key: '_VenueURL',
    description: 'URL of the website of the venue.',
    definition: 'URL of the website of the venue.',
    format: 'uri',
    csv: ['Venue Website', 'Website', 'URL', 'Venue URL'],
  },
  stateprovince: {
    kind: 'text',
    key: '_VenueStateProvince',
    description: 'State or province.',
    definition: 'State or province of the venue.',
    searched: true,
    derive: { from: REGION_FIELDS, by: regionOf },
    entity: 'state_province',
    csv: ['Venue State/Province', 'State', 'Province', 'State/Province', 'Venue State', 'Venue Province'],
  },
  geo_lat: {
    kind: 'coordinate',
    key: '_VenueLat',
    most: 90,
    definition: 'Latitude of the venue, in degrees.',
    datasetName: 'lat',
    csv: ['Venue Latitude', 'Latitude', 'Lat'],
  },
  geo_lng: {
    kind: 'coordinate',
    key: '_VenueLng',
    most: 180,
    definition: 'Longitude of the venue, in degrees.',
    datasetName: 'lng',
    csv: ['Venue Longitude', 'Longitude', 'Lng', 'Long', 'Lon'],
  },
  // TEC: both flags are kept under the event's key as well.
  show_map: {
    kind: 'flag',
    key: '_VenueShowMap',
    alias: '_EventShowMap',
    yes: '1',
    no: '',
    default: true,
    description: 'Whether to show a map.',
    definition: 'Whether events at the venue show a map.',
  },
  show_map_link: {
    kind: 'flag',
    key: '_VenueShowMapLink',
    alias: '_EventShowMapLink',
    yes: '1',
    no: '',
    default: true,
    description: 'Whether to show a link to a map.',
    definition: 'Whether events at the venue show a link to a map.',
  },
} as const satisfies Fields;

/** TEC: an event has one venue. */
export const VENUE_KIND = {
  type: VENUE,
  column: 'venues',
  many: false,
  link: {
    kind: 'ids',
    key: '_EventVenueID',
    definition: 'Venue of the event.',
    csv: ['Event Venue Name', 'Venue Name', 'Venue', 'Event Venue', 'Location'],
  },
  filter: 'Only events at any of these venues, by ID.',
  fields: VENUE_FIELDS,
  origin: '_VenueOrigin',
} as const satisfies Linked;
