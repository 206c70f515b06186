import * as yup from 'yup';
import type { SitePart } from '../../database/store/site-copy.js';

/**
 * A backup is a tar archive, compressed with gzip: the header, the documents of each collection as MongoDB stores them, the files, and at
 * the end the manifest with the digest of each member.
 */

/** The layout of the archive. */
export const LAYOUT = 1;

export const HEADER = 'understudy-backup.json';
export const MANIFEST = 'manifest.json';
/** State that tests control besides the content: clock, faults, stubs, journal. Only in backups of failed tests. */
export const STATE = 'state.json';

/** Folder of the files of the media library and of snapshots. */
const FILES = 'files/';
const DOCUMENTS = 'documents/';
const CONTENT = 'content';
const SNAPSHOTS = 'snapshots';

/** The first member: what is needed to decide whether the rest can be read. */
export interface Header {
  /** Layout of the archive. */
  backup: number;
  /** Format of the documents. */
  format: number;
  /** The version of Understudy that wrote it. */
  version: string;
  /** When, ISO 8601. */
  created: string;
  /** URL of the site, which its links start with. */
  url: string;
}

export interface Member {
  name: string;
  /** Size in bytes. */
  size: number;
  sha256: string;
}

/** The last member. */
export interface Manifest extends Header {
  snapshots: string[];
  /** How many there are: `events`, `venues`, `terms`, `users`, `files`, …. */
  counts: Record<string, number>;
  documents: { snapshot: string; part: string; count: number }[];
  members: Member[];
}

const count = yup.number().integer().min(0).required();
const text = yup.string().required();
const HEADER_FIELDS = { backup: count, format: count.min(1), version: text, created: text, url: yup.string().defined() };

export const headerSchema: yup.ObjectSchema<Header> = yup.object(HEADER_FIELDS);

/** Names of snapshots, which are names of folders too. */
const NAME = /^[\w-]+$/;
/** Names of collections. */
const PART = /^[A-Za-z_]+$/;

export const manifestSchema = yup.object({
  ...HEADER_FIELDS,
  snapshots: yup.array(text.matches(NAME)).required(),
  counts: yup.object().required(),
  documents: yup
    .array(
      yup.object({
        snapshot: yup
          .string()
          .defined()
          .matches(/^[\w-]*$/),
        part: text.matches(PART),
        count,
      }),
    )
    .required(),
  members: yup.array(yup.object({ name: text, size: count, sha256: text.matches(/^[0-9a-f]{64}$/) })).required(),
});

/** The name of a member with documents. @param index of the member within the collection */
export const documentsName = ({ snapshot, part }: SitePart, index: number): string =>
  `${DOCUMENTS}${snapshot === '' ? CONTENT : `${SNAPSHOTS}/${snapshot}`}/${part}/${String(index).padStart(5, '0')}.bson`;

/** The collection of a member with documents; null if it has none. */
export function sitePartOf(name: string): SitePart | null {
  const [, snapshot = '', part] = /^documents\/(?:content|snapshots\/([\w-]+))\/([A-Za-z_]+)\/\d+\.bson$/.exec(name) ?? [];
  return part === undefined ? null : { snapshot, part };
}

/** The name of a member that is a file. @param file path relative to the staged folder of files, with `/` */
export const fileName = (file: string): string => `${FILES}${file}`;

/** The path of a file, relative to the staged folder of files; null if the member is none, or its path leads elsewhere. */
export function fileOf(name: string): string | null {
  const [, file] = /^files\/((?:uploads|snapshots\/[\w-]+)\/.+)$/s.exec(name) ?? [];
  const isInside = file !== undefined && !/[\\\0]/.test(file) && file.split('/').every((step) => !['', '.', '..'].includes(step));
  return isInside ? file : null;
}
