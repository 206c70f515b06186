import { readText, type Fields } from './field.js';
import { LINK_FIELDS, LINKED, type LinkedKind } from './kinds/index.js';
import { withMeta, type MetaRow, type Post, type User } from '../../../wordpress/model.js';
import type { Related } from '../../../wordpress/posts/related.js';
import type { Site } from '../../../wordpress/site.js';
import { canRead } from '../../../wordpress/users/capabilities.js';

/** The fields of an event that are kept in its meta. */
export const EVENT_FIELDS = {
  all_day: {
    kind: 'flag',
    key: '_EventAllDay',
    yes: '1',
    no: null,
    default: false,
    edited: 'yes',
    description: 'Whether the event lasts all day.',
    definition: 'Whether the event lasts all day.',
    example: false,
    csv: ['All Day Event', 'All Day', 'Event All Day'],
  },
  start_date: {
    kind: 'date',
    key: '_EventStartDate',
    required: true,
    description: 'Start of the event, in its time zone.',
    definition: 'Start of the event, in its time zone',
    example: '2026-07-01 20:00:00',
  },
  end_date: {
    kind: 'date',
    key: '_EventEndDate',
    required: true,
    description: 'End of the event, in its time zone.',
    definition: 'End of the event, in its time zone',
    example: '2026-07-01 22:00:00',
  },
  utc_start_date: { kind: 'date', key: '_EventStartDateUTC', definition: 'Start of the event, in UTC' },
  utc_end_date: { kind: 'date', key: '_EventEndDateUTC', definition: 'End of the event, in UTC' },
  duration: { kind: 'number', key: '_EventDuration' },
  timezone: {
    kind: 'text',
    key: '_EventTimezone',
    description: 'Time zone of the event, such as Europe/Berlin or UTC+2. Default: the time zone of the site.',
    definition: 'Time zone of the event.',
    example: 'Europe/Berlin',
    csv: ['Timezone', 'Event Timezone', 'Time Zone', 'Event Time Zone'],
  },
  timezone_abbr: { kind: 'text', key: '_EventTimezoneAbbr', definition: 'Abbreviation of the time zone of the event, such as CEST.' },
  cost: {
    kind: 'amounts',
    key: '_EventCost',
    description: 'Price of the event: a string, a number, or a list of these.',
    definition: 'Price of the event, with the currency symbol.',
    example: '12',
    csv: ['Event Cost', 'Cost', 'Price'],
  },
  currency_symbol: { kind: 'text', key: '_EventCurrencySymbol', csv: ['Event Currency Symbol', 'Currency Symbol'] },
  currency_code: {
    kind: 'text',
    key: '_EventCurrencyCode',
    csv: ['Event ISO Currency Code', 'ISO Currency Code', 'Event Currency Code', 'Currency Code'],
  },
  currency_position: { kind: 'text', key: '_EventCurrencyPosition', csv: ['Event Currency Position', 'Currency Position'] },
  // TEC: cleaned as a text, not as an address.
  website: {
    kind: 'url',
    key: '_EventURL',
    description: 'URL of the website of the event.',
    definition: 'URL of the website of the event.',
    example: 'https://example.org/',
    csv: ['Event Website', 'Website', 'URL', 'Event URL', 'Link'],
  },
  show_map: {
    kind: 'flag',
    key: '_EventShowMap',
    yes: '1',
    no: '',
    default: true,
    description: 'Whether to show a map.',
    definition: 'Whether to show a map.',
    example: true,
    csv: ['Event Show Map', 'Show Map'],
  },
  show_map_link: {
    kind: 'flag',
    key: '_EventShowMapLink',
    yes: '1',
    no: '',
    default: true,
    description: 'Whether to show a link to a map.',
    definition: 'Whether to show a link to a map.',
    example: true,
    csv: ['Event Show Map Link', 'Show Map Link'],
  },
  hide_from_listings: {
    kind: 'flag',
    key: '_EventHideFromUpcoming',
    yes: 'yes',
    no: null,
    default: false,
    description: 'Whether to hide the event from lists.',
    definition: 'Whether the event is hidden from lists.',
    example: false,
    datasetName: 'hidden',
    csv: [
      // TEC: the only title that the importer accepts.
      'Hide Event From Event Listings',
      'Hide Event From Listings',
      'Hide From Event Listings',
      'Hide From Listings',
      'Hide From Upcoming',
    ],
  },
  featured: {
    kind: 'flag',
    key: '_tribe_featured',
    yes: '1',
    no: null,
    default: false,
    description: 'Whether the event is featured.',
    definition: 'Whether the event is featured.',
    example: false,
    csv: ['Feature Event', 'Featured Event', 'Featured'],
  },
  ...LINK_FIELDS,
  /** `canceled` or `postponed`; empty for events that take place. */
  event_status: { kind: 'text', key: '_tribe_events_status' },
  event_status_reason: { kind: 'text', key: '_tribe_events_status_reason' },
  /** Global ids that it had on sites it was imported from. */
  global_id_lineage: { kind: 'ids', key: '_tribe_aggregator_global_id_lineage' },
} as const satisfies Fields;

/** Where an event came from (TEC). */
export const EVENT_ORIGIN = '_EventOrigin';

/** The origin of items that were created by hand. */
export const OWN_ORIGIN = 'events-calendar';

/** How many tickets an event has. */
export const TICKET_CAPACITY = '_tribe_ticket_capacity';
export const UNLIMITED = '-1';

/** Rows that the ticket plugin keeps with events that have tickets. */
export const TICKET_KEYS = ['_tribe_default_ticket_provider', TICKET_CAPACITY, '_tribe_ticket_use_global_stock'] as const;

export * from './kinds/index.js';

/** Ids of the linked posts of an event, in the stored order. */
export const linkedIds = (event: Post, kind: LinkedKind): readonly number[] => event[LINKED[kind].column] ?? [];

/** A linked post by id, if there is one of the kind. */
function linkedPost(id: number, kind: LinkedKind, { posts }: Pick<Related, 'posts'>): Post | null {
  const post = posts.get(id);
  return post?.type === LINKED[kind].type ? post : null;
}

/** Linked posts of an event of one kind, in the stored order. */
export const linkedPosts = (event: Post, kind: LinkedKind, related: Pick<Related, 'posts'>): Post[] =>
  linkedIds(event, kind).flatMap((id) => linkedPost(id, kind, related) ?? []);

/** The stored value of a field of a linked post; empty if its type has no such field. */
export function linkedText(post: Post, name: string): string {
  const fields: Fields = Object.values(LINKED).find(({ type }) => type === post.type)?.fields ?? {};
  return Object.hasOwn(fields, name) ? readText(post, fields[name]) : '';
}

/** The meta of an event with these linked posts of one kind. */
export const writeLinks = (meta: MetaRow[], kind: LinkedKind, ids: readonly number[]): MetaRow[] =>
  withMeta(meta, LINKED[kind].link.key, ids.map(String));

/** The context of the reader. */
interface LinkReader {
  site: Pick<Site, 'quirks' | 'registry'>;
  user: User | null;
  related: Pick<Related, 'posts'>;
}

/** A linked post by id, if events show it. TEC: in every status. */
export function shownLinkedPost(id: number, kind: LinkedKind, { site, user, related }: LinkReader): Post | null {
  const post = linkedPost(id, kind, related);
  return post && (site.quirks.has('linked-posts-ignore-status') || canRead(user, post, site.registry)) ? post : null;
}

/** The linked posts of one kind that an event shows. */
export const shownLinked = (event: Post, kind: LinkedKind, reader: LinkReader): Post[] =>
  linkedIds(event, kind).flatMap((id) => shownLinkedPost(id, kind, reader) ?? []);
