import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { DatasetError } from '../problems.js';
import type { DatasetSource } from '../source.js';

/** A file to read. What comes through a pipe is put into a file first: sources may be read more than once. */
export interface InputFile {
  /** Path of the file. */
  file: string;
  /** What people know it by, as they gave it. */
  name: string;
  /** Folder in which its media lie, in `uploads`: that of the file, unless it came through a pipe. */
  folder: string;
}

export interface ReadOptions {
  /** The moment that relative dates start from, ms since 1970; null: the clock that the content brings along, or the real time. */
  now: number | null;
  /** Zone of the site that it is read for: where a format leaves the zone open. */
  zone?: string;
  /** Further settings by name, such as `map` for the columns of a CSV file; each format takes its own and ignores the others. */
  settings?: Readonly<Record<string, string>>;
  /** Told of what people want to know about the reading and is no fault, a sentence each: which column is taken for what, what is left out. */
  tell?: (line: string) => void;
  /** Ends the reading early. */
  signal?: AbortSignal;
}

export interface WriteOptions {
  /** Path of the file that is written, or null for a stream: then there is no place for further files. */
  file: string | null;
  /** Told of what the format cannot say, a sentence each. */
  warn: (line: string) => void;
  settings?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** What reads and writes a format; either may be missing. */
export interface FormatCode {
  /**
   * Opens a file. Nothing but what is needed to describe the source is read here.
   * @throws DatasetError when it cannot be read at all
   */
  open?(input: InputFile, options: ReadOptions): Promise<DatasetSource>;
  /** Writes everything that the source gives. Ends when all is handed to `out`, which it leaves open. */
  write?(source: DatasetSource, out: Writable, options: WriteOptions): Promise<void>;
}

export interface Format {
  name: string;
  /** With the dot, in lower case; the first is the usual one. */
  extensions: readonly string[];
  /** For help texts. */
  summary: string;
  /** Whether exporting and then loading gives back every document as it was. */
  lossless: boolean;
  /** Whether a file may be of this format, by how it begins (at most 4,096 characters, without byte order mark). */
  sniff: (start: string) => boolean;
  /** What a format needs is loaded when it is asked for. */
  load: () => Promise<FormatCode>;
}

/** All formats. Where several claim an extension or a beginning, the first has it. */
export const FORMATS: readonly Format[] = [
  {
    name: 'ndjson',
    extensions: ['.ndjson', '.jsonl'],
    summary: 'one item per line, for large sets; nothing is lost',
    lossless: true,
    sniff: (start) => /^\s*\{\s*"understudy"/.test(start),
    load: async () => (await import('./ndjson/index.js')).ndjson,
  },
  {
    name: 'site',
    extensions: ['.site.json', '.site.yaml', '.site.yml'],
    summary: 'a recorded site: the columns of WordPress as they are; nothing is lost',
    lossless: true,
    // As JSON: own files are told apart by what is in them, once they are read.
    sniff: () => false,
    load: async () => (await import('./own/index.js')).site,
  },
  {
    name: 'json',
    extensions: ['.json'],
    summary: 'what people write: references by slug, dates may be relative',
    lossless: false,
    sniff: (start) => /^\s*\{/.test(start),
    load: async () => (await import('./own/index.js')).json,
  },
  {
    name: 'yaml',
    extensions: ['.yaml', '.yml'],
    summary: 'the same, as YAML',
    lossless: false,
    sniff: (start) => /^(?:---|#|\s*[a-z_$]+:(?:\s|$))/i.test(start),
    load: async () => (await import('./own/index.js')).yaml,
  },
  {
    name: 'csv',
    extensions: ['.csv', '.tsv'],
    summary: "tables of events, venues or organizers, as the plugin's own importer takes them",
    lossless: false,
    sniff: (start) => /^[^\n]*(?:event|venue|organizer) name/i.test(start),
    load: async () => (await import('./csv/index.js')).csv,
  },
  {
    name: 'ics',
    extensions: ['.ics', '.ical'],
    summary: 'iCalendar, for calendar programs: events with their venues, organizers and categories',
    lossless: false,
    sniff: (start) => /^\s*BEGIN:VCALENDAR/i.test(start),
    load: async () => (await import('./ics/index.js')).ics,
  },
  {
    name: 'wxr',
    extensions: ['.xml', '.wxr'],
    summary: 'the export of WordPress: posts, meta, terms, authors and attachments, and where their files are',
    lossless: false,
    sniff: (start) => /^\s*(?:<\?xml|<!--|<rss\b)/.test(start),
    load: async () => (await import('./wxr/index.js')).wxr,
  },
];

export const formatNames = (): string[] => FORMATS.map(({ name }) => name);

/** The format of a name. @throws DatasetError */
export function formatNamed(name: string): Format {
  const format = FORMATS.find((candidate) => candidate.name === name);
  if (!format) throw new DatasetError(name, [`is no format; there are ${formatNames().join(', ')}`]);
  return format;
}

/** The format that a file name stands for. */
export function formatOfName(file: string): Format | undefined {
  const base = path.basename(file).toLowerCase();
  return FORMATS.find(({ extensions }) => extensions.some((extension) => base.endsWith(extension)));
}

const START = 4_096;

async function startOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START), 0, START, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file of any format: the one that is named, else that of the extension, else what its content looks like.
 * @throws DatasetError when there is no such file, or nothing tells what it is
 */
export async function openFile(input: InputFile, options: ReadOptions, formatName?: string): Promise<DatasetSource> {
  const start = await startOf(input.file).catch((error: NodeJS.ErrnoException) => {
    throw new DatasetError(input.name, [error.code === 'ENOENT' ? 'there is no such file' : `cannot be read: ${error.message}`]);
  });
  const format =
    formatName === undefined ? (formatOfName(input.name) ?? FORMATS.find(({ sniff }) => sniff(start))) : formatNamed(formatName);
  if (!format) throw new DatasetError(input.name, [`is of no known format; name it with --format: ${formatNames().join(', ')}`]);
  const code = await format.load();
  if (!code.open) throw new DatasetError(input.name, [`${format.name} can be written and not read`]);
  return code.open(input, options);
}

/** A file on the disk as input. */
export const inputFile = (file: string): InputFile => ({ file, name: file, folder: path.dirname(path.resolve(file)) });
