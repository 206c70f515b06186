import path from 'node:path';
import { LINKED, LINKED_KINDS } from '../../plugins/the-events-calendar/model/event.js';
import { DatasetError } from '../source.js';
import type { Format, Setting } from './format.js';

/** The kinds of rows in CSV files: `events, venues or organizers`. */
const KINDS = ['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column)].join(', ').replace(/, (\w+)$/, ' or $1');

/** Titles of columns of a spreadsheet with events, among others. */
const TITLES = /^(?=[^\n]*[,;\t|])(?:[^\n]*[,;\t|])?"?(?:event )?(?:start|date|begin|datum|beginn|début|fecha|inicio|data)\b/im;

/** All formats. If several match an extension or the start of a file, the first is used. */
export const CONTENT_FORMATS: readonly Format[] = [
  {
    name: 'ndjson',
    extensions: ['.ndjson', '.jsonl'],
    summary: 'one item per line, for large datasets; lossless',
    lossless: true,
    sniff: (start) => /^\s*\{\s*"understudy"/.test(start),
    read: async () => (await import('./ndjson/read.js')).openNdjson,
    write: async () => (await import('./ndjson/write.js')).writeNdjson,
  },
  {
    name: 'site',
    extensions: ['.site.json', '.site.yaml', '.site.yml'],
    summary: 'a recorded site, with the columns of WordPress; lossless',
    lossless: true,
    // Starts like any JSON or YAML, and can be either, regardless of its extension; those readers recognize a recorded site by its content.
    sniff: () => false,
    read: async () => (await import('./dataset/file.js')).opener(null),
    write: async () => (await import('./site/write.js')).writeSiteFile,
  },
  {
    name: 'responses',
    extensions: ['.har'],
    summary: 'recorded responses of a calendar or WordPress: HAR, nock, VCR, WireMock, Mockoon, JSON',
    lossless: false,
    // Starts like any JSON or YAML; those readers recognize responses by their content.
    sniff: (start) => /^\s*\[/.test(start),
    read: async () => (await import('./dataset/file.js')).opener(null),
  },
  {
    name: 'json',
    extensions: ['.json'],
    summary: 'for writing by hand: references by slug, relative dates',
    lossless: false,
    sniff: (start) => /^\s*\{/.test(start),
    read: async () => (await import('./dataset/file.js')).opener('json'),
    write: async () => (await import('./dataset/output.js')).writer('json'),
  },
  {
    name: 'yaml',
    extensions: ['.yaml', '.yml'],
    summary: 'the same, as YAML',
    lossless: false,
    sniff: (start) => /^(?:---|#|\s*[a-z_$]+:(?:\s|$))/i.test(start),
    read: async () => (await import('./dataset/file.js')).opener('yaml'),
    write: async () => (await import('./dataset/output.js')).writer('yaml'),
  },
  {
    name: 'csv',
    extensions: ['.csv', '.tsv'],
    summary: `tables of ${KINDS}, as the plugin's importer accepts them`,
    lossless: false,
    // The name of something in the first line, or a date in a line with other titles: there may be lines above.
    sniff: (start) =>
      new RegExp(`^[^\\n]*(?:${['event', ...LINKED_KINDS].join('|')}) name`, 'i').test(start) ||
      (!/^\s*(?:[<{[]|BEGIN:)/i.test(start) && TITLES.test(start)),
    settings: [
      { name: 'kind', value: 'KIND', help: `CSV: ${KINDS}, if the columns are ambiguous`, applies: 'both' },
      { name: 'map', value: 'FIELDS', help: 'CSV: fields of the columns, as COLUMN=FIELD,…' },
      { name: 'date-format', value: 'FORMAT', help: 'CSV: order of day, month and year, such as d/m/Y' },
      { name: 'status', value: 'STATUS', help: 'CSV: status of the imported events' },
      { name: 'delimiter', value: 'CHAR', help: 'CSV: column delimiter' },
      {
        name: 'formulas',
        value: 'HOW',
        help: 'CSV: keep cells that spreadsheets run as formulas (keep, the default), or write an apostrophe before them (text)',
        applies: 'writing',
      },
    ],
    read: async () => (await import('./csv/read.js')).openCsv,
    write: async () => (await import('./csv/write.js')).writeCsv,
  },
  {
    name: 'ics',
    extensions: ['.ics', '.ical'],
    summary: 'iCalendar, for calendar apps: events with their venues, organizers and categories',
    lossless: false,
    sniff: (start) => /^\s*BEGIN:V[A-Z]+\s*$/im.test(start),
    isFolded: true,
    settings: [
      { name: 'from', value: 'DATE', help: 'iCalendar: first day of the period for which recurring events are expanded' },
      { name: 'to', value: 'DATE', help: 'iCalendar: last day of that period' },
      { name: 'max', value: 'COUNT', help: 'iCalendar: maximum number of events per series' },
      { name: 'max-events', value: 'COUNT', help: 'iCalendar: maximum number of events that all series of a file make (100000)' },
    ],
    read: async () => (await import('./ics/read.js')).openIcs,
    write: async () => (await import('./ics/write.js')).writeIcs,
  },
  {
    name: 'wxr',
    extensions: ['.xml', '.wxr'],
    summary: 'WordPress export: posts, meta, terms, authors, and attachments with the URLs of their files',
    lossless: false,
    settings: [
      {
        name: 'first-id',
        value: 'ID',
        help: 'WordPress export: id of the first post; all ids and references change by the same number',
        applies: 'writing',
      },
    ],
    sniff: (start) => /^\s*(?:<\?xml|<!--|<rss\b)/.test(start),
    read: async () => (await import('./wxr/read.js')).openWxr,
    write: async () => (await import('./wxr/write.js')).writeWxr,
  },
];

export function formatSettings(): Setting[] {
  const all = CONTENT_FORMATS.flatMap(({ settings = [] }) => settings);
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

export const formatNames = (): string[] => CONTENT_FORMATS.map(({ name }) => name);

/** The format with a name. @throws DatasetError */
export function formatNamed(name: string): Format {
  const format = CONTENT_FORMATS.find((candidate) => candidate.name === name);
  if (!format) throw new DatasetError(name, [`unknown format. Use ${formatNames().join(', ')}`]);
  return format;
}

/** The format of a file name, by its extension. */
export function formatOfName(file: string): Format | undefined {
  const base = path.basename(file).toLowerCase();
  return CONTENT_FORMATS.find(({ extensions }) => extensions.some((extension) => base.endsWith(extension)));
}
