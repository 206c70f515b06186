import { imageOrEmpty } from '../event-terms.js';
import { linkedTextArg, textArgs, personJsonLd, linkedResource } from './resource.js';
import { nonEmptyString, time, userId, writableStatus, type ArgsOf } from '../validators.js';
import { ORGANIZER_FIELDS as TABLE, type TextNames } from '../../model/event.js';
import type { OrganizerFields } from '../../../../sdk/types/params.js';

const texts: Pick<ArgsOf<OrganizerFields>, TextNames<typeof TABLE>> = textArgs(TABLE);

/** The writable fields of an organizer, in the order of the wire. */
const ORGANIZER_FIELDS: ArgsOf<OrganizerFields> = {
  author: { type: 'integer', default: null, description: 'ID of the author.', validate: userId },
  date: linkedTextArg('Publication date in the time zone of the site.', time),
  date_utc: linkedTextArg('Publication date in UTC.', time),
  organizer: { ...linkedTextArg('Name of the organizer.', nonEmptyString), required: true },
  description: linkedTextArg('Description of the organizer, as HTML.'),
  status: linkedTextArg('Post status of the organizer.', writableStatus),
  ...texts,
  image: linkedTextArg('Featured image: the ID of a file in the media library, or the URL of an image.', imageOrEmpty),
};

export const ORGANIZER_RESOURCE = linkedResource('organizer', {
  fields: ORGANIZER_FIELDS,
  doc: { keyInBody: true, writeStatuses: [201, 400, 403], example: { organizer: 'Music Guild', email: 'hello@example.com' } },
  jsonLd: { property: 'organizer', make: personJsonLd },
});
