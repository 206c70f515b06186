import { ORGANIZER } from '../names.js';
import type { Fields } from '../field.js';
import type { Linked } from './kind.js';

/** The fields of an organizer, in the order in which `tribe/events/v1` shows them. */
export const ORGANIZER_FIELDS = {
  phone: {
    kind: 'text',
    key: '_OrganizerPhone',
    description: 'Phone number.',
    definition: 'Phone number of the organizer.',
    example: '+353 91 123456',
    searched: true,
    format: 'tel',
    csv: ['Organizer Phone', 'Phone', 'Telephone'],
  },
  // TEC: cleaned as a text, not as an address.
  website: {
    kind: 'url',
    key: '_OrganizerWebsite',
    description: 'URL of the website of the organizer.',
    definition: 'URL of the website of the organizer.',
    example: 'https://example.org/',
    searched: true,
    format: 'uri',
    csv: ['Organizer Website', 'Website', 'URL', 'Organizer URL'],
  },
  email: {
    kind: 'email',
    key: '_OrganizerEmail',
    description: 'Email address.',
    definition: 'Email address of the organizer.',
    example: 'mail@example.org',
    searched: true,
    format: 'email',
    csv: ['Organizer Email', 'Email', 'E-mail', 'Mail'],
  },
} as const satisfies Fields;

export const ORGANIZER_KIND = {
  type: ORGANIZER,
  column: 'organizers',
  many: true,
  link: {
    kind: 'ids',
    key: '_EventOrganizerID',
    definition: 'Organizers of the event.',
    datasetName: 'organizers',
    csv: [
      // TEC: the only title that the importer accepts.
      'Event Organizer Name(s) or ID(s)',
      'Event Organizer(s)',
      'Event Organizer Names',
      'Event Organizer Name',
      'Organizer Name',
      'Organizer Names',
      'Organizer',
      'Organizers',
      'Event Organizer',
    ],
  },
  filter: 'Only events of any of these organizers, by ID.',
  fields: ORGANIZER_FIELDS,
  origin: '_OrganizerOrigin',
} as const satisfies Linked;
