import type { Fields } from './field.js';

/** The fields of an organizer, in the order in which `tribe/events/v1` shows them. */
export const ORGANIZER_FIELDS = {
  phone: {
    kind: 'text',
    key: '_OrganizerPhone',
    description: 'Telephone number.',
    definition: 'Phone number of the organizer.',
    searched: true,
    format: 'tel',
    csv: ['Organizer Phone', 'Phone', 'Telephone'],
  },
  // TEC: cleaned as a text, not as an address.
  website: {
    kind: 'url',
    key: '_OrganizerWebsite',
    description: 'Address of the website of the organizer.',
    definition: 'Address of the website of the organizer.',
    searched: true,
    format: 'uri',
    csv: ['Organizer Website', 'Website', 'URL', 'Organizer URL'],
  },
  email: {
    kind: 'email',
    key: '_OrganizerEmail',
    description: 'E-mail address.',
    definition: 'E-mail address of the organizer.',
    searched: true,
    format: 'email',
    csv: ['Organizer Email', 'Email', 'E-mail', 'Mail'],
  },
} as const satisfies Fields;

/** Where an organizer came from (TEC). */
export const ORGANIZER_ORIGIN = '_OrganizerOrigin';
