/** A place where the plugin and its documented interface part. Rules ask for it by name; profiles switch it. */
export interface Quirk {
  /** What the interface promises, or what one would expect. */
  documented: string;
  /** What the plugin does: what happens while the quirk is on. */
  plugin: string;
  /** `interface`: the plugin refuses, ignores or gets wrong what is documented; `hole`: it lets somebody do what they should not; `transport`: what HTTP offers. */
  kind: 'interface' | 'hole' | 'transport';
}

/**
 * The table of named quirks. Under profile `tec` every one is on: the server behaves exactly as the plugin was recorded. Under
 * `standard` all are off: the documented interface, and no holes.
 */
export const QUIRKS = {
  'include-keeps-default-window': {
    kind: 'interface',
    documented: '`include` returns events by id and ignores date filters.',
    plugin: 'The dates that are sent are ignored, the default window stays in force.',
  },
  'sibling-dates-override': {
    kind: 'interface',
    documented: 'All date parameters hold together.',
    plugin: '`start_date` is not looked at next to `starts_after`, nor `end_date` next to `ends_before`.',
  },
  'only-first-tag-counts': {
    kind: 'interface',
    documented: '`tags` returns events with any of the given tags.',
    plugin: 'Of several tags only the first one is looked at.',
  },
  'term-names-find-nothing': {
    kind: 'interface',
    documented: 'A category or tag that is accepted in a filter selects its events.',
    plugin: 'A name that is no slug is accepted and then finds nothing.',
  },
  'upcoming-looks-at-first-page': {
    kind: 'interface',
    documented: '`only_with_upcoming` returns venues and organizers that have upcoming events.',
    plugin: 'Only the first page of upcoming events is looked at, and "now" is the UTC clock read as site time.',
  },
  'empty-search-counts-everything': {
    kind: 'interface',
    documented: 'Totals count what the list holds.',
    plugin: 'When no venue or organizer matches the search, totals count all that the other filters leave.',
  },
  'geoloc-is-ignored': {
    kind: 'interface',
    documented: '`geoloc`, `geoloc_lat` and `geoloc_lng` filter by the coordinates of the venue.',
    plugin: 'Without the pro extension they are echoed and do nothing.',
  },
  'coordinates-are-hidden': {
    kind: 'interface',
    documented: 'Venues show their coordinates as `geo_lat` and `geo_lng`, and as `geo` in `json_ld`.',
    plugin: 'Without the pro extension coordinates are stored and not shown.',
  },
  'ticketed-needs-plugin': {
    kind: 'interface',
    documented: '`ticketed` returns events with tickets, or those without.',
    plugin: 'Without the ticket plugin `true` is refused and `false` does nothing.',
  },
  'strict-dates-takes-text': {
    kind: 'interface',
    documented: '`strict_dates` is true or false, in every form a flag takes.',
    plugin: 'Only text is accepted: `0`, an empty text and JSON booleans are refused.',
  },
  'next-pages-forget-filters': {
    kind: 'interface',
    documented: 'The next and the previous page are pages of the same list.',
    plugin:
      'Their addresses leave out `categories`, `tags` and `strict_dates`; of venues and organizers `search` and `only_with_upcoming`.',
  },
  'status-any-is-refused': {
    kind: 'interface',
    documented:
      '`next_rest_url` leads to the next page; `status=any`, which it names for those who may edit, is what they see without `status`.',
    plugin: '`any` is refused, and with it every `next_rest_url` that is given to those who may edit.',
  },
  'venue-list-is-refused': {
    kind: 'interface',
    documented: '`venue` of an event is an array of ids.',
    plugin: 'A list is accepted by the check and then refused; only a bare id or data works.',
  },
  'existing-tag-becomes-its-id': {
    kind: 'interface',
    documented: 'An existing tag named in an event is assigned.',
    plugin: 'An existing tag named by slug or name is replaced by a tag that is called like its id.',
  },
  'bad-input-is-server-error': {
    kind: 'interface',
    documented: 'Bad input is the fault of the caller: 400.',
    plugin: 'Empty content, unusable term names and taken term slugs are answered with 500.',
  },
  'by-slug-checks-general-right': {
    kind: 'hole',
    documented: 'Only those who may edit or delete an item can do so.',
    plugin: 'On by-slug routes the general right is enough, whoever the item belongs to.',
  },
  'author-is-not-checked': {
    kind: 'hole',
    documented: 'Only those who may edit what belongs to others can put something under their name.',
    plugin: 'Whoever may write can name any user as the author.',
  },
  'lists-show-what-one-may-not-read': {
    kind: 'hole',
    documented: 'Lists hold what the caller may read.',
    plugin: 'Authors and contributors see drafts and private items of others in lists, though not by id.',
  },
  'lists-follow-unreadable-events': {
    kind: 'hole',
    documented: 'What belongs to an event is told to those who may read the event.',
    plugin: '`event` and `post` list the venues, organizers and terms of any event: drafts, private and protected ones too.',
  },
  'linked-posts-ignore-status': {
    kind: 'hole',
    documented: 'Venues and organizers that are not public are shown to those who may read them.',
    plugin: 'Within an event, drafts, private and trashed ones are shown to everybody.',
  },
  'duplicates-overwrite-others': {
    kind: 'hole',
    documented: 'Only those who may edit a venue or organizer can change it.',
    plugin: 'Data that repeats the name of an existing one overwrites its fields, whoever it belongs to.',
  },
  'search-looks-behind-passwords': {
    kind: 'hole',
    documented: 'What a password protects cannot be found out by searching for it.',
    plugin: 'A search of anonymous callers looks into the texts and addresses of protected venues and organizers.',
  },
  'protected-meta-is-shown': {
    kind: 'hole',
    documented: 'What a password protects is shown to those who have it.',
    plugin: '`wp/v2` shows the meta of protected events, venues and organizers to everybody: addresses, telephone numbers, prices.',
  },
  'links-lead-to-refusals': {
    kind: 'interface',
    documented: 'Links lead to what the caller may read.',
    plugin: '`wp/v2` links everybody to revisions, drafts above pages, items of all types and posts by status, and refuses them there.',
  },
  'venues-have-no-pages': {
    kind: 'interface',
    documented: 'The address of a venue or organizer leads to its page, also by number; where there is none, the answer is 404.',
    plugin: 'Every address below `/venue/` and `/organizer/` answers 200, whatever its slug; by number there is nothing.',
  },
  'ical-lists-stop-at-thirty': {
    kind: 'interface',
    documented: 'The calendar of a list holds all of its events.',
    plugin: 'It holds thirty, and more on further pages, which no calendar program asks for.',
  },
  'ical-all-day-is-timed': {
    kind: 'interface',
    documented: 'In calendars all-day events are dates.',
    plugin: 'They are from midnight to the last second of the day, and move with the zone of whoever looks.',
  },
  'ical-breaks-the-format': {
    kind: 'interface',
    documented:
      'Calendars are as RFC 5545 says: lines of at most 75 octets, clock changes in local time, UTC as UTC, one description of a zone.',
    plugin: 'Lines are not folded, clocks change at UTC times, UTC is a zone, and a zone may be described twice.',
  },
  'ical-of-anything-is-a-list': {
    kind: 'interface',
    documented:
      '`ical` asks for the calendar of the page it is sent to, in every form a flag takes; where there is no page there is no calendar.',
    plugin:
      'But for `ical=1` on an event, anything with that parameter, `ical=0` and unknown addresses too, is the calendar of all upcoming events.',
  },
  'ical-of-venues-is-general': {
    kind: 'interface',
    documented: 'The calendar of a venue or organizer holds its events.',
    plugin: 'It holds all upcoming events.',
  },
  'ical-of-nothing-is-a-page': {
    kind: 'interface',
    documented: 'A list without events has a calendar without events.',
    plugin: 'It is answered with an HTML page, which calendar programs take for an error.',
  },
  'ical-borrows-states': {
    kind: 'interface',
    documented: 'In calendars an event without a venue has no location.',
    plugin: 'It bears the state of the venue of whatever the page is about: the event of the address, or the latest one of a category.',
  },
  'ical-shows-what-is-protected': {
    kind: 'hole',
    documented: 'Calendars do not show what a password protects.',
    plugin: 'Only the text of a protected event is left out; its place, its organizer and the addresses of protected venues are shown.',
  },
  'tec-v1-needs-acknowledgement': {
    kind: 'interface',
    documented: '`tec/v1` answers whoever asks.',
    plugin: 'It answers only those who acknowledge in the header `X-TEC-EEA`, word for word, that it is experimental.',
  },
  'tec-v1-filters-do-nothing': {
    kind: 'interface',
    documented: 'The filters of the lists of `tec/v1` select what they say.',
    plugin: '`categories`, `tags`, `ticketed` and `only_with_upcoming` do nothing; `has_events` means true whatever its value.',
  },
  'tec-v1-casts-booleans': {
    kind: 'interface',
    documented: 'Booleans of `tec/v1` are `true`, `false`, `1` and `0`; other values are rejected.',
    plugin: 'Every value is accepted, and all but empty ones and `0` mean true: `false`, `off` and `no` as well.',
  },
  'tec-v1-publishes-by-default': {
    kind: 'hole',
    documented: 'What is written without a `status` keeps the one it has; who may not publish makes drafts.',
    plugin: 'What is written through `tec/v1` without a `status` is published: drafts that are changed, and what contributors make.',
  },
  'tec-v1-writes-loosely': {
    kind: 'interface',
    documented: 'What is sent to `tec/v1` is stored, and what depends on it follows: duration and end, region, currency.',
    plugin:
      '`date` is read as UTC; images of new items, empty lists of links and all venues but the first are ignored; a changed start or ' +
      'duration may contradict the end; regions and currencies stay as they are; a change of an event unsticks it and switches its map on.',
  },
  'tec-v1-shows-raw-texts': {
    kind: 'hole',
    documented: '`context=edit` shows raw texts and passwords of `tec/v1` to those who may edit the item; others get what everybody sees.',
    plugin: 'It shows them to everybody, unless a password protects the item.',
  },
  'tec-v1-password-opens-linked': {
    kind: 'hole',
    documented: 'The password of an event opens the event; its protected venues and organizers stay closed.',
    plugin: 'Whoever sends the password of an event also sees its protected venues and organizers.',
  },
  'saving-publishes-drafts': {
    kind: 'hole',
    documented: 'Only those who may publish a venue or organizer can do so.',
    plugin: 'Saving a published event publishes the draft venue and organizers that it had, whoever they belong to.',
  },
  'never-compressed': {
    kind: 'transport',
    documented: 'Answers are compressed for clients that ask for it.',
    plugin: 'Answers are never compressed.',
  },
  'locale-takes-only-user': {
    kind: 'interface',
    documented: '`_locale` names the language of descriptions, or is `user` for that of the caller.',
    plugin: 'Only `user` counts, everything else is ignored.',
  },
  'no-language-negotiation': {
    kind: 'transport',
    documented: 'Descriptions are in the language that `Accept-Language` asks for.',
    plugin: 'They are in the language of the site.',
  },
  'doc-is-not-openapi': {
    kind: 'interface',
    documented: '`/doc` is an OpenAPI document: validators take it, it names the server with its port, and it says what is answered.',
    plugin: '`/doc` puts `password` into paths that have no place for it, leaves creation out and drops the port.',
  },
  'no-etags': {
    kind: 'transport',
    documented: 'Answers to GET carry an ETag, and `If-None-Match` is honoured with 304.',
    plugin: 'There are no ETags; conditional requests are answered in full.',
  },
} as const satisfies Record<string, Quirk>;

export type QuirkName = keyof typeof QUIRKS;

export const QUIRK_NAMES = Object.keys(QUIRKS) as QuirkName[];

export const PROFILES = ['standard', 'tec'] as const;
export type Profile = (typeof PROFILES)[number];

/** The quirks that are on, and the profile that they started from. */
export interface Quirks extends ReadonlySet<QuirkName> {
  readonly profile: Profile;
}

/** The quirks that are on under a profile, with some set by name. */
export function quirksOf(profile: Profile, changes: Partial<Record<QuirkName, boolean>> = {}): Quirks {
  return Object.assign(new Set(QUIRK_NAMES.filter((name) => changes[name] ?? profile === 'tec')), { profile });
}
