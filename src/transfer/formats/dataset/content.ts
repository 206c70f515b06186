import type * as yup from 'yup';
import type { Zones } from '../../../base/php/timezone.js';
import type { MetaRow, Post } from '../../../wordpress/model.js';
import type { DateBase } from '../../dates.js';
import type { Problems } from '../../source.js';
import type { NamedEntries, NamedEntry } from './names.js';

declare module '../../../plugins/plugin.js' {
  interface MovingContent {
    dataset?: DatasetPart;
  }
}

/**
 * Rules for what a plugin adds to datasets, by name: further lists of a file, and further members of its events and pages. Their types are the
 * plugin's own, so the types of files do not have them.
 */
export interface AddedRules {
  lists?: object;
  events?: object;
  pages?: object;
}

/** The fields of every post, as far as a plugin's posts have them. */
export interface SharedFields {
  id?: number | undefined;
  slug?: string | undefined;
  author?: string | undefined;
  status?: string | undefined;
  date?: string | undefined;
  password?: string | undefined;
  meta?: Record<string, string | string[]> | undefined;
}

/** An item that becomes a post. */
export interface PlacedItem {
  item: SharedFields;
  /** Path in the file. */
  path: string;
  title: string;
}

/** A valid file, with its entries. */
export interface HeldContent {
  file: Readonly<Record<string, unknown>>;
  /** Events and pages with the paths of their entries; those of a series have the one of the series. */
  events: readonly object[];
  pages: readonly object[];
  entries: { events: readonly NamedEntry[]; pages: readonly NamedEntry[] };
}

/** The file as a reader of a plugin gets it. */
export interface ContentReading {
  /** Its items with their ids and slugs, by kind. */
  entries: Readonly<Record<string, NamedEntries<SharedFields>>>;
  /** All other posts of the file. */
  posts: readonly Post[];
  /** Makes a post of an entry, without meta and terms; `custom` is the meta in the file. */
  post: (
    kind: NamedEntries<SharedFields>,
    index: number,
    type: string,
    title: string,
  ) => Omit<Post, 'meta' | 'terms'> & { custom: MetaRow[] };
  base: DateBase;
  problems: Problems;
}

type Entries = Record<string, unknown>;

/** The site as a writer of a plugin gets it. */
export interface ContentWriting {
  /** The fields that all posts share. */
  item: (post: Post) => Entries;
  omitEmpty: (fields: Entries) => Entries;
  omitted: (what: string) => void;
  wrote: (kind: string) => void;
  zone: string;
  zones: Zones;
}

/** Writes posts of a plugin. */
export interface ContentWriter {
  /** Further members of an event or a page. */
  membersOf?: (holder: Post) => Entries;
  /** Further lists of the file. */
  lists?: () => Entries;
  /** Reports what was not written. */
  end?: () => void;
}

/** Reads and writes what a plugin adds to datasets. */
export interface DatasetPart {
  /** @param shared rules of the fields that all posts share */
  rules: (shared: yup.ObjectShape) => AddedRules;
  /** Finds its items in a file, in which missing titles are empty texts: by kind, each of which has slugs of its own, and `read`, which makes posts of them. */
  place: (held: HeldContent) => {
    kinds: Readonly<Record<string, readonly PlacedItem[]>>;
    read: (reading: ContentReading) => Post[];
  };
  /** The members of an event that each repetition of a series has. */
  again?: (event: object) => object;
  writer: (posts: readonly Post[], writing: ContentWriting) => ContentWriter;
}
