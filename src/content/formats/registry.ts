import path from 'node:path';
import { LINKED, LINKED_KINDS } from '../../tec/linked.js';
import { DatasetError } from '../problems.js';
import type { Format, Setting } from './format.js';

/** What tables have a row of each of. */
const KINDS = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(['events', ...LINKED_KINDS.map((kind) => LINKED[kind].column)]);

/** All formats. Where several match an extension or the start of a file, the first one wins. */
export const FORMATS: readonly Format[] = [
  {
    name: 'ndjson',
    extensions: ['.ndjson', '.jsonl'],
    summary: 'one item per line, for large sets; nothing is lost',
    lossless: true,
    sniff: (start) => /^\s*\{\s*"understudy"/.test(start),
    read: () => import('./ndjson/read.js'),
    write: () => import('./ndjson/write.js'),
  },
  {
    name: 'site',
    extensions: ['.site.json', '.site.yaml', '.site.yml'],
    summary: 'a recorded site: the columns of WordPress as they are; nothing is lost',
    lossless: true,
    // Starts like any JSON or YAML; those readers recognize a recorded site by its content.
    sniff: () => false,
    read: () => import('./site/read.js'),
    write: () => import('./site/write.js'),
  },
  {
    name: 'json',
    extensions: ['.json'],
    summary: 'what people write: references by slug, dates may be relative',
    lossless: false,
    sniff: (start) => /^\s*\{/.test(start),
    read: () => import('./json/read.js'),
    write: () => import('./json/write.js'),
  },
  {
    name: 'yaml',
    extensions: ['.yaml', '.yml'],
    summary: 'the same, as YAML',
    lossless: false,
    sniff: (start) => /^(?:---|#|\s*[a-z_$]+:(?:\s|$))/i.test(start),
    read: () => import('./yaml/read.js'),
    write: () => import('./yaml/write.js'),
  },
  {
    name: 'csv',
    extensions: ['.csv', '.tsv'],
    summary: `tables of ${KINDS}, as the plugin's own importer takes them`,
    lossless: false,
    sniff: (start) => new RegExp(`^[^\\n]*(?:${['event', ...LINKED_KINDS].join('|')}) name`, 'i').test(start),
    settings: [
      { name: 'kind', value: 'KIND', help: `CSV: ${KINDS}, when the columns do not tell`, writes: true },
      { name: 'map', value: 'FIELDS', help: 'CSV: which column is which, as COLUMN=FIELD,…' },
      { name: 'date-format', value: 'FORMAT', help: 'CSV: order of day, month and year, such as d/m/Y' },
      { name: 'status', value: 'STATUS', help: 'CSV: status of what is read' },
      { name: 'delimiter', value: 'CHAR', help: 'CSV: what is between the columns' },
    ],
    read: () => import('./csv/read.js'),
    write: () => import('./csv/write.js'),
  },
  {
    name: 'ics',
    extensions: ['.ics', '.ical'],
    summary: 'iCalendar, for calendar programs: events with their venues, organizers and categories',
    lossless: false,
    sniff: (start) => /^\s*BEGIN:VCALENDAR/i.test(start),
    settings: [
      { name: 'from', value: 'DATE', help: 'iCalendar: first day of the window in which recurring events are expanded' },
      { name: 'to', value: 'DATE', help: 'iCalendar: last day of that window' },
      { name: 'max', value: 'COUNT', help: 'iCalendar: most events of one series' },
    ],
    read: () => import('./ics/read.js'),
    write: () => import('./ics/write.js'),
  },
  {
    name: 'wxr',
    extensions: ['.xml', '.wxr'],
    summary: 'the export of WordPress: posts, meta, terms, authors and attachments, and where their files are',
    lossless: false,
    sniff: (start) => /^\s*(?:<\?xml|<!--|<rss\b)/.test(start),
    read: () => import('./wxr/read.js'),
    write: () => import('./wxr/write.js'),
  },
];

/** The settings of all formats. */
export function formatSettings(): Setting[] {
  const all = FORMATS.flatMap(({ settings = [] }) => settings);
  return all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
}

export const formatNames = (): string[] => FORMATS.map(({ name }) => name);

/** The format with a name. @throws DatasetError */
export function formatNamed(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (!format) throw new DatasetError(name, [`is no format; there are ${formatNames().join(', ')}`]);
  return format;
}

/** The format that the extension of a file name stands for. */
export function formatOfName(file: string): Format | undefined {
  const base = path.basename(file).toLowerCase();
  return FORMATS.find(({ extensions }) => extensions.some((extension) => base.endsWith(extension)));
}
