import type { Zones } from '../../base/php/timezone.js';
import type { Writable } from 'node:stream';
import type { Declarations } from '../../wordpress/types/declared.js';
import type { DatasetSource, SourcePlace } from '../source.js';
import type { TextFile } from './encoding.js';

/** A file to read. Piped input is written to a file first, because sources may be read more than once. */
export interface InputFile extends TextFile {
  /** The name that messages use, as the user gave it. */
  name: string;
  /** Folder that contains the media folder`uploads`: the file's own, or the working directory for piped input. */
  folder: string;
  /** The folder as messages name it, for content that was sent from elsewhere. Default: `folder`. */
  shownFolder?: string;
  /** Whether the user has named a file of this machine, which may be a module to run. Never for content that was sent. */
  isOwn?: boolean;
}

/** @param at the place that the warning is about, if it is known */
export type Warn = (line: string, at?: SourcePlace) => void;

export interface ReadOptions {
  /** Base of relative dates, ms since 1970 UTC; null: the clock of the content, or the real time. */
  now: number | null;
  /** Time zone of the target site, for files without one. */
  zone?: string;
  /** The time zones of the target site. Default: as the file says, or the newest data. */
  zones?: Zones;
  /** Declarations of the target site, if the content is added to it: files that cannot declare anything may have posts of these types. */
  declarations?: Declarations;
  /** Further settings by name, such as `map` for the columns of a CSV file. Each format reads its own and ignores the others. */
  settings?: Readonly<Record<string, string>>;
  /** Name of the encoding of the file. Default: as the file says, or UTF-8. */
  encoding?: string;
  /** Whether what would be left out with a warning is a problem instead. */
  strict?: boolean;
  /** Receives notes on what is read as meant, one sentence each: how a column is interpreted. */
  notify?: (line: string) => void;
  /** Receives warnings, one sentence each, without a period: what is probably a mistake, was left out, chosen or changed. Each comes once. */
  warn?: Warn;
  /** Receives the absolute path of each file that a module consists of, also if it fails. Packages are left out. */
  onImport?: (file: string) => void;
  signal?: AbortSignal;
}

/** How a reader reports what it leaves out: as a warning, or with `strict` as a problem. @param file name for messages */
export const leaving =
  ({ strict, warn }: Pick<ReadOptions, 'strict' | 'warn'>, file: string, problems: Warn): Warn =>
  (why, at) =>
    strict === true ? problems(why, { file, ...at }) : warn?.(`left out: ${why}`, { file, ...at });

export type Wrote = (kind: string) => void;

export interface FormatWriteOptions {
  /** Path of the file that is written, or null for a stream, which has no place for further files. */
  file: string | null;
  /** Receives a sentence for everything that the format cannot express. */
  warn: (line: string) => void;
  /** Receives the kind of everything that is written: `event`, `venue`, `user`, `file`. */
  wrote?: Wrote | undefined;
  settings?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/**
 * Opens a file. Reads only what is needed to describe the source.
 * @throws DatasetError when the file cannot be read at all
 */
export type Open = (input: InputFile, options: ReadOptions) => Promise<DatasetSource>;

/** Writes all items of a source. Resolves when everything has been handed to `out`, which it leaves open. */
export type Write = (source: DatasetSource, out: Writable, options: FormatWriteOptions) => Promise<void>;

/** A setting of a format, as an option of the command line. */
export interface Setting {
  /** Name of the setting, and of the flag. */
  name: string;
  value: string;
  help: string;
  /** Direction that it applies to. Default: reading. */
  applies?: 'reading' | 'writing' | 'both';
}

export interface Format {
  name: string;
  /** With the dot, in lower case; the first is the default. */
  extensions: readonly string[];
  /** Description for `--help`. */
  summary: string;
  /** Whether exporting and then loading restores every document exactly. */
  lossless: boolean;
  /** Whether a file may be of this format, by its start (at most 4,096 characters, without byte order mark). */
  sniff: (start: string) => boolean;
  /** Several formats may share a setting; the first describes it. */
  settings?: readonly Setting[];
  /** Whether lines are folded between any two bytes, so that the reader itself has to check the encoding after unfolding. */
  isFolded?: boolean;
  /** The modules are loaded on first use. Either may be missing. */
  read?: () => Promise<Open>;
  write?: () => Promise<Write>;
}
