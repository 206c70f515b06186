import { isEmpty, ucfirst } from '../../../base/php/cast.js';
import type { PostType, StartingBlock, RegisteredMeta, PostStatus } from '../../../wordpress/types/post-type.js';
import type { Registration } from '../../../wordpress/types/registrations.js';
import { EVENT_COLUMNS, VENUE_COLUMNS } from './columns.js';
import { addressWord } from './address-words.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, LINKED_TYPES, type LinkedKind, textFields, type Field, type Fields } from './event.js';
import { hasCalendarApi, USUAL_WORDS } from './options.js';
import { CALENDAR_EMBED, EVENT, EVENT_CATEGORY } from './names.js';
import { keptOccurrence } from './occurrence.js';
import { metaValue, metaValues, withMeta, type MetaRow } from '../../../wordpress/model.js';
import { toUtc } from '../../../wordpress/timezones.js';
import type { Zones } from '../../../base/php/timezone.js';
import { plainCost } from './cost.js';

const KINDS: Partial<Record<Field['kind'], RegisteredMeta['kind']>> = { flag: 'flag', ids: 'ids' };

const registered = (...fields: Field[]): RegisteredMeta[] => fields.map(({ key, kind }) => ({ key, kind: KINDS[kind] ?? 'text' }));

const text = (key: string): RegisteredMeta => ({ key, kind: 'text' });

const KINDS_OF_META = LINKED_KINDS.map((kind) => LINKED[kind]).toReversed();

const emailFirst = (table: Fields): Field[] =>
  Object.values(table).toSorted((a, b) => Number(b.kind === 'email') - Number(a.kind === 'email'));

/** TEC: registers its meta for posts at large, so every type with custom fields shows all of it, in this order. */
const SHARED_META: readonly RegisteredMeta[] = [
  ...registered(EVENT_FIELDS.all_day, EVENT_FIELDS.timezone, EVENT_FIELDS.start_date, EVENT_FIELDS.end_date),
  ...registered(EVENT_FIELDS.utc_start_date, EVENT_FIELDS.utc_end_date, EVENT_FIELDS.show_map, EVENT_FIELDS.show_map_link),
  ...registered(EVENT_FIELDS.website, EVENT_FIELDS.cost),
  text('_EventCostDescription'),
  ...registered(EVENT_FIELDS.currency_symbol, EVENT_FIELDS.currency_code, EVENT_FIELDS.currency_position),
  text('_EventDateTimeSeparator'),
  text('_EventTimeRangeSeparator'),
  ...registered(...KINDS_OF_META.map(({ link }) => link)),
  ...KINDS_OF_META.flatMap(({ fields }) => registered(...emailFirst(fields))),
];

/** The status of an event, and its reason. */
const EVENT_META: readonly RegisteredMeta[] = registered(EVENT_FIELDS.event_status, EVENT_FIELDS.event_status_reason);

const { cost, start_date: start, end_date: end, utc_start_date: startUtc, utc_end_date: endUtc, timezone } = EVENT_FIELDS;

/**
 * The meta of an event after an update through `wp/v2`. TEC: every update stores the cost as it is shown, without the currency symbol, and
 * recomputes the UTC of a date that has changed.
 */
function afterCoreUpdate(before: MetaRow[], after: MetaRow[], { siteZone, zones }: { siteZone: string; zones: Zones }): MetaRow[] {
  const shown = plainCost(metaValues({ meta: after }, cost.key));
  const zone = metaValue({ meta: after }, timezone.key) || siteZone;
  const edges = [
    { local: start.key, utc: startUtc.key },
    { local: end.key, utc: endUtc.key },
  ];
  return edges.reduce(
    (rows, { local, utc }) => {
      const [old, value] = [before, after].map((meta) => metaValue({ meta }, local));
      return old === undefined || !value || old === value ? rows : withMeta(rows, utc, [toUtc(zones, value, zone)]);
    },
    shown === '' ? after : withMeta(after, cost.key, [shown]),
  );
}

const SUPPORTS = ['title', 'editor', 'excerpt', 'author', 'thumbnail', 'revisions', 'autosave', 'custom-fields'];

const TAXONOMIES = ['post_tag', EVENT_CATEGORY];

const EVENT_CAPABILITY = ['tribe_event', 'tribe_events'] as const;

const searchedKeys = (fields: Fields): string[] =>
  textFields(fields)
    .filter(([, { searched }]) => searched)
    .map(([, { key }]) => key);

/** The post type of a linked kind. TEC: without pages, and with its name as label everywhere. */
function linkedType(kind: LinkedKind): PostType {
  const { type, column, fields } = LINKED[kind];
  const isPlace = Object.values(fields).some((field: Field) => field.kind === 'coordinate');
  return {
    name: type,
    label: ucfirst(column),
    singular: ucfirst(kind),
    base: type,
    capability: [type, `${type}s`],
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: SUPPORTS,
    searched: searchedKeys(fields),
    ...(isPlace ? { columns: VENUE_COLUMNS } : {}),
    folder: (options) => addressWord(kind, options),
  };
}

/** TEC: statuses of its imports; posts that have one count as public. */
const imported = (name: string, label: string): PostStatus => ({ name: `tribe-ea-${name}`, label, isPublic: true });

const STATUSES: readonly PostStatus[] = [
  // From Action Scheduler, which the plugin includes.
  { name: 'in-progress', label: 'In-Progress' },
  { name: 'failed', label: 'Failed' },
  imported('success', 'Imported'),
  imported('failed', 'Failed'),
  imported('schedule', 'Schedule'),
  imported('pending', 'Pending'),
  imported('draft', 'Draft'),
  { name: 'tribe-ignored', label: 'Ignored', isUnlisted: true },
];

/** TEC: the blocks of a new event. */
const STARTING_BLOCKS: readonly StartingBlock[] = [
  ['tribe/event-datetime'],
  ['core/paragraph', { placeholder: 'Add Description...' }],
  ['tribe/event-price'],
  ['tribe/event-organizer'],
  ['tribe/event-venue'],
  ['tribe/event-website'],
  ['tribe/event-links'],
];

const TYPES: readonly PostType[] = [
  ...LINKED_KINDS.map(linkedType),
  {
    name: EVENT,
    label: 'Events',
    singular: 'Event',
    base: 'tribe_events',
    icon: 'dashicons-calendar',
    startingBlocks: STARTING_BLOCKS,
    archive: ({ calendar }) => calendar.eventsSlug,
    taxonomies: TAXONOMIES,
    capability: EVENT_CAPABILITY,
    viewable: true,
    inMenus: true,
    inAdmin: true,
    supports: SUPPORTS,
    supportsUnder: { comments: 'events-have-comments' },
    takesComments: { quirk: 'events-have-comments', when: ({ calendar }) => !isEmpty(calendar.showComments) },
    meta: EVENT_META,
    embeddedFlags: [EVENT_FIELDS.all_day.key],
    // TEC: lists exclude past events; their local time is compared with site time, in every zone.
    listClauses: (now) => ({ dates: [{ column: 'end', operator: '$gte', value: now }] }),
    // TEC: supports orders by column only, and otherwise orders by start.
    ownOrder: 'start',
    afterCoreUpdate,
    searched: [],
    columns: EVENT_COLUMNS,
    carry: keptOccurrence,
    references: LINKED_KINDS.map((kind) => LINKED[kind].column),
    folder: ({ calendar }) => calendar.singleEventSlug,
    usualFolder: USUAL_WORDS.singleEventSlug,
  },
  {
    name: CALENDAR_EMBED,
    label: 'Calendar Embeds',
    singular: 'Calendar Embed',
    base: 'tec_calendar_embed',
    absentUnder: 'no-calendar-embeds',
    taxonomies: TAXONOMIES,
    capability: EVENT_CAPABILITY,
    viewable: false,
    inMenus: false,
    inAdmin: true,
    supports: ['title'],
    searched: [],
    folder: ({ calendar }) => calendar.singleEventSlug,
  },
];

export const POST_TYPES: Registration = {
  types: TYPES,
  taxonomies: [
    {
      name: EVENT_CATEGORY,
      label: 'Event Categories',
      singular: 'Event Category',
      base: 'tribe_events_cat',
      hierarchical: true,
      capabilities: ['publish_tribe_events', 'publish_tribe_events', 'publish_tribe_events', 'edit_tribe_events'],
      isPublic: true,
      adminColumn: false,
      styled: 'cat',
      folder: (options) => `${options.calendar.eventsSlug}/${addressWord('category', options)}`,
      isOutsideRest: (options) => !hasCalendarApi(options),
    },
  ],
  statuses: STATUSES,
  hiddenTypes: ['tribe-ea-record', 'deleted_event'],
  families: ['tribe_events', ...LINKED_TYPES.map((type) => `${type}s`), 'aggregator-records'],
  meta: SHARED_META,
  templates: ['archive-events', 'single-event'],
};
