import { imageOrEmpty } from '../event-terms.js';
import { flagArgs, linkedTextArg, textArgs, placeJsonLd, linkedResource } from './resource.js';
import { nonEmptyString, time, userId, writableStatus, type ArgsOf, type TextArg } from '../validators.js';
import { VENUE_FIELDS as TABLE, type FlagNames, type TextNames } from '../../model/event.js';
import type { VenueFields } from '../../../../sdk/types/params.js';
import type { Arg } from '../../../../wordpress/rest/route.js';

const text = (description: string, validate?: Arg['validate']): TextArg => ({ type: 'string', description, validate });

const { website, ...texts }: Pick<ArgsOf<VenueFields>, TextNames<typeof TABLE>> = textArgs(TABLE);

const flags: Pick<ArgsOf<VenueFields>, FlagNames<typeof TABLE>> = flagArgs(TABLE);

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
