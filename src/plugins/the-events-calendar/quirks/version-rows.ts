import type { Quirk } from '../../../wordpress/quirks.js';

/**
 * Differences of older releases of the plugin. `off` is the behavior of the newest one. A row holds for the releases of its range:
 * from `since` (inclusive; absent: from the oldest one) to `until` (exclusive).
 */
export const VERSION_QUIRKS = {
  'unknown-events-are-invalid-ids': {
    kind: 'interface',
    until: '6.17.2',
    off: 'The id of a missing event results in 404, the id of another post in 400 with a code that says so. Permissions come first.',
    on: 'Both result in 400 `rest_invalid_param`, before permissions.',
  },
  'trashed-events-are-readable': {
    kind: 'interface',
    until: '6.17.2',
    off: 'An event in the trash results in 403 for everybody.',
    on: 'Users who may read it get the event.',
  },
  'unknown-slugs-are-updated': {
    kind: 'interface',
    until: '6.17.2',
    off: 'Updating an event by a slug that does not exist results in 404.',
    on: 'The response is 200 with a list of errors.',
  },
  'events-suffice-for-terms': {
    kind: 'hole',
    until: '6.15.19',
    off: 'Categories and tags are written only by users who may manage terms.',
    on: 'Users who may edit events can write categories and tags.',
  },
  'writes-check-general-right': {
    kind: 'hole',
    until: '6.15.16.1',
    off: 'Only users who may edit or delete an item can do so.',
    on: 'Only the general capability is checked, regardless of author and status.',
  },
  'linked-passwords-do-nothing': {
    kind: 'hole',
    until: '6.15.3',
    off: 'Password-protected venues and organizers are shown only with the password.',
    on: 'They are shown as if they had no password, except for their `json_ld`.',
  },
  'no-custom-fields': {
    kind: 'interface',
    until: '6.10.1',
    off: 'Events have `custom_fields`.',
    on: 'They do not.',
  },
  'venue-maps-start-hidden': {
    kind: 'interface',
    until: '6.9.1',
    off: 'New venues show the map and its link.',
    on: 'They show them only if `show_map` and `show_map_link` say so.',
  },
  'lists-ignore-passwords': {
    kind: 'hole',
    until: '6.8.2.1',
    off: 'Lists show password-protected events without content.',
    on: 'They show all of it.',
  },
  'no-calendar-embeds': {
    kind: 'interface',
    until: '6.11.0',
    off: 'Calendar embeds are a post type, with routes in `wp/v2` and links from categories and tags.',
    on: 'There are no calendar embeds.',
  },
  'ical-stamps-are-now': {
    kind: 'interface',
    until: '6.16.4.1',
    off: '`DTSTAMP` is the time of the last change, in UTC.',
    on: 'It is the time of the request, in the time zone of the site and without saying so.',
  },
  'ical-zones-are-short': {
    kind: 'interface',
    until: '6.15.6',
    off: '`VTIMEZONE` covers a year before and after the events.',
    on: 'It covers only the years of the events.',
  },
  'ical-zones-share-a-block': {
    kind: 'interface',
    until: '6.10.2',
    off: 'Each time zone has a `VTIMEZONE`.',
    on: 'One `VTIMEZONE` contains all time zones.',
  },
  'order-of-include-finds-nothing': {
    kind: 'interface',
    until: '6.15.1.1',
    off: '`orderby=include` and `include_slugs` of `wp/v2` events sort the list.',
    on: 'The list is empty.',
  },
  'events-have-comments': {
    kind: 'interface',
    until: '6.11.1',
    off: 'Events do not support comments.',
    on: 'Events have `comment_status`, `ping_status` and links to replies.',
  },
  'no-tec-v1': {
    kind: 'interface',
    until: '6.15.0',
    off: 'There is a namespace `tec/v1`.',
    on: 'There is none.',
  },
  'tec-v1-hides-write-arguments': {
    kind: 'interface',
    since: '6.15.0',
    until: '6.15.15',
    off: 'Indexes and `OPTIONS` list the arguments of writes to `tec/v1`, which are checked before permissions.',
    on: 'They list no arguments of writes, and permissions are checked first.',
  },
  'tec-v1-stops-at-first-error': {
    kind: 'interface',
    since: '6.15.0',
    until: '6.15.15',
    off: 'All invalid parameters of `tec/v1` are reported together.',
    on: 'The first one is reported, with a code for each kind of value. A start date that is none results in status 500.',
  },
  'tec-v1-checks-nothing': {
    kind: 'interface',
    since: '6.15.15',
    until: '6.16.3',
    off: 'Invalid parameters of `tec/v1` are rejected.',
    on: 'They are accepted, ignored or stored, or result in status 500.',
  },
  'tec-v1-needs-json-numbers': {
    kind: 'interface',
    since: '6.16.3',
    until: '6.16.4',
    off: '`tec/v1` accepts numbers in query strings.',
    on: 'Numbers must be JSON numbers, so that every list is rejected.',
  },
} as const satisfies Record<string, Quirk>;
