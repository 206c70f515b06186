import {
  ORGANIZER_FIELDS as ORGANIZER,
  VENUE_FIELDS as VENUE,
  type LinkedKind,
  type TextNames,
  type FlagNames,
} from '../../model/event.js';
import { linkedTextArg, textArgs, personJsonLd, linkedResource, flagArgs, placeJsonLd, type LinkedResource } from './resource.js';
import { imageOrEmpty } from '../event-terms.js';
import { nonEmptyString, time, userId, writableStatus, type ArgsOf, type TextArg } from '../validators.js';
import type { OrganizerFields, VenueFields } from '../../../../sdk/types/params.js';
import type { Arg } from '../../../../wordpress/rest/route.js';

const text = (description: string, validate?: Arg['validate']): TextArg => ({ type: 'string', description, validate });

const { website, ...texts }: Pick<ArgsOf<VenueFields>, TextNames<typeof VENUE>> = textArgs(VENUE);

const flags: Pick<ArgsOf<VenueFields>, FlagNames<typeof VENUE>> = flagArgs(VENUE);

/** The writable fields of a venue, in the order of the wire. */
const VENUE_FIELDS: ArgsOf<VenueFields> = {
  author: { type: 'integer', description: 'ID of the author.', validate: userId },
  date: text('Publication date in the time zone of the site.', time),
  date_utc: text('Publication date in UTC.', time),
  venue: { ...text('Name of the venue.', nonEmptyString), required: true },
  description: linkedTextArg('Description of the venue, as HTML.'),
  status: text('Post status of the venue.', writableStatus),
  ...flags,
  ...texts,
  website,
  image: linkedTextArg('Featured image: the ID of a file in the media library, or the URL of an image.', imageOrEmpty),
};

export const VENUES = linkedResource('venue', {
  fields: VENUE_FIELDS,
  doc: { example: { venue: 'Riverside Hall', address: '12 Quay Street', city: 'Galway', country: 'Ireland' } },
  jsonLd: { property: 'location', make: placeJsonLd },
});

const organizerTexts: Pick<ArgsOf<OrganizerFields>, TextNames<typeof ORGANIZER>> = textArgs(ORGANIZER);

/** The writable fields of an organizer, in the order of the wire. */
const ORGANIZER_FIELDS: ArgsOf<OrganizerFields> = {
  author: { type: 'integer', default: null, description: 'ID of the author.', validate: userId },
  date: linkedTextArg('Publication date in the time zone of the site.', time),
  date_utc: linkedTextArg('Publication date in UTC.', time),
  organizer: { ...linkedTextArg('Name of the organizer.', nonEmptyString), required: true },
  description: linkedTextArg('Description of the organizer, as HTML.'),
  status: linkedTextArg('Post status of the organizer.', writableStatus),
  ...organizerTexts,
  image: linkedTextArg('Featured image: the ID of a file in the media library, or the URL of an image.', imageOrEmpty),
};

export const ORGANIZER_RESOURCE = linkedResource('organizer', {
  fields: ORGANIZER_FIELDS,
  doc: { keyInBody: true, writeStatuses: [201, 400, 403], example: { organizer: 'Music Guild', email: 'hello@example.com' } },
  jsonLd: { property: 'organizer', make: personJsonLd },
});

export const LINKED_RESOURCES: Record<LinkedKind, LinkedResource> = { venue: VENUES, organizer: ORGANIZER_RESOURCE };
