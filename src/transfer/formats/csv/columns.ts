import { ucfirst } from '../../../base/php/cast.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, type LinkedKind, type Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { exchangedFields } from '../../fields.js';
import type { Problems } from '../../source.js';
import { namesOf } from '../../../base/values/records.js';
import HEADINGS from './headings.json' with { type: 'json' };
import { readList } from './values.js';

/** The kind of rows in a CSV file. TEC: each kind has its own importer. */
export type CsvKind = 'events' | (typeof LINKED)[LinkedKind]['column'];

const LINKED_BY_COLUMN = new Map<string, LinkedKind>(LINKED_KINDS.map((kind) => [LINKED[kind].column, kind]));

export const CSV_KINDS: readonly CsvKind[] = ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column)];

/** The linked kind of a CSV kind; undefined for events. */
export const linkedKindOf = (kind: CsvKind): LinkedKind | undefined => LINKED_BY_COLUMN.get(kind);

interface Column {
  /** The title that the plugin documents; used for writing. */
  title: string;
  /** Other accepted titles. */
  also?: readonly string[];
  /** Accepted but ignored. */
  ignored?: boolean;
  /** The column that the reader appends this one to; not written. */
  continues?: string;
}

type Columns = Readonly<Record<string, Column>>;

/** The columns of the fields of a table, by the names that `--map` accepts. */
const columnsOfFields = (table: Fields): Columns =>
  Object.fromEntries(
    exchangedFields(table).map(({ formatName, field: { csv: [title = '', ...also] = [] } }) => [formatName, { title, also }]),
  );

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
  image: { title: 'Featured Image', also: ['Event Featured Image', 'Image'], ignored: true },
  comments: { title: 'Allow Comments', also: ['Event Allow Comments'], ignored: true },
  pings: { title: 'Allow Trackbacks and Pingbacks', also: ['Event Allow Trackbacks and Pingbacks'], ignored: true },
};

/** Additional columns of single kinds. */
const EXTRA_COLUMNS: Readonly<Record<string, Columns>> = {
  venue: {
    address2: { title: 'Venue Address 2', also: ['Address 2'], continues: 'address' },
    overwrite: { title: 'Venue Overwrite', also: ['Venue Overwrite Coords'], ignored: true },
  },
};

function linkedColumns(kind: LinkedKind): Columns {
  const name = ucfirst(kind);
  return {
    title: { title: `${name} Name`, also: ['Name', name, 'Title'] },
    description: { title: `${name} Description`, also: ['Description'] },
    ...columnsOfFields(LINKED[kind].fields),
    ...EXTRA_COLUMNS[kind],
    image: { title: `${name} Featured Image`, also: ['Featured Image', 'Image'], ignored: true },
  };
}

/** Columns that are also accepted with titles in German, French, Spanish and Portuguese. */
function translated(kind: CsvKind, columns: Columns): [CsvKind, Columns] {
  const headings: Readonly<Record<string, readonly string[]>> = HEADINGS[kind];
  return [
    kind,
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [name, { ...column, also: [...(column.also ?? []), ...(headings[name] ?? [])] }]),
    ),
  ];
}

const COLUMNS = new Map<CsvKind, Columns>([
  translated('events', EVENT_COLUMNS),
  ...LINKED_KINDS.map((kind) => translated(LINKED[kind].column, linkedColumns(kind))),
]);

/** The columns of a kind by name, in output order. */
export const csvColumnsOf = (kind: CsvKind): Columns => COLUMNS.get(kind) ?? {};

/** Normalizes a title for comparison: only letters, without their accents, and digits count. */
const fold = (title: string): string =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const hasColumn = (folded: ReadonlySet<string>, { title, also = [] }: Column, others: boolean): boolean =>
  [title, ...(others ? also : [])].some((text) => folded.has(fold(text)));

/** Detects the kind from the titles of a header: only events have a start. Then, documented titles of names count. */
export function kindOfHeader(header: readonly string[]): CsvKind | undefined {
  const folded = new Set(header.map(fold));
  const { title, start_date: start } = csvColumnsOf('events');
  const isEvents = hasColumn(folded, start, true) && (hasColumn(folded, title, true) || hasColumn(folded, start, false));
  const named = CSV_KINDS.filter((kind) => hasColumn(folded, csvColumnsOf(kind)['title'], false));
  return isEvents ? 'events' : named.length === 1 ? named[0] : undefined;
}

/** The kind with the most columns that no other kind has. */
export function kindOfOwn(header: readonly string[]): CsvKind | undefined {
  const own = header.flatMap((title) => {
    const kinds = kindsWith([title]);
    return kinds.length === 1 ? kinds : [];
  });
  const count = (kind: CsvKind): number => own.filter((each) => each === kind).length;
  const [first, second] = CSV_KINDS.toSorted((a, b) => count(b) - count(a));
  return count(first) > count(second) ? first : undefined;
}

const kindsWith = (fields: readonly string[]): CsvKind[] =>
  fields.length === 0 ? [] : CSV_KINDS.filter((kind) => fields.every((field) => fieldNamed(kind, field) !== undefined));

/** The only kind that has all columns of a header. */
export function kindOfAll(header: readonly string[]): CsvKind | undefined {
  const kinds = kindsWith(header);
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** The kind that has all fields of a map. Events have a start; of the others, only one may have all. */
export function kindOfMap(map: readonly { field: string }[]): CsvKind | undefined {
  const fields = map.flatMap(({ field }) => (field === '-' ? [] : [field]));
  const kinds = kindsWith(fields);
  const isEvents = kinds.includes('events') && fields.some((field) => fieldNamed('events', field) === 'start_date');
  return isEvents ? 'events' : kinds.length === 1 ? kinds[0] : undefined;
}

/** Titles of a moment: of its time, if another column has the day. */
const MOMENTS = {
  start_time: ['Start', 'Beginn', 'Anfang', 'Début', 'Inicio', 'Início'].map(fold),
  end_time: ['End', 'Ende', 'Fin', 'Fim', 'Término'].map(fold),
} as const;

function fieldOfTitle(title: string, fields: ReadonlyMap<string, string>, header: readonly string[]): string | null {
  const field = fields.get(title) ?? null;
  const hasDay = header.some((other) => fields.get(other) === 'start_date' && !MOMENTS.start_time.includes(other));
  const moment = namesOf(MOMENTS).find((name) => MOMENTS[name].includes(title));
  const isTaken = header.some((other) => other !== title && fields.get(other) === moment);
  return field !== null && moment !== undefined && hasDay && !isTaken ? moment : field;
}

/** A column of a file with its field, or null for a column that is not read. */
export interface MappedColumn {
  title: string;
  field: string | null;
  /** Accepted but ignored. */
  ignored: boolean;
}

/**
 * Parses `Column=field` pairs separated by commas or line breaks. A field is a name from the tables above or one of its titles; `-` skips
 * the column.
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
  const columns = csvColumnsOf(kind);
  if (name in columns) return name;
  return Object.keys(columns).find((field) =>
    [columns[field].title, ...(columns[field].also ?? [])].some((title) => fold(title) === fold(name)),
  );
}

/**
 * Maps the columns of a header to fields.
 * @param map mappings by the user, which take precedence
 * @param problems receives unknown columns and fields, and duplicate fields
 */
export function mapColumns(
  kind: CsvKind,
  header: readonly string[],
  map: readonly { column: string; field: string }[],
  problems: Problems,
): MappedColumn[] {
  const columns = csvColumnsOf(kind);
  const byTitle = new Map(
    Object.entries(columns).flatMap(([field, { title, also = [] }]) => [title, ...also].map((text) => [fold(text), field] as const)),
  );
  const wanted = new Map<string, string | null>();
  for (const { column, field } of map) {
    const found = field === '-' ? null : fieldNamed(kind, field);
    if (!header.some((title) => fold(title) === fold(column))) {
      problems.add(`--map ${column}`, `unknown column. The columns are ${header.join(', ')}`);
    } else if (found === undefined) {
      problems.add(`--map ${column}=${field}`, `unknown field. The fields of ${kind} are ${Object.keys(columns).join(', ')}`);
    } else {
      wanted.set(fold(column), found);
    }
  }
  const chosen = new Set([...wanted.values()]);
  const folded = header.map(fold);
  const mapped = header.map((title, index): MappedColumn => {
    const asked = wanted.get(folded[index]);
    const known = fieldOfTitle(folded[index], byTitle, folded);
    const field = asked !== undefined ? asked : known !== null && chosen.has(known) ? null : known;
    return { title, field, ignored: field !== null && columns[field].ignored === true };
  });
  // A documented column of a field is read, or else the first one.
  const isChosen = ({ title }: MappedColumn): boolean => wanted.has(fold(title));
  const isDocumented = ({ title, field }: MappedColumn): boolean => field !== null && fold(columns[field].title) === fold(title);
  const read = mapped.map((column): MappedColumn => {
    const same = mapped.filter(({ field }) => field === column.field);
    const first = same.find(isChosen) ?? same.find(isDocumented) ?? same[0];
    if (column.field === null || column === first) return column;
    if (isChosen(column))
      problems.add(column.title, `is the same field (${column.field}) as ${first.title}. Skip one of them with --map "${column.title}=-"`);
    return { ...column, field: null };
  });
  for (const needed of ['title', ...(kind === 'events' ? ['start_date'] : [])])
    if (!read.some(({ field }) => field === needed))
      problems.add('header', `the column ${columns[needed].title} is missing. Set it with --map "Column=${needed}"`);
  return read;
}

/** Describes for the user how each column is interpreted. */
export const describeColumns = (kind: CsvKind, columns: readonly MappedColumn[]): string[] => [
  `Read as ${kind}:`,
  ...columns.map(({ title, field, ignored }) => {
    if (field === null) return `  ${title}: not read`;
    return `  ${title}: ${field}${ignored ? ' (ignored)' : ''}`;
  }),
];
