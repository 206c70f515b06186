import type { Quirk } from '../../../wordpress/quirks.js';

/** Differences of the plugin from its documented interface, in all releases. */
export const PLUGIN_QUIRKS = {
  'include-keeps-default-window': {
    kind: 'interface',
    off: '`include` returns events by id and ignores date filters.',
    on: 'Date parameters are ignored, but the default date range still applies.',
  },
  'sibling-dates-override': {
    kind: 'interface',
    off: 'All date parameters apply together.',
    on: '`start_date` is ignored if `starts_after` is sent, and `end_date` if `ends_before` is sent.',
  },
  'only-first-tag-counts': {
    kind: 'interface',
    off: '`tags` returns events with any of the given tags.',
    on: 'Only the first of several tags is used.',
  },
  'term-names-find-nothing': {
    kind: 'interface',
    off: 'A category or tag that is accepted in a filter selects its events.',
    on: 'A name that is not a slug is accepted, but matches nothing.',
  },
  'upcoming-looks-at-first-page': {
    kind: 'interface',
    off: '`only_with_upcoming` returns venues and organizers that have upcoming events.',
    on: 'Only the first page of upcoming events is used, and "now" is UTC interpreted as site time.',
  },
  'empty-search-counts-everything': {
    kind: 'interface',
    off: 'Totals count the results.',
    on: 'If no venue or organizer matches the search, totals count the results of the other filters.',
  },
  'geoloc-is-ignored': {
    kind: 'interface',
    off: '`geoloc`, `geoloc_lat` and `geoloc_lng` filter by the coordinates of the venue.',
    on: 'Without the pro extension they are echoed, but have no effect.',
  },
  'coordinates-are-hidden': {
    kind: 'interface',
    off: 'Venues have coordinates as `geo_lat` and `geo_lng`, and as `geo` in `json_ld`.',
    on: 'Without the pro extension coordinates are stored, but not returned.',
  },
  'ticketed-needs-plugin': {
    kind: 'interface',
    off: '`ticketed` returns events with tickets or events without.',
    on: 'Without the ticket plugin `true` is rejected and `false` has no effect.',
  },
  'strict-dates-takes-text': {
    kind: 'interface',
    off: '`strict_dates` accepts a boolean in any form.',
    on: 'Only strings are accepted: `0`, an empty string and JSON booleans are rejected.',
  },
  'next-pages-forget-filters': {
    kind: 'interface',
    off: 'The links to the next and previous page keep all filters.',
    on: 'The links omit `categories`, `tags` and `strict_dates`, and for venues and organizers `search` and `only_with_upcoming`.',
  },
  'status-any-is-refused': {
    kind: 'interface',
    off: '`next_rest_url` works. It contains `status=any` for users who may edit, which means the same as no `status`.',
    on: '`status=any` is rejected, and thus every `next_rest_url` for users who may edit.',
  },
  'venue-list-is-refused': {
    kind: 'interface',
    off: '`venue` of an event is an array of ids.',
    on: 'A list passes validation and is then rejected; only a single id or data works.',
  },
  'existing-tag-becomes-its-id': {
    kind: 'interface',
    off: 'An event can be assigned an existing tag by slug or name.',
    on: 'Instead, a new tag is created whose name is the id of the existing tag.',
  },
  'bad-input-is-server-error': {
    kind: 'interface',
    off: 'Invalid input results in status 400.',
    on: 'Empty content, invalid term names and term slugs that are taken result in status 500.',
  },
  'by-slug-checks-general-right': {
    kind: 'hole',
    off: 'Only users who may edit or delete an item can do so.',
    on: 'By-slug routes check only the general capability, regardless of the author.',
  },
  'author-is-not-checked': {
    kind: 'hole',
    off: 'Only users who may edit items of others can set another author.',
    on: 'Every user who may write can set any author.',
  },
  'lists-show-private-items': {
    kind: 'hole',
    off: 'Lists contain only items that the caller may read.',
    on: 'Authors and contributors see drafts and private items of others in lists, though not by id.',
  },
  'lists-follow-unreadable-events': {
    kind: 'hole',
    off: 'Venues, organizers and terms of an event are shown only to callers who may read the event.',
    on: '`event` and `post` list the venues, organizers and terms of any event, including draft, private and protected ones.',
  },
  'linked-posts-ignore-status': {
    kind: 'hole',
    off: 'Unpublished venues and organizers are shown only to callers who may read them.',
    on: 'Within an event, draft, private and trashed ones are shown to everybody.',
  },
  'duplicates-overwrite-others': {
    kind: 'hole',
    off: 'Only users who may edit a venue or organizer can change it.',
    on: 'Data with the name of an existing one overwrites its fields, regardless of the author.',
  },
  'search-looks-behind-passwords': {
    kind: 'hole',
    off: 'A search does not reveal password-protected content.',
    on: 'Searches of anonymous callers include the texts and addresses of protected venues and organizers.',
  },
  'protected-meta-is-shown': {
    kind: 'hole',
    off: 'Password-protected content is shown only with the password.',
    on:
      '`wp/v2` shows the meta of protected events, venues and organizers to everybody: addresses, phone numbers, prices. ' +
      '`tribe/events/v1` shows the states of protected venues.',
  },
  'venues-have-no-pages': {
    kind: 'interface',
    off: 'Venues and organizers have pages, by slug and by id. Unknown ones result in 404.',
    on: 'Every URL below `/venue/` and `/organizer/` results in 200, even if the slug does not exist. There are no pages by id.',
  },
  'ical-lists-stop-at-thirty': {
    kind: 'interface',
    off: 'The iCalendar file of a list contains 250 of its events, or up to 500 with `per_page`, and a link to the next ones.',
    on: 'It contains thirty events. The rest is on further pages, without a link.',
  },
  'ical-all-day-is-timed': {
    kind: 'interface',
    off: 'All-day events in iCalendar files have dates without times.',
    on: 'They last from midnight to the last second of the day, and shift with the time zone of the client.',
  },
  'ical-breaks-the-format': {
    kind: 'interface',
    off: 'iCalendar files conform to RFC 5545: lines of at most 75 octets, time zone transitions in local time, UTC as UTC, one definition per time zone.',
    on: 'Lines are not folded, transitions are in UTC, UTC is a time zone, and a time zone may be defined twice.',
  },
  'ical-of-anything-is-a-list': {
    kind: 'interface',
    off: '`ical` returns the iCalendar file of the requested page and accepts a boolean in any form; unknown pages have none.',
    on: 'Except for `ical=1` on an event, every URL with that parameter, even `ical=0` and unknown pages, returns all upcoming events.',
  },
  'ical-of-venues-is-general': {
    kind: 'interface',
    off: 'The iCalendar file of a venue or organizer contains its events.',
    on: 'It contains all upcoming events.',
  },
  'lists-take-slugs-for-ids': {
    kind: 'interface',
    off: 'Pages and iCalendar files of a category or tag contain its events.',
    on: 'If its slug is a number, they contain the events of the category or tag with that id, usually none. RSS feeds are not affected.',
  },
  'ical-of-nothing-is-empty': {
    kind: 'interface',
    off: 'The iCalendar file of an empty list contains no events.',
    on: 'The response is an HTML page without content, which calendar clients treat as an error.',
  },
  'rss-ignores-its-query': {
    kind: 'interface',
    off: 'The RSS feed of a list contains the events that the list would show: from a day on, past ones, or results of a search.',
    on: 'It always contains the next events, including events hidden from lists.',
  },
  'rss-reads-starts-in-site-zone': {
    kind: 'interface',
    off: 'The date of an event in feeds is the moment at which it starts.',
    on: 'It is the local start, read in the time zone of the site: wrong for events in other time zones.',
  },
  'ical-borrows-states': {
    kind: 'interface',
    off: 'In iCalendar files, an event without a venue has no location.',
    on: 'It has the state of the venue of the page: of the requested event, or of the latest event of a category.',
  },
  'ical-shows-what-is-protected': {
    kind: 'hole',
    off: 'iCalendar files do not contain password-protected content.',
    on: 'Only the text of a protected event is omitted. Its location, its organizer and the addresses of protected venues are included.',
  },
  'tec-v1-needs-acknowledgement': {
    kind: 'interface',
    off: '`tec/v1` needs no special header.',
    on: 'Requests must acknowledge that it is experimental with an exact text in the header `X-TEC-EEA`.',
  },
  'tec-v1-filters-do-nothing': {
    kind: 'interface',
    off: 'The filters of `tec/v1` lists work as documented.',
    on: '`categories`, `tags`, `ticketed` and `only_with_upcoming` have no effect; `has_events` means true for every value.',
  },
  'tec-v1-casts-booleans': {
    kind: 'interface',
    off: '`tec/v1` accepts the booleans `true`, `false`, `1` and `0`, and rejects other values.',
    on: 'Every value is accepted. All except empty values and `0` mean true, even `false`, `off` and `no`.',
  },
  'tec-v1-publishes-by-default': {
    kind: 'hole',
    off: 'A write without `status` keeps the current status; new items of users who may not publish are drafts.',
    on: 'A write through `tec/v1` without `status` publishes the item, even updated drafts and items of contributors.',
  },
  'tec-v1-writes-loosely': {
    kind: 'interface',
    off: 'What is sent to `tec/v1` is stored, and what depends on it follows: duration and end, region, currency.',
    on:
      '`date` is read as UTC, and ignored for drafts without one; images and all venues but the first are ignored; dates in the wrong order ' +
      'are ignored, and an empty website or email is rejected; regions and currencies stay as they are; every write of an event unsticks it ' +
      'and switches its map on.',
  },
  'tec-v1-shows-raw-texts': {
    kind: 'hole',
    off: '`context=edit` of `tec/v1` shows raw texts and passwords only to users who may edit the item.',
    on: 'It shows them to everybody, unless a password protects the item.',
  },
  'tec-v1-password-opens-linked': {
    kind: 'hole',
    off: 'The password of an event does not reveal its protected venues and organizers.',
    on: 'The password of an event also reveals its protected venues and organizers.',
  },
  'saving-publishes-drafts': {
    kind: 'hole',
    off: 'Only those who may publish a venue or organizer can do so.',
    on: 'Saving a published event publishes the draft venue and organizers that it had, regardless of their authors.',
  },
  'doc-is-not-openapi': {
    kind: 'interface',
    off: '`/doc` is a valid OpenAPI document with the port of the server and the schemas of responses.',
    on: '`/doc` declares `password` as a path parameter of paths without it, omits creation and drops the port.',
  },
  'early-ends-hide-events': {
    kind: 'interface',
    off: 'An event that would end before it starts is rejected.',
    on: 'The end becomes the start, but the UTC end stays the one that is sent, so the event is in no list.',
  },
  'undated-events-have-no-zone': {
    kind: 'interface',
    off: 'An event that `wp/v2` created without dates is in the time zone of the site, and its JSON-LD has no dates.',
    on: 'It has no time zone, and in its JSON-LD it is now.',
  },
} as const satisfies Record<string, Quirk>;
