import { readList } from './values.js';
import type { Problems } from '../../problems.js';

/** What a CSV file has one row of. TEC: each kind has an importer of its own. */
export const CSV_KINDS = ['events', 'venues', 'organizers'] as const;
export type CsvKind = (typeof CSV_KINDS)[number];

interface Column {
  /** The title that the plugin documents, which the writer uses. */
  title: string;
  /** Other titles that are understood. */
  also?: readonly string[];
  /** Understood and of no effect here. */
  idle?: boolean;
}

/** The columns of each kind by the name that `--map` takes, in the order in which they are written. */
export const COLUMNS = {
  events: {
    title: { title: 'Event Name', also: ['Event Title', 'Title', 'Name', 'Summary', 'Subject'] },
    description: { title: 'Event Description', also: ['Description', 'Content', 'Details'] },
    excerpt: { title: 'Event Excerpt', also: ['Excerpt'] },
    start_date: { title: 'Event Start Date', also: ['Start Date', 'Start', 'Date', 'Event Date'] },
    start_time: { title: 'Event Start Time', also: ['Start Time', 'Time'] },
    end_date: { title: 'Event End Date', also: ['End Date', 'End'] },
    end_time: { title: 'Event End Time', also: ['End Time'] },
    all_day: { title: 'All Day Event', also: ['All Day', 'Event All Day'] },
    timezone: { title: 'Timezone', also: ['Event Timezone', 'Time Zone', 'Event Time Zone'] },
    hidden: { title: 'Hide From Event Listings', also: ['Hide Event From Event Listings', 'Hide From Listings', 'Hide From Upcoming'] },
    sticky: { title: 'Sticky in Month View', also: ['Event Sticky in Month View', 'Sticky'] },
    featured: { title: 'Feature Event', also: ['Featured Event', 'Featured'] },
    venue: { title: 'Event Venue Name', also: ['Venue Name', 'Venue', 'Event Venue', 'Location'] },
    organizers: {
      title: 'Event Organizer Name(s) or ID(s)',
      also: [
        'Event Organizer Names',
        'Event Organizer Name',
        'Organizer Name',
        'Organizer Names',
        'Organizer',
        'Organizers',
        'Event Organizer',
      ],
    },
    show_map_link: { title: 'Event Show Map Link', also: ['Show Map Link'] },
    show_map: { title: 'Event Show Map', also: ['Show Map'] },
    cost: { title: 'Event Cost', also: ['Cost', 'Price'] },
    currency_symbol: { title: 'Event Currency Symbol', also: ['Currency Symbol'] },
    currency_position: { title: 'Event Currency Position', also: ['Currency Position'] },
    currency_code: { title: 'Event ISO Currency Code', also: ['ISO Currency Code', 'Event Currency Code', 'Currency Code'] },
    categories: { title: 'Event Category', also: ['Event Categories', 'Category', 'Categories'] },
    tags: { title: 'Event Tags', also: ['Event Tag', 'Tags', 'Tag'] },
    website: { title: 'Event Website', also: ['Website', 'URL', 'Event URL', 'Link'] },
    image: { title: 'Event Featured Image', also: ['Featured Image', 'Image'], idle: true },
    comments: { title: 'Allow Comments', also: ['Event Allow Comments'], idle: true },
    pings: { title: 'Allow Trackbacks and Pingbacks', also: ['Event Allow Trackbacks and Pingbacks'], idle: true },
  },
  venues: {
    title: { title: 'Venue Name', also: ['Name', 'Venue', 'Title'] },
    description: { title: 'Venue Description', also: ['Description'] },
    country: { title: 'Venue Country', also: ['Country'] },
    address: { title: 'Venue Address', also: ['Address', 'Street'] },
    address2: { title: 'Venue Address 2', also: ['Address 2'] },
    city: { title: 'Venue City', also: ['City'] },
    state: { title: 'Venue State/Province', also: ['State', 'Province', 'State/Province', 'Venue State', 'Venue Province'] },
    zip: { title: 'Venue Zip', also: ['Zip', 'Zip Code', 'Postal Code', 'Venue Postal Code'] },
    phone: { title: 'Venue Phone', also: ['Phone', 'Telephone'] },
    website: { title: 'Venue Website', also: ['Website', 'URL', 'Venue URL'] },
    lat: { title: 'Venue Latitude', also: ['Latitude', 'Lat'] },
    lng: { title: 'Venue Longitude', also: ['Longitude', 'Lng', 'Long', 'Lon'] },
    overwrite: { title: 'Venue Overwrite', also: ['Venue Overwrite Coords'], idle: true },
    image: { title: 'Venue Featured Image', also: ['Featured Image', 'Image'], idle: true },
  },
  organizers: {
    title: { title: 'Organizer Name', also: ['Name', 'Organizer', 'Title'] },
    description: { title: 'Organizer Description', also: ['Description'] },
    email: { title: 'Organizer Email', also: ['Email', 'E-mail', 'Mail'] },
    website: { title: 'Organizer Website', also: ['Website', 'URL', 'Organizer URL'] },
    phone: { title: 'Organizer Phone', also: ['Phone', 'Telephone'] },
    image: { title: 'Organizer Featured Image', also: ['Featured Image', 'Image'], idle: true },
  },
} as const satisfies Record<CsvKind, Record<string, Column>>;

export type CsvField<K extends CsvKind> = keyof (typeof COLUMNS)[K] & string;

const columnsOf = (kind: CsvKind): Readonly<Record<string, Column>> => COLUMNS[kind];

/** Titles are compared by their letters and digits. */
const fold = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The columns of which a kind has all, and no other kind has. */
const TELLING: readonly (readonly [CsvKind, readonly string[]])[] = [
  ['events', ['Event Name', 'Event Start Date']],
  ['venues', ['Venue Name']],
  ['organizers', ['Organizer Name']],
];

/** The kind that a header tells, or undefined. */
export function kindOfHeader(header: readonly string[]): CsvKind | undefined {
  const folded = new Set(header.map(fold));
  const plain = TELLING.find(([, titles]) => titles.every((title) => folded.has(fold(title))))?.[0];
  if (plain) return plain;
  const has = (field: 'title' | 'start_date'): boolean =>
    [COLUMNS.events[field].title, ...COLUMNS.events[field].also].some((title) => folded.has(fold(title)));
  return has('title') && has('start_date') ? 'events' : undefined;
}

/** A column of a file: which field it is, or null for one that is not read. */
export interface MappedColumn {
  title: string;
  field: string | null;
  /** Known, but without effect here. */
  idle: boolean;
}

/**
 * `Column=field`, with commas or line ends between them; a field is named as in the tables above or by the title that the plugin documents,
 * `-` leaves a column out.
 */
export function parseMap(text: string): { column: string; field: string }[] {
  return text
    .split('\n')
    .flatMap((line) => readList(line))
    .map((part) => {
      const at = part.lastIndexOf('=');
      return { column: part.slice(0, at < 0 ? undefined : at).trim(), field: at < 0 ? '' : part.slice(at + 1).trim() };
    });
}

function fieldNamed(kind: CsvKind, name: string): string | undefined {
  const columns = columnsOf(kind);
  return Object.keys(columns).find((field) => field === name || fold(columns[field].title) === fold(name));
}

/**
 * Which field each column of a header is.
 * @param map what the user says of some of them
 * @param problems told of columns and fields that there are not, and of fields that there are twice
 */
export function mapColumns(
  kind: CsvKind,
  header: readonly string[],
  map: readonly { column: string; field: string }[],
  problems: Problems,
): MappedColumn[] {
  const columns = columnsOf(kind);
  const byTitle = new Map(
    Object.entries(columns).flatMap(([field, { title, also = [] }]) => [title, ...also].map((text) => [fold(text), field] as const)),
  );
  const wanted = new Map<string, string | null>();
  for (const { column, field } of map) {
    const found = field === '-' ? null : fieldNamed(kind, field);
    if (!header.some((title) => fold(title) === fold(column))) {
      problems.add(`--map ${column}`, `there is no such column; the file has ${header.join(', ')}`);
    } else if (found === undefined) {
      problems.add(`--map ${column}=${field}`, `${kind} have no such field; they have ${Object.keys(columns).join(', ')}`);
    } else {
      wanted.set(fold(column), found);
    }
  }
  const chosen = new Set([...wanted.values()]);
  const mapped = header.map((title): MappedColumn => {
    const asked = wanted.get(fold(title));
    const known = byTitle.get(fold(title)) ?? null;
    const field = asked !== undefined ? asked : known !== null && chosen.has(known) ? null : known;
    return { title, field, idle: field !== null && columns[field].idle === true };
  });
  mapped.forEach(({ title, field }, index) => {
    const first = mapped.findIndex((column) => column.field === field);
    if (field !== null && first < index) {
      problems.add(title, `is the same field (${field}) as ${mapped[first].title}; say which one counts: --map "${title}=-"`);
    }
  });
  if (!mapped.some(({ field }) => field === 'title')) {
    problems.add('header', `${kind} need a column ${columns['title'].title}; name it with --map "Column=title"`);
  }
  return mapped;
}

/** A sentence for each column, for people: what it is taken for. */
export const describeColumns = (kind: CsvKind, columns: readonly MappedColumn[]): string[] => [
  `Read as ${kind}:`,
  ...columns.map(({ title, field, idle }) => {
    if (field === null) return `  ${title}: not read; name its field with --map "${title}=FIELD"`;
    return `  ${title}: ${field}${idle ? ' (has no effect here)' : ''}`;
  }),
];
