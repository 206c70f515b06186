import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { Clock } from '../../../wp/clock.js';
import { EVENT_CATEGORY, TAG } from '../../../wp/model.js';
import { isTimezoneOrEmpty } from '../../../wp/timezones.js';
import {
  CSV_KINDS,
  COLUMNS,
  describeColumns,
  kindOfHeader,
  mapColumns,
  parseMap,
  type CsvField,
  type CsvKind,
  type MappedColumn,
} from './columns.js';
import { dateFormat, isWall, readDay, readFlag, readList, readTime } from './values.js';
import { Documents, type WallTimes } from '../../documents.js';
import type { Open, ReadOptions } from '../format.js';
import { DatasetError, Problems } from '../../problems.js';
import type { DatasetItem, Place } from '../../source.js';

type Tell = (problem: string, at?: Place) => void;

interface CsvRecord {
  cells: string[];
  /** Line on which it begins. */
  line: number;
}

const HEAD = 65_536;

async function headOf(file: string): Promise<string> {
  let text = '';
  for await (const chunk of createReadStream(file, { end: HEAD, encoding: 'utf8' })) text += String(chunk);
  return text.replace(/^\uFEFF/, '');
}

const DELIMITERS = [',', ';', '\t', '|'];

/** The sign that parts the columns: the one of which the first line has most, outside of quotes. */
export function delimiterOf(head: string): string {
  const bare = head.replace(/"(?:[^"]|"")*"/g, '');
  const first = bare.split(/\r?\n/).find((line) => line.trim() !== '') ?? '';
  const counts = DELIMITERS.map((sign) => first.split(sign).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))];
}

/** Rows of a file with the line on which each begins. @throws CsvError */
async function* records(file: string, delimiter: string, signal?: AbortSignal): AsyncIterable<CsvRecord> {
  const parser = parse({ bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true });
  const input = createReadStream(file, { signal });
  input.on('error', (error) => parser.destroy(error));
  let end = 0;
  for await (const { record, info } of input.pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
    const inner = record.join('').split('\n').length - 1;
    const line = Math.max(end + 1, info.lines - inner);
    end = info.lines;
    if (record.some((cell) => cell.trim() !== '')) yield { cells: record, line };
  }
}

/** One row by the names of its fields. */
class Row<K extends CsvKind> {
  constructor(
    private readonly kind: K,
    private readonly columns: readonly MappedColumn[],
    private readonly record: CsvRecord,
    private readonly problems: Tell,
    private readonly file: string,
  ) {}

  private index(field: CsvField<K>): number {
    return this.columns.findIndex((column) => column.field === field);
  }

  text(field: CsvField<K>): string {
    return (this.record.cells[this.index(field)] ?? '').trim();
  }

  /** Text that may have blanks at its ends. */
  raw(field: CsvField<K>): string {
    return this.record.cells[this.index(field)] ?? '';
  }

  at(field?: CsvField<K>): Place {
    const title =
      field && (this.columns[this.index(field)]?.title ?? (COLUMNS[this.kind] as Record<string, { title: string }>)[field].title);
    return { file: this.file, line: this.record.line, ...(title ? { path: title } : {}) };
  }

  problem(field: CsvField<K>, message: string): undefined {
    this.problems(message, this.at(field));
    return undefined;
  }

  /** The value of a cell, or undefined with a problem told; `otherwise` for an empty one. */
  read<T>(field: CsvField<K>, read: (text: string) => T | undefined, otherwise: T, what: string): T | undefined {
    const text = this.text(field);
    if (text === '') return otherwise;
    const value = read(text);
    return value === undefined ? this.problem(field, `"${text}" is not ${what}`) : value;
  }
}

const FLAG = 'yes or no (TRUE, FALSE, 1, 0)';
const TIME = 'a time of day such as 19:30 or 7:30 pm';

/** Reads rows of one kind into documents. */
class CsvReader {
  private readonly documents: Documents;
  private readonly now: number;
  private readonly zone: string;
  private readonly format?: RegExp;

  constructor(
    private readonly kind: CsvKind,
    private readonly options: ReadOptions,
  ) {
    this.zone = options.zone ?? 'UTC';
    this.documents = new Documents(options.now, this.zone);
    this.now = new Clock(options.now).seconds();
    const format = options.settings?.['date-format'];
    this.format = format === undefined ? undefined : dateFormat(format);
  }

  items(columns: readonly MappedColumn[], record: CsvRecord, problems: Tell, file: string): DatasetItem[] {
    const row = <K extends CsvKind>(kind: K): Row<K> => new Row(kind, columns, record, problems, file);
    if (this.kind === 'venues') return this.venue(row('venues'));
    return this.kind === 'organizers' ? this.organizer(row('organizers')) : this.event(row('events'));
  }

  private venue(row: Row<'venues'>): DatasetItem[] {
    const title = row.text('title') || row.problem('title', 'is missing');
    const degrees = (field: 'lat' | 'lng', most: number) =>
      row.read(
        field,
        (text) => (/^[+-]?\d+(?:\.\d+)?$/.test(text) && Math.abs(Number(text)) <= most ? text : undefined),
        '',
        `a number of degrees up to ${most}`,
      );
    const [lat, lng] = [degrees('lat', 90), degrees('lng', 180)];
    if (title === undefined || lat === undefined || lng === undefined) return [];
    const post = this.documents.venue({
      title,
      content: row.raw('description'),
      address: [row.text('address'), row.text('address2')].filter((text) => text !== '').join(' '),
      city: row.text('city'),
      country: row.text('country'),
      stateProvince: row.text('state'),
      zip: row.text('zip'),
      phone: row.text('phone'),
      website: row.text('website'),
      lat,
      lng,
    });
    return [{ kind: 'post', post, at: row.at() }];
  }

  private organizer(row: Row<'organizers'>): DatasetItem[] {
    const title = row.text('title') || row.problem('title', 'is missing');
    if (title === undefined) return [];
    const [phone, email, website] = (['phone', 'email', 'website'] as const).map((field) => row.text(field));
    const post = this.documents.organizer({ title, content: row.raw('description'), phone, email, website });
    return [{ kind: 'post', post, at: row.at() }];
  }

  private event(row: Row<'events'>): DatasetItem[] {
    const title = row.text('title') || row.problem('title', 'is missing');
    const times = this.times(row);
    const flag = (field: CsvField<'events'>, otherwise = false) => row.read(field, readFlag, otherwise, FLAG);
    const [hidden, sticky, featured] = [flag('hidden'), flag('sticky'), flag('featured')];
    const [showMap, showMapLink] = [flag('show_map', true), flag('show_map_link', true)];
    const position = row.read('currency_position', readPosition, null, 'prefix or postfix');
    const flags = [hidden, sticky, featured, showMap, showMapLink];
    if (title === undefined || !times || position === undefined || flags.includes(undefined)) return [];
    const venue = row.text('venue') === '' ? null : this.documents.namedVenue({ title: row.text('venue') }, row.at('venue'));
    const organizers = readList(row.text('organizers')).map((name) => this.documents.namedOrganizer({ title: name }, row.at('organizers')));
    const terms = (field: 'categories' | 'tags', taxonomy: string) =>
      readList(row.text(field)).flatMap((name) => this.documents.namedTerm(taxonomy, name, row.at(field)) ?? []);
    const [categories, tags] = [terms('categories', EVENT_CATEGORY), terms('tags', TAG)];
    const ids = (named: readonly { id: number }[]): number[] => [...new Set(named.map(({ id }) => id))];
    const given = (text: string): string | undefined => (text === '' ? undefined : text);
    const post = this.documents.event({
      ...times,
      title,
      content: row.raw('description'),
      excerpt: row.raw('excerpt'),
      status: this.options.settings?.['status'] ?? 'publish',
      venue: venue?.id,
      organizers: ids(organizers),
      categories: ids(categories),
      tags: ids(tags),
      website: row.text('website'),
      cost: row.text('cost'),
      currency: { symbol: given(row.text('currency_symbol')), code: given(row.text('currency_code')), position: position ?? undefined },
      hidden,
      sticky,
      featured,
      showMap,
      showMapLink,
    });
    const named = [...(venue ? [venue] : []), ...organizers, ...categories, ...tags].flatMap(({ items }) => items);
    return [...named, { kind: 'post', post, at: row.at() }];
  }

  private times(row: Row<'events'>): WallTimes | undefined {
    const timezone = row.read(
      'timezone',
      (text) => (isTimezoneOrEmpty(text) ? text : undefined),
      this.zone,
      'a time zone such as Europe/Berlin or UTC+5.5',
    );
    const allDay = row.read('all_day', readFlag, false, FLAG);
    const [startTime, endTime] = [row.read('start_time', readTime, '', TIME), row.read('end_time', readTime, '', TIME)];
    if (timezone === undefined) return undefined;
    const reading = { now: this.now, timezone, format: this.format };
    const day = (field: 'start_date' | 'end_date') => row.read(field, (text) => checked(readDay(text, reading)), '', this.dateHelp());
    const [startDay, endDay] = [day('start_date'), day('end_date')];
    if (startDay === '') return row.problem('start_date', 'is missing');
    if ([allDay, startTime, endTime, startDay, endDay].includes(undefined) || startDay === undefined) return undefined;
    const start = startTime ? `${startDay.slice(0, 10)} ${startTime}` : startDay;
    const lastDay = endDay || startDay;
    // Without an end, or with the day of the end only, an event ends when it starts, on that day.
    const end = endTime
      ? `${lastDay.slice(0, 10)} ${endTime}`
      : endDay && !endDay.endsWith('00:00:00')
        ? endDay
        : `${lastDay.slice(0, 10)}${start.slice(10)}`;
    const whole = allDay ? { start: `${start.slice(0, 10)} 00:00:00`, end: `${end.slice(0, 10)} 23:59:59` } : { start, end };
    if (whole.end < whole.start)
      return row.problem(endDay ? 'end_date' : 'end_time', `the event ends (${whole.end}) before it starts (${whole.start})`);
    return { ...whole, timezone, allDay: allDay === true };
  }

  private dateHelp(): string {
    const format = this.options.settings?.['date-format'];
    return format === undefined
      ? 'a date such as 2026-08-01 (8/1/2026 has the month first; for other orders say --date-format, such as d/m/Y)'
      : `a date of the form ${format}`;
  }
}

const checked = (wall: string | undefined): string | undefined => (wall !== undefined && isWall(wall) ? wall : undefined);

/** `null` for no position at all. */
function readPosition(text: string): 'prefix' | 'postfix' | null | undefined {
  const value = text.toLowerCase();
  if (['prefix', 'before', 'left'].includes(value)) return 'prefix';
  return ['postfix', 'suffix', 'after', 'right'].includes(value) ? 'postfix' : undefined;
}

const FIX_QUOTES = 'a cell with a quote, a separator or a line end in it stands in quotes, and quotes in it are doubled';

/** What is wrong with the form of the file, with the line where the row begins that cannot be read. */
function formProblem(error: CsvError): string {
  return `line ${(error as CsvError & { lines?: number }).lines ?? '?'}: ${error.message.replace(/\s+/g, ' ')}; ${FIX_QUOTES}`;
}

/** The settings of a file, checked. @throws DatasetError */
function checkSettings(
  name: string,
  { settings = {} }: ReadOptions,
  header: readonly string[],
): { kind: CsvKind; columns: MappedColumn[] } {
  const problems = new Problems();
  const wanted = settings['kind'];
  const fromName = CSV_KINDS.find((candidate) => name.toLowerCase().includes(candidate.slice(0, -1)));
  const kind = CSV_KINDS.find((candidate) => candidate === wanted) ?? kindOfHeader(header) ?? fromName;
  if (wanted !== undefined && kind !== wanted) problems.add('--kind', `"${wanted}" is not one of ${CSV_KINDS.join(', ')}`);
  if (settings['date-format'] !== undefined && !dateFormat(settings['date-format'])) {
    problems.add('--date-format', `"${settings['date-format']}" does not name a day (d), a month (m) and a year (Y), as d/m/Y does`);
  }
  if (!kind) {
    const columns = header.join(', ');
    problems.add('line 1', `its columns do not tell what the rows are (${columns}); say --kind ${CSV_KINDS.join(', --kind ')}`);
  }
  const columns = kind ? mapColumns(kind, header, parseMap(settings['map'] ?? ''), problems) : [];
  problems.throwIfAny(name);
  return { kind: kind ?? 'events', columns };
}

/** Opens a CSV file as the plugin's own importer takes it. @throws DatasetError when its header or the settings make no sense */
export const open: Open = async (input, options) => {
  const { file, name } = input;
  const delimiter = options.settings?.['delimiter'] ?? delimiterOf(await headOf(file));
  const header = await headerOf(file, name, delimiter);
  const { kind, columns } = checkSettings(name, options, header);
  for (const line of describeColumns(kind, columns)) options.tell?.(line);
  return {
    name,
    siteUrl: '',
    clock: null,
    keepsIds: false,
    async *items(problems) {
      const reader = new CsvReader(kind, options);
      let isHeader = true;
      try {
        for await (const record of records(file, delimiter, options.signal)) {
          if (isHeader) isHeader = false;
          else if (isSound(record, columns, problems, name)) yield* reader.items(columns, record, problems, name);
        }
      } catch (error) {
        if (!(error instanceof CsvError)) throw error;
        problems(formProblem(error), { file: name });
      }
    },
  };
};

async function headerOf(file: string, name: string, delimiter: string): Promise<string[]> {
  try {
    for await (const { cells } of records(file, delimiter)) return cells.map((cell) => cell.trim());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new DatasetError(name, [formProblem(error)]);
  }
  throw new DatasetError(name, ['is empty: the first line has to name the columns']);
}

/** Whether a row is as long as the header and of readable text; other rows become problems. */
function isSound({ cells, line }: CsvRecord, columns: readonly MappedColumn[], problems: Tell, file: string): boolean {
  const extra = cells.slice(columns.length).some((cell) => cell.trim() !== '');
  if (extra) {
    problems(`has ${cells.length} cells, the header ${columns.length}: a cell with a separator in it has to stand in quotes`, {
      file,
      line,
    });
    return false;
  }
  const garbled = cells.findIndex((cell) => cell.includes('\uFFFD'));
  if (garbled < 0) return true;
  problems('is not UTF-8; save the file as "CSV UTF-8"', { file, line, path: columns[garbled]?.title });
  return false;
}
