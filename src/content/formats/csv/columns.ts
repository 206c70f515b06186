import { ucfirst } from '../../../php/cast.js';
import { EVENT_FIELDS } from '../../../tec/event.js';
import type { Fields } from '../../../tec/field.js';
import { LINKED, LINKED_KINDS, type LinkedKind } from '../../../tec/linked.js';
import { exchangedFields } from '../../fields.js';
import type { Problems } from '../../problems.js';
import { readList } from './values.js';

/** What a CSV file has one row of. TEC: each kind has an importer of its own. */
export type CsvKind = 'events' | (typeof LINKED)[LinkedKind]['column'];

const LINKED_BY_COLUMN = new Map<string, LinkedKind>(LINKED_KINDS.map((kind) => [LINKED[kind].column, kind]));

export const CSV_KINDS: readonly CsvKind[] = ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column)];

/** The linked kind that a CSV kind is; undefined for events. */
export const linkedKindOf = (kind: CsvKind): LinkedKind | undefined => LINKED_BY_COLUMN.get(kind);

interface Column {
  /** The title that the plugin documents, which the writer uses. */
  title: string;
  /** Other titles that are understood. */
  also?: readonly string[];
  /** Understood and without effect here. */
  idle?: boolean;
  /** The reader appends it to this column; the writer leaves it out. */
  continues?: string;
}

type Columns = Readonly<Record<string, Column>>;

/** The columns of the fields of a table, by the names that `--map` takes. */
const columnsOfFields = (table: Fields): Columns =>
  Object.fromEntries(exchangedFields(table).map(({ called, field: { csv: [title = '', ...also] = [] } }) => [called, { title, also }]));

const EVENT_COLUMNS: Columns = {
  title: { title: 'Event Name', also: ['Event Title', 'Title', 'Name', 'Summary', 'Subject'] },
  description: { title: 'Event Description', also: ['Description', 'Content', 'Details'] },
  excerpt: { title: 'Event Excerpt', also: ['Excerpt'] },
  start_date: { title: 'Event Start Date', also: ['Start Date', 'Start', 'Date', 'Event Date'] },
  start_time: { title: 'Event Start Time', also: ['Start Time', 'Time'] },
  end_date: { title: 'Event End Date', also: ['End Date', 'End'] },
  end_time: { title: 'Event End Time', also: ['End Time'] },
  ...columnsOfFields(EVENT_FIELDS),
  sticky: { title: 'Sticky in Month View', also: ['Event Sticky in Month View', 'Sticky'] },
  categories: { title: 'Event Category', also: ['Event Categories', 'Category', 'Categories'] },
  tags: { title: 'Event Tags', also: ['Event Tag', 'Tags', 'Tag'] },
  image: { title: 'Event Featured Image', also: ['Featured Image', 'Image'], idle: true },
  comments: { title: 'Allow Comments', also: ['Event Allow Comments'], idle: true },
  pings: { title: 'Allow Trackbacks and Pingbacks', also: ['Event Allow Trackbacks and Pingbacks'], idle: true },
};

/** Columns of one kind only. */
const FURTHER: Readonly<Record<string, Columns>> = {
  venue: {
    address2: { title: 'Venue Address 2', also: ['Address 2'], continues: 'address' },
    overwrite: { title: 'Venue Overwrite', also: ['Venue Overwrite Coords'], idle: true },
  },
};

function linkedColumns(kind: LinkedKind): Columns {
  const name = ucfirst(kind);
  return {
    title: { title: `${name} Name`, also: ['Name', name, 'Title'] },
    description: { title: `${name} Description`, also: ['Description'] },
    ...columnsOfFields(LINKED[kind].fields),
    ...FURTHER[kind],
    image: { title: `${name} Featured Image`, also: ['Featured Image', 'Image'], idle: true },
  };
}

const COLUMNS = new Map<CsvKind, Columns>([
  ['events', EVENT_COLUMNS],
  ...LINKED_KINDS.map((kind): [CsvKind, Columns] => [LINKED[kind].column, linkedColumns(kind)]),
]);

/** The columns of a kind by name, in the order in which they are written. */
export const columnsOf = (kind: CsvKind): Columns => COLUMNS.get(kind) ?? {};

/** Titles are compared by their letters and digits. */
const fold = (title: string): string => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** The columns that tell a kind: a header that has all of them is of that kind. */
const TELLING: readonly (readonly [CsvKind, readonly string[]])[] = [
  ['events', ['title', 'start_date']],
  ...LINKED_KINDS.map((kind): [CsvKind, string[]] => [LINKED[kind].column, ['title']]),
];

/** The kind that a header tells, by the titles that the plugin documents, or undefined. */
export function kindOfHeader(header: readonly string[]): CsvKind | undefined {
  const folded = new Set(header.map(fold));
  const has = ({ title, also = [] }: Column, others: boolean): boolean =>
    [title, ...(others ? also : [])].some((text) => folded.has(fold(text)));
  const plain = TELLING.find(([kind, names]) => names.every((name) => has(columnsOf(kind)[name], false)))?.[0];
  const { title, start_date: start } = EVENT_COLUMNS;
  return plain ?? (has(title, true) && has(start, true) ? 'events' : undefined);
}

/** A column of a file: which field it is, or null for one that is not read. */
export interface MappedColumn {
  title: string;
  field: string | null;
  /** Known, but without effect here. */
  idle: boolean;
}

/**
 * `Column=field`, with commas or line ends between them; a field is named as in the tables above or by one of its titles,
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
  if (name in columns) return name;
  return Object.keys(columns).find((field) =>
    [columns[field].title, ...(columns[field].also ?? [])].some((title) => fold(title) === fold(name)),
  );
}

/**
 * Which field each column of a header is.
 * @param map what the user says of some of them
 * @param problems receives unknown columns and fields, and fields that occur twice
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
