import { imageOrEmpty } from './image-param.js';
import { linkedIdArgs, linkedText, textArgs } from './linked-args.js';
import { linkedFilters, planLinked } from './linked-filters.js';
import { presentOrganizer } from './linked-posts.js';
import { linkedWrites } from './linked-save.js';
import { ORGANIZER_MESSAGES } from './messages.js';
import { readableOrRefuse, slugArg, type PostResource } from './resource.js';
import { nonEmptyString, time, userId, writableStatus } from './validators.js';
import { ORGANIZER_FIELDS as TABLE } from '../tec/organizer.js';
import { canRead } from '../wp/users/capabilities.js';
import { ORGANIZER } from '../tec/index.js';
import type { ArgsOf } from './contract.js';
import type { OrganizerFields } from '../params.js';

/** What can be written of an organizer, in the order of the wire. */
export const ORGANIZER_FIELDS: ArgsOf<OrganizerFields> = {
  author: { type: 'integer', default: null, description: 'ID of the author.', validate: userId },
  date: linkedText('Publication date, on the clock of the site.', time),
  date_utc: linkedText('Publication date in UTC.', time),
  organizer: { ...linkedText('Name of the organizer.', nonEmptyString), required: true },
  description: linkedText('Description of the organizer, as HTML.'),
  status: linkedText('Post status of the organizer.', writableStatus),
  ...textArgs(TABLE),
  image: linkedText('Featured image: the ID of a file in the media library, or the address of an image.', imageOrEmpty),
};

export const ORGANIZERS: PostResource = {
  postType: ORGANIZER,
  path: 'organizers',
  filters: linkedFilters('organizers'),
  fields: ORGANIZER_FIELDS,
  idArgs: linkedIdArgs(ORGANIZER, 'organizer'),
  slugArg: slugArg(ORGANIZER, 'organizer'),
  doc: { schema: 'Organizer', noun: 'organizer', keyInBody: true, writeStatuses: [201, 400, 403] },
  missingNeedsGeneralRight: false,
  slugIsWritable: false,
  messages: ORGANIZER_MESSAGES,
  plan: planLinked('organizers'),
  guardRead: (post, _id, { request }) => readableOrRefuse(post, (organizer) => canRead(request.user, organizer), ORGANIZER_MESSAGES),
  present: (post, view) => presentOrganizer(post, view, view.single),
  ...linkedWrites('organizer'),
};
