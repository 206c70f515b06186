import type { Quirk } from '../quirks.js';

/**
 * What older releases of WordPress do differently. `off` is the behavior of the newest one. A row holds for the releases of its range: from
 * `since` (inclusive; absent: from the oldest one) to `until` (exclusive).
 */
export const RELEASE_QUIRKS = {
  'term-words-list-all': {
    kind: 'interface',
    until: '6.9',
    off: 'An `include` of terms that contains only words matches nothing.',
    on: 'It has no effect: all terms are listed.',
  },
  'no-abilities': {
    kind: 'interface',
    until: '6.9',
    off: 'There is the namespace `wp-abilities/v1`.',
    on: 'It does not exist.',
  },
  'global-styles-by-name': {
    kind: 'interface',
    until: '6.9',
    off: 'IDs of global styles are numbers: names result in `rest_no_route`.',
    on: 'They are texts: names result in `rest_global_styles_not_found`.',
  },
  'no-icons': {
    kind: 'interface',
    until: '7.0',
    off: 'There are the routes of `wp/v2/icons`.',
    on: 'They do not exist.',
  },
  'no-icon-collections': {
    kind: 'interface',
    until: '7.1',
    off: 'Icons are in collections, which have routes and select icons.',
    on: 'There are no collections.',
  },
  'no-view-config': {
    kind: 'interface',
    until: '7.1',
    off: 'There is the route `wp/v2/view-config`.',
    on: 'It does not exist.',
  },
  'no-user-info-ability': {
    kind: 'interface',
    until: '7.1',
    off: '`core/get-user-info` is an ability of the REST API.',
    on: 'It is not.',
  },
  'no-public-abilities': {
    kind: 'interface',
    until: '7.1',
    off: 'The meta of an ability says whether it is public.',
    on: 'It does not.',
  },
  'untitled-ability-results': {
    kind: 'interface',
    until: '7.1',
    off: 'The fields in results of abilities have titles.',
    on: 'They have none.',
  },
  'abilities-by-category-only': {
    kind: 'interface',
    until: '7.1',
    off: 'Lists of abilities can be filtered by `namespace` and `meta`.',
    on: 'These parameters have no effect.',
  },
  'environment-takes-no-input': {
    kind: 'interface',
    until: '7.1',
    off: '`core/get-environment-info` accepts `fields`.',
    on: 'It accepts no input.',
  },
  'ability-input-as-sent': {
    kind: 'interface',
    until: '7.1',
    off: 'Abilities accept `fields` separated by commas.',
    on: 'The result of these is empty.',
  },
} as const satisfies Record<string, Quirk>;
