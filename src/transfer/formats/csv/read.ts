import type { Zones } from '../../../base/php/timezone.js';
import { newestZones } from '../../../base/php/zone-data.js';
import { EVENT_FIELDS, LINKED, LINKED_KINDS, flagFields } from '../../../plugins/the-events-calendar/model/event.js';
import type { LinkedKind, Field, Fields } from '../../../plugins/the-events-calendar/model/event.js';
import { Clock } from '../../../wordpress/clock.js';
import { TAG } from '../../../wordpress/model.js';
import { EVENT_CATEGORY } from '../../../plugins/the-events-calendar/model/index.js';
import { isTimezoneOrEmpty } from '../../../wordpress/timezones.js';
import { DocumentBuilder } from '../../documents.js';
import { exchangedFields, linkName, type Value, type WallTimes } from '../../fields.js';
import { type SourceItem, Problems, type SourcePlace } from '../../source.js';
import { leaving, type Open, type ReadOptions } from '../format.js';
import {
  CSV_KINDS,
  describeColumns,
  kindOfAll,
  kindOfHeader,
  kindOfMap,
  kindOfOwn,
  linkedKindOf,
  mapColumns,
  parseMap,
  type CsvKind,
  type MappedColumn,
  csvColumnsOf,
} from './columns.js';
import { delimiterOf, firstRows, headOf, records, positionOf, type CsvRecord } from './records.js';
import { dateFormat, isWall, readDay, readList, readTime, readFlagText } from './values.js';

/** Where a row comes from. */
interface RowSource {
  /** Receives what is left out. */
  leave: (problem: string, at?: SourcePlace) => void;
  file: string;
  delimiter: string;
}

/** A row, accessed by field name. */
export class Row {
  constructor(
    private readonly kind: CsvKind,
    private readonly columns: readonly MappedColumn[],
    private readonly record: CsvRecord,
    private readonly source: RowSource,
  ) {}

  /** Whether the row can be read. Otherwise reports why. TEC: cells without a title are dropped. */
  isSound(): boolean {
    const { cells, isBroken } = this.record;
    const { length } = this.columns;
    const extra = cells.findIndex((cell, index) => index >= length && cell.trim() !== '');
    const garbled = cells.findIndex((cell) => cell.includes('\uFFFD'));
    const { leave } = this.source;
    if (isBroken) leave('a quote is not closed. Double the quotes in a quoted cell', this.at());
    else if (garbled >= 0) leave('the text is not UTF-8. Save the file as "CSV UTF-8"', this.place(garbled));
    else if (extra >= 0)
      leave(
        `cells without a title: the row has ${cells.length}, the header ${length}. Quote cells that contain the delimiter`,
        this.place(extra),
      );
    return !isBroken && garbled < 0;
  }

  private place(cell: number): SourcePlace {
    const { file, delimiter } = this.source;
    const path = this.columns[cell]?.title;
    return { file, ...positionOf(this.record, delimiter, cell), ...(path ? { path } : {}) };
  }

  private index(field: string): number {
    return this.columns.findIndex((column) => column.field === field);
  }

  text(field: string): string {
    return (this.record.cells[this.index(field)] ?? '').trim();
  }

  /** The untrimmed text of a field. */
  raw(field: string): string {
    return this.record.cells[this.index(field)] ?? '';
  }

  /** The text of a field, joined with the columns that continue it. */
  joined(field: string): string {
    const further = Object.entries(csvColumnsOf(this.kind)).filter(([, { continues }]) => continues === field);
    return [field, ...further.map(([name]) => name)]
      .map((name) => this.text(name))
      .filter((text) => text !== '')
      .join(' ');
  }

  at(field?: string): SourcePlace {
    const { source, record } = this;
    const index = field === undefined ? -1 : this.index(field);
    if (index >= 0) return this.place(index);
    const path = field && csvColumnsOf(this.kind)[field].title;
    return { file: source.file, line: record.line, ...(path ? { path } : {}) };
  }

  problem(field: string, message: string): undefined {
    this.source.leave(message, this.at(field));
    return undefined;
  }

  /** The value of a cell: `fallback` if it is empty; undefined, with a problem reported, if it is invalid. */
  read<T>(field: string, read: (text: string) => T | undefined, fallback: T, what: string): T | undefined {
    const text = this.text(field);
    if (text === '') return fallback;
    const value = read(text);
    return value === undefined ? this.problem(field, `invalid value "${text}". Use ${what}`) : value;
  }

  /** A flag. One that is invalid is reported, and off. */
  flag(field: string): boolean {
    return this.read(field, readFlagText, false, 'yes or no (TRUE, FALSE, 1, 0)') ?? false;
  }
}

const TIME = 'a time of day such as 19:30 or 7:30 pm';

const DEGREES = /^[+-]?\d+(?:\.\d+)?$/;

/** Event fields that are read together with its dates. */
const TIME_FIELDS: readonly string[] = ['all_day', 'timezone'];

/** Converts rows of one kind to documents. */
class CsvReader {
  private readonly documents: DocumentBuilder;
  private readonly now: number;
  private readonly zone: string;
  private readonly zones: Zones;
  private readonly format?: RegExp;

  constructor(
    private readonly kind: CsvKind,
    private readonly options: ReadOptions,
  ) {
    this.zone = options.zone ?? 'UTC';
    this.zones = options.zones ?? newestZones();
    this.documents = new DocumentBuilder(options.now, this.zone, this.zones);
    this.now = new Clock(options.now).seconds();
    const format = options.settings?.['date-format'];
    this.format = format === undefined ? undefined : dateFormat(format);
  }

  items(row: Row): SourceItem[] {
    const kind = linkedKindOf(this.kind);
    return kind === undefined ? this.event(row) : this.linked(kind, row);
  }

  private linked(kind: LinkedKind, row: Row): SourceItem[] {
    const title = row.text('title') || row.problem('title', 'is missing');
    if (title === undefined) return [];
    const values = this.values(row, LINKED[kind].fields);
    // TEC: the region is stored as both.
    const { stateprovince: region } = values;
    const regions = region === undefined ? {} : { state: region, province: region };
    const post = this.documents.linked(kind, { title, content: row.raw('description'), values: { ...values, ...regions } });
    return [{ kind: 'post', post, at: row.at() }];
  }

  private event(row: Row): SourceItem[] {
    const title = row.text('title') || row.problem('title', 'is missing');
    const times = this.times(row);
    if (title === undefined || !times) return [];
    const values = this.values(row, EVENT_FIELDS);
    const ids = (named: readonly { id: number }[]): number[] => [...new Set(named.map(({ id }) => id))];
    const linked = LINKED_KINDS.map((kind) => ({ kind, named: this.linkedTo(kind, row) }));
    const terms = (field: 'categories' | 'tags', taxonomy: string) =>
      readList(row.text(field)).flatMap((name) => this.documents.namedTerm(taxonomy, name, row.at(field)) ?? []);
    const [categories, tags] = [terms('categories', EVENT_CATEGORY), terms('tags', TAG)];
    const post = this.documents.event({
      times,
      title,
      content: row.raw('description'),
      excerpt: row.raw('excerpt'),
      status: this.options.settings?.['status'] ?? 'publish',
      values: { ...values, ...Object.fromEntries(linked.map(({ kind, named }) => [kind, ids(named)])) },
      categories: ids(categories),
      tags: ids(tags),
      sticky: row.flag('sticky'),
    });
    // TEC: an empty website is stored, too.
    if (values['website'] === '') post.meta.push({ key: EVENT_FIELDS.website.key, value: '' });
    const named = [...linked.flatMap((each) => each.named), ...categories, ...tags].flatMap(({ items }) => items);
    return [...named, { kind: 'post', post, at: row.at() }];
  }

  /** The linked posts of one kind that an event names. */
  private linkedTo(kind: LinkedKind, row: Row) {
    const { many } = LINKED[kind];
    const formatName = linkName(kind);
    const text = row.text(formatName);
    const names = many ? readList(text) : text === '' ? [] : [text];
    return names.map((title) => this.documents.namedLinked(kind, { title }, row.at(formatName)));
  }

  /** The values of the fields of a table that are valid; others are reported. TEC: flags without a value are off, whatever their default. */
  private values(row: Row, table: Fields): Record<string, Value> {
    const fields = exchangedFields(table).filter(({ name, field }) => field.kind !== 'ids' && !TIME_FIELDS.includes(name));
    const read = fields.map(({ name, formatName, field }) => [name, this.value(row, formatName, field)] as const);
    return {
      ...Object.fromEntries(flagFields(table).map(([name]) => [name, false])),
      ...Object.fromEntries(read.filter((entry): entry is [string, Value] => entry[1] !== undefined)),
    };
  }

  private value(row: Row, formatName: string, field: Field): Value | undefined {
    if (field.kind === 'flag') return row.flag(formatName);
    if (field === EVENT_FIELDS.currency_position) return row.read(formatName, readPosition, '', 'prefix or suffix');
    if (field.kind !== 'coordinate') return row.joined(formatName);
    const { most } = field;
    const inRange = (text: string): string | undefined => (DEGREES.test(text) && Math.abs(Number(text)) <= most ? text : undefined);
    return row.read(formatName, inRange, '', `a number of degrees up to ${most}`);
  }

  private times(row: Row): WallTimes | undefined {
    const known = (text: string): string | undefined => (isTimezoneOrEmpty(this.zones, text) ? text : undefined);
    const timezone = row.read('timezone', known, this.zone, 'a time zone such as Europe/Berlin or UTC+5.5') ?? this.zone;
    const allDay = row.flag('all_day');
    const [startTime, endTime] = [row.read('start_time', readTime, '', TIME), row.read('end_time', readTime, '', TIME)];
    const reading = { now: this.now, timezone, zones: this.zones, format: this.format };
    const day = (field: 'start_date' | 'end_date') => row.read(field, (text) => checked(readDay(text, reading)), '', this.dateHelp());
    const [startDay, endDay] = [day('start_date'), day('end_date')];
    if (startDay === '') return row.problem('start_date', 'is missing');
    if ([startTime, endTime, endDay].includes(undefined) || startDay === undefined) return undefined;
    const start = startTime ? `${startDay.slice(0, 10)} ${startTime}` : startDay;
    const lastDay = endDay || startDay;
    // Without an end time, the event ends at its start time, on the end day if there is one.
    const end = endTime
      ? `${lastDay.slice(0, 10)} ${endTime}`
      : endDay && !endDay.endsWith('00:00:00')
        ? endDay
        : `${lastDay.slice(0, 10)}${start.slice(10)}`;
    const whole = allDay ? { start: `${start.slice(0, 10)} 00:00:00`, end: `${end.slice(0, 10)} 23:59:59` } : { start, end };
    if (whole.end < whole.start)
      return row.problem(endDay ? 'end_date' : 'end_time', `the event ends (${whole.end}) before it starts (${whole.start})`);
    return { ...whole, timezone, allDay };
  }

  private dateHelp(): string {
    const format = this.options.settings?.['date-format'];
    return format === undefined
      ? 'a date such as 2026-08-01 (8/1/2026 is read month first; set another order with --date-format, such as d/m/Y)'
      : `a date of the form ${format}`;
  }
}

const checked = (wall: string | undefined): string | undefined => (wall !== undefined && isWall(wall) ? wall : undefined);

/** TEC: its importer writes `suffix`, its API `postfix`. */
function readPosition(text: string): 'prefix' | 'postfix' | 'suffix' | undefined {
  const value = text.toLowerCase();
  if (value === 'postfix') return value;
  if (['prefix', 'before', 'left'].includes(value)) return 'prefix';
  return ['suffix', 'after', 'right'].includes(value) ? 'suffix' : undefined;
}

/** Finds the titles, which may have other rows above them, and validates the settings of a file. @throws DatasetError */
function checkSettings(
  name: string,
  { settings = {} }: ReadOptions,
  rows: readonly string[][],
): { kind: CsvKind; columns: MappedColumn[]; above: number } {
  const problems = new Problems();
  const wanted = settings['kind'];
  const map = parseMap(settings['map'] ?? '');
  const isMapped = (row: readonly string[]): boolean => map.length > 0 && map.every(({ column }) => row.includes(column));
  const above = Math.max(
    0,
    rows.findIndex((row) => isMapped(row) || kindOfHeader(row) !== undefined),
  );
  const header = rows[above];
  const fromName = CSV_KINDS.find((candidate) => name.toLowerCase().includes(candidate.slice(0, -1)));
  const kind =
    CSV_KINDS.find((candidate) => candidate === wanted) ??
    kindOfHeader(header) ??
    kindOfMap(map) ??
    kindOfOwn(header) ??
    fromName ??
    kindOfAll(header);
  if (wanted !== undefined && kind !== wanted) problems.add('--kind', `"${wanted}" is not one of ${CSV_KINDS.join(', ')}`);
  if (settings['date-format'] !== undefined && !dateFormat(settings['date-format'])) {
    problems.add('--date-format', `"${settings['date-format']}" must contain a day (d), a month (m) and a year (Y), as in d/m/Y`);
  }
  if (!kind) {
    const columns = header.join(', ');
    problems.add('', `cannot detect the kind of rows from the columns (${columns}). Set --kind ${CSV_KINDS.join(', --kind ')}`, {
      line: 1,
    });
  }
  const columns = kind ? mapColumns(kind, header, map, problems) : [];
  problems.throwIfAny(name);
  return { kind: kind ?? 'events', columns, above };
}

/** Opens a CSV file in the format of the plugin's importer. @throws DatasetError for an invalid header or invalid settings */
export const openCsv: Open = async (input, options) => {
  const { name } = input;
  const delimiter = options.settings?.['delimiter'] ?? delimiterOf(await headOf(input));
  const { kind, columns, above } = checkSettings(name, options, await firstRows(input, name, delimiter));
  if (above > 0) options.notify?.(`The titles of the columns are in row ${above + 1}. The rows above are not read`);
  for (const line of describeColumns(kind, columns)) options.notify?.(line);
  for (const { title, field } of columns)
    if (field === null) options.warn?.(`The column "${title}" is not read. Rename it, or import with --map "${title}=FIELD"`);
  return {
    name,
    siteUrl: '',
    clock: null,
    keepsIds: false,
    async *items(problems) {
      const reader = new CsvReader(kind, options);
      const leave = leaving(options, name, problems);
      let index = -1;
      for await (const record of records(input, delimiter, options.signal)) {
        index += 1;
        if (index <= above) continue;
        const row = new Row(kind, columns, record, { leave, file: name, delimiter });
        if (row.isSound()) yield* reader.items(row);
      }
    },
  };
};
