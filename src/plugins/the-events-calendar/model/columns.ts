import { metaValue, metaValues, type Post } from '../../../wordpress/model.js';
import type { DerivedColumns } from '../../../wordpress/types/post-type.js';
import { coordinatesOf } from './coordinates.js';
import { EVENT_FIELDS, TICKET_KEYS, LINKED, eachLinked, type LinkColumn, hasRow } from './event.js';
import { occurrenceOf, type Occurrence } from './occurrence.js';

/** The columns of posts that the plugin's filters and sorts use. */
declare module '../../../wordpress/model.js' {
  interface Post extends Partial<Record<LinkColumn, number[]>> {
    occurrence?: Occurrence;
    /** The previous occurrence, for writes whose dates have none; it is then kept. */
    keptOccurrence?: Occurrence;
    hidden?: boolean;
    featured?: boolean;
    ticketed?: boolean;
    /** Where a venue is, for searches by distance (GeoJSON). */
    location?: { type: 'Point'; coordinates: [number, number] };
  }
}

const ids = (values: string[]): number[] => [...new Set(values.map(Number).filter((id) => Number.isInteger(id) && id > 0))];

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '' && value !== '0';

export const EVENT_COLUMNS: DerivedColumns = {
  occurrence: (event) => event.keptOccurrence ?? occurrenceOf(event),
  // TEC: set if the row exists, with any value.
  hidden: (event) => hasRow(event, EVENT_FIELDS.hide_from_listings),
  featured: (event) => hasRow(event, EVENT_FIELDS.featured),
  ticketed: (event) => TICKET_KEYS.some((key) => isSet(metaValue(event, key))),
  ...eachLinked((kind) => (event: Post) => ids(metaValues(event, LINKED[kind].link.key))),
};

function locationOf(venue: Post): Post['location'] {
  const coordinates = coordinatesOf(venue);
  return coordinates ? { type: 'Point', coordinates: [coordinates.lng, coordinates.lat] } : undefined;
}

export const VENUE_COLUMNS: DerivedColumns = { location: locationOf };

/** Ids of all posts that an event is linked to. */
export const allLinkedIds = (event: Post): number[] => Object.values(LINKED).flatMap(({ column }) => event[column] ?? []);
